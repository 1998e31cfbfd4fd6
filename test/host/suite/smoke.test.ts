import assert from 'node:assert/strict';
import * as vscode from 'vscode';

describe('the editor', () => {
  it('knows the extension', () => {
    assert.ok(vscode.extensions.getExtension('dialtree.dialtree'), 'dialtree.dialtree is not among the extensions');
  });

  it('activates the extension', async () => {
    const extension = vscode.extensions.getExtension('dialtree.dialtree');
    await extension?.activate();
    assert.equal(extension?.isActive, true);
  });
});
