// A player beside the board: who, whether thinking, and the clock.

import { leftOf } from '../../game/clock';
import type { GameSession } from '../../game/session';
import { describeStrength } from '../../game/state';
import type { Side } from '../../engine/types';
import { formatClock } from '../../ui/format';
import { capital } from '../../ui/text';
import { sideName } from '../../ui/words';

export function PlayerStrip({ session, side }: { session: GameSession; side: Side }) {
  const { state, live } = session;
  const isHuman = side === state.setup.human;
  const isOnMove = live !== null && state.ending === null && live.sideToMove === side;
  const name = isHuman ? 'You' : capital(state.setup.networkLabel);
  return (
    <div class={`player ${isOnMove ? 'on-move' : ''}`}>
      <span class={`side-mark of-${state.setup.game} side-${side}`} aria-hidden="true" />
      <span class="player-name">{name}</span>
      <span class="muted small">
        {isHuman ? sideName(state.setup.game, side) : describeStrength(state.setup.strength)}
      </span>
      {!isHuman && session.isThinking && session.view?.isHint !== true && (
        <span class="pulse" role="img" aria-label="thinking" />
      )}
      {state.clock !== null && (
        <span
          class={`clock ${state.clock.running?.side === side ? 'running' : ''}`}
          role="timer"
          aria-label={`Clock of ${name}`}
        >
          {formatClock(leftOf(state.clock, side, Date.now()))}
        </span>
      )}
    </div>
  );
}
