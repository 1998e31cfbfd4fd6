import { randomUUID } from 'node:crypto';
import { env, FileType, l10n, Selection, Uri, window, workspace, type TextDocument } from 'vscode';
import { dialPlanOf } from '../../model/calls/linePlan.ts';
import { after } from '../basics/wallClock.ts';
import type { HandlersOf } from '../basics/commandTable.ts';
import type { Basics } from '../basics/createBasics.ts';
import type { DisposableStore } from '../basics/lifetime.ts';
import type { Host } from '../host/createHost.ts';
import type { ServiceClient } from '../host/serviceClient.ts';
import type { RunHistory } from '../testing/runHistory.ts';
import { registerAssistance } from './assistance/assistProviders.ts';
import { fileCommands, type FileCommandParts } from './fileCommands.ts';
import { registerCodeActions } from './findings/codeActions.ts';
import { FileDiagnostics } from './findings/fileDiagnostics.ts';
import type { WorkspaceIndex } from '../folders/workspaceIndex.ts';
import { FileLenses } from './lenses/fileLenses.ts';
import { LastRuns } from './lenses/lastRuns.ts';
import { registerNavigation } from './navigation/navigationProviders.ts';
import type { TemplateName } from './newFile.ts';
import { CriterionReadings } from './reading/criterionReadings.ts';
import { rangeOf } from './reading/openFiles.ts';
import type { DialPlan } from './reading/phoneNumbers.ts';

interface FilesParts extends Basics, Pick<Host, 'connection' | 'practice'> {
  readonly client: Pick<ServiceClient, 'call'>;
  readonly history: RunHistory;
  readonly index: WorkspaceIndex;
}

export interface Files {
  readonly diagnostics: FileDiagnostics;
  readonly commands: HandlersOf<'file'>;
}

/** Builds the support for Dialtree's files. Reads nothing until one of them is opened. */
export function createFiles(
  { context, client, connection, history, index, practice, settings, dialogs, clock, log, formats }: FilesParts,
  held: DisposableStore,
): Files {
  const isReady = (): boolean => connection.state.kind === 'ready';
  // A remote service has its own dial plan.
  const routes = (): DialPlan | undefined =>
    connection.mode === 'remote' ? undefined : dialPlanOf(settings().routes, settings().lines);
  const lastRuns = held.add(new LastRuns({ history, client, isReady }));
  const criteria = held.add(new CriterionReadings({ client, isReady }));
  const diagnostics = held.add(new FileDiagnostics({ index, routes, newId: randomUUID, criteria, clock, log }));
  const template = async (name: TemplateName): Promise<string> =>
    new TextDecoder().decode(
      await workspace.fs.readFile(Uri.joinPath(context.extensionUri, 'media', 'templates', `${name}.jsonc`)),
    );
  // Runs right after activation, which it would make half as long again.
  const stopWaiting = after(clock, 0, () => {
    registerNavigation(held);
    registerAssistance({ index, routes, lastRuns, template, language: env.language }, held);
    registerCodeActions(diagnostics, () => template('ivr'), held);
    held.add(new FileLenses({ lastRuns, history, practice, clock, formats }));
  });
  held.add({ dispose: stopWaiting });
  held.add(
    workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration('dialtree')) diagnostics.checkAll();
    }),
  );
  held.add(
    connection.onDidChangeState(({ kind }) => {
      if (kind !== 'ready') return;
      criteria.forget();
      diagnostics.checkAll();
    }),
  );
  return {
    diagnostics,
    commands: fileCommands({ dialogs, files: () => index.ready(), template, folder: folderFor, show: showNew, l10n }),
  };
}

/** The Explorer's selection, otherwise the folder of the active file, otherwise the first folder of the workspace. */
const folderFor: FileCommandParts['folder'] = async (chosen) => {
  const folder = chosen ? await folderOf(Uri.from(chosen)) : folderInUse();
  if (!folder) return undefined;
  const entries = await Promise.resolve(workspace.fs.readDirectory(folder)).catch(() => []);
  const unsaved = workspace.textDocuments
    .filter(({ uri }) => uri.scheme === 'untitled')
    .map(({ uri }) => uri.path.slice(uri.path.lastIndexOf('/') + 1));
  return { uri: folder.toString(), names: new Set([...entries.map(([name]) => name), ...unsaved]) };
};

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

/** Not on the disk until the user saves it, if the editor supports that. */
const showNew: FileCommandParts['show'] = async ({ folder, name, text, selection }) => {
  const place = folder === undefined ? undefined : Uri.joinPath(Uri.parse(folder), name);
  const isHeld = place === undefined || place.scheme === 'file';
  if (!isHeld) await workspace.fs.writeFile(place, new TextEncoder().encode(text));
  const document: TextDocument = await workspace.openTextDocument(
    isHeld ? (place?.with({ scheme: 'untitled' }) ?? Uri.from({ scheme: 'untitled', path: name })) : place,
  );
  const editor = await window.showTextDocument(document);
  if (isHeld) await editor.edit((edit) => edit.insert(document.positionAt(0), text));
  const { start, end } = rangeOf(document, selection);
  editor.selection = new Selection(start, end);
  editor.revealRange(editor.selection);
};
