import { describe, expect, it } from 'vitest';
import { controlText, form, ratingsOver, resultText, tally, type BotGame } from '../src/pages/bot/scores';

const game = (score: number | null, network = 'a', opponentIsBot = false): BotGame => ({
  id: 'x',
  opponent: 'guest',
  opponentIsBot,
  colour: 'white',
  rated: true,
  timeControl: '180+2',
  status: 'mate',
  result: '1-0',
  numPlies: 40,
  network,
  endedAt: 0,
  speed: 'blitz',
  rating: null,
  opponentRating: null,
  score,
  url: null,
});

describe('the bot', () => {
  it('is counted by whom it met, without games that nobody counts', () => {
    const games = [game(1), game(0.5), game(0, 'a', true), game(null)];
    expect(tally(games, ({ opponentIsBot }) => (opponentIsBot ? 'bots' : 'people'))).toEqual([
      { name: 'people', wins: 1, draws: 1, losses: 0 },
      { name: 'bots', wins: 0, draws: 0, losses: 1 },
    ]);
  });

  it('shows its form and where another network took over', () => {
    expect(form([game(1), game(null), game(0), game(1, 'b')], 2)).toEqual({
      scores: [1, 0.5, 0.5],
      swaps: [{ index: 3, network: 'b' }],
    });
  });

  it.each([
    ['180+2', '3+2'],
    ['30+0', '0.5+0'],
    ['-', 'no clock'],
    ['odd', 'odd'],
  ])('says %s as %s', (control, text) => {
    expect(controlText(control)).toBe(text);
  });

  it('has a rating line for each speed, and a mark where a champion took over', () => {
    const at = (endedAt: number, speed: string, rating: number | null): BotGame => ({
      ...game(1),
      endedAt,
      speed,
      rating,
    });
    const games = [at(10, 'blitz', 1500), at(20, 'bullet', 1600), at(30, 'blitz', null), at(40, 'blitz', 1520)];
    const curves = ratingsOver(games, [
      { at: 15, network: 'iter_0002' },
      { at: 99, network: 'iter_0003' },
    ]);
    expect(curves.x).toEqual([1, 2, 4]);
    expect(curves.speeds).toEqual([
      { speed: 'blitz', values: [1500, null, 1520], last: 1520 },
      { speed: 'bullet', values: [null, 1600, null], last: 1600 },
    ]);
    expect(curves.marks).toEqual([{ game: 2, network: 'iter_0002' }]);
  });
});

describe('results', () => {
  it('are told as the bot sees them, in words', () => {
    expect(resultText(game(1))).toBe('won: checkmate');
    expect(resultText({ ...game(0), status: 'outoftime' })).toBe('lost: time');
    expect(resultText({ ...game(0.5), status: 'stalemate' })).toBe('drawn: stalemate');
    expect(resultText({ ...game(null), status: 'aborted' })).toBe('not counted: aborted');
  });
});
