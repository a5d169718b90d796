// Positions of records, asked of the engine once each. Stepping through a game asks for the same ones again and again.

import type { Engine, PositionView, GameMoves } from '../engine/types';

const MOST_KEPT = 2_000;

export class PositionBook {
  private readonly known = new Map<string, Promise<PositionView>>();

  constructor(private readonly engine: Engine) {}

  at(record: GameMoves): Promise<PositionView> {
    const key = JSON.stringify([record.game, record.start, record.moves]);
    const kept = this.known.get(key);
    if (kept !== undefined) return kept;
    const asked = this.engine.position(record);
    this.known.set(key, asked);
    // A failure is not remembered: the server may be back the next time.
    asked.catch(() => this.known.delete(key));
    const [oldest] = this.known.keys();
    if (this.known.size > MOST_KEPT && oldest !== undefined) this.known.delete(oldest);
    return asked;
  }
}
