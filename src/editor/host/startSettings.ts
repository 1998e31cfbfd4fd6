/**
 * Remembers what a start of the service read, to tell whether that has taken a change in already. What is read holds
 * secrets: it stays here.
 */
export class StartSettings {
  readonly #read: () => Promise<string>;
  #startedWith: string | undefined;

  constructor(read: () => Promise<string>) {
    this.#read = read;
  }

  /** A start reads them now. */
  async note(): Promise<void> {
    this.#startedWith = await this.#read();
  }

  async isCurrent(): Promise<boolean> {
    return this.#startedWith !== undefined && this.#startedWith === (await this.#read());
  }
}
