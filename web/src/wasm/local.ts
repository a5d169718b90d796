// The engine itself, in whatever thread it is called: rules, networks and searches of the core. The worker wraps it
// for the page; tests use it as it is.

import {
  EngineProblem,
  type Algorithm,
  type Engine,
  type GameName,
  type GameResult,
  type LevelInfo,
  type NetworkInfo,
  type PositionView,
  type GameMoves,
  type SearchLimits,
  type SearchProgress,
  type SearchResult,
  type TreeNode,
} from '../engine/types';
import { BlockingSearcher } from './alphabeta';
import { algorithmFor, coreLimits, type CoreLimits } from './limits';
import { Networks, type Download, type OpenAlphaBeta, type ReadFile } from './networks';
import type { PlayData, SiteNetwork } from './playdata';
import type { Choose } from './report';
import { Rules } from './rules';
import { drawSeed, sampleIndex } from './sampling';
import type { GameSearcher } from './searcher';
import { exportGame, importGame } from './transfer';

/** How often a page hears how far its network is on its way. */
const DOWNLOAD_MS = 200;

/** Searchers that wait for the next question about their game, with their trees. */
const MAX_IDLE = 2;

interface Chosen {
  key: string;
  searcher: GameSearcher;
  /** What the person should know about it; empty: nothing. */
  notice: string;
}

export class LocalEngine implements Engine {
  readonly kind = 'wasm';
  readonly rules: Rules;
  private readonly networksOfSite: Networks;
  private idle: Chosen[] = []; // oldest first
  private readonly busy = new Set<Chosen>();

  private constructor(
    module: WebAssembly.Module,
    private readonly data: PlayData,
    readFile: ReadFile,
    openAlphaBeta: OpenAlphaBeta,
    private readonly drawSeed: () => bigint,
  ) {
    this.rules = new Rules(module);
    this.networksOfSite = new Networks(module, readFile, data, openAlphaBeta);
  }

  /**
   * Reads the core and what it should know. Alpha-beta blocks this thread unless told to run elsewhere. Levels choose by
   * seeds that `newSeed` draws, one for each move.
   */
  static async open(
    readFile: ReadFile,
    openAlphaBeta: OpenAlphaBeta = async (setup) => new BlockingSearcher(setup),
    newSeed: () => bigint = drawSeed,
  ): Promise<LocalEngine> {
    const [code, data] = await Promise.all([readFile('milton.wasm'), readFile('play.json')]);
    const module = await WebAssembly.compile(code as BufferSource);
    const playData = JSON.parse(new TextDecoder().decode(data)) as PlayData;
    return new LocalEngine(module, playData, readFile, openAlphaBeta, newSeed);
  }

  async levels(game: GameName): Promise<readonly LevelInfo[]> {
    return this.data.levels[game].map(({ name, elo, margin }, index) => ({ number: index + 1, name, elo, margin }));
  }

  async networks(game: GameName): Promise<NetworkInfo[]> {
    this.networksOfSite.fetchAhead(game);
    return this.networksOfSite.of(game).map(({ id, label, family, note }) => ({ id, label, game, family, note }));
  }

  /** Resolves when the first network is here, or cannot be had. */
  firstNetwork(): Promise<void> {
    return this.networksOfSite.firstFetched;
  }

  async position(record: GameMoves): Promise<PositionView> {
    return this.rules.position(record);
  }

  async importGame(game: GameName, text: string): Promise<GameMoves> {
    return importGame(this.rules, game, text);
  }

  async exportGame(record: GameMoves, names: [string, string], result?: GameResult, date?: string): Promise<string> {
    return exportGame(this.rules, record, names, result, date);
  }

  async search(
    record: GameMoves,
    network: string,
    limits: SearchLimits,
    onProgress: (progress: SearchProgress) => void,
    stop: AbortSignal,
  ): Promise<SearchResult> {
    const { game } = record;
    const { sideToMove, ply, legalMoves } = this.rules.position(record);
    const numLegalMoves = legalMoves.length;
    if (numLegalMoves === 0) throw new EngineProblem('the game is over', 'Take a move back or start a new game.');
    refuseIllegal(limits.onlyMoves ?? [], legalMoves);
    const core = coreLimits(limits, { game, sideToMove, ply, numLegalMoves }, this.data);
    const site = this.find(game, network);
    const chosen = await this.choose(site, algorithmFor(limits, site.algorithms), onProgress);
    const withNotice = <T extends SearchProgress>(found: T): T =>
      chosen.notice === '' ? found : { ...found, notice: chosen.notice };
    const task = {
      record,
      limits: core,
      onProgress: (found: SearchProgress) => onProgress(withNotice(found)),
      stop,
      choose: this.chooser(core),
    };
    this.busy.add(chosen);
    try {
      stop.throwIfAborted();
      const result = withNotice(await chosen.searcher.search(task));
      this.keep(chosen);
      return result;
    } catch (error) {
      // A stopped search leaves a sound tree behind; anything else may not.
      if (error === stop.reason) this.keep(chosen);
      throw error;
    } finally {
      this.busy.delete(chosen);
    }
  }

  async lookInside(record: GameMoves, network: string, path: readonly string[]): Promise<TreeNode | null> {
    // The rules refuse a bad path; a searcher that is given one is lost.
    const { moves } = this.rules.position({ ...record, moves: [...record.moves, ...path] });
    const at = record.moves.length;
    const key = keyOf(this.find(record.game, network), 'mcts');
    for (const { searcher } of [...this.busy, ...this.idle].filter((chosen) => chosen.key === key)) {
      const node = searcher.lookInside({ ...record, moves: moves.slice(0, at) }, moves.slice(at));
      if (node !== null) return node;
    }
    return null;
  }

  private chooser({ sampling }: CoreLimits): Choose | null {
    if (sampling === null) return null;
    const seed = this.drawSeed();
    return (candidates) => sampleIndex(candidates, sampling, seed, this.data.sampling);
  }

  /** A searcher that last played with this network, or a new one; one without a network if it cannot be had. */
  private async choose(
    network: SiteNetwork,
    algorithm: Algorithm,
    onProgress: (progress: SearchProgress) => void,
  ): Promise<Chosen> {
    const { game, label } = network;
    const key = keyOf(network, algorithm);
    const waiting = this.idle.findLastIndex((searcher) => searcher.key === key);
    if (waiting >= 0) return this.idle.splice(waiting, 1)[0]!;
    const watch = setInterval(() => {
      const download = this.networksOfSite.download(network);
      if (download !== null) onProgress(loading(download));
    }, DOWNLOAD_MS);
    try {
      return { key, searcher: await this.networksOfSite.searcher(network, algorithm), notice: '' };
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const notice = `The network “${label}” could not be loaded (${reason}). Playing by search alone.`;
      return { key: '', searcher: this.networksOfSite.uniform(game), notice };
    } finally {
      clearInterval(watch);
    }
  }

  private find(game: GameName, id: string): SiteNetwork {
    const offered = this.networksOfSite.of(game);
    // The first is what plays unless told otherwise, whatever it is called.
    const found = offered.find((network) => network.id === id) ?? (id === 'champion' ? offered[0] : undefined);
    if (found === undefined)
      throw new EngineProblem(`there is no network '${id}' for ${game}`, 'Choose one of the list.');
    return found;
  }

  private keep(chosen: Chosen): void {
    if (chosen.key === '' || !chosen.searcher.isAlive) return; // the next search tries to load the network again
    this.idle.push(chosen);
    for (const { searcher } of this.idle.splice(0, this.idle.length - MAX_IDLE)) searcher.close();
  }
}

/** A searcher that is given a move it cannot play is lost. */
function refuseIllegal(moves: readonly string[], legalMoves: readonly string[]): void {
  const illegal = moves.find((move) => !legalMoves.includes(move));
  if (illegal !== undefined) throw new EngineProblem(`illegal move '${illegal}'`, 'Name legal moves only.');
}

/** Searchers with the same key answer alike. */
function keyOf({ game, id }: SiteNetwork, algorithm: Algorithm): string {
  return `${game}/${id}/${algorithm}`;
}

/** Nothing is searched yet: the network is on its way. */
function loading(download: Download): SearchProgress {
  return { nodes: 0, elapsedMs: 0, wdl: null, value: null, candidates: [], done: false, download };
}
