// What can be done with the move one stands on: comment, glyph, make it the main line, delete it (and undo that).

import { useState } from 'preact/hooks';
import { annotate, isOnMainLine, makeMainLine, nodeAt, removeAt, type Path, type StudyGame } from '../../study/tree';
import { GLYPHS } from '../../ui/glyphs';
import { Button, Select } from '../../ui/parts';
import { commentAt } from './MoveTree';

interface Props {
  tree: StudyGame;
  path: Path;
  /** Changes the game as it is by then, and goes to a path. */
  onChange: (change: (tree: StudyGame) => StudyGame, path: Path) => void;
}

export function AnnotationBox({ tree, path, onChange }: Props) {
  const [deleted, setDeleted] = useState<{ tree: StudyGame; path: Path; left: StudyGame } | null>(null);
  const comment = commentAt(tree, path);
  const node = nodeAt(tree, path);
  const glyph = node?.nags.find((nag) => GLYPHS.some((known) => known.nag === nag)) ?? 0;
  const others = node?.nags.filter((nag) => nag !== glyph) ?? [];
  const remove = (): void => {
    const left = removeAt(tree, path);
    setDeleted({ tree, path, left });
    onChange(() => left, path.slice(0, -1));
  };
  const canUndo = deleted !== null && deleted.left === tree;
  return (
    <div class="annotation">
      <textarea
        class="input"
        rows={2}
        aria-label={node === null ? 'Comment on the game' : `Comment on ${node.notation}`}
        placeholder="Comment…"
        value={comment}
        onInput={(event) => {
          const text = event.currentTarget.value;
          onChange((known) => annotate(known, path, { comment: text }), path);
        }}
      />
      <div class="row">
        {node !== null && (
          <Select
            legend="Glyph"
            hideLegend
            value={String(glyph)}
            onChange={(value) =>
              onChange(
                (known) => annotate(known, path, { nags: value === '0' ? others : [Number(value), ...others] }),
                path,
              )
            }
            options={[
              { value: '0', label: 'No glyph' },
              ...GLYPHS.map(({ nag, glyph: sign, meaning }) => ({ value: String(nag), label: `${sign} ${meaning}` })),
            ]}
          />
        )}
        {node !== null && !isOnMainLine(tree, path) && (
          <Button onClick={() => onChange((known) => makeMainLine(known, path), path)}>Make main line</Button>
        )}
        {node !== null && <Button icon="cross" label={`Delete ${node.notation} and what follows`} onClick={remove} />}
        {canUndo && (
          <Button icon="undo" onClick={() => onChange(() => deleted.tree, deleted.path)}>
            Undo delete
          </Button>
        )}
      </div>
    </div>
  );
}
