// The board of a game, loaded when it is first shown: a chess player never loads the three-dimensional one.

import type { FunctionComponent } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { GameName } from '../engine/types';
import type { BoardProps } from './board';

interface Props extends BoardProps {
  game: GameName;
  alwaysFlat?: boolean;
}

type Board = FunctionComponent<BoardProps & { alwaysFlat?: boolean }>;

const loaded = new Map<GameName, Board>();

export function GameBoard({ game, ...props }: Props) {
  const [, setVersion] = useState(0);
  useEffect(() => {
    if (!loaded.has(game)) void load(game).then((board) => { loaded.set(game, board); setVersion((version) => version + 1); });
  }, [game]);
  const Board = loaded.get(game);
  return Board === undefined ? <div class="board-square board-waiting" /> : <Board {...props} />;
}

async function load(game: GameName): Promise<Board> {
  switch (game) {
    case 'chess':
      return (await import('./ChessBoard')).ChessBoard;
    case 'santorini':
      return (await import('./SantoriniBoard')).SantoriniBoard;
    case 'connect_four':
      return (await import('./ConnectFourBoard')).ConnectFourBoard;
  }
}
