// A review written into a game: glyphs, what was lost in words, and the better line as a variation.

import type { GameName } from '../engine/types';
import { addLine, annotate, nodeAt, type StudyGame } from '../study/tree';
import { capital } from '../ui/text';
import { JUDGED, NAG_OF, type Review, type ReviewedMove } from './review';

export function annotated(game: StudyGame, review: Review): StudyGame {
  return review.moves
    .filter(({ judgement }) => JUDGED.includes(judgement))
    .reduce((changed, move) => withMove(changed, review, move), game);
}

function withMove(game: StudyGame, review: Review, move: ReviewedMove): StudyGame {
  const before = review.record.moves.slice(0, move.ply);
  const path = [...before, move.move];
  const node = nodeAt(game, path);
  if (node === null) return game;
  const nags = [NAG_OF[move.judgement] ?? 0, ...node.nags.filter((nag) => !Object.values(NAG_OF).includes(nag))];
  const said = node.comment.includes('of the expected score lost')
    ? node.comment
    : [node.comment, describe(move, review.record.game)].filter((text) => text !== '').join(' ');
  return addLine(annotate(game, path, { nags, comment: said }), before, move.betterLine, move.betterNotation);
}

export function describe(move: ReviewedMove, game: GameName): string {
  const words = [`${capital(move.judgement)}: ${Math.round(100 * move.lost)} % of the expected score lost.`];
  words.push(...matesText(move, game));
  if (move.betterNotation.length > 0) words.push(`Better: ${move.betterNotation.join(' ')}.`);
  const why = whyText(move);
  if (why !== '') words.push(why);
  return words.join(' ');
}

/** A forced end that the move missed or allowed. */
export function matesText({ missedMateIn, allowedMateIn }: ReviewedMove, game: GameName): string[] {
  const end = game === 'chess' ? 'mate' : 'a win';
  return [
    ...(missedMateIn === null ? [] : [`It misses ${end} in ${missedMateIn}.`]),
    ...(allowedMateIn === null ? [] : [`It allows ${end} in ${allowedMateIn}.`]),
  ];
}

/** The coach's category and its words, or those of a language model. */
export function whyText({ reason, words }: ReviewedMove): string {
  const text = words !== '' || reason === null ? words : `${reason.text}.`;
  return reason === null ? text : `${capital(reason.category)}: ${text}`;
}
