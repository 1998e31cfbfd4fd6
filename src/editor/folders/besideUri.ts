import { realpath } from 'node:fs/promises';
import { l10n, Uri, workspace } from 'vscode';
import { assertWithinReach, isWithinReach } from './reach.ts';

const openFolders = (): string[] => (workspace.workspaceFolders ?? []).map(({ uri }) => uri.toString());
const joined = (uri: Uri, path: string): Uri => Uri.joinPath(uri, '..', path);

/** Returns true if the path from this file stays within the files that it may name. Links aren't followed. */
export const reaches = (uri: Uri, path: string): boolean =>
  isWithinReach(uri.toString(), joined(uri, path).toString(), openFolders());

/** Returns the file at this path from another one. @throws HumanError `outside` */
export async function besideUri(uri: Uri, path: string): Promise<Uri> {
  const beside = joined(uri, path);
  await assertWithinReach({ from: uri.toString(), to: beside.toString(), path }, openFolders(), realUri, l10n);
  return beside;
}

/** Links are followed only on this machine's file system. */
async function realUri(place: string): Promise<string> {
  const uri = Uri.parse(place);
  return uri.scheme === 'file' ? Uri.file(await realpath(uri.fsPath)).toString() : place;
}
