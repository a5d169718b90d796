// One game being played: holds its state, asks the engine for positions and moves, keeps it in the browser.
// Knows no page; whoever shows it subscribes.

import { EngineProblem, type Engine, type PositionView, type SearchProgress, type Side } from '../engine/types';
import { hasFlagged } from './clock';
import { PositionBook } from './positions';
import { saveGame } from './saved';
import { limitsOf, recordOf, reduce, type GameAction, type GameSetup, type GameState } from './state';

/** What a search saw, and where. */
export interface EngineView {
  /** Moves of the game before the position. */
  ply: number;
  side: Side;
  progress: SearchProgress;
  isHint: boolean;
}

const HINT_LIMITS = { simulations: 1_000 } as const;
/** The opponent takes a draw unless it expects more than this, −1 to 1. */
const DRAW_VALUE = 0.08;

export class GameSession {
  /** The newest position, and the one on the board. */
  live: PositionView | null = null;
  shown: PositionView | null = null;
  view: EngineView | null = null;
  isThinking = false;
  problem: EngineProblem | null = null;
  /** What the opponent said last, as to an offer; empty: nothing. */
  remark = '';
  /** Another tab plays this game: this one shows it and asks nobody for moves. */
  isFollowing = false;

  private readonly listeners = new Set<() => void>();
  private readonly book: PositionBook;
  private search: AbortController | null = null;
  /** Answers that belong to an older state of the game are dropped. */
  private version = 0;
  /** The state that `live` belongs to. */
  private liveVersion = -1;

  constructor(
    private readonly engine: Engine,
    public state: GameState,
    private readonly now: () => number = () => Date.now(),
  ) {
    this.book = new PositionBook(engine);
  }

  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  get isHumanToMove(): boolean {
    // Between a move and the engine's word on it, the newest known position is not the one to move in.
    if (this.live === null || this.liveVersion !== this.version) return false;
    return this.state.ending === null && this.live.sideToMove === this.state.setup.human;
  }

  async start(): Promise<void> {
    await this.refresh();
  }

  newGame(setup: GameSetup): void {
    this.view = null;
    this.change({ kind: 'new', setup });
    void this.refresh();
  }

  play(move: string): void {
    if (!this.isHumanToMove || this.state.shownPly !== null) return;
    if (this.live?.legalMoves.includes(move) !== true) return;
    this.change({ kind: 'play', move, side: this.state.setup.human, nowMs: this.now() });
    void this.refresh();
  }

  takeBack(): void {
    this.change({ kind: 'takeback', nowMs: this.now() });
    this.view = null;
    void this.refresh();
  }

  resign(): void {
    this.change({ kind: 'resign', nowMs: this.now() });
    this.tell();
  }

  /** The opponent looks at the position and agrees unless it hopes for more. */
  async offerDraw(): Promise<void> {
    if (!this.isHumanToMove) return;
    const version = this.version;
    await this.searchHere(HINT_LIMITS, true);
    if (version !== this.version || this.view === null) return;
    const hopes = -(this.view.progress.value ?? 0); // the person is to move
    this.view = null;
    if (hopes <= DRAW_VALUE) this.change({ kind: 'agree', nowMs: this.now() });
    else this.remark = 'It declines the draw.';
    this.tell();
  }

  /** Shows what another tab made of the game. */
  follow(state: GameState): void {
    if (
      JSON.stringify([state.setup, state.moves, state.ending]) ===
      JSON.stringify([this.state.setup, this.state.moves, this.state.ending])
    )
      return;
    this.stopSearch();
    this.version += 1;
    this.isFollowing = true;
    this.view = null;
    this.state = { ...state, flipped: this.state.flipped };
    void this.refresh();
  }

  /** Goes on with the game here. */
  takeOver(): void {
    this.isFollowing = false;
    void this.refresh();
  }

  flip(): void {
    this.dispatch({ kind: 'flip' });
    this.tell();
  }

  /** Puts an earlier ply on the board; the game itself goes on. */
  show(ply: number): void {
    this.dispatch({ kind: 'show', ply });
    this.tell();
    void this.fetchShown();
  }

  /** The position at a ply, to look at; neither the game nor what the page shows changes. */
  positionAt(ply: number): Promise<PositionView> {
    return this.book.at(recordOf(this.state, ply));
  }

  /** Called often while clocks run. */
  tick(): void {
    const flagged = this.state.clock === null ? null : hasFlagged(this.state.clock, this.now());
    if (flagged !== null && this.state.ending === null) {
      this.change({ kind: 'flag', side: flagged, nowMs: this.now() });
    }
    this.tell();
  }

  /** Lets the opponent's network say what it would do in the person's place. */
  async hint(): Promise<void> {
    if (!this.isHumanToMove) return;
    await this.searchHere(HINT_LIMITS, true);
  }

  /** After a problem: asks again for whatever is missing. */
  retry(): void {
    void this.refresh();
  }

  leave(): void {
    this.stopSearch();
    this.version += 1;
    this.dispatch({ kind: 'pause', nowMs: this.now() });
    if (!this.isFollowing) saveGame(this.state, this.now());
  }

  /** A change of the game itself: whatever is being searched no longer counts. */
  private change(action: GameAction): void {
    this.stopSearch();
    this.version += 1;
    this.problem = null;
    this.remark = '';
    this.isFollowing = false;
    this.dispatch(action);
    saveGame(this.state, this.now());
  }

  private dispatch(action: GameAction): void {
    this.state = reduce(this.state, action);
  }

  private async refresh(): Promise<void> {
    this.problem = null;
    this.tell();
    const version = this.version;
    try {
      const live = await this.book.at(recordOf(this.state));
      if (version !== this.version) return;
      this.live = live;
      this.liveVersion = version;
      const before = this.state;
      this.dispatch({ kind: 'reached', sideToMove: live.sideToMove, outcome: live.outcome, nowMs: this.now() });
      // Only what is new: a tab that has just opened must not write over a move that another one is making.
      if (this.state !== before && !this.isFollowing) saveGame(this.state, this.now());
      await this.fetchShown();
      if (this.state.ending === null && !this.isHumanToMove && !this.isFollowing)
        await this.searchHere(limitsOf(this.state, this.now()), false);
    } catch (error) {
      this.fail(error, version);
    }
  }

  private async fetchShown(): Promise<void> {
    const ply = this.state.shownPly;
    const version = this.version;
    try {
      const shown = await this.book.at(recordOf(this.state, ply));
      if (ply !== this.state.shownPly || version !== this.version) return;
      this.shown = shown;
      this.tell();
    } catch (error) {
      this.fail(error, version);
    }
  }

  private async searchHere(limits: Parameters<Engine['search']>[2], isHint: boolean): Promise<void> {
    const { live, version } = this;
    if (live === null) return;
    this.stopSearch();
    const search = new AbortController();
    this.search = search;
    this.isThinking = true;
    this.tell();
    const keep = (progress: SearchProgress): void => {
      if (version !== this.version || search.signal.aborted) return;
      this.view = { ply: this.state.moves.length, side: live.sideToMove, progress, isHint };
      this.tell();
    };
    try {
      const result = await this.engine.search(
        recordOf(this.state),
        this.state.setup.network,
        limits,
        keep,
        search.signal,
      );
      keep(result);
      if (version !== this.version || search.signal.aborted) return;
      this.finishSearch(search);
      if (isHint) return;
      this.change({ kind: 'play', move: result.move, side: live.sideToMove, nowMs: this.now() });
      await this.refresh();
    } catch (error) {
      if (!search.signal.aborted) this.fail(error, version);
    } finally {
      this.finishSearch(search);
      this.tell();
    }
  }

  private finishSearch(search: AbortController): void {
    if (this.search !== search) return;
    this.search = null;
    this.isThinking = false;
  }

  private stopSearch(): void {
    this.search?.abort();
    this.search = null;
    this.isThinking = false;
  }

  private fail(error: unknown, version: number): void {
    if (version !== this.version) return;
    this.problem = asProblem(error);
    // Nobody's time runs while the engine cannot be asked.
    this.dispatch({ kind: 'pause', nowMs: this.now() });
    this.tell();
  }

  private tell(): void {
    for (const listener of [...this.listeners]) listener();
  }
}

export function asProblem(error: unknown): EngineProblem {
  if (error instanceof EngineProblem) return error;
  return new EngineProblem(
    error instanceof Error ? error.message : String(error),
    'Reload the page; your game is kept.',
  );
}
