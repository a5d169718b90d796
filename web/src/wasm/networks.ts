// The networks of the site: which there are, and a searcher with one of them in it. Files are fetched once.

import type { GameName } from '../engine/types';
import { CoreInstance, type Pointer } from './instance';
import type { PlayData, SiteNetwork } from './playdata';
import { readSparseCheckpoint } from './safetensors';
import { InsideSearcher, OutsideSearcher, type GameSearcher } from './searcher';

/** Reads a file of the site's engine folder by its name. */
export type ReadFile = (name: string) => Promise<Uint8Array>;

/** For a tree and its copy between moves, as on the server. */
const MEMORY_BYTES = 128 << 20;

export class Networks {
  private readonly files = new Map<string, Promise<Uint8Array>>();

  constructor(
    private readonly module: WebAssembly.Module,
    private readonly readFile: ReadFile,
    private readonly data: PlayData,
  ) {}

  of(game: GameName): SiteNetwork[] {
    return this.data.networks.filter((network) => network.game === game);
  }

  /** Fetches the network that is likely to play next: the page may be offline by then. Search tells of failures. */
  fetchAhead(game: GameName): void {
    const file = this.of(game)[0]?.file;
    if (file != null) this.file(file).catch(() => undefined);
  }

  /** A new searcher; rejects if the network cannot be had. */
  async searcher(network: SiteNetwork): Promise<GameSearcher> {
    if (network.file === null) return this.uniform(network.game);
    const file = await this.file(network.file);
    if (network.planes !== null) return this.outside(network.game, file, network.planes);
    return this.sparse(network.game, file);
  }

  uniform(game: GameName): GameSearcher {
    const core = new CoreInstance(this.module);
    return new InsideSearcher(core, core.call('milton_uniform_engine', game, MEMORY_BYTES), this.data.search[game]);
  }

  private sparse(game: GameName, file: Uint8Array): GameSearcher {
    const { hidden, tensors } = readSparseCheckpoint(file, game, this.data.gridScales);
    const core = new CoreInstance(this.module);
    const places = tensors.map((tensor) => core.copyIn(tensor));
    const tables = [places, tensors.map(({ length }) => length)].map((numbers) =>
      core.copyIn(new Uint32Array(numbers)),
    );
    const engine: Pointer = core.call('milton_sparse_engine', game, MEMORY_BYTES, hidden, ...tables);
    for (const place of [...places, ...tables]) core.free(place);
    return new InsideSearcher(core, engine, this.data.search[game]);
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

  private file(name: string): Promise<Uint8Array> {
    let file = this.files.get(name);
    if (file === undefined) {
      file = this.readFile(name);
      this.files.set(name, file);
      file.catch(() => this.files.delete(name)); // it may be there the next time
    }
    return file;
  }
}
