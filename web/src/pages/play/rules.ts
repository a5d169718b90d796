// The rules of each game on one screen, in words. What is legal is the engine's to say; nothing here decides anything.

import type { GameName } from '../../engine/types';

const RULES: { readonly [game in GameName]?: readonly string[] } = {
  chess: [
    'White moves first. A side that cannot leave check has lost: that is mate.',
    'Choose a piece and a square, or drag it. A pawn that reaches the last rank becomes the piece that you choose.',
    'Drawn: no legal move without check, the same position three times, fifty moves without a capture or a pawn move, or too few pieces left to mate.',
  ],
  santorini: [
    'The board has five by five cells. Orange and blue each have two workers; orange places both first, then blue.',
    'A turn is one step and one block. One of your workers steps to a neighbouring free cell (also diagonally), at most one level up; it may go down any way.',
    'Then the same worker builds one level on a neighbouring free cell. The fourth level is a dome: nobody steps on it, and nothing is built on it.',
    'Whoever steps from level two up to level three wins at once. Whoever cannot step and build has lost.',
  ],
  connect_four: [
    'Yellow begins. A stone dropped into a column falls to its lowest free cell.',
    'Four of your stones in a row win: across, up or diagonally. A full board without a four is a draw.',
  ],
};

/** A game without an entry is still playable: the board offers its legal moves. */
export function rulesOf(game: GameName): readonly string[] {
  return RULES[game] ?? ['Nobody has written down the rules of this game yet. The board offers the legal moves.'];
}
