import type { TestRun } from '../../contract/testRuns.ts';
import { Emitter } from '../basics/emitter.ts';
import { unlessGone } from '../basics/errors.ts';
import type { ServiceClient } from '../host/serviceClient.ts';

/** A run, or a load test: that of a scripted test. */
type NamedRun = Pick<TestRun, 'configId'> & { readonly runType?: TestRun['runType'] };

/** More than these are read at once. */
const fewNames = 3;

/** Names of tests by their ids: runs carry ids alone. */
export class TestNames {
  readonly #client: Pick<ServiceClient, 'call'>;
  /** undefined: there is no such test any more. */
  readonly #names = new Map<string, string | undefined>();
  readonly #renamed = new Emitter<string>();
  /** A test whose name was known has another: its id. */
  readonly onDidRename = this.#renamed.listen;

  constructor(client: Pick<ServiceClient, 'call'>) {
    this.#client = client;
  }

  /** What a run is called: its test, else its probe, else whom it calls. */
  of({
    configId,
    catalogueTestId,
    phoneNumber,
  }: Pick<TestRun, 'configId' | 'phoneNumber'> & { readonly catalogueTestId?: string | undefined }): string {
    return (configId === undefined ? undefined : this.#names.get(configId)) ?? catalogueTestId ?? phoneNumber;
  }

  /** Reads the names that are not known yet. */
  async learn(runs: readonly NamedRun[]): Promise<void> {
    const unknown = runs.filter(({ configId }) => configId !== undefined && !this.#names.has(configId));
    const missions = new Set(
      unknown.flatMap(({ runType, configId }) => (runType === 'mission' && configId !== undefined ? [configId] : [])),
    );
    const scripts = new Set(
      unknown.flatMap(({ runType, configId }) => (runType !== 'mission' && configId !== undefined ? [configId] : [])),
    );
    await Promise.all([
      ...(missions.size > fewNames
        ? [this.#learnAll('listMissionTestConfigs', missions)]
        : [...missions].map(async (id) => {
            this.#names.set(id, (await unlessGone(this.#client.call('getMissionTestConfig', { id })))?.name);
          })),
      ...(scripts.size > fewNames
        ? [this.#learnAll('listTestConfigs', scripts)]
        : [...scripts].map(async (id) => {
            this.#names.set(id, (await unlessGone(this.#client.call('getTestConfig', { id })))?.name);
          })),
    ]);
  }

  /** The name that a test has from now on. */
  set(id: string, name: string): void {
    const isKnown = this.#names.has(id);
    const before = this.#names.get(id);
    this.#names.set(id, name);
    if (isKnown && before !== name) this.#renamed.fire(id);
  }

  /** Names may be others, or another service is spoken to. */
  forget(): void {
    this.#names.clear();
  }

  async #learnAll(list: 'listMissionTestConfigs' | 'listTestConfigs', wanted: ReadonlySet<string>): Promise<void> {
    const names = new Map<string, string | undefined>([...wanted].map((id) => [id, undefined]));
    let cursor: string | undefined;
    do {
      const page = await this.#client.call(list, { limit: 100, ...(cursor !== undefined && { cursor }) });
      for (const { id, name } of page.items) names.set(id, name);
      cursor = page.nextCursor;
    } while (cursor !== undefined && [...wanted].some((id) => names.get(id) === undefined));
    for (const [id, name] of names) this.#names.set(id, name);
  }
}
