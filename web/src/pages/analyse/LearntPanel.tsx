// "How it learnt this": the position on the board seen by the networks of all iterations of the run, before any search.

import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { LineChart, type Series } from '../../charts/LineChart';
import type { Engine, EngineProblem, GameName, NetworkInfo, PositionView, GameMoves } from '../../engine/types';
import { asProblem } from '../../game/session';
import { askNetwork, curvesOf, networksOfRun, type Thought } from '../../study/learning';
import { formatPercent, formatSigned } from '../../ui/format';
import { Button, Meter, Panel, ProblemNotice } from '../../ui/parts';
import { valueHelp } from '../../ui/words';

interface Props {
  engine: Engine;
  game: GameName;
  networks: readonly NetworkInfo[];
  record: GameMoves;
  position: PositionView;
}

const NUM_CURVES = 5;
const DASHES: readonly (number[] | undefined)[] = [undefined, [8, 4], [2, 3], [8, 3, 2, 3], [14, 4]];

export function LearntPanel({ engine, game, networks, record, position }: Props) {
  const wanted = useMemo(() => networksOfRun(networks), [networks]);
  const [thoughts, setThoughts] = useState<readonly Thought[]>([]);
  const [isAsking, setAsking] = useState(false);
  const [problem, setProblem] = useState<EngineProblem | null>(null);
  const stop = useRef<AbortController | null>(null);
  const key = JSON.stringify(record);
  useEffect(() => {
    setThoughts([]);
    setProblem(null);
    return () => stop.current?.abort();
  }, [key]);
  if (wanted.length < 2) return null;

  const ask = async (): Promise<void> => {
    stop.current?.abort();
    const own = new AbortController();
    stop.current = own;
    setThoughts([]);
    setProblem(null);
    setAsking(true);
    try {
      for (const network of wanted) {
        const thought = await askNetwork(engine, record, position.sideToMove, network, own.signal);
        setThoughts((known) => [...known, thought]);
      }
    } catch (error) {
      if (!own.signal.aborted) setProblem(asProblem(error));
    } finally {
      if (stop.current === own) setAsking(false);
    }
  };
  const aside = (
    <Button icon="analyse" disabled={isAsking || position.outcome !== null} onClick={() => void ask()}>
      {`Ask ${wanted.length} networks`}
    </Button>
  );
  return (
    <Panel title="How it learnt this" aside={aside} class="learnt">
      <div class="stack">
        {problem !== null && <ProblemNotice problem={problem} onRetry={() => void ask()} />}
        {isAsking && (
          <Meter share={thoughts.length / wanted.length} label={`${thoughts.length} of ${wanted.length} networks`} />
        )}
        {thoughts.length < 2 ? (
          <p class="small muted">
            Shows what the network of every iteration of this run thinks of the position, before any search: how likely
            it finds each move, and who it expects to win.
          </p>
        ) : (
          <Curves game={game} thoughts={thoughts} />
        )}
      </div>
    </Panel>
  );
}

function Curves({ game, thoughts }: { game: GameName; thoughts: readonly Thought[] }) {
  const x = useMemo(() => thoughts.map(({ iteration }) => iteration), [thoughts]);
  const moves = useMemo(
    (): Series[] =>
      curvesOf(thoughts, NUM_CURVES).map(({ notation, shares }, index) => {
        const dash = DASHES[index];
        const line = {
          label: notation,
          values: shares,
          colour: index + 1,
          format: (value: number | null) => formatPercent(value === null ? null : value / 100),
        };
        return dash === undefined ? line : { ...line, dash };
      }),
    [thoughts],
  );
  const values = useMemo(
    (): Series[] => [
      {
        label: 'Value',
        values: thoughts.map(({ value }) => value),
        colour: 1,
        format: (value: number | null) => formatSigned(value),
      },
    ],
    [thoughts],
  );
  const named = moves.map(({ label }) => label).join(', ');
  return (
    <>
      <div>
        <h3>Probability of moves, in per cent</h3>
        <LineChart
          label={`What ${thoughts.length} networks thought of ${named}`}
          x={x}
          xLabel="Iteration"
          series={moves}
          height={180}
          range={[0, null]}
          syncKey="learnt"
        />
      </div>
      <div>
        <h3 title={valueHelp(game)}>Who it expects to win ({valueHelp(game)})</h3>
        <LineChart
          label={`Value of the position by ${thoughts.length} networks`}
          x={x}
          xLabel="Iteration"
          series={values}
          height={120}
          range={[-1, 1]}
          syncKey="learnt"
        />
      </div>
    </>
  );
}
