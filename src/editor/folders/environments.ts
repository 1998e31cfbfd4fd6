import { Uri, workspace } from 'vscode';
import { environmentFileName, environmentFileSchema } from '../../contract/environmentFile.ts';
import { readJsonFile } from '../../model/files/jsonFile.ts';
import type { EnvironmentChoice } from '../../model/tests/environment.ts';
import type { Basics } from '../basics/createBasics.ts';
import { Emitter } from '../basics/emitter.ts';
import { DisposableStore } from '../basics/lifetime.ts';
import { describeCause } from '../basics/log/logger.ts';
import { workspaceFile } from './workspaceFile.ts';

interface EnvironmentsParts extends Pick<Basics, 'secrets' | 'log'> {
  /** Of the workspace. It has the choice and the names of secrets, but no values. */
  readonly memory: {
    get<T>(key: string): T | undefined;
    update(key: string, value: unknown): PromiseLike<void>;
  };
  /** Identifies the workspace. Its secrets aren't those of others, whose files could give them to anyone. */
  readonly workspaceId: () => string;
}

const chosenKey = 'dialtree.environment';
const secretsKey = 'dialtree.secretNames';

/** The environments of the workspace's tests, the one that the user chose, and the secrets, by name. */
export class Environments implements EnvironmentChoice {
  readonly #parts: EnvironmentsParts;
  readonly #disposables = new DisposableStore();
  readonly #changed = this.#disposables.add(new Emitter<undefined>());
  /** Fires if another environment applies, a file of environments changes, or a secret is set or deleted. */
  readonly onDidChange = this.#changed.listen;
  /** What the files offer. */
  names: readonly string[] = [];
  /** What applies while the user has chosen none. */
  usual: string | undefined;

  constructor(parts: EnvironmentsParts) {
    this.#parts = parts;
  }

  /** Begins to read and watch the files. */
  watch(): void {
    const watcher = this.#disposables.add(workspace.createFileSystemWatcher(`**/${environmentFileName}`));
    const read = (): void => {
      this.#read().catch((error: unknown) => this.#parts.log.warn(describeCause(error)));
    };
    for (const event of [watcher.onDidCreate, watcher.onDidChange, watcher.onDidDelete])
      this.#disposables.add(event(read));
    read();
  }

  get name(): string | undefined {
    return this.#parts.memory.get<string>(chosenKey);
  }
  async choose(name: string): Promise<void> {
    await this.#parts.memory.update(chosenKey, name);
    this.#changed.fire(undefined);
  }

  get secretNames(): readonly string[] {
    return this.#parts.memory.get<readonly string[]>(secretsKey) ?? [];
  }
  async secretOf(name: string): Promise<string | undefined> {
    return this.#parts.secrets.get(this.#keyOf(name));
  }
  /** Without a value, deletes the secret. */
  async setSecret(name: string, value: string | undefined): Promise<void> {
    const { secrets, memory } = this.#parts;
    const others = this.secretNames.filter((other) => other !== name);
    await (value === undefined ? secrets.delete(this.#keyOf(name)) : secrets.store(this.#keyOf(name), value));
    await memory.update(secretsKey, value === undefined ? others : [...others, name].sort());
    this.#changed.fire(undefined);
  }
  async readSecrets(): Promise<string[]> {
    const values = await Promise.all(this.secretNames.map((name) => this.secretOf(name)));
    return values.filter((value) => value !== undefined);
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  #keyOf(name: string): string {
    return ['dialtree.secret', this.#parts.workspaceId(), name].join(' ');
  }

  async #read(): Promise<void> {
    const uris = await workspace.findFiles(`**/${environmentFileName}`, '**/node_modules/**', 50);
    const files = await Promise.all(uris.map((uri) => environmentsIn(uri)));
    this.names = [...new Set(files.flatMap(({ names }) => names))];
    const usual = new Set(files.flatMap(({ usual: own }) => own ?? []));
    this.usual = usual.size === 1 ? [...usual][0] : undefined;
    this.#changed.fire(undefined);
  }
}

/** A file that can't be used offers nothing. The tests that refer to it say why. */
async function environmentsIn(
  uri: Uri,
): Promise<{ readonly names: readonly string[]; readonly usual?: string | undefined }> {
  const text = await workspaceFile(uri)
    .read()
    .catch(() => '');
  const read = readJsonFile(text, uri.toString(), environmentFileSchema);
  return 'problems' in read
    ? { names: [] }
    : { names: Object.keys(read.value.environments), usual: read.value.default };
}
