// The board of a game that is stepped through: nobody moves on it, and it is always drawn flat.

import { GameBoard } from '../../boards/GameBoard';
import type { GameName, PositionView } from '../../engine/types';

interface Props {
  game: GameName;
  position: PositionView;
  lastMove: string | null;
  label: string;
}

export function ReplayBoard(props: Props) {
  return (
    <div class="board-frame">
      <GameBoard {...props} flipped={false} onMove={null} line={[]} alwaysFlat />
    </div>
  );
}
