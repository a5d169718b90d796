// The study of the Analyse page: loads and keeps it, follows the address and writes it, asks the engine for positions.

import { useCallback, useEffect, useLayoutEffect, useMemo, useReducer, useState } from 'preact/hooks';
import { analyseRoute, formatRoute, type AnalyseRoute } from '../../app/router';
import type { Engine, EngineProblem, GameName, PositionView } from '../../engine/types';
import { asProblem } from '../../game/session';
import { PositionBook } from '../../game/positions';
import { KeptStudy } from '../../study/kept';
import { readText, type OnRead } from '../../study/reading';
import { pathFor } from '../../study/steps';
import {
  currentGame,
  recordAt,
  withGame,
  withFinishedGame,
  withLine,
  withReadGames,
  type Study,
} from '../../study/study';
import { addLine, lineThrough, type Path } from '../../study/tree';

export interface StudyDesk {
  study: Study;
  position: PositionView | null;
  problem: EngineProblem | null;
  /** The address asked for a review of the game it named. */
  isReviewWanted: boolean;
  /** What was left out of the text that was read, and whether the browser keeps the study. */
  remarks: readonly string[];
  book: PositionBook;
  change: (change: (study: Study) => Study) => void;
  go: (path: Path) => void;
  stepBy: (key: string) => void;
  /** Adds moves where one stands, as a variation if there are others, and goes to their end. */
  play: (moves: readonly string[]) => Promise<void>;
  load: (text: string, onRead?: OnRead) => Promise<void>;
}

const NOT_KEPT = 'This study is too large to be kept in the browser. Export it before you leave.';

export function useStudy(engine: Engine, game: GameName, route: AnalyseRoute): StudyDesk {
  const kept = useMemo(() => new KeptStudy(game), [game]);
  const { study, isKept, change: setStudy } = kept;
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  useLayoutEffect(() => kept.subscribe(() => redraw(undefined)), [kept]);
  const [problem, setProblem] = useState<EngineProblem | null>(null);
  const [refused, setRefused] = useState<readonly string[]>([]);
  const [isReady, setReady] = useState(false);
  const [isReviewWanted, setReviewWanted] = useState(false);
  const book = useMemo(() => new PositionBook(engine), [engine]);
  const position = usePosition(book, game, study, setProblem);

  const play = useCallback(
    async (moves: readonly string[]) => {
      const from = kept.study;
      const { start } = currentGame(from);
      try {
        const view = await book.at({ game, start, moves: [...from.path, ...moves] });
        const path = [...from.path];
        setStudy((known) =>
          withGame(
            known,
            addLine(currentGame(known), path, view.moves.slice(path.length), view.notation.slice(path.length)),
            view.moves,
          ),
        );
        setProblem(null);
      } catch (error) {
        setProblem(asProblem(error));
      }
    },
    [book, game, kept],
  );

  const load = useCallback(
    async (text: string, onRead?: OnRead) => {
      try {
        const { games, refused: left } = await readText(engine, game, text, onRead);
        setStudy((known) => withReadGames(known, games, lineThrough(games[0]!, [])));
        setRefused(left);
        setProblem(null);
      } catch (error) {
        setProblem(asProblem(error));
      }
    },
    [engine, game, kept],
  );

  // The address leads: a text to read, or a line to go to.
  useEffect(() => {
    const follow = async (): Promise<void> => {
      if (route.text !== null) await load(route.text);
      else if (route.line !== null) {
        const { start, moves } = route.line;
        const view = await book.at({ game, start, moves: [...moves] });
        const first = start === null ? null : (await book.at({ game, start, moves: [] })).text;
        setStudy((known) =>
          route.review
            ? withFinishedGame(known, first, view.moves, view.notation, route.tags)
            : withLine(known, first, view.moves, view.notation),
        );
        setReviewWanted(route.review);
      }
    };
    follow()
      .catch((error: unknown) => setProblem(asProblem(error)))
      .finally(() => setReady(true));
  }, [route]);

  // Before the page is drawn: a reload must never lead back to an older place.
  useLayoutEffect(() => {
    if (!isReady) return;
    const line = { start: currentGame(study).start, moves: study.path };
    history.replaceState(
      history.state,
      '',
      formatRoute(analyseRoute(game, line.start === null && line.moves.length === 0 ? null : line)),
    );
  }, [isReady, study]);

  const go = useCallback((path: Path) => setStudy((known) => ({ ...known, path })), [kept]);
  const stepBy = useCallback(
    (key: string) =>
      setStudy((known) => {
        const tree = currentGame(known);
        const path = pathFor(key, tree, known.path, lineThrough(tree, known.path));
        return path === null ? known : { ...known, path };
      }),
    [kept],
  );
  const remarks = useMemo(() => (isKept ? refused : [...refused, NOT_KEPT]), [refused, isKept]);
  return { study, position, problem, isReviewWanted, remarks, book, change: setStudy, go, stepBy, play, load };
}

function usePosition(
  book: PositionBook,
  game: GameName,
  study: Study,
  onProblem: (problem: EngineProblem) => void,
): PositionView | null {
  const [position, setPosition] = useState<PositionView | null>(null);
  const record = recordAt(game, study);
  useEffect(() => {
    let isCurrent = true;
    book.at(record).then(
      (found) => isCurrent && setPosition(found),
      (error: unknown) => isCurrent && onProblem(asProblem(error)),
    );
    return () => {
      isCurrent = false;
    };
  }, [book, JSON.stringify(record)]);
  return position;
}
