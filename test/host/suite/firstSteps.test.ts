import assert from 'node:assert/strict';
import path from 'node:path';
import * as vscode from 'vscode';
import type { DialtreeTestApi } from '../../../src/editor/testApi.ts';
import { unlessBusy } from '../../support/unlessBusy.ts';
import { dialtree, eventually } from './support.ts';

describe('first steps', function () {
  let api: DialtreeTestApi;
  before(async () => {
    api = await dialtree();
  });
  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    for (const ivr of api.practice.running) await api.practice.stop(ivr.file);
  });

  it('open as a walkthrough', async () => {
    await vscode.commands.executeCommand('dialtree.walkthrough.open', { step: 'mission' });
    await eventually(
      'the walkthrough is open',
      (look) => vscode.window.tabGroups.onDidChangeTabs(look),
      () => {
        const { activeTab } = vscode.window.tabGroups.activeTabGroup;
        return activeTab !== undefined && /welcome|walkthrough/i.test(activeTab.label) ? activeTab : undefined;
      },
    );
  });

  it('run a mission without an open workspace, in a copy that the user can change @full', async function () {
    const listed = (): vscode.TestItem | undefined =>
      api.explorer.items.find(
        ({ uri }) => uri?.path.endsWith('/bank.mission.json') && !vscode.workspace.getWorkspaceFolder(uri),
      );
    const results = await unlessBusy(this, async () => {
      await vscode.commands.executeCommand('dialtree.test.runMission', { sample: 'bank' });
      const called = listed() ?? assert.fail('the Test Explorer does not list the sample');
      const runId = (await api.explorer.runOf(called)) ?? assert.fail('the sample was not called');
      return api.connection.call('getRunResults', { runId });
    });
    const item = listed();
    assert.ok(item?.uri);
    assert.equal(vscode.workspace.getWorkspaceFolder(item.uri), undefined);
    const runId = results.id;
    assert.equal(results.outcome, 'PASS', JSON.stringify(results, undefined, 2));
    assert.ok(api.reports.find(runId), 'no report is open');
    assert.ok(
      vscode.workspace.textDocuments.some(({ uri }) => uri.toString() === item.uri?.toString()),
      'its file is not open',
    );
    // It stays when the workspace's files are searched again.
    await api.explorer.discover();
    await vscode.commands.executeCommand('testing.refreshTests');
    assert.ok(api.explorer.items.includes(item));
    const files = await vscode.workspace.fs.readDirectory(vscode.Uri.file(path.dirname(item.uri.fsPath)));
    assert.ok(files.some(([name]) => name === 'bank.ivr.json'));
  });

  it('reports an unknown sample', async () => {
    const before = api.explorer.items.length;
    await vscode.commands.executeCommand('dialtree.test.runMission', { sample: '../bank' });
    assert.equal(api.explorer.items.length, before);
  });
});
