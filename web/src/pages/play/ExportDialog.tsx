// The game as text: PGN for chess, the game's own lines elsewhere.

import type { Engine, GameResult } from '../../engine/types';
import { describeStrength, recordOf, resultText, type GameState } from '../../game/state';
import { dateText } from '../../study/tags';
import { TextDialog } from '../../ui/TextDialog';

interface Props {
  engine: Engine;
  state: GameState;
  onClose: () => void;
}

export function ExportDialog({ engine, state, onClose }: Props) {
  const extension = state.setup.game === 'chess' ? 'pgn' : 'txt';
  const write = (): Promise<string> =>
    engine.exportGame(recordOf(state), namesOf(state), resultOf(state), dateText(state.begunMs));
  return (
    <TextDialog title="Export" write={write} fileName={`milton-${state.setup.game}.${extension}`} onClose={onClose} />
  );
}

export function namesOf(state: GameState): [string, string] {
  const engine = `Milton ${state.setup.networkLabel} (${describeStrength(state.setup.strength)})`.slice(0, 100);
  return state.setup.human === 0 ? ['You', engine] : [engine, 'You'];
}

/** Only of games that ended off the board; the engine knows the others by itself. */
export function resultOf(state: GameState): GameResult | undefined {
  if (state.ending === null || !['resignation', 'time', 'agreement'].includes(state.ending.reason)) return undefined;
  return resultText(state.ending);
}
