// The board of a game, loaded when it is first shown: a chess player never loads the three-dimensional one.

import type { FunctionComponent } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { GameName } from '../engine/types';
import type { BoardProps } from './board';
import { TextBoard } from './TextBoard';

interface Props extends BoardProps {
  game: GameName;
  alwaysFlat?: boolean;
}

type Board = FunctionComponent<BoardProps & { alwaysFlat?: boolean }>;

const loaded = new Map<GameName, Board>();

export function GameBoard({ game, ...props }: Props) {
  const [, setVersion] = useState(0);
  useEffect(() => {
    if (!loaded.has(game))
      void load(game).then((board) => {
        loaded.set(game, board);
        setVersion((version) => version + 1);
      });
  }, [game]);
  const Board = loaded.get(game);
  return (
    <div class={`board-of of-${game}`}>
      {Board === undefined ? <div class="board-square board-waiting" /> : <Board {...props} />}
    </div>
  );
}

const LOADERS: { readonly [game in GameName]?: () => Promise<Board> } = {
  chess: async () => (await import('./ChessBoard')).ChessBoard,
  santorini: async () => (await import('./SantoriniBoard')).SantoriniBoard,
  connect_four: async () => (await import('./ConnectFourBoard')).ConnectFourBoard,
};

async function load(game: GameName): Promise<Board> {
  return (await LOADERS[game]?.()) ?? TextBoard;
}
