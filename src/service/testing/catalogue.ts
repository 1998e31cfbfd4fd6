import { join } from 'node:path';
import { catalogueEntryOf, probeSchema } from '../../contract/compliance.ts';
import type { CatalogueEntry, Probe } from '../../contract/compliance.ts';
import { JsonFolder } from '../jsonFolder.ts';

/** The compliance probes, the same for every workspace. */
export class Catalogue {
  readonly #files: JsonFolder<Probe>;

  /** @param mediaDir holds `compliance/`, a file an id */
  constructor(mediaDir: string) { this.#files = new JsonFolder(join(mediaDir, 'compliance'), probeSchema, ({ id }) => id); }

  /** By id. */
  async list(): Promise<CatalogueEntry[]> {
    return (await this.#files.read()).map(catalogueEntryOf);
  }

  async find(id: string): Promise<Probe | undefined> {
    return (await this.#files.read()).find((probe) => probe.id === id);
  }
}
