import { after, type WallClock } from '../basics/wallClock.ts';
import { Coalescer } from '../basics/coalescer.ts';

/** If more files arrive, they aren't checked one by one. */
const fewArrivals = 20;
/**
 * A search can find a file that the watcher hasn't reported yet. If it is deleted before that, the watcher reports
 * neither. A second search finds that out, later than a watcher collects events, in ms.
 */
const secondLookMs = 2_000;
/** Programs write many files there, and users don't. */
const passedOver = /\/(?:node_modules|\.git)(?:\/|$)/;

/** Finds folders among new paths in a workspace, because the files inside a moved folder aren't reported. */
export class Arrivals {
  readonly #isFolder: (uri: string) => Promise<boolean>;
  readonly #onFolders: () => void;
  readonly #come = new Set<string>();
  readonly #looking = new Coalescer(() => this.#look());
  readonly #clock: Omit<WallClock, 'now'>;
  #stop: (() => void) | undefined;

  /** @param isFolder may reject if the path is gone again */
  constructor(isFolder: (uri: string) => Promise<boolean>, onFolders: () => void, clock: Omit<WallClock, 'now'>) {
    this.#isFolder = isFolder;
    this.#onFolders = onFolders;
    this.#clock = clock;
  }

  dispose(): void {
    this.#stop?.();
  }

  note(uri: string): void {
    if (passedOver.test(uri)) return;
    this.#come.add(uri);
    void this.#looking.request();
  }

  async #look(): Promise<void> {
    const come = [...this.#come];
    this.#come.clear();
    if (come.length === 0) return;
    const are =
      come.length > fewArrivals ? [true] : await Promise.all(come.map((uri) => this.#isFolder(uri).catch(() => false)));
    if (!are.includes(true)) return;
    this.#onFolders();
    this.#stop?.();
    this.#stop = after(this.#clock, secondLookMs, this.#onFolders);
  }
}
