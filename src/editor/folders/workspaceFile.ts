import { FileType, l10n, Range, workspace, WorkspaceEdit, type Uri } from 'vscode';
import { HumanError } from '../../contract/errors.ts';
import { maxFileBytes } from '../../base/fileSize.ts';
import type { EnvironmentChoice } from '../../model/tests/environment.ts';
import { besideUri } from './besideUri.ts';
import { isFolder, notTooLarge, notUtf8, readFault, tooLarge, writeFault } from './fileFault.ts';
import type { TestSource } from './testSource.ts';
import { changeBetween } from './textChange.ts';

let environment: EnvironmentChoice | undefined;

/** Sets the environment of all test files of this window. */
export function useEnvironment(chosen: EnvironmentChoice): void {
  environment = chosen;
}

/** Returns the choice without secrets: a test from elsewhere, or one that an agent wrote, could give them to anyone. */
export const withoutValues = (choice: EnvironmentChoice | undefined): EnvironmentChoice => ({
  name: choice?.name,
  secretOf: () => Promise.resolve(undefined),
});

/** A test file of the workspace, with the user's unsaved changes. Reading and writing reject with a HumanError. */
export function workspaceFile(uri: Uri): TestSource {
  return {
    file: uri.toString(),
    environment: workspace.getWorkspaceFolder(uri) && workspace.isTrusted ? environment : withoutValues(environment),
    path: uri.scheme === 'file' ? uri.fsPath : uri.toString(),
    read: () => readText(uri),
    write: (text) => writeText(uri, text),
    async readBeside(path) {
      const beside = await besideUri(uri, path);
      return { text: await readText(beside), file: beside.toString() };
    },
  };
}

async function readText(uri: Uri): Promise<string> {
  // The editor picks up other programs' changes with a delay, so only an unsaved document is newer than the disk.
  const open = openDocument(uri);
  const name = workspace.asRelativePath(uri);
  if (open?.isDirty === true) return notTooLarge(open.getText(), name, l10n);
  const bytes = await bytesOf(uri).catch((error: unknown) => {
    throw error instanceof HumanError ? error : readFault(error, name, l10n);
  });
  if (!bytes) throw isFolder(name, l10n);
  try {
    // Keeps the byte order mark, so that it is written again. Text that isn't UTF-8 would be changed by writing it.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw notUtf8(name, l10n, cause);
  }
}

/** Returns undefined for a folder, and for a pipe or a device, which could block reading forever. */
async function bytesOf(uri: Uri): Promise<Uint8Array | undefined> {
  const { type, size } = await workspace.fs.stat(uri);
  if (size > maxFileBytes) throw tooLarge(workspace.asRelativePath(uri), l10n);
  return (type & FileType.File) === 0 ? undefined : workspace.fs.readFile(uri);
}

async function writeText(uri: Uri, text: string): Promise<void> {
  const name = workspace.asRelativePath(uri);
  try {
    if (!(await write(uri, text))) throw new Error('The editor refused the change.');
  } catch (error) {
    throw writeFault(error, name, l10n);
  }
}

async function write(uri: Uri, text: string): Promise<boolean> {
  const open = openDocument(uri);
  // Saving a document that hasn't picked up a change on the disk is a conflict.
  if (!open || (!open.isDirty && open.getText() !== withoutMark(await readText(uri)))) {
    await workspace.fs.writeFile(uri, new TextEncoder().encode(text));
    return true;
  }
  // The editor's text doesn't include the byte order mark.
  const { offset, length, content } = changeBetween(open.getText(), withoutMark(text));
  const edit = new WorkspaceEdit();
  edit.replace(uri, new Range(open.positionAt(offset), open.positionAt(offset + length)), content);
  const wasSaved = !open.isDirty;
  if (!(await workspace.applyEdit(edit))) return false;
  // The user saves their own unsaved changes. If saving fails, the editor has shown why, and keeps the text.
  if (wasSaved) await open.save();
  return true;
}

const withoutMark = (text: string): string => text.replace(/^\uFEFF/, '');

const openDocument = (uri: Uri) =>
  workspace.textDocuments.find((document) => document.uri.toString() === uri.toString() && !document.isClosed);
