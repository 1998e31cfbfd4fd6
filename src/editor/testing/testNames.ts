import type { CatalogueEntry } from '../../contract/compliance.ts';
import { ownIdIn, testIdIn } from '../../contract/probeFile.ts';
import type { TestRun } from '../../contract/testRuns.ts';
import { Emitter } from '../basics/emitter.ts';
import { unlessGone } from '../basics/errors.ts';
import type { ServiceClient } from '../host/serviceClient.ts';

/** A run, or a load test, which belongs to a scripted test. */
type NamedRun = Pick<TestRun, 'configId'> & Partial<Pick<TestRun, 'runType' | 'catalogueTestId'>>;

/** More names than this are read in one request. */
const fewNames = 3;

/** Names of tests by id, because runs contain only ids. */
export class TestNames {
  readonly #client: Pick<ServiceClient, 'call'>;
  readonly #nameInFile: (id: string) => Promise<string | undefined>;
  /** undefined: the test doesn't exist any more. */
  readonly #names = new Map<string, string | undefined>();
  readonly #probes = new Map<string, CatalogueEntry | undefined>();
  readonly #renamed = new Emitter<string>();
  readonly onDidRename = this.#renamed.listen;

  /** @param nameInFile of a user's probe, which the service doesn't save */
  constructor(
    client: Pick<ServiceClient, 'call'>,
    nameInFile: (id: string) => Promise<string | undefined> = () => Promise.resolve(undefined),
  ) {
    this.#client = client;
    this.#nameInFile = nameInFile;
  }

  /** Returns the name of a run: its test, otherwise its probe, otherwise the called number. */
  of({
    configId,
    catalogueTestId,
    phoneNumber,
  }: Pick<TestRun, 'configId' | 'phoneNumber'> & { readonly catalogueTestId?: string | undefined }): string {
    const id = testIdIn({ configId, catalogueTestId });
    const name = id === undefined ? undefined : this.#names.get(id);
    return name ?? this.probe(catalogueTestId)?.title ?? catalogueTestId ?? phoneNumber;
  }

  /** Returns a compliance probe as the catalogue lists it, after `learn`. */
  probe(id: string | undefined): CatalogueEntry | undefined {
    return id === undefined ? undefined : this.#probes.get(id);
  }

  /** Reads names that aren't known yet. */
  async learn(runs: readonly NamedRun[]): Promise<void> {
    const unknown = runs.filter(({ configId }) => configId !== undefined && !this.#names.has(configId));
    const missions = new Set(
      unknown.flatMap(({ runType, configId }) => (runType === 'mission' && configId !== undefined ? [configId] : [])),
    );
    const scripts = new Set(
      unknown.flatMap(({ runType, configId }) => (runType !== 'mission' && configId !== undefined ? [configId] : [])),
    );
    const own = new Set(runs.flatMap(({ catalogueTestId }) => ownIdIn(catalogueTestId) ?? []));
    const probes = runs.flatMap(({ catalogueTestId: id }) =>
      id === undefined || this.#probes.has(id) || ownIdIn(id) !== undefined ? [] : [id],
    );
    await Promise.all([
      ...[...own]
        .filter((id) => !this.#names.has(id))
        .map(async (id) => this.#names.set(id, await this.#nameInFile(id).catch(() => undefined))),
      ...(probes.length > 0 ? [this.#learnProbes(probes)] : []),
      ...(missions.size > fewNames
        ? [this.#learnMissions(missions)]
        : [...missions].map((id) => this.#learnOne('getMissionTestConfig', id))),
      ...(scripts.size > fewNames
        ? [this.#learnScripts(scripts)]
        : [...scripts].map((id) => this.#learnOne('getTestConfig', id))),
    ]);
  }

  set(id: string, name: string): void {
    const isKnown = this.#names.has(id);
    const before = this.#names.get(id);
    this.#names.set(id, name);
    if (isKnown && before !== name) this.#renamed.fire(id);
  }

  /** Call this if names may have changed, or another service is in use. */
  forget(): void {
    this.#names.clear();
    this.#probes.clear();
  }

  async #learnOne(read: 'getMissionTestConfig' | 'getTestConfig', id: string): Promise<void> {
    this.#names.set(id, (await unlessGone(this.#client.call(read, { id })))?.name);
  }

  async #learnProbes(wanted: readonly string[]): Promise<void> {
    // Its id names a probe too, so a list doesn't fail without the titles.
    const catalogue = await this.#client.call('listComplianceCatalogue', {}).catch(() => undefined);
    if (!catalogue) return;
    for (const id of wanted) this.#probes.set(id, undefined);
    for (const entry of catalogue.items) this.#probes.set(entry.id, entry);
  }

  async #learnScripts(wanted: ReadonlySet<string>): Promise<void> {
    this.#take(wanted, (await this.#client.call('listTestConfigs', {})).items);
  }

  async #learnMissions(wanted: ReadonlySet<string>): Promise<void> {
    const found: { readonly id: string; readonly name: string }[] = [];
    let cursor: string | undefined;
    do {
      const page = await this.#client.call('listMissionTestConfigs', {
        limit: 100,
        ...(cursor !== undefined && { cursor }),
      });
      found.push(...page.items);
      cursor = page.nextCursor;
    } while (cursor !== undefined && [...wanted].some((id) => !found.some((test) => test.id === id)));
    this.#take(wanted, found);
  }

  #take(wanted: ReadonlySet<string>, found: readonly { readonly id: string; readonly name: string }[]): void {
    for (const id of wanted) this.#names.set(id, undefined);
    for (const { id, name } of found) this.#names.set(id, name);
  }
}
