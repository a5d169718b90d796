// Finished games of the bot.

import type { components } from '../../api/schema';
import { analyseRoute, formatRoute } from '../../app/router';
import { getJson } from '../../engine/http';
import { tagsOf } from '../../study/tags';
import { formatAgo } from '../../ui/format';
import { useNow } from '../../ui/hooks';
import { Button } from '../../ui/parts';
import { Table, type Column } from '../../ui/Table';
import { controlText, resultText, type BotGame } from './scores';

type ReplayGame = components['schemas']['ReplayGame'];

/** Newest first, each with its way to the review. */
export function GameTable({ games }: { games: readonly BotGame[] }) {
  const nowS = useNow(1_000);
  const columns: Column<BotGame>[] = [
    { name: 'When', cell: ({ endedAt }) => formatAgo(Math.max(0, nowS - endedAt)) },
    {
      name: 'Opponent',
      isRowHead: true,
      cell: ({ opponent, opponentRating, opponentIsBot }) => (
        <>
          <bdi>{opponent}</bdi> {opponentRating} {opponentIsBot && <span class="badge">bot</span>}
        </>
      ),
    },
    { name: 'Colour', cell: ({ colour }) => colour },
    { name: 'Clock', cell: ({ timeControl }) => controlText(timeControl) },
    { name: 'Result', cell: resultText },
    { name: 'Plies', isNumber: true, cell: ({ numPlies }) => numPlies },
    { name: 'Network', cell: ({ network }) => network },
    { name: 'Game', isWhole: true, cell: (game) => <GameLinks game={game} /> },
  ];
  return <Table label="Table of games" columns={columns} rows={games} keyOf={({ id }) => id} />;
}

function GameLinks({ game }: { game: BotGame }) {
  return (
    <span class="row">
      <Button label={`Review the game with ${game.opponent}`} icon="analyse" onClick={() => void review(game)} />
      {game.url !== null && (
        <a href={game.url} target="_blank" rel="noreferrer">
          Lichess
        </a>
      )}
    </span>
  );
}

async function review({ id, endedAt }: BotGame): Promise<void> {
  const { record, players, result } = await getJson<ReplayGame>(`api/bot/games/${id}`);
  const line = { start: record.start ?? null, moves: record.moves ?? [] };
  location.hash = formatRoute(analyseRoute('chess', line, true, tagsOf(players, result, endedAt * 1000)));
}
