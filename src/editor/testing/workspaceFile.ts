import { FileType, l10n, Range, workspace, WorkspaceEdit } from 'vscode';
import type { Uri } from 'vscode';
import { besideUri } from './besideUri.ts';
import { changeBetween } from './textChange.ts';
import type { TestSource } from './testRunner.ts';

/** A test file of the workspace: as the person has changed it, also before it is saved. */
export function workspaceFile(uri: Uri): TestSource {
  return {
    file: uri.toString(),
    read: () => readText(uri),
    write: (text) => writeText(uri, text),
    async readBeside(path) {
      const beside = await besideUri(uri, path);
      return { text: await readText(beside), file: beside.toString() };
    },
  };
}

/** @throws an Error with a message for people, where there is no such file */
async function readText(uri: Uri): Promise<string> {
  // The editor takes what other programs write a moment later; only what is not saved yet is newer than the disk.
  const open = openDocument(uri);
  if (open?.isDirty === true) return open.getText();
  const { type } = await workspace.fs.stat(uri);
  if ((type & FileType.Directory) !== 0) throw new Error(`${workspace.asRelativePath(uri)} is a folder.`);
  return decoded(uri, await workspace.fs.readFile(uri));
}

/** With its byte order mark, so that it is written again; what is no UTF-8 would be written as something else. */
function decoded(uri: Uri, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new Error(l10n.t('{0} is not UTF-8. Save it in that encoding.', workspace.asRelativePath(uri)), { cause });
  }
}

async function writeText(uri: Uri, text: string): Promise<void> {
  const open = openDocument(uri);
  if (!open) {
    await workspace.fs.writeFile(uri, new TextEncoder().encode(text));
    return;
  }
  // A byte order mark is no part of what an editor holds.
  const { offset, length, content } = changeBetween(open.getText(), text.replace(/^\uFEFF/, ''));
  const edit = new WorkspaceEdit();
  edit.replace(uri, new Range(open.positionAt(offset), open.positionAt(offset + length)), content);
  const wasSaved = !open.isDirty;
  await workspace.applyEdit(edit);
  // What the person has not saved yet, they save themselves.
  if (wasSaved) await open.save();
}

const openDocument = (uri: Uri) => workspace.textDocuments.find((document) => document.uri.toString() === uri.toString() && !document.isClosed);
