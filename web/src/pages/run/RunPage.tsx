// Watch a run learn: what it does now, a game of it, how strong it has become, and every iteration so far.

import { GAME_INFO } from '../../api/games';
import { useEffect, useState } from 'preact/hooks';
import type { PageProps } from '../../app/App';
import { formatRoute, runRoute, type Route } from '../../app/router';
import type { Engine } from '../../engine/types';
import type { RunView } from '../../live/messages';
import type { RunState } from '../../live/runState';
import { Empty, Notice, ProblemNotice, Segments, type Option } from '../../ui/parts';
import { useNarrow } from '../../ui/viewport';
import { Alarms } from './Alarms';
import { Charts } from './Charts';
import { CoachPanel } from './CoachPanel';
import { Diagnostics } from './Diagnostics';
import { IterationTable } from './IterationTable';
import { LivePanel } from './LivePanel';
import { ReplayPanel } from './ReplayPanel';
import { StagePanel } from './StagePanel';
import { Figures } from './Figures';
import { useRun } from './useRun';

type RunRoute = Extract<Route, { page: 'run' }>;

export function RunPage({ route, engine }: PageProps<RunRoute>) {
  const { state, refusal, isLoading } = useRun(route.name);
  const hasNoRun = state.run === null && !isLoading;
  const [hasWaited, setWaited] = useState(false);
  useEffect(() => {
    if (hasNoRun) setWaited(true);
  }, [hasNoRun]);
  useEffect(() => {
    const { stage, name } = state.run ?? {};
    const doing = stage ? `${stage.name} ${Math.round(stage.share * 100)} % · ` : '';
    document.title = `${doing}${name ?? 'Run'} · Milton`;
  }, [state.run]);
  if (state.run === null) {
    if (isLoading)
      return (
        <p class="muted" role="status">
          Asking for the run…
        </p>
      );
    const problem = refusal ?? state.problem;
    if (route.name !== null && problem !== null) return <UnknownRun problem={problem} />;
    return <NoRun reason={problem?.message ?? ''} />;
  }
  return (
    <>
      {hasWaited && (
        <Notice kind="good">
          <p>A run has appeared: {state.run.name}. This page shows it from now on.</p>
        </Notice>
      )}
      <Dashboard
        key={route.name}
        engine={engine}
        run={state.run}
        state={state}
        selected={route.iteration}
        name={route.name}
      />
    </>
  );
}

/** A run that was asked for by its name. */
function UnknownRun({ problem }: { problem: { message: string; hint: string } }) {
  return (
    <>
      <ProblemNotice problem={problem} />
      <p class="row">
        <a class="button" href={formatRoute({ page: 'runs' })}>
          All runs
        </a>
      </p>
    </>
  );
}

function NoRun({ reason }: { reason: string }) {
  return (
    <>
      <div class="page-head">
        <h1>Run</h1>
        <nav class="row head-links" aria-label="More">
          <BotLink />
        </nav>
      </div>
      <div class="panel">
        <Empty icon="run" title="No run yet">
          <p>Start one and watch it learn from random moves on: this page shows it as soon as it is there.</p>
          <pre>milton loop --game connect_four</pre>
          <p class="small muted">Connect Four learns in minutes, Santorini in an hour, chess in a day.</p>
          {reason !== '' && (
            <p class="small muted" role="status">
              The server says: {reason}.
            </p>
          )}
        </Empty>
      </div>
    </>
  );
}

/** A bot may play without any run, and beside a run of any game. */
function BotLink() {
  return (
    <a class="button" href={formatRoute({ page: 'bot' })}>
      Lichess bot
    </a>
  );
}

interface DashboardProps {
  engine: Engine;
  run: RunView;
  state: RunState;
  selected: number | null;
  /** Null: the run that is served. */
  name: string | null;
}

type Section = 'now' | 'strength' | 'learning' | 'games' | 'coach' | 'table';

/** On a narrow page one at a time, instead of a scroll through all of them. */
const SECTIONS: readonly Option<Section>[] = [
  { value: 'now', label: 'Now' },
  { value: 'strength', label: 'Strength' },
  { value: 'learning', label: 'Learning' },
  { value: 'games', label: 'Games' },
  { value: 'coach', label: 'Coach' },
  { value: 'table', label: 'Table' },
];

function Dashboard({ engine, run, state, selected, name }: DashboardProps) {
  const isNarrow = useNarrow();
  const [section, setSection] = useState<Section>(selected === null ? 'now' : 'games');
  const has = (wanted: Section): boolean => !isNarrow || section === wanted;
  const pick = (iteration: number | null): void => {
    location.hash = formatRoute(runRoute(iteration, name));
    setSection('games');
    if (iteration !== null) document.getElementById('replay')?.scrollIntoView({ behavior: 'smooth', block: 'nearest' });
  };
  return (
    <>
      <div class="page-head">
        <div>
          <h1>{run.name}</h1>
          <p>
            {GAME_INFO[run.game].title} · profile {run.profile}
          </p>
        </div>
        <nav class="row head-links" aria-label="More">
          <a class="button" href={formatRoute({ page: 'runs' })}>
            All runs
          </a>
          {name !== null && (
            <a class="button" href={formatRoute(runRoute())}>
              The run that is served
            </a>
          )}
          <BotLink />
        </nav>
        {run.isRunning ? (
          <span class="badge live">
            <span class="pulse" aria-hidden="true" />
            learning
          </span>
        ) : (
          <span class="badge">not running</span>
        )}
      </div>
      {state.problem !== null && (
        <Notice kind="warn">
          <p>{state.problem.message}</p>
          <p>{state.problem.hint}</p>
        </Notice>
      )}
      {isNarrow && (
        <div class="section-bar">
          <Segments legend="Section" hideLegend value={section} onChange={setSection} options={SECTIONS} />
        </div>
      )}
      <div class="run-grid">
        {has('now') && (
          <>
            <StagePanel run={run} />
            <LivePanel engine={engine} live={state.live} isRunning={run.isRunning} />
            <Figures run={run} rows={state.rows} />
            <Alarms notes={state.notes} />
          </>
        )}
        {has('strength') && <Charts rows={state.rows} estimate={run.estimatedElo} selected={selected} onPick={pick} />}
        {has('learning') && <Diagnostics rows={state.rows} createdS={run.createdS} name={run.name} onPick={pick} />}
        {has('games') && (
          <ReplayPanel engine={engine} rows={state.rows} name={name} selected={selected} onPick={pick} />
        )}
        {has('coach') && <CoachPanel rows={state.rows} folder={run.folder} name={name} selected={selected} />}
        {has('table') && <IterationTable rows={state.rows} selected={selected} onPick={pick} />}
      </div>
    </>
  );
}
