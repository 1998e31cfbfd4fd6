import { realpath } from 'node:fs/promises';
import { l10n, Uri, workspace } from 'vscode';
import { demandReach, isWithinReach } from './reach.ts';

const openFolders = (): string[] => (workspace.workspaceFolders ?? []).map(({ uri }) => uri.toString());
const joined = (uri: Uri, path: string): Uri => Uri.joinPath(uri, '..', path);

/** Whether the path from this file stays within what it may name. Links are not looked at. */
export const reaches = (uri: Uri, path: string): boolean =>
  isWithinReach(uri.toString(), joined(uri, path).toString(), openFolders());

/** The file at this path from another one. @throws HumanError `outside` */
export async function besideUri(uri: Uri, path: string): Promise<Uri> {
  const beside = joined(uri, path);
  await demandReach({ from: uri.toString(), to: beside.toString(), path }, openFolders(), realUri, l10n);
  return beside;
}

/** Other file systems than that of this machine follow no links here. */
async function realUri(place: string): Promise<string> {
  const uri = Uri.parse(place);
  return uri.scheme === 'file' ? Uri.file(await realpath(uri.fsPath)).toString() : place;
}
