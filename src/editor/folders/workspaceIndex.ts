import { isTestFile, isValidTest } from '../../model/tests/testFile.ts';
import { Coalescer } from '../basics/coalescer.ts';
import { Emitter } from '../basics/emitter.ts';
import type { Disposable } from '../basics/lifetime.ts';
import { describeCause, type Logger } from '../basics/log/logger.ts';
import { entriesOf, kindOf, nodeAt, parseFile, textAt, type FileKindName } from './parsedFile.ts';

export interface IndexedFile {
  readonly uri: string;
  readonly kind: FileKindName;
  readonly name: string | undefined;
  readonly id: string | undefined;
  /** The number that it calls, or the number of a practice IVR. */
  readonly phoneNumber: string | undefined;
  readonly tags: readonly string[];
  readonly language: string | undefined;
  readonly hasRows: boolean;
  /** The text of a test isn't valid JSON, or doesn't match its schema. */
  readonly isInvalid: boolean;
  readonly hasSecrets: boolean;
}

/** `typed`: in an editor, not on the disk. `gone` is also reported for folders, and for files with any name. */
export type FileChange = 'typed' | 'stored' | 'gone';

/** A change on the disk, or undefined if folders were added or removed. `find` finds their files. */
type IndexChange = { readonly uri: string; readonly change: FileChange } | undefined;

export interface IndexSource {
  find(): Promise<readonly string[]>;
  /** Returns the text, as it is in the editor if it is open, or undefined if the file is too long. */
  read(uri: string): Promise<string | undefined>;
  /**
   * Watches files that are added, changed and deleted, including CSVs and recordings, which tests and practice IVRs name,
   * and added or removed folders.
   */
  watch(onChange: (uri: string, change: FileChange) => void, onFolders: () => void): Disposable;
}

const atOnce = 8;
/** If a workspace has more files, the others are listed, but not read. */
const maxRead = 5000;

const isIn = (uri: string, folder: string): boolean => `${uri}/`.startsWith(`${folder}/`);

/**
 * The files of the workspace, for everything that lists, watches or searches them. They are read on the first request,
 * and again on the next request after a change.
 */
export class WorkspaceIndex implements Disposable {
  readonly #source: IndexSource;
  readonly #log: Logger;
  /** By URI. Undefined until a file is read, and if it can't be read. */
  readonly #files = new Map<string, IndexedFile | undefined>();
  readonly #stale = new Set<string>();
  readonly #changed = new Emitter<IndexChange>();
  /** Fires if something that concerns other files might have changed. `ready` brings the index up to date. */
  readonly onDidChange = this.#changed.listen;
  #watching: Disposable | undefined;
  readonly #finds = new Coalescer(() => this.#find());
  #finding: Promise<void> | undefined;
  /** Paths that are deleted during a search. */
  #gone: string[] | undefined;
  #reading: Promise<void> | undefined;
  #disposed = false;

  constructor(source: IndexSource, log: Logger) {
    this.#source = source;
    this.#log = log;
  }

  get files(): readonly IndexedFile[] {
    return [...this.#files.values()].filter((file) => file !== undefined);
  }

  filesWithId(id: string): readonly IndexedFile[] {
    return this.files.filter((file) => file.id === id);
  }

  /** Begins to watch, which the other requests do too. */
  watch(): void {
    if (this.#disposed) return;
    this.#watching ??= this.#source.watch(
      (uri, change) => this.#note(uri, change),
      () => {
        this.#finding = undefined;
        this.#changed.fire(undefined);
      },
    );
  }

  /** Searches again, and returns the files of these kinds in order, without reading them. Rejects if the search fails. */
  async find(...kinds: readonly FileKindName[]): Promise<string[]> {
    this.watch();
    await (this.#finding = this.#finds.request());
    return [...this.#files.keys()].filter((uri) => kinds.some((kind) => kind === kindOf(uri))).sort();
  }

  /** Resolves with the files when the index is up to date. Never rejects; unreadable files are left out. */
  async ready(): Promise<readonly IndexedFile[]> {
    if (this.#disposed) return [];
    this.watch();
    let found: Promise<void> | undefined;
    // Another search may have begun in the meantime.
    while (found !== (this.#finding ??= this.#finds.request())) await (found = this.#finding).catch(() => undefined);
    while (this.#reading || this.#stale.size > 0)
      await (this.#reading ??= this.#read().finally(() => {
        this.#reading = undefined;
      }));
    return this.files;
  }

  dispose(): void {
    this.#disposed = true;
    this.#watching?.dispose();
    this.#changed.dispose();
  }

  /** Files of a removed folder are dropped; known files stay as they were read. */
  async #find(): Promise<void> {
    // The watcher reports files that are added and deleted in the meantime.
    const before = [...this.#files.keys()];
    const gone: string[] = (this.#gone = []);
    try {
      const found = await this.#source.find();
      const there = new Set(found);
      for (const uri of before) if (!there.has(uri)) this.#forget(uri);
      for (const [at, uri] of found.entries()) {
        if (this.#files.get(uri) || gone.some((lost) => isIn(uri, lost))) continue;
        this.#files.set(uri, undefined);
        if (at < maxRead) this.#stale.add(uri);
      }
    } catch (error) {
      this.#log.warn(describeCause(error));
      throw error;
    } finally {
      this.#gone = undefined;
    }
  }

  #note(uri: string, change: FileChange): void {
    if (change === 'gone') {
      this.#gone?.push(uri);
      for (const known of this.#files.keys()) if (isIn(known, uri)) this.#forget(known);
    } else if (kindOf(uri) !== undefined) {
      this.#files.set(uri, this.#files.get(uri));
      this.#stale.add(uri);
    }
    // Typing concerns other files only if the id changes, which is found when the file is read.
    if (change !== 'typed') this.#changed.fire({ uri, change });
  }

  #forget(uri: string): void {
    this.#stale.delete(uri);
    this.#files.delete(uri);
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
    // It may have been deleted in the meantime.
    if (!this.#files.has(uri)) return;
    const before = this.#files.get(uri);
    const file = text === undefined ? undefined : fileSummaryOf(kind, uri, text);
    this.#files.set(uri, file);
    if (before && before.id !== file?.id) this.#changed.fire({ uri, change: 'stored' });
  }
}

export function fileSummaryOf(kind: FileKindName, uri: string, text: string): IndexedFile {
  const { root } = parseFile(kind, uri, text);
  const number = textAt(root, kind === 'ivr' ? 'number' : 'phoneNumber');
  // What a reference stands for depends on the environment.
  const phoneNumber = number?.includes('${') === true ? undefined : number;
  return {
    uri,
    kind,
    phoneNumber,
    name: textAt(root, 'name'),
    id: textAt(root, 'id'),
    language: textAt(root, 'language'),
    hasSecrets: text.includes('${secret:'),
    isInvalid: isTestFile(uri) && !isValidTest(text, uri),
    hasRows: ['rows', 'rowsFile'].some((list) => nodeAt(root, [list]) !== undefined),
    tags: entriesOf(nodeAt(root, ['tags'])).flatMap(({ value }) => (typeof value === 'string' ? [value] : [])),
  };
}
