// The bot's games under way: boards with clocks that tick between two looks at its file.

import { useReducer } from 'preact/hooks';
import type { components } from '../../api/schema';
import { GameBoard } from '../../boards/GameBoard';
import { formatClock } from '../../ui/format';
import { useTicker } from '../../ui/hooks';
import { Panel } from '../../ui/parts';
import { scoreText } from '../../ui/words';
import { controlText } from './scores';

export type BotNow = components['schemas']['BotNow'];
export type RunningBotGame = components['schemas']['RunningBotGame'];

const TICK_MS = 200;
const NO_LINE: readonly string[] = [];

interface Props {
  /** Null where it has never said. */
  now: BotNow | null;
  /** When it came, by Date.now(). */
  seenMs: number;
}

export function RunningGames({ now, seenMs }: Props) {
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const games = now?.games ?? [];
  useTicker(games.length > 0, TICK_MS, () => redraw(undefined));
  const title = games.length === 1 ? 'One game under way' : `${games.length} games under way`;
  return (
    <Panel title={games.length === 0 ? 'Games under way' : title}>
      {games.length === 0 ? (
        <p class="small muted">
          {now?.isOnline === true
            ? 'It waits for somebody to play with.'
            : 'It is not online. What it has played is kept on this page.'}
        </p>
      ) : (
        <ul class="bot-games">
          {games.map((game) => (
            <RunningGame key={game.id} game={game} passedMs={Date.now() - seenMs} />
          ))}
        </ul>
      )}
    </Panel>
  );
}

function RunningGame({ game, passedMs }: { game: RunningBotGame; passedMs: number }) {
  const { position } = game;
  const own = game.colour === 'white' ? 0 : 1;
  const player = (side: 0 | 1) => {
    const left = clockMs(game, side, passedMs);
    const rating = side !== own && game.opponentRating !== null ? ` ${game.opponentRating}` : '';
    return (
      <div class={`player ${position.sideToMove === side ? 'on-move' : ''}`}>
        <span class={`side-mark of-chess side-${side}`} aria-hidden="true" />
        <span class="player-name">{side === own ? 'Milton' : `${game.opponent}${rating}`}</span>
        {side !== own && game.opponentIsBot && <span class="badge">bot</span>}
        {left !== null && (
          <span class={`clock ${position.sideToMove === side ? 'running' : ''}`} role="timer">
            {formatClock(left)}
          </span>
        )}
      </div>
    );
  };
  const lower = own;
  const upper = own === 0 ? 1 : 0;
  const view =
    game.valueWhite === null ? null : scoreText('chess', { value: game.valueWhite, mateIn: game.mateInWhite }, 0);
  return (
    <li>
      {player(upper)}
      <GameBoard
        game="chess"
        position={position}
        lastMove={position.moves.at(-1) ?? null}
        flipped={own === 1}
        onMove={null}
        line={NO_LINE}
        label={`Game against ${game.opponent}`}
      />
      {player(lower)}
      <p class="small muted live-line">
        <span>
          {game.rated ? 'rated' : 'casual'} {controlText(game.timeControl)} · move {Math.floor(position.ply / 2) + 1}
          {view !== null && ` · ${view}`}
          {game.isThinking && ' · thinking'}
        </span>
        {game.url !== null && (
          <a href={game.url} target="_blank" rel="noreferrer" aria-label={`Game against ${game.opponent} on Lichess`}>
            Lichess
          </a>
        )}
      </p>
    </li>
  );
}

/** What is on a clock, the running one as it stands now; null without clocks. */
export function clockMs(game: RunningBotGame, side: 0 | 1, passedMs: number): number | null {
  if (game.clocksS === null) return null;
  const isRunning = game.position.sideToMove === side && game.position.moves.length >= 2;
  return Math.max(0, game.clocksS[side] * 1000 - (isRunning ? passedMs : 0));
}
