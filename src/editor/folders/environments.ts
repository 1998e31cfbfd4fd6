import { Uri, workspace, type Memento } from 'vscode';
import { environmentFileName, environmentFileSchema, type EnvironmentFile } from '../../contract/environmentFile.ts';
import { readJsonFile } from '../../model/files/jsonFile.ts';
import type { EnvironmentChoice } from '../../model/tests/environment.ts';
import type { Basics } from '../basics/createBasics.ts';
import { Coalescer } from '../basics/coalescer.ts';
import { Emitter } from '../basics/emitter.ts';
import { DisposableStore } from '../basics/lifetime.ts';
import { describeCause } from '../basics/log/logger.ts';
import { workspaceFile } from './workspaceFile.ts';

interface EnvironmentsParts extends Pick<Basics, 'log'> {
  /** The workspace's own. */
  readonly memory: Pick<Memento, 'get' | 'update'>;
  readonly secrets: {
    read(name: string): Promise<string | undefined>;
    store(name: string, value: string): Promise<void>;
    clear(name: string): Promise<void>;
  };
}

const chosenKey = 'dialtree.environment';

/** The environments of the workspace's tests, the one that the user chose, and the secrets. */
export class Environments implements EnvironmentChoice {
  readonly #parts: EnvironmentsParts;
  readonly #disposables = new DisposableStore();
  readonly #changed = this.#disposables.add(new Emitter<undefined>());
  /** Fires if another environment applies, a file of environments changes, or a secret is set or deleted. */
  readonly onDidChange = this.#changed.listen;
  /** What the files offer: the numbers and practice IVRs of each environment, by its name. */
  offered: ReadonlyMap<string, readonly string[]> = new Map();
  /** The default of the files. */
  usual: string | undefined;
  #hasFiles = false;

  constructor(parts: EnvironmentsParts) {
    this.#parts = parts;
  }

  /** Begins to read and watch the files. */
  watch(): void {
    const watcher = this.#disposables.add(workspace.createFileSystemWatcher(`**/${environmentFileName}`));
    const reading = new Coalescer(() => this.#read());
    const read = (): void => {
      reading.request().catch((error: unknown) => this.#parts.log.warn(describeCause(error)));
    };
    for (const event of [watcher.onDidCreate, watcher.onDidChange, watcher.onDidDelete])
      this.#disposables.add(event(read));
    // Before, the tests have no secrets.
    this.#disposables.add(workspace.onDidGrantWorkspaceTrust(() => this.#changed.fire(undefined)));
    read();
  }

  get name(): string | undefined {
    return this.#parts.memory.get<string>(chosenKey);
  }
  /** What applies. Undefined if the user has chosen none and the files have different defaults. */
  get current(): string | undefined {
    return this.name ?? this.usual;
  }
  async choose(name: string): Promise<void> {
    await this.#parts.memory.update(chosenKey, name);
    this.#changed.fire(undefined);
  }

  async secretOf(name: string): Promise<string | undefined> {
    return this.#parts.secrets.read(name);
  }
  /** Without a value, deletes the secret. */
  async setSecret(name: string, value: string): Promise<void> {
    const { secrets } = this.#parts;
    await (value === '' ? secrets.clear(name) : secrets.store(name, value));
    this.#changed.fire(undefined);
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  async #read(): Promise<void> {
    const uris = await workspace.findFiles(`**/${environmentFileName}`, '**/node_modules/**', 50);
    const files = await Promise.all(uris.map(environmentsIn));
    const offered = new Map<string, string[]>();
    for (const [name, { numbers = {} }] of files.flatMap(({ environments }) => Object.entries(environments)))
      offered.set(name, [...(offered.get(name) ?? []), ...Object.values(numbers)]);
    this.offered = offered;
    const usual = new Set(files.flatMap(({ default: own }) => own ?? []));
    this.usual = usual.size === 1 ? [...usual][0] : undefined;
    // Listeners read every open test again, also at the start of a workspace that has no such file.
    const hadFiles = this.#hasFiles;
    this.#hasFiles = uris.length > 0;
    if (hadFiles || this.#hasFiles) this.#changed.fire(undefined);
  }
}

/** A file that can't be used offers nothing. The tests that refer to it say why. */
async function environmentsIn(uri: Uri): Promise<EnvironmentFile> {
  const text = await workspaceFile(uri)
    .read()
    .catch(() => '');
  const read = readJsonFile(text, uri.toString(), environmentFileSchema);
  return 'problems' in read ? { environments: {} } : read.value;
}
