import { Coalescer } from '../../basics/coalescer.ts';
import { Emitter } from '../../basics/emitter.ts';
import type { Disposable } from '../../basics/lifetime.ts';
import { describeCause } from '../../basics/log/logger.ts';
import type { Logger } from '../../basics/log/logger.ts';
import { entriesOf, kindOf, nodeAt, parseFile, textAt } from '../reading/parsedFile.ts';
import type { FileKindName } from '../reading/parsedFile.ts';

/** What is known of a file of the workspace without opening it. */
export interface IndexedFile {
  readonly uri: string;
  readonly kind: FileKindName;
  readonly name: string | undefined;
  readonly id: string | undefined;
  /** Whom it calls, or the number of a practice IVR. */
  readonly phoneNumber: string | undefined;
  readonly tags: readonly string[];
  readonly language: string | undefined;
}

/** `typed`: in an editor, not on the disk. `gone` is told of folders too, and of all that lay in them. */
export type FileChange = 'typed' | 'stored' | 'gone';

export interface IndexSource {
  find(): Promise<readonly string[]>;
  /** As it stands in the editor where it is open; undefined of a file that is too long. */
  read(uri: string): Promise<string | undefined>;
  /** Tells of files that come, change and go, and that folders came or went. */
  watch(onChange: (uri: string, change: FileChange) => void, onFolders: () => void): Disposable;
}

const atOnce = 8;

/** The files of the workspace, read when somebody asks first, and each again when it has changed and somebody asks. */
export class WorkspaceIndex implements Disposable {
  readonly #source: IndexSource;
  readonly #log: Logger;
  readonly #files = new Map<string, IndexedFile>();
  readonly #stale = new Set<string>();
  readonly #changed = new Emitter<undefined>();
  /** Something that concerns other files may be different: `ready` makes it known. */
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

  /** Settles when what is known is up to date. Never rejects: a file that cannot be read is left out. */
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
    // Another finding may have begun meanwhile.
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

  /**
   * One finding after the other. What lay in a folder that left is known no longer; what was known stays as it was
   * read.
   */
  #findAnew(): void {
    this.#finding = this.#finds.request();
    this.#changed.fire(undefined);
  }

  async #find(): Promise<void> {
    try {
      // Of files that come meanwhile the watcher tells.
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
      const lost = [...this.#files.keys(), ...this.#stale].filter(
        (known) => known === uri || known.startsWith(`${uri}/`),
      );
      if (lost.length === 0) return;
      for (const known of lost) {
        this.#stale.delete(known);
        this.#files.delete(known);
      }
    } else if (kindOf(uri) === undefined) return;
    else this.#stale.add(uri);
    // What is typed concerns others only where the id changes, which is seen when it is read.
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
    // What cannot be read now is told of when it is opened.
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
