import { join } from 'node:path';
import { catalogueEntrySchema } from '../../contract/compliance.ts';
import type { CatalogueEntry } from '../../contract/compliance.ts';
import { JsonFolder } from '../jsonFolder.ts';

/** The compliance probes, the same for every workspace. */
export class Catalogue {
  readonly #files: JsonFolder<CatalogueEntry>;

  /** @param mediaDir holds `compliance/`, a file an id */
  constructor(mediaDir: string) { this.#files = new JsonFolder(join(mediaDir, 'compliance'), catalogueEntrySchema, (entry) => entry.id); }

  /** By id. */
  async list(): Promise<CatalogueEntry[]> {
    return [...await this.#files.read()];
  }

  async find(id: string): Promise<CatalogueEntry | undefined> {
    return (await this.#files.read()).find((entry) => entry.id === id);
  }
}
