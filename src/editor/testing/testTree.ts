import { l10n, MarkdownString, Position, Range, Uri, workspace } from 'vscode';
import type { TestController, TestItem } from 'vscode';
import { posix } from 'node:path';
import type { FileProblem, Place } from '../../model/fileProblem.ts';
import { readTestFile } from '../../model/testFile.ts';
import type { TestFile } from '../../model/testFile.ts';
import { escapeMarkdown } from '../views/rowModel.ts';
import { rowLabels } from './rowLabels.ts';
import { workspaceFile } from './workspaceFile.ts';

/** What an item stands for. A file holds its test, a test its rows where it has some. */
export type ItemKind = { readonly type: 'file' | 'test'; readonly uri: Uri } | { readonly type: 'row'; readonly uri: Uri; readonly row: number };

/** The items of the Test Explorer: files at once, what is in a file when somebody looks into it. */
export class TestTree {
  readonly #controller: TestController;
  readonly #kinds = new WeakMap<TestItem, ItemKind>();
  readonly #read = new Set<string>();
  readonly #reading = new Map<string, Promise<void>>();

  constructor(controller: TestController) {
    this.#controller = controller;
  }

  kindOf(item: TestItem): ItemKind | undefined { return this.#kinds.get(item); }
  /** Whether somebody has looked into the file. */
  isRead(uri: Uri): boolean { return this.#read.has(uri.toString()); }

  addFile(uri: Uri): TestItem {
    const known = this.#controller.items.get(uri.toString());
    if (known) return known;
    // No descriptions: the Test Explorer reads them out in place of the label.
    // A sample lies outside of every folder: its whole path says nothing to the person.
    const label = workspace.getWorkspaceFolder(uri) ? workspace.asRelativePath(uri) : posix.basename(uri.path);
    const item = this.#controller.createTestItem(uri.toString(), label, uri);
    item.canResolveChildren = true;
    this.#kinds.set(item, { type: 'file', uri });
    this.#controller.items.add(item);
    return item;
  }

  removeFile(uri: Uri): void {
    this.#controller.items.delete(uri.toString());
    this.#read.delete(uri.toString());
  }

  /** Only the files that are named stay. */
  keepFiles(uris: readonly Uri[]): void {
    const kept = new Set(uris.map(String));
    for (const [id, item] of this.#controller.items) if (!kept.has(id) && item.uri) this.removeFile(item.uri);
  }

  /** Reads a file into its items, anew where it was read before. Never rejects: what is wrong with a file stands at its item. */
  async readFile(uri: Uri): Promise<void> {
    const key = uri.toString();
    const before = this.#reading.get(key) ?? Promise.resolve();
    const reading = before.then(() => this.#readFile(this.addFile(uri), uri));
    this.#reading.set(key, reading);
    await reading;
    if (this.#reading.get(key) === reading) this.#reading.delete(key);
  }

  async #readFile(item: TestItem, uri: Uri): Promise<void> {
    const source = workspaceFile(uri);
    item.busy = true;
    try {
      const read = await readTestFile(await source.read(), source.file, source.readBeside);
      this.#read.add(uri.toString());
      if ('problems' in read) this.#showProblems(item, read.problems);
      else this.#showTest(item, uri, read);
    } catch (error) {
      item.error = l10n.t('The file cannot be read: {0}', error instanceof Error ? error.message : String(error));
    } finally {
      item.busy = false;
    }
  }

  #showProblems(item: TestItem, problems: readonly FileProblem[]): void {
    const lines = problems.map(({ file, line, column, message }) => {
      const place = workspace.asRelativePath(Uri.parse(file));
      return `[${escapeMarkdown(`${place}:${String(line)}`)}](${Uri.parse(file).with({ fragment: `L${String(line)},${String(column)}` }).toString()}): ${escapeMarkdown(message)}`;
    });
    item.error = new MarkdownString(lines.join('  \n'));
    const own = problems.find(({ file }) => file === item.uri?.toString());
    item.range = own && rangeAt(own, own.length);
    item.children.replace([]);
  }

  #showTest(item: TestItem, uri: Uri, file: TestFile): void {
    item.error = undefined;
    item.range = undefined;
    const test = this.#child(item, `${uri.toString()}#test`, file.test.name, { type: 'test', uri });
    test.range = rangeAt(file.placeOf(['name']));
    item.children.replace([test]);
    if (file.kind === 'mission') { test.children.replace([]); return; }
    const rows = rowLabels(file).map((label, row) => {
      const shown = this.#child(test, `${uri.toString()}#row/${String(row)}`, label, { type: 'row', uri, row });
      shown.range = rangeAt(file.placeOf(['rows', row]));
      shown.sortText = String(row).padStart(5, '0');
      return shown;
    });
    test.children.replace(rows);
  }

  /** An item that is there already is kept, with its results. */
  #child(parent: TestItem, id: string, label: string, kind: ItemKind): TestItem {
    const item = parent.children.get(id) ?? this.#controller.createTestItem(id, label, kind.uri);
    item.label = label;
    this.#kinds.set(item, kind);
    return item;
  }
}

export function rangeAt({ line, column }: Place, length = 0): Range {
  const start = new Position(line - 1, column - 1);
  return new Range(start, start.translate(0, length));
}
