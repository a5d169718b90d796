// Positions of records, by the core. Holds no rules itself: it only asks, and asks a fresh instance after a refusal.

import { EngineProblem, type GameName, type PositionView, type GameMoves } from '../engine/types';
import { CoreInstance, CoreRefusal } from './instance';

const HINT = 'Check the position and the moves.';

export class Rules {
  private instance: CoreInstance | null = null;

  constructor(private readonly module: WebAssembly.Module) {}

  /** The position that a record leads to; EngineProblem if its start or a move of it is refused. */
  position(record: GameMoves): PositionView {
    return this.read(record.game, record.start, record.moves);
  }

  read(game: GameName, start: string | null, moves: string[], hint = HINT): PositionView {
    for (const move of moves) {
      // Moves travel to the core separated by spaces.
      if (move === '' || /\s/.test(move)) throw new EngineProblem(`illegal move ${JSON.stringify(move)}`, hint);
    }
    try {
      return this.ready().callForJson<PositionView>('milton_position', game, start, moves.join(' '));
    } catch (error) {
      throw error instanceof CoreRefusal ? new EngineProblem(error.message, hint) : error;
    }
  }

  /** How many positions are `depth` plies away: the usual check of a move generator. */
  perft(game: GameName, start: string | null, depth: number): bigint {
    return this.ready().callExact('milton_perft', game, start, depth) as bigint;
  }

  private ready(): CoreInstance {
    if (this.instance === null || this.instance.isBroken) this.instance = new CoreInstance(this.module);
    return this.instance;
  }
}
