import { Coalescer } from '../../basics/coalescer.ts';
import { Emitter } from '../../basics/emitter.ts';
import type { Disposable } from '../../basics/lifetime.ts';
import { describeCause, type Logger } from '../../basics/log/logger.ts';
import { entriesOf, kindOf, nodeAt, parseFile, textAt, type FileKindName } from '../reading/parsedFile.ts';

export interface IndexedFile {
  readonly uri: string;
  readonly kind: FileKindName;
  readonly name: string | undefined;
  readonly id: string | undefined;
  /** The number that it calls, or the number of a practice IVR. */
  readonly phoneNumber: string | undefined;
  readonly tags: readonly string[];
  readonly language: string | undefined;
}

/** `typed`: in an editor, not on the disk. `gone` is also reported for folders and everything in them. */
export type FileChange = 'typed' | 'stored' | 'gone';

export interface IndexSource {
  find(): Promise<readonly string[]>;
  /** Returns the text, as it is in the editor if it is open, or undefined if the file is too long. */
  read(uri: string): Promise<string | undefined>;
  /** Watches files that are added, changed and deleted, and added or removed folders. */
  watch(onChange: (uri: string, change: FileChange) => void, onFolders: () => void): Disposable;
}

const atOnce = 8;

/** The files of the workspace. They are read on the first request, and again on the next request after a change. */
export class WorkspaceIndex implements Disposable {
  readonly #source: IndexSource;
  readonly #log: Logger;
  readonly #files = new Map<string, IndexedFile>();
  readonly #stale = new Set<string>();
  readonly #changed = new Emitter<undefined>();
  /** Fires if something that concerns other files might have changed. `ready` brings the index up to date. */
  readonly onDidChange = this.#changed.listen;
  #watching: Disposable | undefined;
  readonly #finds = new Coalescer(() => this.#find());
  #finding: Promise<void> | undefined;
  #reading: Promise<void> | undefined;
  #disposed = false;

  constructor(source: IndexSource, log: Logger) {
    this.#source = source;
    this.#log = log;
  }

  get files(): readonly IndexedFile[] {
    return [...this.#files.values()];
  }

  filesWithId(id: string): readonly IndexedFile[] {
    return this.files.filter((file) => file.id === id);
  }

  /** Resolves when the index is up to date. Never rejects; unreadable files are left out. */
  async ready(): Promise<void> {
    if (this.#disposed) return;
    this.#watching ??= this.#source.watch(
      (uri, change) => {
        this.#note(uri, change);
      },
      () => {
        this.#findAnew();
      },
    );
    let found: Promise<void> | undefined;
    // Another search may have begun in the meantime.
    while (found !== (this.#finding ??= this.#finds.request())) await (found = this.#finding);
    while (this.#reading || this.#stale.size > 0)
      await (this.#reading ??= this.#read().finally(() => {
        this.#reading = undefined;
      }));
  }

  dispose(): void {
    this.#disposed = true;
    this.#watching?.dispose();
    this.#changed.dispose();
  }

  /** Searches run one after the other. Files of a removed folder are dropped; known files stay as they were read. */
  #findAnew(): void {
    this.#finding = this.#finds.request();
    this.#changed.fire(undefined);
  }

  async #find(): Promise<void> {
    try {
      // The watcher reports files that are added in the meantime.
      const before = [...this.#files.keys(), ...this.#stale];
      const found = new Set(await this.#source.find());
      for (const uri of before) {
        if (found.has(uri)) continue;
        this.#stale.delete(uri);
        this.#files.delete(uri);
      }
      for (const uri of found) if (!this.#files.has(uri)) this.#stale.add(uri);
    } catch (error) {
      this.#log.warn(describeCause(error));
    }
  }

  #note(uri: string, change: FileChange): void {
    if (change === 'gone') {
      const lost = [...this.#files.keys(), ...this.#stale].filter((known) => `${known}/`.startsWith(`${uri}/`));
      if (lost.length === 0) return;
      for (const known of lost) {
        this.#stale.delete(known);
        this.#files.delete(known);
      }
    } else if (kindOf(uri) === undefined) return;
    else this.#stale.add(uri);
    // Typing concerns other files only if the id changes, which is found when the file is read.
    if (change !== 'typed') this.#changed.fire(undefined);
  }

  async #read(): Promise<void> {
    const queue = [...this.#stale];
    this.#stale.clear();
    const work = async (): Promise<void> => {
      for (let uri = queue.shift(); uri !== undefined && !this.#disposed; uri = queue.shift()) await this.#readOne(uri);
    };
    await Promise.all(Array.from({ length: Math.min(atOnce, queue.length) }, work));
  }

  async #readOne(uri: string): Promise<void> {
    const kind = kindOf(uri);
    if (kind === undefined) return;
    // An unreadable file is reported when it is opened.
    const text = await this.#source.read(uri).catch(() => undefined);
    const before = this.#files.get(uri);
    if (text === undefined) this.#files.delete(uri);
    else this.#files.set(uri, summaryOf(kind, uri, text));
    if (before && before.id !== this.#files.get(uri)?.id) this.#changed.fire(undefined);
  }
}

export function summaryOf(kind: FileKindName, uri: string, text: string): IndexedFile {
  const { root } = parseFile(kind, uri, text);
  const phoneNumber = textAt(root, kind === 'ivr' ? 'number' : 'phoneNumber');
  return {
    uri,
    kind,
    phoneNumber,
    name: textAt(root, 'name'),
    id: textAt(root, 'id'),
    language: textAt(root, 'language'),
    tags: entriesOf(nodeAt(root, ['tags'])).flatMap(({ value }) => (typeof value === 'string' ? [value] : [])),
  };
}
