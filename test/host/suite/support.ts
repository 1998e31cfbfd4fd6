import assert from 'node:assert/strict';
import path from 'node:path';
import * as vscode from 'vscode';
import type { Disposable } from '../../../src/editor/basics/lifetime.ts';
import type { JobSnapshot } from '../../../src/editor/store/snapshot.ts';
import type { DialtreeTestApi } from '../../../src/editor/testApi.ts';
import { inVain, patienceMs } from '../../support/patience.ts';

export async function dialtree(): Promise<DialtreeTestApi> {
  const extension = vscode.extensions.getExtension<DialtreeTestApi | undefined>('dialtree.dialtree');
  assert.ok(extension, 'dialtree.dialtree is not among the extensions');
  const api = await extension.activate();
  assert.ok(api, 'the extension gives no test API under test');
  return api;
}

/** Compares without the byte order mark, which a document doesn't have. */
const isText = (document: vscode.TextDocument, text: string): boolean =>
  document.getText().replaceAll('\r\n', '\n') === text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');

/** The files of a suite, in a separate folder of the workspace. */
export function filesOf(suite: string) {
  const at = (name: string): vscode.Uri => {
    const [workspace] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(workspace);
    return vscode.Uri.joinPath(workspace.uri, suite, name);
  };
  return {
    at,
    write: async (name: string, text: string): Promise<void> => {
      await vscode.workspace.fs.writeFile(at(name), new TextEncoder().encode(text));
      // VS Code reads an open file again only some time later, and doesn't save a document that is older than its file.
      await eventually(
        `the open ${name} shows what was written`,
        (look) => vscode.workspace.onDidChangeTextDocument(look),
        () =>
          vscode.workspace.textDocuments.every(
            (open) => open.uri.toString() !== at(name).toString() || open.isDirty || isText(open, text),
          ) || undefined,
      );
    },
    read: async (name: string): Promise<string> =>
      new TextDecoder('utf-8', { ignoreBOM: true }).decode(await vscode.workspace.fs.readFile(at(name))),
    remove: (): Thenable<void> => vscode.workspace.fs.delete(at('.'), { recursive: true }),
  };
}

/** Looks at intervals, if no event announces the change. */
export function ticking(look: () => void): vscode.Disposable {
  const timer = setInterval(look, 50);
  return new vscode.Disposable(() => clearInterval(timer));
}

/** Replaces the text of a file in its editor. */
export async function replaceText(uri: vscode.Uri, text: string): Promise<vscode.TextDocument> {
  const document = await vscode.workspace.openTextDocument(uri);
  const edit = new vscode.WorkspaceEdit();
  edit.replace(uri, new vscode.Range(document.positionAt(0), document.positionAt(document.getText().length)), text);
  assert.ok(await vscode.workspace.applyEdit(edit));
  return document;
}

/**
 * Writes the sample bank with short prompts: calls to it take half the time. `timeoutMs`: how long it waits for a key before
 * it says that it heard none.
 */
export async function writeShortBank(file: vscode.Uri, timeoutMs?: number): Promise<void> {
  const sample = vscode.Uri.file(path.join(process.env['DIALTREE_TEST_ROOT'] ?? '', 'media/samples/bank.ivr.json'));
  const bank = JSON.parse(new TextDecoder().decode(await vscode.workspace.fs.readFile(sample))) as {
    readonly states: Record<string, { prompt: string; timeoutMs?: number }>;
  };
  const prompts = {
    main: 'Welcome to Harbour Bank. For accounts, press 1. For cards, press 2.',
    accounts: 'You have reached accounts. For your balance, press 1.',
  };
  for (const [name, prompt] of Object.entries(prompts)) {
    const state = bank.states[name];
    assert.ok(state, name);
    state.prompt = prompt;
    if (timeoutMs !== undefined) state.timeoutMs = timeoutMs;
  }
  await vscode.workspace.fs.writeFile(file, new TextEncoder().encode(JSON.stringify(bank, undefined, 2)));
}

/**
 * Resolves with the first value that `look` finds, now or after an event; rejects with `what` and what `seen` returns if
 * none arrives in time. The time begins again with every event after which `seen` returns something else: a slow machine
 * may take long as long as it makes progress.
 */
export function eventually<T>(
  what: string,
  listen: (look: () => void) => Disposable,
  look: () => T | undefined,
  seen: () => unknown = () => undefined,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const end = (settle: () => void): void => {
      clearTimeout(timer);
      listening.dispose();
      settle();
    };
    const timer = setTimeout(() => end(() => reject(inVain(what, seen()))), patienceMs);
    let before = JSON.stringify(seen());
    const check = (): void => {
      const found = look();
      if (found !== undefined) return end(() => resolve(found));
      const now = JSON.stringify(seen());
      if (now !== before) timer.refresh();
      before = now;
    };
    const listening = listen(check);
    check();
  });
}

/** Returns the job once it is as `wanted`; watches the store until then. */
export async function jobThat(
  { store }: DialtreeTestApi,
  jobId: string,
  what: string,
  wanted: (snapshot: JobSnapshot) => boolean,
): Promise<JobSnapshot> {
  const watch = store.watch();
  try {
    return await eventually(
      what,
      (look) => store.onDidChange(look),
      () => {
        const snapshot = store.job(jobId);
        return snapshot && wanted(snapshot) ? snapshot : undefined;
      },
      () => store.job(jobId)?.job,
    );
  } finally {
    watch.dispose();
  }
}

export const ended = (snapshot: JobSnapshot): boolean =>
  snapshot.job.status === 'idle' &&
  snapshot.job.currentRun !== undefined &&
  snapshot.job.currentRun.status !== 'running';

export async function changeSetting(name: string, value: unknown): Promise<void> {
  await vscode.workspace.getConfiguration('dialtree').update(name, value, vscode.ConfigurationTarget.Global);
}

/** Returns the mappings view as the user sees it, fully expanded. */
export async function viewText({ view }: DialtreeTestApi): Promise<string> {
  const lines: string[] = [];
  const write = async (element: Parameters<typeof view.getTreeItem>[0] | undefined, depth: number): Promise<void> => {
    for (const child of await view.getChildren(element)) {
      const item = view.getTreeItem(child);
      const label = typeof item.label === 'string' ? item.label : (item.label?.label ?? '');
      lines.push(
        `${'  '.repeat(depth)}${[label, item.description].filter((text) => typeof text === 'string' && text !== '').join(' — ')}`,
      );
      await write(child, depth + 1);
    }
  };
  await write(undefined, 0);
  return lines.join('\n');
}
