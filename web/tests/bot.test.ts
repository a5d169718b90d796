import { describe, expect, it } from 'vitest';
import { controlText, form, tally, type BotGame } from '../src/pages/bot/scores';

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
});
