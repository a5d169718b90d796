// For people who do not know the game yet: its rules on one screen, and a guide through a first game of Santorini.

import { useState } from 'preact/hooks';
import { GAME_INFO } from '../../api/games';
import { readStored, writeStored } from '../../app/storage';
import type { GameName } from '../../engine/types';
import { guideFor } from '../../game/guide';
import type { GameSession } from '../../game/session';
import { Button, Dialog, Panel } from '../../ui/parts';
import { rulesOf } from './rules';

export function RulesDialog({ game, onClose }: { game: GameName; onClose: () => void }) {
  return (
    <Dialog title={`Rules of ${GAME_INFO[game].title}`} onClose={onClose}>
      <ul class="rules">
        {rulesOf(game).map((rule) => (
          <li key={rule}>{rule}</li>
        ))}
      </ul>
      <div class="dialog-foot">
        <Button kind="primary" onClick={onClose}>
          Close
        </Button>
      </div>
    </Dialog>
  );
}

type GuideState = 'offered' | 'on' | 'off';

/** Offered to whoever has not played yet; says before each move what matters now. */
export function GuidePanel({ session }: { session: GameSession }) {
  const [guide, setGuide] = useState<GuideState>(() => readStored('santorini.guide', isGuideState) ?? 'offered');
  const keep = (state: GuideState): void => {
    writeStored('santorini.guide', state);
    setGuide(state);
  };
  const start = (): void => {
    keep('on');
    const { setup } = session.state;
    session.newGame({ ...setup, start: null, strength: { kind: 'level', level: 1 }, human: 0 });
  };
  if (guide === 'off') return null;
  if (guide === 'offered')
    return (
      <Panel title="New to Santorini?">
        <div class="stack">
          <p class="small">
            A guided first game against the weakest level says before each of your moves what matters.
          </p>
          <div class="row">
            <Button kind="primary" icon="play" onClick={start}>
              Guided first game
            </Button>
            <Button kind="quiet" onClick={() => keep('off')}>
              I know the game
            </Button>
          </div>
        </div>
      </Panel>
    );
  const { live, state } = session;
  const words =
    state.ending !== null
      ? 'That was your first game. Review it to see what you missed, or try the next level.'
      : session.isHumanToMove && live !== null
        ? guideFor(live, state.setup.human)
        : 'Watch what it does: where does it climb, and what does it build?';
  return (
    <Panel
      title="Guide"
      aside={
        <Button kind="quiet" onClick={() => keep('off')}>
          End the guide
        </Button>
      }
    >
      <p role="status">{words}</p>
    </Panel>
  );
}

function isGuideState(value: unknown): value is GuideState {
  return value === 'offered' || value === 'on' || value === 'off';
}
