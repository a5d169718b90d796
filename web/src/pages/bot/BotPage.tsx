// The scoreboard of the Lichess bot: games under way, ratings, results, which networks played, games to review, faults.

import { useEffect, useState } from 'preact/hooks';
import type { PageProps } from '../../app/App';
import type { components } from '../../api/schema';
import { formatRoute, runRoute } from '../../app/router';
import { LineChart } from '../../charts/LineChart';
import { getJson } from '../../engine/http';
import type { EngineProblem } from '../../engine/types';
import { asProblem } from '../../game/session';
import { formatAgo, formatCount, formatPercent } from '../../ui/format';
import { Empty, Panel, ProblemNotice, Segments, type Option } from '../../ui/parts';
import { Table, type Column } from '../../ui/Table';
import { useNarrow } from '../../ui/viewport';
import { Charts } from '../run/Charts';
import { useRun } from '../run/useRun';
import { GameTable } from './GameTable';
import { Ratings } from './Ratings';
import { RunningGames, type BotNow } from './RunningGames';
import { controlText, form, tally, total, type BotGame, type Tally } from './scores';

type BotView = components['schemas']['BotView'];

const LOOK_AGAIN_MS = 1_000;
const FORM_WIDTH = 20;
const NUM_LISTED = 15;
const NUM_MESSAGES = 12;

export function BotPage(_: PageProps) {
  const [bot, setBot] = useState<BotView | null | undefined>(undefined);
  const [seenMs, setSeenMs] = useState(0);
  const [problem, setProblem] = useState<EngineProblem | null>(null);
  useEffect(() => {
    document.title = 'Bot · Milton';
    const look = (): void =>
      void getJson<BotView | null>('api/bot').then(
        (found) => {
          setBot(found);
          setSeenMs(Date.now());
          setProblem(null);
        },
        (error: unknown) => setProblem(asProblem(error)),
      );
    look();
    const timer = setInterval(look, LOOK_AGAIN_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <>
      <div class="page-head">
        <h1>Lichess bot</h1>
        {bot && (
          <p class="small muted">
            {bot.now !== null && `${bot.now.account} · ${bot.now.network} · `}
            {bot.numGames === 1 ? '1 game' : `${formatCount(bot.numGames)} games`} in {bot.folder}
          </p>
        )}
        {bot?.now != null && (
          <span class={`badge ${bot.now.isOnline ? 'live' : ''}`}>
            {bot.now.isOnline && <span class="pulse" aria-hidden="true" />}
            {bot.now.isOnline ? 'online' : 'not online'}
          </span>
        )}
      </div>
      {bot === undefined && problem !== null && <ProblemNotice problem={problem} />}
      {bot === null && (
        <div class="panel">
          <Empty icon="chess" title="No bot has played yet">
            <p>
              The games of <code>milton lichess</code> appear here by themselves. To try it without an account, in a
              terminal of this machine:
            </p>
            <pre>milton lichess --demo</pre>
            <p>
              It plays against a server of its own and prints the command that shows its games on a page:{' '}
              <code>milton serve --bot FOLDER</code>.
            </p>
          </Empty>
        </div>
      )}
      {bot && <Scoreboard bot={bot} seenMs={seenMs} />}
    </>
  );
}

type Section = 'now' | 'ratings' | 'results' | 'games';

/** On a narrow page one at a time. */
const SECTIONS: readonly Option<Section>[] = [
  { value: 'now', label: 'Now' },
  { value: 'ratings', label: 'Ratings' },
  { value: 'results', label: 'Results' },
  { value: 'games', label: 'Games' },
];

function Scoreboard({ bot, seenMs }: { bot: BotView; seenMs: number }) {
  const { games, now } = bot;
  const isNarrow = useNarrow();
  const [section, setSection] = useState<Section>('now');
  const has = (wanted: Section): boolean => !isNarrow || section === wanted;
  return (
    <>
      {isNarrow && (
        <div class="section-bar">
          <Segments legend="Section" hideLegend value={section} onChange={setSection} options={SECTIONS} />
        </div>
      )}
      <div class="stack">
        {has('now') && <RunningGames now={now} seenMs={seenMs} />}
        {has('ratings') && <RatingPanels bot={bot} />}
        {has('results') && <Results games={games} />}
        {has('games') && (
          <Panel title="Newest games">
            <GameTable games={[...games].reverse().slice(0, NUM_LISTED)} />
          </Panel>
        )}
        {has('now') && now !== null && <Faults now={now} />}
      </div>
    </>
  );
}

function RatingPanels({ bot: { games, swaps } }: { bot: BotView }) {
  return (
    <>
      <Panel title="Ratings">
        <Ratings games={games} swaps={swaps} />
      </Panel>
      <RunBeside />
      <Panel title={`Form: points of the last ${FORM_WIDTH} games`}>
        <Form games={games} />
      </Panel>
    </>
  );
}

function Results({ games }: { games: readonly BotGame[] }) {
  const all = tally(games, () => 'All games');
  return (
    <>
      <div class="two-up">
        <Panel title="Results">
          <Tallies
            rows={[
              ...all,
              ...tally(games, ({ opponentIsBot }) => (opponentIsBot ? 'Against bots' : 'Against people')),
              ...tally(games, ({ rated }) => (rated ? 'Rated' : 'Casual')),
            ]}
            head="Games"
          />
        </Panel>
        <Panel title="By time control">
          <Tallies rows={tally(games, ({ timeControl }) => controlText(timeControl))} head="Clock" />
        </Panel>
      </div>
      <div class="two-up">
        <Panel title="By opponent">
          <Tallies rows={tally(games, ({ opponent }) => opponent).slice(0, 12)} head="Opponent" />
        </Panel>
        <Panel title="By network">
          <Tallies rows={tally(games, ({ network }) => network).slice(0, 12)} head="Network" />
        </Panel>
      </div>
    </>
  );
}

/** How strong the networks became that the bot plays with, where a chess run is served beside it. */
function RunBeside() {
  const { state } = useRun(null);
  if (state.run === null || state.run.game !== 'chess' || state.rows.length === 0) return null;
  const open = (iteration: number): void => {
    location.hash = formatRoute(runRoute(iteration));
  };
  return <Charts rows={state.rows} estimate={state.run.estimatedElo} selected={null} onPick={open} />;
}

/** What went wrong and was mended, and what the bot said last. */
function Faults({ now }: { now: BotNow }) {
  const counted = Object.entries(now.faults);
  return (
    <Panel title="Faults and messages">
      <p class="small">
        {counted.map(([name, count]) => `${name} ${formatCount(count)}`).join(' · ')}{' '}
        <span class="muted">since it started</span>
      </p>
      <ol class="bot-messages small untrusted">
        {[...now.messages]
          .reverse()
          .slice(0, NUM_MESSAGES)
          .map((message) => (
            <li key={`${message.at}${message.text}`}>
              <span class="muted">{formatAgo(Math.max(0, Date.now() / 1000 - message.at))}</span>{' '}
              <bdi>{message.text}</bdi>
            </li>
          ))}
      </ol>
    </Panel>
  );
}

function Tallies({ rows, head }: { rows: readonly Tally[]; head: string }) {
  if (rows.length === 0) return <p class="small muted">No game counts yet.</p>;
  const number = (name: string, cell: (row: Tally) => string | number) => ({ name, cell, isNumber: true });
  const columns: Column<Tally>[] = [
    { name: head, isRowHead: true, cell: ({ name }) => name },
    number('Won', ({ wins }) => wins),
    number('Drawn', ({ draws }) => draws),
    number('Lost', ({ losses }) => losses),
    number('Points', (row) => formatPercent((row.wins + row.draws / 2) / total(row))),
  ];
  return <Table label={`Results by ${head}`} columns={columns} rows={rows} keyOf={({ name }) => name} isNarrow />;
}

function Form({ games }: { games: readonly BotGame[] }) {
  const { scores, swaps } = form(games, FORM_WIDTH);
  if (scores.length < 2) return <p class="small muted">Two games that count put a line here.</p>;
  const series = [{ label: 'Points', values: scores, colour: 1, isShare: true }];
  return (
    <>
      <LineChart
        label={`Share of points over ${scores.length} games, now ${formatPercent(scores.at(-1))}`}
        x={scores.map((_, index) => index + 1)}
        xLabel="Game"
        series={series}
        height={180}
        range={[0, 1]}
      />
      {swaps.length > 0 && (
        <p class="small muted">
          New networks:{' '}
          {swaps
            .slice(-6)
            .map(({ index, network }) => `${network} from game ${index}`)
            .join(', ')}
        </p>
      )}
    </>
  );
}
