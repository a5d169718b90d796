// A review written into a game: glyphs, what was lost in words, and the better line as a variation.

import { addLine, annotate, nodeAt, type StudyGame } from '../study/tree';
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
    : [node.comment, describe(move)].filter((text) => text !== '').join(' ');
  return addLine(annotate(game, path, { nags, comment: said }), before, move.betterLine, move.betterNotation);
}

export function describe(move: ReviewedMove): string {
  const [first = '', ...rest] = move.judgement;
  const words = [
    `${first.toUpperCase()}${rest.join('')}: ${Math.round(100 * move.lost)} % of the expected score lost.`,
  ];
  if (move.betterNotation.length > 0) words.push(`Better: ${move.betterNotation.join(' ')}.`);
  if (move.reason !== null) words.push(`${move.reason.text}.`);
  return words.join(' ');
}
