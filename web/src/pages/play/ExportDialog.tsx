// The game as text: PGN for chess, the game's own lines elsewhere. To copy or to keep as a file.

import { useEffect, useState } from 'preact/hooks';
import { EngineProblem, type Engine, type GameResult } from '../../engine/types';
import { asProblem } from '../../game/session';
import { describeStrength, recordOf, type GameState } from '../../game/state';
import { Button, Dialog, ProblemNotice } from '../../ui/parts';

interface Props {
  engine: Engine;
  state: GameState;
  onClose: () => void;
}

export function ExportDialog({ engine, state, onClose }: Props) {
  const [text, setText] = useState<string | null>(null);
  const [problem, setProblem] = useState<EngineProblem | null>(null);
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    engine.exportGame(recordOf(state), namesOf(state), resultOf(state)).then(setText, (error: unknown) => setProblem(asProblem(error)));
  }, []);
  const copy = (): void => {
    void navigator.clipboard.writeText(text ?? '').then(() => setCopied(true));
  };
  const extension = state.setup.game === 'chess' ? 'pgn' : 'txt';
  return (
    <Dialog title="Export" onClose={onClose}>
      {problem !== null && <ProblemNotice problem={problem} />}
      <textarea class="input" readOnly rows={12} aria-label="The game as text" value={text ?? 'Writing…'} />
      <div class="dialog-foot">
        <Button kind="quiet" onClick={onClose}>Close</Button>
        <Button disabled={text === null} onClick={() => save(`milton-${state.setup.game}.${extension}`, text ?? '')}>Save as file</Button>
        <Button kind="primary" disabled={text === null} onClick={copy}>{isCopied ? 'Copied' : 'Copy'}</Button>
      </div>
    </Dialog>
  );
}

function namesOf(state: GameState): [string, string] {
  const engine = `Milton ${state.setup.networkLabel} (${describeStrength(state.setup.strength)})`.slice(0, 100);
  return state.setup.human === 0 ? ['You', engine] : [engine, 'You'];
}

/** Only of games that ended off the board; the engine knows the others by itself. */
export function resultOf(state: GameState): GameResult | undefined {
  if (state.ending === null || !['resignation', 'time'].includes(state.ending.reason)) return undefined;
  return state.ending.winner === 0 ? '1-0' : '0-1';
}

function save(name: string, text: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
