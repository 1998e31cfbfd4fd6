import { homedir } from 'node:os';
import { commands, FileType, l10n, Range, Selection, Uri, window, workspace, type TextDocument } from 'vscode';
import { HumanError } from '../../contract/errors.ts';
import { openSetting } from '../basics/openSetting.ts';
import { openIvr } from '../files/navigation/openIvr.ts';
import { rangeOf } from '../files/reading/openFiles.ts';
import type { TextSpan } from '../files/reading/span.ts';
import { besideUri } from '../folders/besideUri.ts';
import type { TestSource } from '../folders/testSource.ts';
import { workspaceFile } from '../folders/workspaceFile.ts';
import { enableAgents, saveLines, saveModel } from '../host/writeSettings.ts';
import { openDraft } from '../issue/editorDraft.ts';
import { offerEdits } from '../testing/explorer/acceptHeard.ts';

/** What commands do in the window beside dialogs. Tests replace it. */
export const workbench = {
  enableAgents,
  saveLines,
  saveModel,
  openSetting,
  openIvr,
  openDraft,
  offerEdits,

  /** Names in the settings, including invalid lines. */
  lineNames: (): readonly string[] =>
    Object.keys(workspace.getConfiguration('dialtree').get<object>('telephony.lines') ?? {}),

  async openFile(uri: string): Promise<void> {
    await commands.executeCommand('vscode.open', Uri.parse(uri));
  },

  /** The paths of the folders that are on a disk of this machine. */
  diskFolders: (): string[] =>
    (workspace.workspaceFolders ?? []).flatMap(({ uri }) => (uri.scheme === 'file' ? uri.fsPath : [])),

  /** Identifies this window's workspace. */
  workspaceId: (): string => String(workspace.workspaceFile ?? workspace.workspaceFolders?.[0]?.uri ?? ''),

  sourceOf: (uri: string): TestSource => workspaceFile(Uri.parse(uri)),

  /** Returns the path on the disk of what a file names. */
  besideFile: async (uri: string, name: string): Promise<string> => (await besideUri(Uri.parse(uri), name)).fsPath,

  /** Shows a walkthrough by its full id, `publisher.extension#walkthrough`. */
  async showWalkthrough(category: string, step: string | undefined): Promise<void> {
    await commands.executeCommand(
      'workbench.action.openWalkthrough',
      step === undefined ? category : { category, step },
    );
  },

  /** Asks for a folder on this machine's disk. */
  async askSamplesFolder(): Promise<string | undefined> {
    const [chosen] =
      (await window.showOpenDialog({
        title: l10n.t('Where do you want to put the samples folder?'),
        openLabel: l10n.t('Copy Samples Here'),
        defaultUri: Uri.file(homedir()),
        canSelectFiles: false,
        canSelectFolders: true,
      })) ?? [];
    if (chosen && chosen.scheme !== 'file')
      throw new HumanError(l10n.t('Choose a folder on a local disk. Dialtree starts the practice IVRs from there.'), {
        status: 400,
        code: 'samples_folder',
      });
    return chosen?.fsPath;
  },

  /** Opens a folder as the workspace: in this window if it has none yet, otherwise in another. */
  async openFolder(folder: string): Promise<void> {
    await commands.executeCommand('vscode.openFolder', Uri.file(folder), {
      forceNewWindow: (workspace.workspaceFolders ?? []).length > 0,
    });
  },

  /**
   * The return value of a walkthrough command, which makes the editor open a folder and continue the walkthrough there.
   * @see https://code.visualstudio.com/api/references/contribution-points#contributes.walkthroughs
   */
  goOnIn: (folder: string): { readonly openFolder: unknown } => ({ openFolder: Uri.file(folder) }),

  /**
   * The folder of a new file: the Explorer's selection, otherwise the folder of the active file, otherwise the first
   * folder of the workspace. Undefined without one. `names` are those of its files, and of unsaved files.
   */
  async folderFor(
    chosen: Address | undefined,
  ): Promise<{ readonly uri: string; readonly names: ReadonlySet<string> } | undefined> {
    const folder = chosen ? await folderOf(Uri.from(chosen)) : folderInUse();
    if (!folder) return undefined;
    const entries = await Promise.resolve(workspace.fs.readDirectory(folder)).catch(() => []);
    const unsaved = workspace.textDocuments
      .filter(({ uri }) => uri.scheme === 'untitled')
      .map(({ uri }) => uri.path.slice(uri.path.lastIndexOf('/') + 1));
    return { uri: folder.toString(), names: new Set([...entries.map(([name]) => name), ...unsaved]) };
  },

  /** Shows a new file. Not on the disk until the user saves it, if the editor supports that. */
  async showNew({ folder, name, text, selection }: NewFile): Promise<void> {
    const place = folder === undefined ? undefined : Uri.joinPath(Uri.parse(folder), name);
    const isHeld = place === undefined || place.scheme === 'file';
    if (!isHeld) await workspace.fs.writeFile(place, new TextEncoder().encode(text));
    const document: TextDocument = await workspace.openTextDocument(
      isHeld ? (place?.with({ scheme: 'untitled' }) ?? Uri.from({ scheme: 'untitled', path: name })) : place,
    );
    const editor = await window.showTextDocument(document);
    if (isHeld) await editor.edit((edit) => edit.insert(document.positionAt(0), text));
    const { start, end } = rangeOf(document, selection);
    // The end of a long line would scroll the beginnings of all lines away.
    editor.selection = new Selection(end, start);
    editor.revealRange(new Range(start, start));
  },
};

export type Workbench = typeof workbench;

interface Address {
  readonly scheme: string;
  readonly authority: string;
  readonly path: string;
}

export interface NewFile {
  readonly folder: string | undefined;
  readonly name: string;
  readonly text: string;
  readonly selection: TextSpan;
}

async function folderOf(uri: Uri): Promise<Uri> {
  const isFile = await Promise.resolve(workspace.fs.stat(uri)).then(
    ({ type }) => (type & FileType.File) !== 0,
    () => false,
  );
  return isFile ? Uri.joinPath(uri, '..') : uri;
}

function folderInUse(): Uri | undefined {
  const active = window.activeTextEditor?.document.uri;
  if (active && workspace.getWorkspaceFolder(active)) return Uri.joinPath(active, '..');
  return workspace.workspaceFolders?.[0]?.uri;
}
