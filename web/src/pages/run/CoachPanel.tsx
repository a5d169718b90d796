// What the coach found: the newest report, or the one that weighed the iteration that a person looks at. Descriptions may
// come from a language model: they are shown as text and nothing else.

import { useEffect, useState } from 'preact/hooks';
import type { EngineProblem } from '../../engine/types';
import { runAddress } from '../../live/address';
import type { CoachReport, CoachView, IterationRow, Weakness } from '../../live/messages';
import { formatCount, formatFixed, formatPercent } from '../../ui/format';
import { Button, Meter, Notice, Panel, ProblemNotice } from '../../ui/parts';
import { capital } from '../../ui/text';
import { fetchInto } from './fetchInto';

interface Props {
  rows: readonly IterationRow[];
  /** Of the run, as commands take it. */
  folder: string;
  /** Null: the run that is served. */
  name: string | null;
  selected: number | null;
}

const FEW = 6;
const LONG = 240;

export function CoachPanel({ rows, folder, name, selected }: Props) {
  const { view, problem } = useCoach(rows, name, selected);
  const report = view?.report ?? null;
  return (
    <Panel
      title="Coach"
      class="wide coach"
      aside={report !== null && <span class="small muted">{origin(report)}</span>}
    >
      {problem !== null && <ProblemNotice problem={problem} />}
      {problem === null && view === null && <p class="muted small">Loading…</p>}
      {problem === null && view !== null && report === null && (
        <NoReport view={view} folder={folder} selected={selected} />
      )}
      {problem === null && report !== null && <Report key={report.iteration} report={report} selected={selected} />}
    </Panel>
  );
}

interface Coach {
  view: CoachView | null;
  problem: EngineProblem | null;
}

/** Asked again when a row tells of another report. */
function useCoach(rows: readonly IterationRow[], name: string | null, selected: number | null): Coach {
  const [coach, setCoach] = useState<Coach>({ view: null, problem: null });
  const told =
    selected === null ? rows.findLast((row) => row.coach !== null) : rows.find((row) => row.iteration === selected);
  const path = runAddress(name, selected === null ? '/coach' : `/iterations/${selected}/coach`);
  useEffect(
    () =>
      fetchInto<CoachView>(
        path,
        (view) => setCoach({ view, problem: null }),
        (problem) => setCoach({ view: null, problem }),
      ),
    [path, told?.coach?.report, told?.coach?.finishedS],
  );
  return coach;
}

function origin(report: CoachReport): string {
  const who = report.model === '' ? report.provider : `${report.provider} (${report.model})`;
  return `iteration ${report.iteration} · ${shorten(who, 60)}`;
}

function NoReport({ view, folder, selected }: { view: CoachView; folder: string; selected: number | null }) {
  if (!view.isEnabled) {
    return (
      <div class="stack small">
        <p>
          The coach is switched off. It names weaknesses in the games and lets training see more of the positions where
          they show.
        </p>
        <p>
          Switch it on with <code>enabled = true</code> below <code>[coach]</code> in the run’s <code>milton.toml</code>
          , or for one start:
        </p>
        <p>
          <code>milton loop --run {folder} --set coach.enabled=true</code>
        </p>
      </div>
    );
  }
  if (selected !== null)
    return <p class="muted small">No report weighed iteration {selected}: all positions counted alike.</p>;
  return (
    <div class="stack small">
      <p class="muted">
        The first report comes with {view.every === 1 ? 'the next iteration' : `iteration ${view.every}`}, from{' '}
        {view.provider === 'offline' ? 'the offline coach' : shorten(view.provider, 60)}. To have one now, stop the loop
        and run:
      </p>
      <p>
        <code>milton coach --run {folder}</code>
      </p>
    </div>
  );
}

function Report({ report, selected }: { report: CoachReport; selected: number | null }) {
  const [showsAll, setShowsAll] = useState(false);
  const { weaknesses } = report;
  const shown = showsAll ? weaknesses : weaknesses.slice(0, FEW);
  const numUsed = weaknesses.filter((weakness) => weakness.ignored === '').length;
  return (
    <div class="stack">
      {report.problem !== '' && (
        <Notice kind="warn">
          <p>
            <strong>Training went on without weights.</strong>
          </p>
          <p class="untrusted">
            The reason: <Words text={report.problem} />
          </p>
        </Notice>
      )}
      {selected !== null && report.iteration !== selected && (
        <p class="small muted">
          Iteration {selected} was weighed by the report of iteration {report.iteration}.
        </p>
      )}
      {weaknesses.length === 0 && report.problem === '' && (
        <p class="muted small">No systematic weakness in these games.</p>
      )}
      <ul>
        {shown.map((weakness, index) => (
          <Line key={index} weakness={weakness} />
        ))}
      </ul>
      {weaknesses.length > FEW && (
        <Button kind="quiet" onClick={() => setShowsAll(!showsAll)}>
          {showsAll ? 'Show fewer' : `Show all ${weaknesses.length}`}
        </Button>
      )}
      {report.practice !== '' && <p class="small">Practice: {report.practice}.</p>}
      <p class="muted small untrusted" title={report.statistic}>
        {weaknesses.length > 0 && `${numUsed} of ${weaknesses.length} in use · `}
        {formatCount(report.numGames)} games, {formatCount(report.numPositions)} positions judged · mean loss{' '}
        {formatFixed(report.meanLoss, 4)}
        {report.tokens > 0 && <> · {formatCount(report.tokens)} tokens</>}
      </p>
    </div>
  );
}

function Line({ weakness }: { weakness: Weakness }) {
  const { category, description, fingerprint, severity, share, ignored } = weakness;
  return (
    <li class={ignored === '' ? '' : 'useless'}>
      <div class="severity">
        <span class="number">
          <strong>{formatFixed(severity, 2)}</strong>
        </span>
        <Meter kind="meter" share={severity} label={`Severity of ${category}`} />
        <span class="muted number">
          {share === null ? 'not counted' : `${formatPercent(share, share < 0.1 ? 1 : 0)} of positions`}
        </span>
      </div>
      <div class="untrusted">
        <p>
          <strong>{capital(category)}</strong>
          {ignored !== '' && (
            <>
              {' '}
              <span class="badge">useless</span>
            </>
          )}
        </p>
        <p>
          <Words text={description} />
        </p>
        <p class="muted">
          <code>{fingerprint}</code>
        </p>
        {ignored !== '' && (
          <p class="muted">
            It weighs nothing: <Words text={ignored} />
          </p>
        )}
      </div>
    </li>
  );
}

/** Words of others, apart from the writing around them; a long text is opened on demand. */
function Words({ text }: { text: string }) {
  const [isOpen, setOpen] = useState(false);
  if (text.length <= LONG) return <bdi>{text}</bdi>;
  return (
    <>
      <bdi>{isOpen ? text : shorten(text, LONG)}</bdi>{' '}
      <button type="button" class="more" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? 'less' : 'more'}
      </button>
    </>
  );
}

function shorten(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}
