import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { DialtreeTestApi } from '../../../src/editor/testApi.ts';
import { dialtree, eventually } from './support.ts';

describe('the report of an issue', function () {
  let api: DialtreeTestApi;
  before(async () => {
    api = await dialtree();
    await api.store.refresh();
  });
  after(async () => {
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  it('opens as an unsaved text without keys', async () => {
    // Resolves when its message is gone.
    void vscode.commands.executeCommand('dialtree.issue.report');
    const text = await eventually(
      'the report is shown',
      (look) => vscode.window.onDidChangeActiveTextEditor(look),
      () => {
        const document = vscode.window.activeTextEditor?.document;
        return document?.isUntitled === true && document.languageId === 'markdown' ? document.getText() : undefined;
      },
    );
    for (const part of [
      '## Environment',
      '- Service: embedded, ready',
      '- dialtree.mapping.maxCalls: ',
      'The service is ready',
    ])
      assert.ok(text.includes(part), part);
    const { state } = api.embedded;
    assert.ok(state.kind === 'ready');
    assert.equal(text.includes(state.address.apiKey), false);
    assert.doesNotMatch(text, /dt_\w{8}_\w/);
  });
});
