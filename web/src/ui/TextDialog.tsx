// Something as text, to copy or to keep as a file.

import { useEffect, useState } from 'preact/hooks';
import type { EngineProblem } from '../engine/types';
import { asProblem } from '../game/session';
import { Button, Dialog, ProblemNotice } from './parts';

interface Props {
  title: string;
  /** Writes the text when the dialog opens. */
  write: () => Promise<string>;
  fileName: string;
  onClose: () => void;
}

export function TextDialog({ title, write, fileName, onClose }: Props) {
  const [text, setText] = useState<string | null>(null);
  const [problem, setProblem] = useState<EngineProblem | null>(null);
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    write().then(setText, (error: unknown) => setProblem(asProblem(error)));
  }, []);
  const copy = (): void => {
    void navigator.clipboard.writeText(text ?? '').then(() => setCopied(true));
  };
  return (
    <Dialog title={title} onClose={onClose}>
      {problem !== null && <ProblemNotice problem={problem} />}
      <textarea class="input" readOnly rows={12} aria-label="The game as text" value={text ?? 'Writing…'} />
      <div class="dialog-foot">
        <Button kind="quiet" onClick={onClose}>
          Close
        </Button>
        <Button disabled={text === null} onClick={() => save(fileName, text ?? '')}>
          Save as file
        </Button>
        <Button kind="primary" disabled={text === null} onClick={copy}>
          {isCopied ? 'Copied' : 'Copy'}
        </Button>
      </div>
    </Dialog>
  );
}

export function save(name: string, text: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
