import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { HandSnapshot } from '../../../src/contract/handPanel.ts';
import type { HandPanel } from '../../../src/editor/panels/hand/handPanel.ts';
import type { DialtreeTestApi } from '../../../src/editor/testApi.ts';
import { unlessBusy } from '../../support/unlessBusy.ts';
import { dialtree, eventually, filesOf, ticking, writeShortBank } from './support.ts';

describe('a call by hand', () => {
  let api: DialtreeTestApi;
  const { at, remove } = filesOf('hand');
  const files = vscode.workspace.getConfiguration('files');
  const shown = (panel: HandPanel, what: string, wanted: (snapshot: HandSnapshot) => boolean): Promise<HandSnapshot> =>
    eventually(
      what,
      ticking,
      () => (panel.lastSnapshot && wanted(panel.lastSnapshot) ? panel.lastSnapshot : undefined),
      () => panel.lastSnapshot?.run,
    );
  const heard = ({ run }: HandSnapshot): string =>
    (run.transcript ?? []).map(({ speaker, text }) => `${speaker}: ${text}`).join(' ');

  before(async () => {
    api = await dialtree();
    // The keys are pressed once the words are text, which a busy machine is late with.
    await writeShortBank(at('bank.ivr.json'), 30_000);
    // A native dialog has no command that accepts it.
    await files.update('simpleDialog.enable', true, vscode.ConfigurationTarget.Global);
  });
  after(async () => {
    await files.update('simpleDialog.enable', undefined, vscode.ConfigurationTarget.Global);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    for (const ivr of api.practice.running) await api.practice.stop(ivr.file);
    await remove();
  });

  it('presses keys on a practice IVR, shows its words, hangs up, and becomes a test', async function () {
    await vscode.commands.executeCommand('dialtree.call.start', { file: at('bank.ivr.json').fsPath });
    const panel = await eventually('the page of the call', ticking, () => api.hands.shown[0]);
    await shown(panel, 'the greeting', (snapshot) => /for cards/i.test(heard(snapshot)));
    panel.act({ type: 'press', key: '1', secret: false });
    await shown(panel, 'the menu of the key', (snapshot) => /us: \[keys 1\] them: .*balance/i.test(heard(snapshot)));
    panel.act({ type: 'hangUp' });
    const { run } = await shown(panel, 'the end of the call', (snapshot) => snapshot.run.status === 'completed');
    assert.deepEqual([run.outcome, run.hangUp?.by], ['PASS', 'us']);
    assert.ok(run.audioUrl !== undefined && run.configId !== undefined);
    const { fromFile, name } = await api.connection.call('getTestConfig', { id: run.configId });
    assert.deepEqual([fromFile, name], [undefined, 'Call by hand']);

    const saving = panel.act({ type: 'save', as: 'calltest' }) as Promise<void>;
    let isSaved = false;
    void saving.finally(() => {
      isSaved = true;
    });
    await eventually('the test is saved', ticking, () => {
      void vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
      return isSaved || undefined;
    });
    const uri = vscode.window.activeTextEditor?.document.uri ?? at('none');
    const file = JSON.parse(new TextDecoder().decode(await vscode.workspace.fs.readFile(uri))) as {
      readonly ivr: string;
      readonly steps: readonly { readonly action: object; readonly expectedTranscript?: string }[];
    };
    await api.explorer.discover();
    const repeated = await unlessBusy(this, async () => {
      await vscode.commands.executeCommand('dialtree.test.run', { file: uri.fsPath });
      const item = api.explorer.items.find(({ id }) => id === uri.toString()) ?? assert.fail('the test is not listed');
      const runId = (await api.explorer.runOf(item)) ?? assert.fail('not run');
      return api.connection.call('getRunResults', { runId });
    });
    assert.deepEqual(
      [repeated.outcome, repeated.guided, run.guided],
      ['PASS', undefined, true],
      JSON.stringify(repeated.steps),
    );
    await vscode.workspace.fs.delete(uri);
    assert.equal(file.ivr, 'hand/bank.ivr.json');
    assert.deepEqual(
      file.steps.map(({ action }) => action),
      [{ type: 'dial' }, { type: 'press', keys: '1' }, { type: 'hangUp' }],
    );
    assert.match(file.steps[1]?.expectedTranscript ?? '', /balance/i);
  });

  it('hangs up when its page is closed, and keeps the run', async () => {
    await vscode.commands.executeCommand('dialtree.call.start', { file: at('bank.ivr.json').fsPath });
    const panel = await eventually('the page of the call', ticking, () =>
      api.hands.shown.find(({ lastSnapshot }) => lastSnapshot?.run.status === 'running'),
    );
    const { run } = await shown(panel, 'the greeting', (snapshot) => /for cards/i.test(heard(snapshot)));
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    // The page that followed the run is gone.
    let ended = run;
    while (ended.status === 'running') {
      await new Promise((resolve) => setTimeout(resolve, 200));
      ended = await api.connection.call('getRunResults', { runId: run.id });
    }
    assert.deepEqual([ended.outcome, ended.hangUp?.by, ended.audioUrl !== undefined], ['PASS', 'us', true]);
  });
});
