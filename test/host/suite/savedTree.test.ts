import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { PanelSnapshot } from '../../../src/contract/panel.ts';
import type { TreePanel } from '../../../src/editor/panels/trees/treePanel.ts';
import { calltreeEditorType } from '../../../src/editor/panels/trees/treePanels.ts';
import type { DialtreeTestApi } from '../../../src/editor/testApi.ts';
import { dialtree, eventually, filesOf, replaceText, ticking } from './support.ts';

/** The editor of `*.calltree.json` in the window, with its page. */
describe('a saved tree', () => {
  let api: DialtreeTestApi, uri: vscode.Uri;
  const { at, write, remove } = filesOf('trees');
  const text = (label: string): string =>
    JSON.stringify({
      name: 'Corner Shop',
      tree: {
        stepId: 'a',
        label: '',
        status: 'explored',
        transcript: 'Welcome. For orders, press 1.',
        children: [
          { stepId: 'b', digit: '1', label, status: 'explored', transcript: `${label}. Goodbye.`, end: 'hangup' },
        ],
      },
    });
  const shownWhen = (
    panel: TreePanel,
    what: string,
    wanted: (snapshot: PanelSnapshot) => boolean,
  ): Promise<PanelSnapshot> =>
    eventually(what, ticking, () =>
      panel.lastSnapshot && wanted(panel.lastSnapshot) ? panel.lastSnapshot : undefined,
    );

  before(async () => {
    api = await dialtree();
    uri = at('shop.calltree.json');
    await write('shop.calltree.json', text('orders'));
  });
  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await remove();
  });

  it('opens as a drawing, and follows its text', async () => {
    await vscode.commands.executeCommand('vscode.open', uri);
    const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
    assert.ok(input instanceof vscode.TabInputCustom && input.viewType === calltreeEditorType);
    const panel = api.panels.find(uri.toString());
    assert.ok(panel);
    await shownWhen(
      panel,
      'the tree',
      ({ name, job, tree }) =>
        name === 'Corner Shop' && job === undefined && tree.tree?.children?.[0]?.label === 'orders',
    );
    await replaceText(uri, text('returns'));
    await shownWhen(panel, 'what was typed', ({ tree }) => tree.tree?.children?.[0]?.label === 'returns');
    const broken = new vscode.WorkspaceEdit();
    broken.insert(uri, new vscode.Position(0, 0), '{');
    await vscode.workspace.applyEdit(broken);
    assert.equal(
      panel.lastSnapshot?.tree.tree?.children?.[0]?.label,
      'returns',
      'text that is no tree leaves the last one standing',
    );
    await vscode.commands.executeCommand('workbench.action.files.revert');
  });

  it('gives its step to the commands of the menu', async () => {
    await vscode.commands.executeCommand('vscode.open', uri);
    const panel = await eventually('the tree in front', ticking, () => api.panels.active);
    assert.deepEqual(panel.place, { uri: uri.toString() });
    const step = { plays: false, calls: false, isMapped: false, isHere: true, isPractice: false };
    const context = { webview: calltreeEditorType, key: 'b', stepId: 'b', path: '1', prompt: 'Goodbye.', ...step };
    await vscode.commands.executeCommand('dialtree.step.copyPath', context);
    assert.equal(await vscode.env.clipboard.readText(), '1');
    await vscode.commands.executeCommand('dialtree.step.copyPrompt', context);
    assert.equal(await vscode.env.clipboard.readText(), 'Goodbye.');
  });

  it('has a page that exports it as SVG and PNG', async () => {
    const panel = await api.panels.open({ uri: uri.toString() });
    assert.ok(panel);
    await shownWhen(panel, 'the tree', ({ tree }) => tree.tree !== null);
    assert.match(String(await panel.draw('svg')), /^<svg [^]*orders/);
    const png = await panel.draw('png');
    assert.ok(png instanceof Uint8Array);
    assert.deepEqual([...png.slice(1, 4)], [...new TextEncoder().encode('PNG')]);
  });
});
