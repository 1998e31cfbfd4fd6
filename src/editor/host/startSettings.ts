/**
 * Remembers the settings that a start of the service read, to decide whether it already includes a change. They contain
 * secrets and stay here.
 */
export class StartSettings {
  readonly #read: () => Promise<string>;
  #startedWith: string | undefined;

  constructor(read: () => Promise<string>) {
    this.#read = read;
  }

  /** Call this when a start reads the settings. */
  async note(): Promise<void> {
    this.#startedWith = await this.#read();
  }

  async isCurrent(): Promise<boolean> {
    return this.#startedWith !== undefined && this.#startedWith === (await this.#read());
  }
}
