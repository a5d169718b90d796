// All runs of one folder: a list, their curves over each other, and which settings differ.

import { useEffect, useMemo, useState } from 'preact/hooks';
import { GAME_INFO } from '../../api/games';
import type { components } from '../../api/schema';
import { formatRoute } from '../../app/router';
import { LineChart, type Series } from '../../charts/LineChart';
import { getJson } from '../../engine/http';
import type { EngineProblem } from '../../engine/types';
import { asProblem } from '../../game/session';
import { formatAgo, formatCount, formatFixed, formatPercent, formatSigned } from '../../ui/format';
import { Empty, Panel, ProblemNotice, Segments } from '../../ui/parts';
import { overlaid, settingsThatDiffer } from './overlay';

type RunSummary = components['schemas']['RunSummary'];
type RunCurves = components['schemas']['RunCurves'];
type Measure = 'elo' | 'policyLoss' | 'valueLoss' | 'drawRate';
type Over = 'iterations' | 'positions' | 'hours';

const MEASURES = [
  { value: 'elo', label: 'Elo' },
  { value: 'policyLoss', label: 'Policy loss' },
  { value: 'valueLoss', label: 'Value loss' },
  { value: 'drawRate', label: 'Draws' },
] as const;
const OVERS = [
  { value: 'iterations', label: 'Iterations' },
  { value: 'positions', label: 'Positions' },
  { value: 'hours', label: 'Hours' },
] as const;
const DASHES: readonly (number[] | undefined)[] = [undefined, [6, 4], [2, 3], [10, 3, 2, 3], [14, 4], [1, 4]];
/** More lines than colours and dashes cannot be told apart. */
const MOST_CHOSEN = 6;

export function RunsPage() {
  const [runs, setRuns] = useState<RunSummary[] | null>(null);
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [problem, setProblem] = useState<EngineProblem | null>(null);
  useEffect(() => {
    document.title = 'Runs · Milton';
    getJson<RunSummary[]>('api/runs').then(
      (found) => {
        setRuns(found);
        setChosen(found.slice(0, 3).map(({ name }) => name));
      },
      (error: unknown) => setProblem(asProblem(error)),
    );
  }, []);
  const curves = useCurves(chosen, setProblem);
  const toggle = (name: string): void =>
    setChosen(chosen.includes(name) ? chosen.filter((each) => each !== name) : [...chosen, name].slice(-MOST_CHOSEN));
  return (
    <>
      <div class="page-head">
        <h1>Runs</h1>
        <a class="button" href={formatRoute({ page: 'run', iteration: null })}>
          The run that is served
        </a>
      </div>
      {problem !== null && <ProblemNotice problem={problem} />}
      {runs !== null && runs.length === 0 && (
        <div class="panel">
          <Empty icon="run" title="No runs yet">
            <p>Runs in the folder of the served one are listed here.</p>
          </Empty>
        </div>
      )}
      {runs !== null && runs.length > 0 && (
        <div class="stack">
          <Panel title="All runs">
            <RunTable runs={runs} chosen={chosen} onToggle={toggle} />
          </Panel>
          <Overlay curves={curves} />
          <SettingsTable runs={runs.filter(({ name }) => chosen.includes(name))} />
        </div>
      )}
    </>
  );
}

function useCurves(chosen: readonly string[], onProblem: (problem: EngineProblem) => void): RunCurves[] {
  const [known, setKnown] = useState<ReadonlyMap<string, RunCurves>>(new Map());
  useEffect(() => {
    for (const name of chosen.filter((each) => !known.has(each))) {
      getJson<RunCurves>(`api/runs/${encodeURIComponent(name)}/curves`).then(
        (found) => setKnown((before) => new Map([...before, [name, found]])),
        (error: unknown) => onProblem(asProblem(error)),
      );
    }
  }, [chosen]);
  return useMemo(() => chosen.flatMap((name) => known.get(name) ?? []), [chosen, known]);
}

function RunTable({
  runs,
  chosen,
  onToggle,
}: {
  runs: readonly RunSummary[];
  chosen: readonly string[];
  onToggle: (name: string) => void;
}) {
  return (
    <div class="scroll-x" tabIndex={0} role="region" aria-label="Table of runs">
      <table class="table as-cards">
        <thead>
          <tr>
            <th scope="col">Compare</th>
            <th scope="col">Run</th>
            <th scope="col">Game</th>
            <th scope="col">Profile</th>
            <th scope="col" class="right">
              Iterations
            </th>
            <th scope="col" class="right">
              Promotions
            </th>
            <th scope="col" class="right">
              Elo over its first
            </th>
            <th scope="col">Begun</th>
          </tr>
        </thead>
        <tbody>
          {runs.map((run) => (
            <tr key={run.name}>
              <td data-label="Compare">
                <input
                  type="checkbox"
                  aria-label={`Compare ${run.name}`}
                  checked={chosen.includes(run.name)}
                  onChange={() => onToggle(run.name)}
                />
              </td>
              <th scope="row">
                {run.isServed ? <a href={formatRoute({ page: 'run', iteration: null })}>{run.name}</a> : run.name}{' '}
                {run.isRunning && <span class="badge live">learning</span>}
              </th>
              <td data-label="Game">{GAME_INFO[run.game].title}</td>
              <td data-label="Profile">{run.profile}</td>
              <td class="right" data-label="Iterations">
                {formatCount(run.latestIteration)}
              </td>
              <td class="right" data-label="Promotions">
                {formatCount(run.numPromotions)}
              </td>
              <td class="right" data-label="Elo over its first">
                {run.rating === null ? '–' : `${formatSigned(run.rating.elo, 0)} (iteration ${run.rating.iteration})`}
              </td>
              <td class="small" data-label="Begun">
                {formatAgo(Math.max(0, Date.now() / 1000 - run.createdS))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const FORMATS: { readonly [measure in Measure]: (value: number | null) => string } = {
  elo: (value) => formatSigned(value, 0),
  policyLoss: (value) => formatFixed(value, 3),
  valueLoss: (value) => formatFixed(value, 3),
  drawRate: (value) => formatPercent(value),
};

function Overlay({ curves }: { curves: readonly RunCurves[] }) {
  const [measure, setMeasure] = useState<Measure>('elo');
  const [over, setOver] = useState<Over>('iterations');
  const { x, columns } = useMemo(
    () => overlaid(curves.map((run) => ({ x: run[over], values: run[measure] }))),
    [curves, measure, over],
  );
  const series = useMemo(
    () =>
      curves.map((run, index): Series => {
        const dash = DASHES[index % DASHES.length];
        const line = {
          label: run.name,
          values: columns[index] ?? [],
          colour: (index % 6) + 1,
          joinsGaps: true,
          format: FORMATS[measure],
        };
        return dash === undefined ? line : { ...line, dash };
      }),
    [curves, columns],
  );
  return (
    <Panel title="Side by side">
      <div class="row diagnostic-tools">
        <Segments legend="What" hideLegend value={measure} onChange={setMeasure} options={MEASURES} />
        <Segments legend="Over" hideLegend value={over} onChange={setOver} options={OVERS} />
      </div>
      {x.length > 0 ? (
        <LineChart
          label={`${measure} of ${curves.map(({ name }) => name).join(', ')}`}
          x={x}
          xLabel={OVERS.find(({ value }) => value === over)?.label ?? ''}
          series={series}
          height={280}
        />
      ) : (
        <p class="muted small">Choose runs that have finished an iteration.</p>
      )}
    </Panel>
  );
}

function SettingsTable({ runs }: { runs: readonly RunSummary[] }) {
  const names = settingsThatDiffer(runs.map(({ settings }) => settings));
  return (
    <Panel title="Settings that differ">
      {names.length === 0 ? (
        <p class="muted small">
          {runs.length < 2 ? 'Choose two runs or more.' : 'None: these runs have the same settings.'}
        </p>
      ) : (
        <div class="scroll-x" tabIndex={0} role="region" aria-label="Table of settings">
          <table class="table">
            <thead>
              <tr>
                <th scope="col">Setting</th>
                {runs.map(({ name }) => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {names.map((name) => (
                <tr key={name}>
                  <th scope="row">
                    <code>{name}</code>
                  </th>
                  {runs.map((run) => (
                    <td key={run.name}>{run.settings[name] ?? '–'}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Panel>
  );
}
