// The networks of the site: which there are, and a searcher with one of them in it. Files are fetched once.

import type { Algorithm, GameName } from '../engine/types';
import { CoreInstance, type Pointer } from './instance';
import type { PlayData, SiteNetwork } from './playdata';
import { InsideSearcher, OutsideSearcher, type GameSearcher } from './searcher';
import { openSparse, type SparseSetup } from './sparse';

export interface Download {
  doneBytes: number;
  totalBytes: number;
}

/** Reads a file of the site's engine folder by its name; `onBytes` may hear how much of it has come. */
export type ReadFile = (name: string, onBytes?: (doneBytes: number) => void) => Promise<Uint8Array>;

/** Alpha-beta with a sparse network, wherever it runs; rejects if the network is not what it should be. */
export type OpenAlphaBeta = (setup: SparseSetup) => Promise<GameSearcher>;

/** For a tree and its copy between moves, as on the server. */
const MEMORY_BYTES = 128 << 20;

interface FetchedFile {
  content: Promise<Uint8Array>;
  /** How much of it has come; null: all. */
  doneBytes: number | null;
}

export class Networks {
  /** Resolves when the first file that anybody asked for has come, or has failed to. */
  readonly firstFetched: Promise<void>;
  private readonly files = new Map<string, FetchedFile>();
  private tellFetched = (): void => undefined;

  constructor(
    private readonly module: WebAssembly.Module,
    private readonly readFile: ReadFile,
    private readonly data: PlayData,
    private readonly openAlphaBeta: OpenAlphaBeta,
  ) {
    this.firstFetched = new Promise((resolve) => (this.tellFetched = resolve));
  }

  of(game: GameName): SiteNetwork[] {
    return this.data.networks.filter((network) => network.game === game);
  }

  /** Fetches the network that is likely to play next: the page may be offline by then. Search tells of failures. */
  fetchAhead(game: GameName): void {
    const file = this.of(game)[0]?.file;
    if (file != null) this.file(file).content.catch(() => undefined);
  }

  /** How far a network is on its way; null: it is here, or nobody asked for it. */
  download({ file, bytes }: SiteNetwork): Download | null {
    const doneBytes = file === null ? null : (this.files.get(file)?.doneBytes ?? null);
    return doneBytes === null ? null : { doneBytes, totalBytes: bytes };
  }

  /** A new searcher; rejects if the network cannot be had. */
  async searcher(network: SiteNetwork, algorithm: Algorithm): Promise<GameSearcher> {
    const { game } = network;
    if (network.file === null) return this.uniform(game);
    const file = await this.file(network.file).content;
    if (network.planes !== null) return this.outside(game, file, network.planes);
    const setup = { module: this.module, game, file, scales: this.data.gridScales };
    if (algorithm === 'alphabeta') return this.openAlphaBeta(setup);
    const { instance, engine } = openSparse(setup, algorithm, MEMORY_BYTES);
    return new InsideSearcher(instance, engine, this.data.search[game]);
  }

  uniform(game: GameName): GameSearcher {
    const core = new CoreInstance(this.module);
    return new InsideSearcher(core, core.call('milton_uniform_engine', game, MEMORY_BYTES), this.data.search[game]);
  }

  private async outside(
    game: GameName,
    file: Uint8Array,
    { encoder, shape }: NonNullable<SiteNetwork['planes']>,
  ): Promise<GameSearcher> {
    const { openOnnx } = await import('./onnx'); // the runtime is large; most games do without it
    const evaluator = await openOnnx(file, shape);
    const core = new CoreInstance(this.module);
    const engine: Pointer = core.call('milton_outside_engine', game, MEMORY_BYTES, encoder);
    return new OutsideSearcher(core, engine, this.data.search[game], evaluator);
  }

  private file(name: string): FetchedFile {
    const known = this.files.get(name);
    if (known !== undefined) return known;
    // Bytes may be told of before `readFile` returns.
    let doneBytes = 0;
    const tell = (count: number): void => {
      doneBytes = count;
      const found = this.files.get(name);
      if (found !== undefined) found.doneBytes = count;
    };
    const content = this.readFile(name, tell);
    const file: FetchedFile = { doneBytes, content };
    this.files.set(name, file);
    file.content
      .then(
        () => (file.doneBytes = null),
        () => this.files.delete(name), // it may be there the next time
      )
      .finally(this.tellFetched);
    return file;
  }
}
