// The first player's expected score over the moves of a game, with its mistakes marked. A click goes to that move.

import type { GameName } from '../../engine/types';
import { JUDGED, type Review } from '../../review/review';
import { capital } from '../../ui/text';
import { sideName } from '../../ui/words';

const WIDTH = 600;
const HEIGHT = 130;

interface Props {
  review: Review;
  game: GameName;
  ply: number;
  onShow: (ply: number) => void;
}

export function ReviewCurve({ review, game, ply, onShow }: Props) {
  const { scores } = review;
  const last = Math.max(1, scores.length - 1);
  const x = (index: number): number => (index / last) * WIDTH;
  const y = (score: number): number => HEIGHT * (1 - score);
  const points = scores.map((score, index) => `${x(index).toFixed(1)},${y(score).toFixed(1)}`);
  const marks = review.moves.filter(({ judgement }) => JUDGED.includes(judgement));
  const go = (event: MouseEvent): void => {
    const box = (event.currentTarget as Element).getBoundingClientRect();
    onShow(Math.round(((event.clientX - box.left) / box.width) * last));
  };
  return (
    <figure class="review-curve">
      <figcaption class="small muted">Expected score of {capital(sideName(game, 0))}, 0 to 100 %</figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        onClick={go}
        role="img"
        aria-label={`Expected score of ${sideName(game, 0)} over ${scores.length - 1} moves; ${marks.length} mistakes are marked`}
      >
        <polygon class="area" points={`0,${HEIGHT} ${points.join(' ')} ${WIDTH},${HEIGHT}`} />
        <line class="zero" x1="0" x2={WIDTH} y1={HEIGHT / 2} y2={HEIGHT / 2} />
        <polyline points={points.join(' ')} />
        <line class="now" x1={x(ply)} x2={x(ply)} y1="0" y2={HEIGHT} />
      </svg>
      <div class="marks" aria-hidden="true">
        {marks.map((move) => (
          <span
            key={move.ply}
            class={`mark ${move.judgement}`}
            style={{ left: `${(100 * (move.ply + 1)) / last}%`, top: `${100 * (1 - (scores[move.ply + 1] ?? 0.5))}%` }}
          />
        ))}
      </div>
    </figure>
  );
}
