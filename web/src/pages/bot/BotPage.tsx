// The scoreboard of the Lichess bot: games under way, ratings, results, which networks played, games to review, faults.

import { useEffect, useState } from 'preact/hooks';
import type { PageProps } from '../../app/App';
import type { components } from '../../api/schema';
import { analyseRoute, formatRoute } from '../../app/router';
import { LineChart } from '../../charts/LineChart';
import { getJson } from '../../engine/http';
import type { EngineProblem } from '../../engine/types';
import { asProblem } from '../../game/session';
import { formatAgo, formatCount, formatPercent } from '../../ui/format';
import { Button, Empty, Panel } from '../../ui/parts';
import { capital } from '../../ui/text';
import { reasonText } from '../../ui/words';
import { Ratings } from './Ratings';
import { RunningGames, type BotNow } from './RunningGames';
import { controlText, form, tally, total, type BotGame, type Tally } from './scores';

type BotView = components['schemas']['BotView'];
type ReplayGame = components['schemas']['ReplayGame'];

const LOOK_AGAIN_MS = 1_000;
const FORM_WIDTH = 20;
const NUM_LISTED = 15;
const NUM_MESSAGES = 12;

export function BotPage(_: PageProps) {
  const [bot, setBot] = useState<BotView | null>(null);
  const [seenMs, setSeenMs] = useState(0);
  const [problem, setProblem] = useState<EngineProblem | null>(null);
  useEffect(() => {
    document.title = 'Bot · Milton';
    const look = (): void =>
      void getJson<BotView>('api/bot').then(
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
        {bot !== null && (
          <p class="small muted">
            {bot.now !== null && `${bot.now.account} · ${bot.now.network} · `}
            {formatCount(bot.numGames)} games in {bot.folder}
          </p>
        )}
        {bot?.now != null && (
          <span class={`badge ${bot.now.isOnline ? 'live' : ''}`}>
            {bot.now.isOnline && <span class="pulse" aria-hidden="true" />}
            {bot.now.isOnline ? 'online' : 'not online'}
          </span>
        )}
      </div>
      {bot === null && problem !== null && (
        <div class="panel">
          <Empty icon="chess" title="No games yet">
            <p>
              {capital(problem.message)}. {problem.hint.replaceAll('`', '')}
            </p>
            <pre>milton lichess --demo</pre>
          </Empty>
        </div>
      )}
      {bot !== null && <Scoreboard bot={bot} seenMs={seenMs} />}
    </>
  );
}

function Scoreboard({ bot, seenMs }: { bot: BotView; seenMs: number }) {
  const { games, now } = bot;
  const all = tally(games, () => 'All games');
  return (
    <div class="stack">
      {now !== null && <RunningGames now={now} seenMs={seenMs} />}
      <Panel title="Ratings">
        <Ratings games={games} swaps={bot.swaps} />
      </Panel>
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
      <Panel title={`Form: points of the last ${FORM_WIDTH} games`}>
        <Form games={games} />
      </Panel>
      <div class="two-up">
        <Panel title="By opponent">
          <Tallies rows={tally(games, ({ opponent }) => opponent).slice(0, 12)} head="Opponent" />
        </Panel>
        <Panel title="By network">
          <Tallies rows={tally(games, ({ network }) => network).slice(0, 12)} head="Network" />
        </Panel>
      </div>
      <Panel title="Newest games">
        <GameTable games={[...games].reverse().slice(0, NUM_LISTED)} />
      </Panel>
      {now !== null && <Faults now={now} />}
    </div>
  );
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
  return (
    <table class="table">
      <thead>
        <tr>
          <th scope="col">{head}</th>
          <th scope="col" class="right">
            Won
          </th>
          <th scope="col" class="right">
            Drawn
          </th>
          <th scope="col" class="right">
            Lost
          </th>
          <th scope="col" class="right">
            Points
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.name}>
            <th scope="row">{row.name}</th>
            <td class="right">{row.wins}</td>
            <td class="right">{row.draws}</td>
            <td class="right">{row.losses}</td>
            <td class="right">{formatPercent((row.wins + row.draws / 2) / total(row))}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Form({ games }: { games: readonly BotGame[] }) {
  const { scores, swaps } = form(games, FORM_WIDTH);
  if (scores.length < 2) return <p class="small muted">Two games that count put a line here.</p>;
  const series = [
    { label: 'Points', values: scores, colour: 1, format: (value: number | null) => formatPercent(value) },
  ];
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

function GameTable({ games }: { games: readonly BotGame[] }) {
  return (
    <div class="scroll-x" tabIndex={0} role="region" aria-label="Table of games">
      <table class="table as-cards">
        <thead>
          <tr>
            <th scope="col">When</th>
            <th scope="col">Opponent</th>
            <th scope="col">Colour</th>
            <th scope="col">Clock</th>
            <th scope="col">Result</th>
            <th scope="col" class="right">
              Plies
            </th>
            <th scope="col">Network</th>
            <th scope="col">Game</th>
          </tr>
        </thead>
        <tbody>
          {games.map((game) => (
            <tr key={game.id}>
              <td data-label="When" class="small">
                {formatAgo(Math.max(0, Date.now() / 1000 - game.endedAt))}
              </td>
              <td data-label="Opponent">
                {game.opponent}
                {game.opponentIsBot && <span class="badge">bot</span>}
              </td>
              <td data-label="Colour">{game.colour}</td>
              <td data-label="Clock">{controlText(game.timeControl)}</td>
              <td data-label="Result">
                {game.result} {reasonText(game.status)}
              </td>
              <td data-label="Plies" class="right">
                {game.numPlies}
              </td>
              <td data-label="Network">{game.network}</td>
              <td class="row whole">
                <Button
                  label={`Review the game with ${game.opponent}`}
                  icon="analyse"
                  onClick={() => void review(game.id)}
                />
                {game.url !== null && (
                  <a href={game.url} target="_blank" rel="noreferrer">
                    Lichess
                  </a>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

async function review(id: string): Promise<void> {
  const { record } = await getJson<ReplayGame>(`api/bot/games/${id}`);
  location.hash = formatRoute(analyseRoute('chess', { start: record.start ?? null, moves: record.moves ?? [] }, true));
}
