import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type * as z from 'zod';
import { describeIssues, HumanError } from '../../contract/errors.ts';

/** The entries of an installation's folder of JSON files: one per file, named after its entry. Read once, on demand. */
export class JsonFolder<Entry> {
  readonly #folder: string;
  readonly #schema: z.ZodType<Entry>;
  readonly #nameOf: (entry: Entry) => string;
  #entries: Promise<readonly Entry[]> | undefined;

  constructor(folder: string, schema: z.ZodType<Entry>, nameOf: (entry: Entry) => string) {
    this.#folder = folder;
    this.#schema = schema;
    this.#nameOf = nameOf;
  }

  /**
   * Returns all entries by name.
   * @throws HumanError 503 `assets_missing` that names the folder or the file; the next call reads again
   */
  read(): Promise<readonly Entry[]> {
    this.#entries ??= this.#load().catch((error: unknown) => {
      this.#entries = undefined;
      throw error;
    });
    return this.#entries;
  }

  async #load(): Promise<readonly Entry[]> {
    const names = await readdir(this.#folder).catch((cause: unknown) => {
      throw broken(`Couldn't read the folder ${basename(this.#folder)} in the Dialtree installation.`, cause);
    });
    const entries = await Promise.all(
      names.filter((name) => name.endsWith('.json')).map((name) => this.#readEntry(name)),
    );
    // By code unit, so that the order is the same on every machine. All names differ.
    return entries.sort((one, other) => (this.#nameOf(one) < this.#nameOf(other) ? -1 : 1));
  }

  async #readEntry(name: string): Promise<Entry> {
    const file = `${basename(this.#folder)}/${name}`;
    let json: unknown;
    try {
      json = JSON.parse(await readFile(join(this.#folder, name), 'utf8'));
    } catch (cause) {
      throw broken(`Couldn't read the file ${file} in the Dialtree installation as JSON.`, cause);
    }
    const result = this.#schema.safeParse(json);
    if (!result.success)
      throw broken(
        `The file ${file} in the Dialtree installation isn't valid (${describeIssues(result.error)}).`,
        result.error,
      );
    const named = this.#nameOf(result.data);
    if (name !== `${named}.json`)
      throw broken(`The file ${file} in the Dialtree installation contains “${named}”, which doesn't match its name.`);
    return result.data;
  }
}

const broken = (what: string, cause?: unknown): HumanError =>
  new HumanError(`${what} Reinstall Dialtree.`, { status: 503, code: 'assets_missing', cause });
