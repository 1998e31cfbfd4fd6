import { join } from 'node:path';
import { catalogueEntryOf, probeSchema } from '../../contract/probe.ts';
import type { CatalogueEntry } from '../../contract/compliance.ts';
import type { Probe } from '../../contract/probe.ts';
import { probeOf, type OwnProbe } from '../../contract/probeFile.ts';
import { HumanError } from '../../contract/errors.ts';
import { JsonFolder } from '../basics/jsonFolder.ts';
import type { ProbePlan } from '../store/storedPlan.ts';

/** The compliance probes, the same for every workspace. */
export class Catalogue {
  readonly #files: JsonFolder<Probe>;

  /** @param mediaDir contains `compliance/`, one file per id */
  constructor(mediaDir: string) {
    this.#files = new JsonFolder(join(mediaDir, 'compliance'), probeSchema, ({ id }) => id);
  }

  /** By id. */
  async list(): Promise<CatalogueEntry[]> {
    return (await this.#files.read()).map(catalogueEntryOf);
  }

  async find(id: string): Promise<Probe | undefined> {
    return (await this.#files.read()).find((probe) => probe.id === id);
  }

  /** Rejects with HumanError 404. */
  async demand(id: string): Promise<Probe> {
    const probe = await this.find(id);
    if (!probe)
      throw new HumanError("This compliance probe doesn't exist. List the probes to find the right one.", {
        status: 404,
        code: 'not_found',
      });
    return probe;
  }

  /** Plans a probe of the catalogue, or one that the launch brings. Rejects with HumanError 404. */
  async planFor({ catalogueTestId = '', probe, phoneNumber }: ProbeLaunch): Promise<ProbePlan> {
    return { type: 'probe', probe: probe ? probeOf(probe) : await this.demand(catalogueTestId), phoneNumber };
  }
}

interface ProbeLaunch {
  readonly catalogueTestId?: string | undefined;
  readonly probe?: OwnProbe | undefined;
  readonly phoneNumber: string;
}
