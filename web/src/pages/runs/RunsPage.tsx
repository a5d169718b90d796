// All runs of one folder: a list, their curves over each other, and which settings differ.

import { useEffect, useMemo, useState } from 'preact/hooks';
import { GAME_INFO } from '../../api/games';
import type { components } from '../../api/schema';
import { formatRoute, runRoute } from '../../app/router';
import { LineChart, MOST_LINES, styleOf, type Series } from '../../charts/LineChart';
import { getJson } from '../../engine/http';
import type { EngineProblem } from '../../engine/types';
import { asProblem } from '../../game/session';
import { strengthOver } from '../../live/strength';
import { formatAgo, formatCount, formatFixed, formatPercent, formatSigned } from '../../ui/format';
import { useNow } from '../../ui/hooks';
import { Empty, Panel, ProblemNotice, Segments, Select, type Option } from '../../ui/parts';
import { Table, type Column } from '../../ui/Table';
import { useNarrow } from '../../ui/viewport';
import { overlaid, settingsOf, settingsThatDiffer, tablesOf } from './overlay';

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
type Section = 'runs' | 'curves' | 'settings';

/** On a narrow page one at a time. */
const SECTIONS: readonly Option<Section>[] = [
  { value: 'runs', label: 'Runs' },
  { value: 'curves', label: 'Curves' },
  { value: 'settings', label: 'Settings' },
];
const NUM_CHOSEN = 3; // at first
const LOOK_AGAIN_MS = 5_000;

export function RunsPage() {
  const [runs, setRuns] = useState<RunSummary[] | null>(null);
  const [chosen, setChosen] = useState<readonly string[] | null>(null);
  const [problem, setProblem] = useState<EngineProblem | null>(null);
  useEffect(() => {
    document.title = 'Runs · Milton';
    const look = (): void =>
      void getJson<RunSummary[]>('api/runs').then(
        (found) => {
          setRuns(found);
          setChosen((before) => before ?? found.slice(0, NUM_CHOSEN).map(({ name }) => name));
          setProblem(null);
        },
        (error: unknown) => setProblem(asProblem(error)),
      );
    look();
    const timer = setInterval(look, LOOK_AGAIN_MS);
    return () => clearInterval(timer);
  }, []);
  const isNarrow = useNarrow();
  const [section, setSection] = useState<Section>('runs');
  const has = (wanted: Section): boolean => !isNarrow || section === wanted;
  const chosenRuns = (chosen ?? []).flatMap((name) => runs?.find((run) => run.name === name) ?? []);
  const curves = useCurves(chosenRuns, setProblem);
  const toggle = (name: string): void =>
    setChosen(
      chosen === null
        ? [name]
        : chosen.includes(name)
          ? chosen.filter((each) => each !== name)
          : [...chosen, name].slice(-MOST_LINES),
    );
  return (
    <>
      <div class="page-head">
        <h1>Runs</h1>
        <a class="button" href={formatRoute(runRoute())}>
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
        <>
          {isNarrow && (
            <div class="section-bar">
              <Segments legend="Section" hideLegend value={section} onChange={setSection} options={SECTIONS} />
            </div>
          )}
          <div class="stack">
            {has('runs') && (
              <Panel title="All runs">
                <RunTable runs={runs} chosen={chosen ?? []} onToggle={toggle} />
              </Panel>
            )}
            {has('curves') && <Overlay curves={curves} />}
            {has('settings') && <SettingsTable runs={chosenRuns} isNarrow={isNarrow} />}
          </div>
        </>
      )}
    </>
  );
}

/** Asked again when a run has gone on. */
function useCurves(runs: readonly RunSummary[], onProblem: (problem: EngineProblem) => void): RunCurves[] {
  const [known, setKnown] = useState<ReadonlyMap<string, RunCurves>>(new Map());
  const names = runs.map(({ name }) => name).join('\n');
  const state = runs.map(({ name, latestIteration }) => `${name} ${latestIteration}`).join('\n');
  useEffect(() => {
    for (const { name, latestIteration } of runs) {
      if (known.get(name)?.iterations.at(-1) === latestIteration) continue;
      getJson<RunCurves>(`api/runs/${encodeURIComponent(name)}/curves`).then(
        (found) => setKnown((before) => new Map([...before, [name, found]])),
        (error: unknown) => onProblem(asProblem(error)),
      );
    }
  }, [state]);
  return useMemo(() => runs.flatMap(({ name }) => known.get(name) ?? []), [names, known]);
}

interface RunTableProps {
  runs: readonly RunSummary[];
  chosen: readonly string[];
  onToggle: (name: string) => void;
}

function RunTable({ runs, chosen, onToggle }: RunTableProps) {
  const nowS = useNow(1_000);
  const columns: Column<RunSummary>[] = [
    {
      name: 'Compare',
      cell: ({ name }) => (
        <input
          type="checkbox"
          aria-label={`Compare ${name}`}
          checked={chosen.includes(name)}
          onChange={() => onToggle(name)}
        />
      ),
    },
    { name: 'Run', isRowHead: true, cell: (run) => <RunName run={run} /> },
    { name: 'Game', cell: ({ game }) => GAME_INFO[game].title },
    { name: 'Profile', cell: ({ profile }) => profile },
    { name: 'Iterations', isNumber: true, cell: ({ latestIteration }) => formatCount(latestIteration) },
    { name: 'Promotions', isNumber: true, cell: ({ numPromotions }) => formatCount(numPromotions) },
    {
      name: 'Elo over its first',
      isNumber: true,
      cell: ({ rating }) => (rating === null ? '–' : `${formatSigned(rating.elo, 0)} (iteration ${rating.iteration})`),
    },
    { name: 'Begun', cell: ({ createdS }) => formatAgo(Math.max(0, nowS - createdS)) },
  ];
  return <Table label="Table of runs" columns={columns} rows={runs} keyOf={({ name }) => name} />;
}

/** Leads to its page; the run that is served has the plain address. */
function RunName({ run }: { run: RunSummary }) {
  return (
    <>
      <a href={formatRoute(runRoute(null, run.isServed ? null : run.name))}>{run.name}</a>{' '}
      {run.isRunning && <span class="badge live">learning</span>}
    </>
  );
}

const FORMATS: { readonly [measure in Measure]: (value: number | null) => string } = {
  elo: (value) => formatSigned(value, 0),
  policyLoss: (value) => formatFixed(value, 3),
  valueLoss: (value) => formatFixed(value, 3),
  drawRate: (value) => formatPercent(value),
};

/** Elo as the Run page has it: measured by ladders, estimated from promotions in between. */
function valuesOf(run: RunCurves, measure: Measure): readonly (number | null)[] {
  if (measure !== 'elo') return run[measure];
  const steps = run.iterations.map((iteration, index) => ({
    iteration,
    measured: run.elo[index] ?? null,
    gain: run.promotionElo[index] ?? null,
  }));
  const strength = new Map(strengthOver(steps, run.estimatedElo).map(({ iteration, elo }) => [iteration, elo]));
  return run.iterations.map((iteration) => strength.get(iteration) ?? null);
}

function Overlay({ curves }: { curves: readonly RunCurves[] }) {
  const [measure, setMeasure] = useState<Measure>('elo');
  const [over, setOver] = useState<Over>('iterations');
  const { x, columns } = useMemo(
    () => overlaid(curves.map((run) => ({ x: run[over], values: valuesOf(run, measure) }))),
    [curves, measure, over],
  );
  const series = useMemo(
    () =>
      curves.map((run, index): Series => ({
        ...styleOf(index),
        label: run.name,
        values: columns[index] ?? [],
        joinsGaps: true,
        isShare: measure === 'drawRate',
        format: FORMATS[measure],
      })),
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
          xIsWhole={over !== 'hours'}
          series={series}
          height={280}
        />
      ) : (
        <p class="muted small">Choose runs that have finished an iteration.</p>
      )}
    </Panel>
  );
}

type Shown = 'different' | 'all';

const SHOWN = [
  { value: 'different', label: 'Differences' },
  { value: 'all', label: 'All' },
] as const;

/** On a narrow page one table of settings at a time, also of those that differ. */
function SettingsTable({ runs, isNarrow }: { runs: readonly RunSummary[]; isNarrow: boolean }) {
  const [shown, setShown] = useState<Shown>('different');
  const [wanted, setWanted] = useState('train');
  const settings = runs.map((run) => run.settings);
  const listed = shown === 'all' ? settingsOf(settings) : settingsThatDiffer(settings);
  const tables = tablesOf(listed);
  const table = tables.has(wanted) ? wanted : ([...tables.keys()][0] ?? '');
  const isByTable = shown === 'all' || (isNarrow && tables.size > 1);
  const names = isByTable ? (tables.get(table) ?? []) : listed;
  const columns: Column<string>[] = [
    { name: 'Setting', isRowHead: true, cell: (name) => <code>{name}</code> },
    ...runs.map((run): Column<string> => ({
      name: run.name,
      isWhole: true,
      cell: (name) => run.settings[name] ?? '–',
    })),
  ];
  return (
    <Panel
      title="Settings"
      aside={<Segments legend="Which settings" hideLegend value={shown} onChange={setShown} options={SHOWN} />}
    >
      <div class="stack">
        {isByTable && (
          <Select
            legend="Table of settings"
            hideLegend
            value={table}
            onChange={setWanted}
            options={[...tables].map(([name, { length }]) => ({ value: name, label: `${name} · ${length}` }))}
          />
        )}
        {names.length === 0 ? (
          <p class="muted small">
            {runs.length < 2 ? 'Choose two runs or more.' : 'None differ: these runs have the same settings.'}
          </p>
        ) : (
          <Table label="Table of settings" columns={columns} rows={names} keyOf={(name) => name} />
        )}
      </div>
    </Panel>
  );
}
