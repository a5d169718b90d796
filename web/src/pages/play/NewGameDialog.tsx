// Choose an opponent, how long it may think, and a side.

import { useEffect, useState } from 'preact/hooks';
import type { Engine, EngineProblem, GameName, LevelInfo, NetworkInfo, Side } from '../../engine/types';
import { asProblem } from '../../game/session';
import type { GameSetup, Strength } from '../../game/state';
import { Button, Dialog, ProblemNotice, Segments, Select, type Option } from '../../ui/parts';
import { capital } from '../../ui/text';
import { networkOptions, sideName } from '../../ui/words';

interface Props {
  engine: Engine;
  game: GameName;
  networks: readonly NetworkInfo[];
  current: GameSetup;
  /** Rejects where the position to begin from is none. */
  onStart: (setup: GameSetup) => Promise<void>;
  onClose: () => void;
}

type Kind = Strength['kind'];

const KINDS: readonly Option<Kind>[] = [
  { value: 'own', label: 'Its own way' },
  { value: 'level', label: 'Level' },
  { value: 'nodes', label: 'Nodes' },
  { value: 'time', label: 'Seconds' },
  { value: 'clock', label: 'Clock' },
];
const LEVEL_WORDS = [
  'first impression',
  'beginner',
  'easy',
  'easy',
  'fair',
  'fair',
  'strong',
  'strong',
  'very strong',
  'its best',
];
/** The shipped champion, by its name in each engine. A server's `champion` may be that of a run. */
const RATED: { readonly [kind in Engine['kind']]: string } = { server: 'shipped', wasm: 'champion' };
/** Levels are for networks: a few simulations without one are no level of anything. */
const KINDS_OF_LIMITS: { readonly [limits in NonNullable<NetworkInfo['limits']>]: readonly Kind[] } = {
  any: ['level', 'nodes', 'time', 'clock'],
  own: ['own', 'nodes', 'time', 'clock'],
  none: ['own'],
};
const AMOUNTS: { readonly [kind in Kind]: readonly Option<string>[] } = {
  own: [],
  level: LEVEL_WORDS.map((words, index) => ({ value: `${index + 1}`, label: `${index + 1} · ${words}` })),
  nodes: [50, 200, 800, 3_000, 10_000, 50_000].map((nodes) => ({
    value: `${nodes}`,
    label: `${nodes.toLocaleString('en-GB')} a move`,
  })),
  time: [0.5, 1, 3, 10, 30].map((seconds) => ({ value: `${seconds}`, label: `${seconds} s a move` })),
  clock: ['1+0', '3+2', '5+3', '10+5', '30+0'].map((text) => ({
    value: text,
    label: `${text} (minutes + seconds a move)`,
  })),
};

export function NewGameDialog({ engine, game, networks, current, onStart, onClose }: Props) {
  const [network, setNetwork] = useState(current.network);
  const [wantedKind, setKind] = useState<Kind>(current.strength.kind);
  const [amounts, setAmounts] = useState(() => ({
    own: '',
    level: '3',
    nodes: '800',
    time: '1',
    clock: '5+3',
    [current.strength.kind]: amountOf(current.strength),
  }));
  const [side, setSide] = useState<'0' | '1' | 'random'>(`${current.human}`);
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<EngineProblem | null>(null);
  const levels = useLevels(engine, game);
  const chosen = networks.find((candidate) => candidate.id === network) ?? networks[0];
  const kinds = kindsFor(chosen);
  const kind = kindFor(chosen, wantedKind);
  const isRated = chosen?.id === RATED[engine.kind];

  const start = (): void => {
    const human: Side = side === 'random' ? (Math.random() < 0.5 ? 0 : 1) : side === '0' ? 0 : 1;
    onStart({
      game,
      start: text.trim() === '' ? null : text.trim(),
      network: chosen?.id ?? current.network,
      networkLabel: chosen?.label ?? current.networkLabel,
      strength: strengthOf(kind, amounts[kind]),
      human,
    }).catch((error: unknown) => setProblem(asProblem(error)));
  };
  return (
    <Dialog title="New game" onClose={onClose}>
      <div class="stack">
        <Select
          legend="Opponent"
          value={chosen?.id ?? network}
          onChange={setNetwork}
          options={networkOptions(networks)}
        />
        {kinds.length === 1 ? (
          <p class="small muted">
            It answers at once, without a search: there is nothing to set, and nothing to see of what it thinks.
          </p>
        ) : (
          <Segments
            legend="How long it may think"
            options={KINDS.filter((option) => kinds.includes(option.value))}
            value={kind}
            onChange={setKind}
          />
        )}
        {AMOUNTS[kind].length > 0 && (
          <Select
            legend={KINDS.find((option) => option.value === kind)?.label ?? ''}
            options={
              kind === 'level' && levels.length > 0 ? levels.map((level) => levelOption(level, isRated)) : AMOUNTS[kind]
            }
            value={amounts[kind]}
            onChange={(amount) => setAmounts({ ...amounts, [kind]: amount })}
          />
        )}
        {kind === 'level' && levels.some(({ elo }) => elo !== null) && (
          <p class="small muted">{eloNote(game, isRated)}</p>
        )}
        <Segments
          legend="You play"
          value={side}
          onChange={setSide}
          options={[
            { value: '0', label: capital(sideName(game, 0)) },
            { value: '1', label: capital(sideName(game, 1)) },
            { value: 'random', label: 'Either' },
          ]}
        />
        <div class="field">
          <label for="start-position">Begin from a position (empty: the usual start)</label>
          <input
            id="start-position"
            class="input"
            value={text}
            spellcheck={false}
            placeholder={game === 'chess' ? 'FEN' : 'Position text'}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        </div>
        {problem !== null && <ProblemNotice problem={problem} />}
      </div>
      <div class="dialog-foot">
        <Button kind="quiet" onClick={onClose}>
          Cancel
        </Button>
        <Button kind="primary" onClick={start}>
          Start
        </Button>
      </div>
    </Dialog>
  );
}

/** Empty until the engine has told them, and where it tells none. */
function useLevels(engine: Engine, game: GameName): readonly LevelInfo[] {
  const [levels, setLevels] = useState<readonly LevelInfo[]>([]);
  useEffect(() => {
    engine.levels(game).then(setLevels, () => undefined); // the dialog has words of its own
  }, [engine, game]);
  return levels;
}

/** With its Elo, where the opponent is the network that levels are rated with: another one plays them as it can. */
export function levelOption({ number, name, elo, margin }: LevelInfo, isRated: boolean): Option<string> {
  const rating = elo === null || !isRated ? '' : ` · about ${elo} Elo${margin === null ? '' : ` ± ${margin}`}`;
  return { value: `${number}`, label: `${number} · ${name}${rating}` };
}

/** What the Elo of levels is relative to (`scale` in levels.toml has the whole of it), or why there is none. */
export function eloNote(game: GameName, isRated: boolean): string {
  if (!isRated) return 'How strong levels are is only known of the shipped champion.';
  return game === 'chess'
    ? 'Elo on the scale of rated engines.'
    : 'Elo over a player who moves at random: not to be compared with ratings of people or of other games.';
}

function kindsFor(network: NetworkInfo | undefined): readonly Kind[] {
  return KINDS_OF_LIMITS[network?.limits ?? 'any'];
}

/** The wanted kind of limit, or the first that the opponent knows. */
export function kindFor(network: NetworkInfo | undefined, wanted: Kind): Kind {
  const kinds = kindsFor(network);
  return kinds.includes(wanted) ? wanted : (kinds[0] ?? 'level');
}

export function strengthOf(kind: Kind, amount: string): Strength {
  switch (kind) {
    case 'level':
      return { kind, level: Number(amount) };
    case 'nodes':
      return { kind, simulations: Number(amount) };
    case 'time':
      return { kind, moveTimeMs: Number(amount) * 1000 };
    case 'clock': {
      const [minutes = 5, seconds = 0] = amount.split('+').map(Number);
      return { kind, initialMs: minutes * 60_000, incrementMs: seconds * 1000 };
    }
    case 'own':
      return { kind };
  }
}

export function amountOf(strength: Strength): string {
  switch (strength.kind) {
    case 'level':
      return `${strength.level}`;
    case 'nodes':
      return `${strength.simulations}`;
    case 'time':
      return `${strength.moveTimeMs / 1000}`;
    case 'clock':
      return `${strength.initialMs / 60_000}+${strength.incrementMs / 1000}`;
    case 'own':
      return '';
  }
}
