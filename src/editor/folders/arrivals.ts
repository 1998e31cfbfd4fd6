import { Coalescer } from '../basics/coalescer.ts';

/** More are not looked at one by one. */
const fewArrivals = 20;
/** Programs write much in there, and nobody's own files. */
const passedOver = /\/(?:node_modules|\.git)(?:\/|$)/;

/** Finds the folders among what comes to a workspace: of one that was moved there, nothing tells what lies in it. */
export class Arrivals {
  readonly #isFolder: (uri: string) => Promise<boolean>;
  readonly #onFolders: () => void;
  readonly #come = new Set<string>();
  readonly #looking = new Coalescer(() => this.#look());

  /** @param isFolder may reject of what is gone again */
  constructor(isFolder: (uri: string) => Promise<boolean>, onFolders: () => void) {
    this.#isFolder = isFolder;
    this.#onFolders = onFolders;
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
    if (are.includes(true)) this.#onFolders();
  }
}
