// What the loop does now: the stages of an iteration, how far the current one is, how long it will take.

import type { RunView } from '../../live/messages';
import { formatAgo, formatCount, formatDuration, formatPercent } from '../../ui/format';
import { useNow } from '../../ui/hooks';
import { Meter, Panel } from '../../ui/parts';

const STAGES = ['self-play', 'coach', 'training', 'arena', 'ladder'];

/** Stages that few iterations have are shown while they last: labels after self-play, deploy before the ladder. */
function stagesWith(name: string): readonly string[] {
  if (STAGES.includes(name)) return STAGES;
  const place = name === 'labels' ? 1 : -1;
  return [...STAGES.slice(0, place), name, ...STAGES.slice(place)];
}

export function StagePanel({ run }: { run: RunView }) {
  const { stage } = run;
  const sinceS = useNow(1_000) - run.updatedS;
  const of = run.numIterations > 0 ? ` of ${formatCount(run.numIterations)}` : '';
  return (
    <Panel
      class="stage"
      title={
        stage === null
          ? `Iteration ${formatCount(run.latestIteration)}${of}`
          : `Iteration ${formatCount(stage.iteration)}${of}`
      }
      aside={<span class="small muted">{formatAgo(Math.max(0, sinceS))}</span>}
    >
      {stage === null ? (
        <div class="stack">
          <p>
            {run.isRunning
              ? 'The loop is starting up.'
              : 'The loop is not running. Everything so far is kept; the same command resumes.'}
          </p>
          {!run.isRunning && (
            <p>
              <code>milton loop --run {run.folder}</code>
            </p>
          )}
        </div>
      ) : (
        <div class="stack">
          <ol class="stages">
            {stagesWith(stage.name).map((name, index, names) => {
              const reached = names.indexOf(stage.name);
              const kind = index < reached ? 'done' : index === reached ? 'now' : 'later';
              return (
                <li key={name} class={kind} aria-current={kind === 'now' ? 'step' : undefined}>
                  <span aria-hidden="true">{kind === 'done' ? '✓' : index + 1}</span>
                  {name}
                </li>
              );
            })}
          </ol>
          <Meter share={stage.share} label={`${stage.name} of iteration ${stage.iteration}`} />
          <div class="spread small number">
            <span>
              <strong>{formatPercent(stage.share)}</strong> · {formatCount(stage.done)} / {formatCount(stage.total)}{' '}
              {stage.unit}
            </span>
            <span class="muted">
              ETA {formatDuration(stage.etaS === null ? null : Math.max(0, stage.etaS - Math.max(0, sinceS)))}
            </span>
          </div>
          {stage.text !== '' && <p class="small muted">{stage.text}</p>}
        </div>
      )}
    </Panel>
  );
}
