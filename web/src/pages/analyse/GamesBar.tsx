// The games of a study: choose one, take one out, bring text in and out.

import { GAME_INFO } from '../../api/games';
import { useState } from 'preact/hooks';
import { analyseRoute, formatRoute } from '../../app/router';
import type { GameName } from '../../engine/types';
import { titleOf, writeText, type OnRead } from '../../study/reading';
import { currentGame, withoutGame, type Study } from '../../study/study';
import { headerOf, type StudyGame } from '../../study/tree';
import { Button, Panel, Select } from '../../ui/parts';
import { TextDialog } from '../../ui/TextDialog';

interface Props {
  game: GameName;
  study: Study;
  onChange: (change: (study: Study) => Study) => void;
}

/** Longer addresses are cut by some programs. */
const LONGEST_LINK = 6_000;

export function GamesBar({ game, study, onChange }: Props) {
  const [open, setOpen] = useState<'none' | 'game' | 'all' | 'link'>('none');
  const [copied, setCopied] = useState('');
  const [removed, setRemoved] = useState<{ game: StudyGame; index: number; left: Study['games'] } | null>(null);
  const tree = currentGame(study);
  const options = study.games.map((each, index) => ({ value: String(index), label: `${index + 1}. ${titleOf(each)}` }));
  const address = linkTo(game, tree) ?? location.href;
  const write = (): Promise<string> => {
    if (open === 'link') return Promise.resolve(address);
    return Promise.resolve(writeText(game, open === 'all' ? study.games : [tree]));
  };
  // Without TLS a browser has no clipboard; the link is shown then.
  const copy = (): void => {
    const writing = isSecureContext
      ? navigator.clipboard.writeText(address)
      : Promise.reject(new Error('no clipboard'));
    writing.then(
      () => setCopied(address),
      () => setOpen('link'),
    );
  };
  const remove = (): void => {
    onChange((known) => {
      const without = withoutGame(known, known.index);
      setRemoved({ game: currentGame(known), index: known.index, left: without.games });
      return without;
    });
  };
  const restore = ({ game: back, index }: { game: StudyGame; index: number }): void =>
    onChange((known) => ({ games: known.games.toSpliced(index, 0, back), index, path: [] }));
  return (
    <div class="games-bar">
      {study.games.length > 1 && (
        <div class="row">
          <Select
            legend="Game of the study"
            hideLegend
            value={String(study.index)}
            onChange={(value) => onChange((known) => ({ ...known, index: Number(value), path: [] }))}
            options={options}
          />
          <Button icon="cross" label={`Take “${titleOf(tree)}” out of the study`} onClick={remove} />
        </div>
      )}
      {removed !== null && removed.left === study.games && (
        <div class="row">
          <Button icon="undo" onClick={() => restore(removed)}>
            {`Bring “${titleOf(removed.game)}” back`}
          </Button>
        </div>
      )}
      <HeaderLine tree={tree} />
      <div class="row">
        <Button icon="export" onClick={() => setOpen('game')}>
          {game === 'chess' ? 'PGN' : 'Export'}
        </Button>
        {study.games.length > 1 && (
          <Button icon="export" onClick={() => setOpen('all')}>{`All ${study.games.length} games`}</Button>
        )}
        <Button onClick={copy}>
          {copied === address ? 'Copied' : address === location.href ? 'Copy link to this line' : 'Copy link'}
        </Button>
      </div>
      {open !== 'none' && (
        <TextDialog
          title={open === 'link' ? 'Link' : 'Export'}
          write={write}
          fileName={game === 'chess' ? 'milton-study.pgn' : `milton-${game}.jsonl`}
          onClose={() => setOpen('none')}
        />
      )}
    </div>
  );
}

/** An address that holds the whole game with its variations; null where it would be too long. */
function linkTo(game: GameName, tree: StudyGame): string | null {
  const hash = formatRoute({ ...analyseRoute(game), text: writeText(game, [tree]) });
  return hash.length > LONGEST_LINK ? null : `${location.href.split('#')[0]}${hash}`;
}

function HeaderLine({ tree }: { tree: StudyGame }) {
  const title = titleOf(tree);
  const words = ['Event', 'Site', 'Date', 'Opening']
    .map((name) => headerOf(tree, name))
    .filter((word) => word !== null && word !== title); // without players the event is the title
  if (tree.headers.length === 0) return null;
  return (
    <p class="header-line">
      <strong>{title}</strong> <span class="small muted">{words.join(' · ')}</span>
    </p>
  );
}

interface PasteProps {
  game: GameName;
  onLoad: (text: string, onRead: OnRead) => Promise<void>;
}

export function PasteBox({ game, onLoad }: PasteProps) {
  const [pasted, setPasted] = useState('');
  /** What is read now; null: nothing. */
  const [reading, setReading] = useState<string | null>(null);
  const load = (): void => {
    setReading('Reading…');
    void onLoad(pasted, (numDone, numGames) => {
      if (numGames > 1) setReading(`Reading game ${numDone + 1} of ${numGames}…`);
    }).finally(() => setReading(null));
  };
  return (
    <Panel title="Paste a position or a game">
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          load();
        }}
      >
        <textarea
          class="input"
          aria-label="Position or game as text"
          placeholder={GAME_INFO[game].example}
          value={pasted}
          rows={4}
          onInput={(event) => setPasted(event.currentTarget.value)}
          spellcheck={false}
        />
        <button type="submit" class="button" disabled={pasted.trim() === '' || reading !== null}>
          {reading ?? 'Load'}
        </button>
      </form>
    </Panel>
  );
}
