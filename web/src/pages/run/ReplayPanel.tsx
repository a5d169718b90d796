// Games of any past iteration, to step through.

import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Engine, EngineProblem, PositionView } from '../../engine/types';
import { runAddress } from '../../live/address';
import type { GameEntry, GameList, IterationRow, ReplayGame } from '../../live/messages';
import { analyseRoute, formatRoute } from '../../app/router';
import { tagsOf } from '../../study/tags';
import { MoveList } from '../../ui/MoveList';
import { Button, Panel, ProblemNotice, Select } from '../../ui/parts';
import { reasonText } from '../../ui/words';
import { fetchInto } from './fetchInto';
import { playersText } from './players';
import { ReplayBoard } from './ReplayBoard';
import { useReplay, type Replay } from './useReplay';
import { ValueCurve } from './ValueCurve';

interface Props {
  engine: Engine;
  rows: readonly IterationRow[];
  /** Null: the run that is served. */
  name: string | null;
  selected: number | null;
  onPick: (iteration: number | null) => void;
}

const MOST_LISTED = 500;

export function ReplayPanel({ engine, rows, name, selected, onPick }: Props) {
  const newest = rows.filter((row) => row.isComplete).at(-1)?.iteration ?? rows.at(-1)?.iteration ?? null;
  const iteration = selected ?? newest;
  const [games, setGames] = useState<GameList | null>(null);
  const [index, setIndex] = useState<number | null>(null);
  const [game, setGame] = useState<ReplayGame | null>(null);
  const [problem, setProblem] = useState<EngineProblem | null>(null);
  const replay = useReplay(engine, game, false);

  useEffect(() => {
    if (iteration === null) return;
    return fetchInto<GameList>(
      runAddress(name, `/iterations/${iteration}/games`),
      (list) => {
        setGames(list);
        setIndex(list.games[0]?.index ?? null);
        setProblem(null);
      },
      setProblem,
    );
  }, [iteration]);
  useEffect(() => {
    if (iteration === null || index === null || games?.iteration !== iteration) return;
    return fetchInto<ReplayGame>(
      runAddress(name, `/iterations/${iteration}/games/${index}`),
      (found) => {
        setGame(found);
        setProblem(null);
      },
      setProblem,
    );
  }, [games, index]);

  if (iteration === null) return null;
  const aside = <IterationPicker rows={rows} iteration={iteration} onPick={onPick} />;
  return (
    <Panel title="Replay" class="wide replay" aside={aside}>
      <div id="replay" />
      {problem !== null && <ProblemNotice problem={problem} />}
      {problem === null && (games === null || (games.games.length > 0 && replay.position === null)) && (
        <div class="replay-layout">
          <div class="board-square board-waiting" />
          <p class="muted small">Loading…</p>
        </div>
      )}
      {games !== null && games.games.length === 0 && (
        <p class="muted small">No games were kept of iteration {iteration}.</p>
      )}
      {game !== null && replay.position !== null && games !== null && games.games.length > 0 && (
        <ShownGame game={game} replay={replay} position={replay.position} label={`Replay of iteration ${iteration}`}>
          <Select
            legend="Game"
            value={`${index}`}
            onChange={(value) => setIndex(Number(value))}
            options={games.games
              .slice(0, MOST_LISTED)
              .map((entry) => ({ value: `${entry.index}`, label: entryText(entry) }))}
          />
        </ShownGame>
      )}
    </Panel>
  );
}

interface ShownProps {
  game: ReplayGame;
  replay: Replay;
  position: PositionView;
  label: string;
  /** What chooses the game. */
  children: ComponentChildren;
}

function ShownGame({ game, replay, position, label, children }: ShownProps) {
  const start = game.record.start ?? null;
  const moves = game.record.moves ?? [];
  return (
    <div class="replay-layout">
      <ReplayBoard game={game.record.game} position={position} lastMove={replay.lastMove} label={label} />
      <div class="stack">
        {children}
        <p class="small">
          <strong>{game.result}</strong> by {reasonText(game.endReason)} · {playersText(game.players)}
        </p>
        <ValueCurve values={game.values} ply={replay.ply} onShow={replay.setPly} />
        <MoveList
          game={game.record.game}
          notation={game.notation}
          ply={replay.ply}
          onShow={replay.setPly}
          firstPly={position.ply - position.moves.length}
        />
        <div class="row">
          <Button
            icon={replay.isPlaying ? 'pause' : 'play'}
            onClick={() => {
              if (replay.ply >= replay.length) replay.setPly(0);
              replay.setPlaying(!replay.isPlaying);
            }}
          >
            {replay.isPlaying ? 'Pause' : 'Play it'}
          </Button>
          <a
            class="button"
            href={formatRoute(analyseRoute(game.record.game, { start, moves: moves.slice(0, replay.ply) }))}
          >
            Analyse this position
          </a>
          <a
            class="button"
            href={formatRoute(
              analyseRoute(game.record.game, { start, moves }, true, tagsOf(game.players, game.result)),
            )}
          >
            Review this game
          </a>
        </div>
      </div>
    </div>
  );
}

interface PickerProps {
  rows: readonly IterationRow[];
  iteration: number;
  onPick: (iteration: number | null) => void;
}

function IterationPicker({ rows, iteration, onPick }: PickerProps) {
  const numbers = rows.map((row) => row.iteration);
  const place = numbers.indexOf(iteration);
  const step = (by: number): void => onPick(numbers[place + by] ?? iteration);
  // While somebody types, a new iteration of the loop must not overwrite the text.
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <div class="row picker">
      <Button icon="previous" label="Earlier iteration" disabled={place <= 0} onClick={() => step(-1)} />
      <label class="small">
        Iteration{' '}
        <input
          class="input number"
          type="number"
          min={numbers[0]}
          max={numbers.at(-1)}
          value={typed ?? iteration}
          onFocus={(event) => setTyped(event.currentTarget.value)}
          onInput={(event) => setTyped(event.currentTarget.value)}
          onBlur={() => setTyped(null)}
          onChange={(event) => {
            const value = Number(event.currentTarget.value);
            if (numbers.includes(value)) onPick(value);
          }}
        />
      </label>
      <Button
        icon="next"
        label="Later iteration"
        disabled={place < 0 || place >= numbers.length - 1}
        onClick={() => step(1)}
      />
    </div>
  );
}

function entryText(entry: GameEntry): string {
  const kind = entry.kind === 'arena' ? 'arena' : 'self-play';
  return `${entry.index + 1}. ${kind} · ${entry.result} ${reasonText(entry.endReason)} · ${entry.numMoves} plies`;
}
