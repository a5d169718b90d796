// How a search sees the game: shares of win, draw and loss of the first player. Numbers and patterns beside colours.

import type { GameName, SearchProgress, Side } from '../engine/types';
import { formatPercent } from './format';
import { capital } from './text';
import { scoreText, sideName, valueHelp } from './words';

interface Props {
  game: GameName;
  progress: SearchProgress | null;
  /** The side to move where the search looked: its results are that side's. */
  side: Side;
}

export function WdlBar({ game, progress, side }: Props) {
  const [own, drawn, lost] = progress?.wdl ?? [0, 1, 0];
  const [first, second] = side === 0 ? [own, lost] : [lost, own];
  const text =
    progress === null
      ? 'No search yet'
      : `${sideName(game, 0)} wins ${formatPercent(first)}, draw ${formatPercent(drawn)}, ${sideName(game, 1)} wins ${formatPercent(second)}`;
  const parts = [
    { kind: 'first', share: first },
    { kind: 'drawn', share: drawn },
    { kind: 'second', share: second },
  ];
  return (
    <div class={`wdl wdl-of-${game} of-${game}`}>
      <div class={`wdl-bar ${progress === null ? 'idle' : ''}`} role="img" aria-label={text}>
        {parts.map(({ kind, share }) => (
          <div key={kind} class={`wdl-${kind}`} style={{ flexGrow: Math.max(share, 0.0001) }}>
            {progress !== null && share >= 0.12 && <span>{formatPercent(share)}</span>}
          </div>
        ))}
      </div>
      <div class="wdl-legend" aria-hidden="true">
        <span>{capital(sideName(game, 0))}</span>
        <span class="number" title={valueHelp(game)}>
          {progress === null || progress.value === null
            ? ''
            : scoreText(game, { value: progress.value, mateIn: progress.candidates[0]?.mateIn ?? null }, side)}
        </span>
        <span>{capital(sideName(game, 1))}</span>
      </div>
    </div>
  );
}
