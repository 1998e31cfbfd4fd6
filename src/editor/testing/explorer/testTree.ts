import { MarkdownString, Position, Range, TestTag, Uri, workspace, type TestController, type TestItem } from 'vscode';
import { posix } from 'node:path';
import type { FileProblem, Place } from '../../../model/files/fileProblem.ts';
import { readTestFile, type TestFile } from '../../../model/tests/testFile.ts';
import { escapeMarkdown } from '../../basics/words/markdownText.ts';
import { workspaceFile } from '../../folders/workspaceFile.ts';
import { testKey, type RunPlace } from '../runHistory.ts';
import { rowKeys } from '../running/rowKeys.ts';
import { rowLabels } from '../running/rowLabels.ts';

/**
 * What an item represents. A file contains its test, and a test its rows, if any. `uri` is that of the test's file,
 * even for a row in another file; `test` and `row` are its keys.
 */
export type ItemKind =
  | { readonly type: 'file'; readonly uri: Uri }
  | { readonly type: 'test'; readonly uri: Uri; readonly test: string }
  | { readonly type: 'row'; readonly uri: Uri; readonly test: string; readonly row: string };

/** Returns the item of a file's test. */
export const testIn = (file: TestItem): TestItem | undefined => file.children.get(`${file.id}#test`);

/** The items of the Test Explorer: files immediately, the content of a file when it is expanded. */
export class TestTree {
  readonly #controller: TestController;
  readonly #kinds = new WeakMap<TestItem, ItemKind>();
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
  /** Returns the key of an item's test, or of a file's, or undefined if the file wasn't read yet. */
  placeOf(item: TestItem): RunPlace | undefined {
    const kind = this.#kinds.get(testIn(item) ?? item);
    return kind && 'test' in kind ? kind : undefined;
  }
  isRead(uri: Uri): boolean {
    return this.#read.has(uri.toString());
  }

  addFile(uri: Uri): TestItem {
    const known = this.#controller.items.get(uri.toString());
    if (known) return known;
    // No descriptions, because the Test Explorer reads them out instead of the label. A sample is outside every folder,
    // so its whole path means nothing to the user.
    const label = workspace.getWorkspaceFolder(uri) ? workspace.asRelativePath(uri) : posix.basename(uri.path);
    const item = this.#controller.createTestItem(uri.toString(), label, uri);
    item.canResolveChildren = true;
    this.#kinds.set(item, { type: 'file', uri });
    this.#controller.items.add(item);
    return item;
  }

  /** Removes a file, or all files in a folder. A file that was read before is read again when it comes back. */
  remove(uri: Uri): void {
    const gone = `${uri.toString()}/`;
    for (const [id] of this.#controller.items) if (`${id}/`.startsWith(gone)) this.#controller.items.delete(id);
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
    try {
      this.#read.add(uri.toString());
      this.#beside.set(uri.toString(), beside);
      const read = await readTestFile(await source.read(), source.file, (path) => {
        beside.add(Uri.joinPath(uri, '..', path).toString());
        return source.readBeside(path);
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
    item.range = undefined;
    const key = testKey(file.test.id, uri.toString());
    const test = this.#child(item, `${uri.toString()}#test`, file.test.name, { type: 'test', uri, test: key }, uri);
    test.range = rangeAt(file.placeOf(['name']));
    const tags = (file.test.tags ?? []).map((tag) => new TestTag(tag));
    for (const one of [item, test]) one.tags = tags;
    item.children.replace([test]);
    if (file.kind === 'mission') {
      test.children.replace([]);
      return;
    }
    const labels = rowLabels(file);
    const rows = rowKeys(file).map((row, at) => {
      const place = file.rowAt(at);
      const shown = this.#child(
        test,
        `${uri.toString()}#row/${row}`,
        labels[at] ?? row,
        { type: 'row', uri, test: key, row },
        Uri.parse(place.file),
      );
      shown.range = rangeAt(place);
      shown.tags = tags;
      shown.sortText = String(at).padStart(5, '0');
      return shown;
    });
    test.children.replace(rows);
  }

  /** Keeps an existing item with its results. An item's range can be set only when it is created. */
  #child(parent: TestItem, id: string, label: string, kind: ItemKind, stands: Uri): TestItem {
    const known = parent.children.get(id);
    const item =
      known?.uri?.toString() === stands.toString() ? known : this.#controller.createTestItem(id, label, stands);
    item.label = label;
    this.#kinds.set(item, kind);
    return item;
  }
}

export function rangeAt({ line, column }: Place, length = 0): Range {
  const start = new Position(line - 1, column - 1);
  return new Range(start, start.translate(0, length));
}
