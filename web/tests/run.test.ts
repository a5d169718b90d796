import { describe, expect, it } from 'vitest';
import type { IterationRow, RunNote, RunStreamMessage } from '../src/live/messages';
import { mostImportant } from '../src/pages/run/Alarms';
import { playersText } from '../src/pages/run/players';
import { applyMessage, mergeRows, NO_RUN } from '../src/live/runState';

function row(iteration: number, wasPromoted = false): IterationRow {
  return {
    iteration,
    isComplete: true,
    finishedS: 0,
    stageSeconds: {},
    wasPromoted,
    selfplay: null,
    coach: null,
    training: null,
    arena: null,
    rating: null,
  };
}

const RUN = { name: 'x' } as Extract<RunStreamMessage, { kind: 'run' }>['run'];
const snapshot = (runId: string): RunStreamMessage => ({ kind: 'snapshot', runId, run: RUN, live: null, notes: [] });

describe('rows of iterations', () => {
  it('replace those with their number and stay in order', () => {
    const rows = mergeRows([row(1), row(2), row(4)], [row(2, true), row(3)]);
    expect(rows.map(({ iteration, wasPromoted }) => [iteration, wasPromoted])).toEqual([
      [1, false],
      [2, true],
      [3, false],
      [4, false],
    ]);
  });

  it('of a thousand iterations are joined as they come', () => {
    let rows: IterationRow[] = [];
    for (let first = 1; first <= 1_000; first += 100)
      rows = mergeRows(
        rows,
        Array.from({ length: 100 }, (_, index) => row(first + index)),
      );
    expect(rows).toHaveLength(1_000);
    expect(rows.every((each, index) => each.iteration === index + 1)).toBe(true);
  });

  it('that are none change nothing', () => expect(mergeRows([row(1)], [])).toEqual([row(1)]));
});

describe('messages about a run', () => {
  it('keep the rows of the same run when the stream begins again', () => {
    const known = { ...applyMessage(NO_RUN, snapshot('a')), rows: [row(1)] };
    expect(applyMessage(known, snapshot('a')).rows).toHaveLength(1);
    expect(applyMessage(known, snapshot('b')).rows).toHaveLength(0);
  });

  it('tell a problem, which a snapshot ends', () => {
    const broken = applyMessage(NO_RUN, { kind: 'problem', message: 'no run', hint: 'start one', where: '' });
    expect(broken.problem).toEqual({ message: 'no run', hint: 'start one' });
    expect(applyMessage(broken, snapshot('a')).problem).toBeNull();
  });
});

describe('notes', () => {
  it('show an alarm that newer promotions would push out of sight, and stay in order', () => {
    const note = (timeS: number, level: RunNote['level']): RunNote => ({
      iteration: timeS,
      level,
      kind: 'x',
      message: `${timeS}`,
      action: '',
      timeS,
    });
    const newest = [9, 8, 7, 6, 5, 4, 3].map((timeS) => note(timeS, timeS === 3 ? 'alarm' : 'info'));
    expect(mostImportant(newest).map(({ timeS }) => timeS)).toEqual([9, 8, 7, 6, 3]);
    expect(mostImportant(newest.slice(0, 3)).map(({ timeS }) => timeS)).toEqual([9, 8, 7]);
  });
});

describe('players of a game of a run', () => {
  it('are one network in self-play', () =>
    expect(playersText(['iter_0001 ccdeb712', 'iter_0001 ccdeb712'])).toBe('iter_0001 against itself'));

  it('are named without paths and checksums', () =>
    expect(playersText(['iter_0012/candidate.safetensors', 'iter_0011 0123abcd'])).toBe('iter_0012 – iter_0011'));

  it('keep what tells two of one name apart', () =>
    expect(playersText(['iter_0001 ccdeb712', 'iter_0001 0123abcd'])).toBe('iter_0001 ccdeb712 – iter_0001 0123abcd'));
});
