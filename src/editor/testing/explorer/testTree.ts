import { MarkdownString, Position, Range, TestTag, Uri, workspace, type TestController, type TestItem } from 'vscode';
import { posix } from 'node:path';
import { escapeMarkdown } from '../../../base/escape.ts';
import type { FileProblem, FilePlace } from '../../../model/files/fileProblem.ts';
import type { TestFile } from '../../../model/tests/testFile.ts';
import { readTest } from '../../folders/testSource.ts';
import { workspaceFile } from '../../folders/workspaceFile.ts';
import type { IndexedFile } from '../../folders/workspaceIndex.ts';
import { testKey, type RunPlace } from '../runHistory.ts';
import { rowKeys } from '../running/rowKeys.ts';
import { rowLabels } from '../running/rowLabels.ts';
import { shortNames } from './shortNames.ts';

/**
 * What an item represents: a test, which contains its rows, if it has several, or a row. `uri` is that of the test's
 * file, even for a row in another file; `test` and `row` are its keys. `test` is undefined until the file is read. A
 * test with a single row has the key of this row, so that its runs are found when rows are added.
 */
export interface ItemKind {
  readonly uri: Uri;
  readonly test?: string;
  readonly row?: string;
}

/**
 * The items of the Test Explorer: one for each file, because a file has one test, and below it the rows of the test,
 * if there are several. Files are listed immediately. They are read when they are expanded, opened or run,
 * or if the index finds that they are invalid.
 */
export class TestTree {
  readonly #controller: TestController;
  readonly #kinds = new WeakMap<TestItem, ItemKind>();
  readonly #names = new WeakMap<TestItem, string>();
  readonly #read = new Set<string>();
  readonly #reading = new Map<string, Promise<void>>();
  /** The files that a test reads or calls beside its file, by that file. */
  readonly #beside = new Map<string, ReadonlySet<string>>();

  constructor(controller: TestController) {
    this.#controller = controller;
  }

  kindOf(item: TestItem): ItemKind | undefined {
    return this.#kinds.get(item);
  }
  /** Returns the key of an item's test, or undefined if the file wasn't read yet. */
  placeOf(item: TestItem): RunPlace | undefined {
    const { test, row } = this.#kinds.get(item) ?? {};
    return test === undefined ? undefined : { test, row };
  }
  isRead(uri: Uri): boolean {
    return this.#read.has(uri.toString());
  }

  addFile(uri: Uri): TestItem {
    const known = this.#controller.items.get(uri.toString());
    if (known) return known;
    const item = this.#controller.createTestItem(uri.toString(), posix.basename(uri.path), uri);
    item.canResolveChildren = true;
    // A sample is outside every folder, so its whole path means nothing to the user.
    item.description = workspace.getWorkspaceFolder(uri) ? workspace.asRelativePath(uri) : item.label;
    // The tests of a folder stay together, and don't move when their names become known.
    item.sortText = item.description;
    this.#kinds.set(item, { uri });
    this.#controller.items.add(item);
    return item;
  }

  /**
   * Names the tests of files that weren't read yet. Returns those of them that are invalid, whose items show a problem
   * after `readFile`.
   */
  name(files: readonly Pick<IndexedFile, 'uri' | 'name' | 'hasRows' | 'isInvalid'>[]): Uri[] {
    const invalid: Uri[] = [];
    for (const { uri, name = '', hasRows, isInvalid } of files) {
      const item = this.#read.has(uri) ? undefined : this.#controller.items.get(uri);
      if (item?.uri && isInvalid) invalid.push(item.uri);
      if (!item || name.trim() === '') continue;
      this.#names.set(item, name);
      item.canResolveChildren = hasRows;
    }
    this.#label();
    return invalid;
  }

  /** Removes a file, or all files in a folder. A file that was read before is read again when it comes back. */
  remove(uri: Uri): void {
    const gone = `${uri.toString()}/`;
    for (const [id] of this.#controller.items) if (`${id}/`.startsWith(gone)) this.#controller.items.delete(id);
    this.#label();
  }

  readersOf(uri: Uri): Uri[] {
    return [...this.#beside].flatMap(
      ([test, beside]) => (beside.has(uri.toString()) && this.#controller.items.get(test)?.uri) || [],
    );
  }

  /** Reads a file into its items, again if necessary. Never rejects; problems of a file appear at its item. */
  async readFile(uri: Uri): Promise<void> {
    const key = uri.toString();
    const before = this.#reading.get(key) ?? Promise.resolve();
    this.addFile(uri);
    const reading = before.then(() => {
      // It may have been removed in the meantime.
      const item = this.#controller.items.get(key);
      return item && this.#readFile(item, uri);
    });
    this.#reading.set(key, reading);
    await reading;
    if (this.#reading.get(key) === reading) this.#reading.delete(key);
  }

  async #readFile(item: TestItem, uri: Uri): Promise<void> {
    const source = workspaceFile(uri);
    const beside = new Set<string>();
    item.busy = true;
    item.canResolveChildren = false;
    try {
      this.#read.add(uri.toString());
      this.#beside.set(uri.toString(), beside);
      const read = await readTest({
        ...source,
        readBeside: (path) => {
          beside.add(Uri.joinPath(uri, '..', path).toString());
          return source.readBeside(path);
        },
      });
      if ('test' in read && read.test.ivr !== undefined) beside.add(Uri.joinPath(uri, '..', read.test.ivr).toString());
      if ('problems' in read) this.#showProblems(item, read.problems);
      else this.#showTest(item, uri, read);
    } catch (error) {
      item.error = error instanceof Error ? error.message : String(error);
    } finally {
      item.busy = false;
    }
  }

  #showProblems(item: TestItem, problems: readonly FileProblem[]): void {
    const lines = problems.map(({ file, line, column, message }) => {
      const place = workspace.asRelativePath(Uri.parse(file));
      return `[${escapeMarkdown(`${place}:${String(line)}`)}](${Uri.parse(file)
        .with({ fragment: `L${String(line)},${String(column)}` })
        .toString()}): ${escapeMarkdown(message)}`;
    });
    item.error = new MarkdownString(lines.join('  \n'));
    const own = problems.find(({ file }) => file === item.uri?.toString());
    item.range = own && rangeAt(own, own.length);
    item.children.replace([]);
  }

  #showTest(item: TestItem, uri: Uri, file: TestFile): void {
    item.error = undefined;
    item.range = rangeAt(file.placeOf(['name']));
    const key = testKey(file.test.id, uri.toString());
    const tags = (file.test.tags ?? []).map((tag) => new TestTag(tag));
    const keys = file.kind === 'calltest' ? rowKeys(file) : [];
    const [only] = keys.length === 1 ? keys : [];
    this.#kinds.set(item, { uri, test: key, ...(only !== undefined && { row: only }) });
    item.tags = tags;
    if (this.#names.get(item) !== file.test.name) {
      this.#names.set(item, file.test.name);
      this.#label();
    }
    if (file.kind !== 'calltest' || keys.length < 2) {
      item.children.replace([]);
      return;
    }
    const labels = rowLabels(file);
    const rows = keys.map((row, at) => {
      const place = file.rowAt(at);
      const shown = this.#child(
        item,
        `${uri.toString()}#row/${row}`,
        labels[at] ?? row,
        { uri, test: key, row },
        Uri.parse(place.file),
      );
      shown.range = rangeAt(place);
      shown.tags = tags;
      shown.sortText = String(at).padStart(5, '0');
      return shown;
    });
    item.children.replace(rows);
  }

  /**
   * Labels begin with what distinguishes the tests, because the bar is narrow. The Test Explorer shows and reads out the
   * description instead of the label when it explains a row, so the description contains the whole name too.
   */
  #label(): void {
    const items = [...this.#controller.items].map(([, item]) => item);
    const labels = shortNames(items.map((item) => this.#names.get(item) ?? item.label));
    for (const [at, item] of items.entries()) {
      const name = this.#names.get(item);
      if (name === undefined) continue;
      item.label = labels[at] ?? name;
      item.description = `${item.sortText ?? ''} · ${name}`;
    }
  }

  /** Keeps an existing item with its results. An item's file can be set only when it is created. */
  #child(parent: TestItem, id: string, label: string, kind: ItemKind, stands: Uri): TestItem {
    const known = parent.children.get(id);
    const item =
      known?.uri?.toString() === stands.toString() ? known : this.#controller.createTestItem(id, label, stands);
    item.label = label;
    this.#kinds.set(item, kind);
    return item;
  }
}

export function rangeAt({ line, column }: FilePlace, length = 0): Range {
  const start = new Position(line - 1, column - 1);
  return new Range(start, start.translate(0, length));
}
