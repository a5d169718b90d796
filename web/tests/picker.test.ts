import { describe, expect, it } from 'vitest';
import { litCells, NO_CHOICE, openCells, pick, type Choice } from '../src/game/picker';

const LEGAL = ['b2c3b2', 'b2c3d4', 'b2b3a3', 'd2c3d4', 'd2e3d4', 'b2a1'];

function choose(choice: Choice, cell: string): Choice {
  const picked = pick(LEGAL, choice, cell);
  if (picked?.kind !== 'choice') throw new Error(`expected a choice, got ${JSON.stringify(picked)}`);
  return picked.choice;
}

describe('picking a move by its cells', () => {
  it('takes a worker, then a step, then a block', () => {
    const worker = choose(NO_CHOICE, 'b2');
    expect([...litCells(LEGAL, worker)].sort()).toEqual(['a1', 'b3', 'c3']);
    const step = choose(worker, 'c3');
    expect([...litCells(LEGAL, step)].sort()).toEqual(['b2', 'd4']);
    expect(pick(LEGAL, step, 'd4')).toEqual({ kind: 'move', move: 'b2c3d4' });
  });

  it('needs no choice of the worker where only one can make the step', () => {
    expect(choose(NO_CHOICE, 'b3')).toEqual({ from: 'b2', to: 'b3' });
  });

  it('asks which worker where both can make the step', () => {
    const step = choose(NO_CHOICE, 'c3');
    expect(step).toEqual({ from: null, to: 'c3' });
    expect([...openCells(LEGAL, step)].sort()).toEqual(['b2', 'd2']);
    expect(choose(step, 'd2')).toEqual({ from: 'd2', to: 'c3' });
  });

  it('changes its mind about the worker', () => {
    expect(choose(choose(NO_CHOICE, 'b2'), 'd2')).toEqual({ from: 'd2', to: null });
    expect(choose(choose(NO_CHOICE, 'b2'), 'b2')).toEqual(NO_CHOICE);
  });

  it('ends at once with a winning step, which builds nothing', () => {
    expect(pick(LEGAL, choose(NO_CHOICE, 'b2'), 'a1')).toEqual({ kind: 'move', move: 'b2a1' });
  });

  it('places with one click', () => {
    expect(pick(['a1', 'c3'], NO_CHOICE, 'c3')).toEqual({ kind: 'move', move: 'c3' });
  });

  it('ignores cells that mean nothing', () => {
    expect(pick(LEGAL, NO_CHOICE, 'e5')).toBeNull();
    expect(pick(LEGAL, { from: 'b2', to: 'c3' }, 'e5')).toBeNull();
    expect(pick([], NO_CHOICE, 'a1')).toBeNull();
  });
});
