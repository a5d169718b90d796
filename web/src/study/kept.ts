// A study that is kept with every change, before anybody sees it: whoever reloads the page at once loses nothing.
// Knows no page; whoever shows it subscribes.

import type { GameName } from '../engine/types';
import { loadStudy, onGamesElsewhere, saveGames, savePlace, type Study } from './study';
import { existingPath } from './tree';

export class KeptStudy {
  study: Study;
  /** False: the browser refuses to keep that much. */
  isKept = true;

  private readonly listeners = new Set<() => void>();

  constructor(private readonly game: GameName) {
    this.study = loadStudy(game);
  }

  readonly change = (change: (study: Study) => Study): void => {
    const before = this.study;
    this.study = change(before);
    if (this.study === before) return;
    // Games and place apart: stepping through a game writes little.
    if (this.study.games !== before.games) this.isKept = saveGames(this.game, this.study.games);
    savePlace(this.game, this.study);
    this.tell();
  };

  /** Draws the study again when this page or another tab has changed it. */
  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    const forget = onGamesElsewhere(this.game, () => this.follow());
    return () => {
      this.listeners.delete(listener);
      forget();
    };
  }

  /** Takes the games that another tab wrote, and stays at its own place in them. */
  private follow(): void {
    const { games } = loadStudy(this.game);
    if (JSON.stringify(games) === JSON.stringify(this.study.games)) return;
    const index = Math.min(this.study.index, games.length - 1);
    this.study = { games, index, path: existingPath(games[index]!, this.study.path) };
    this.tell();
  }

  private tell(): void {
    for (const listener of [...this.listeners]) listener();
  }
}
