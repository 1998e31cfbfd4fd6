import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { DialtreeTestApi } from '../../../src/editor/testApi.ts';
import { dialtree, eventually, filesOf, replaceText, ticking } from './support.ts';

/** Two saved trees as one drawing, and in the editor's own diff editor. */
describe('trees compared', () => {
  const { at, write, remove } = filesOf('compared');
  const [before, now] = ['before.calltree.json', 'now.calltree.json'] as const;
  const text = (hours: string): string =>
    JSON.stringify({
      name: 'Corner Shop',
      tree: {
        stepId: 'a',
        status: 'explored',
        transcript: 'Welcome. For opening hours, press 1.',
        children: [
          {
            stepId: 'b',
            digit: '1',
            label: 'opening hours',
            status: 'explored',
            transcript: `${hours} Goodbye.`,
            end: 'hangup',
          },
        ],
      },
    });

  let api: DialtreeTestApi;
  beforeEach(async () => {
    api = await dialtree();
    await write(before, text('We open at nine.'));
    await write(now, text('we open at 9!'));
  });
  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await remove();
  });

  const diffTab = (): vscode.TabInputTextDiff | undefined =>
    vscode.window.tabGroups.all
      .flatMap(({ tabs }) => tabs.map(({ input }) => input))
      .find((input) => input instanceof vscode.TabInputTextDiff);
  const opened = (): Promise<vscode.TabInputTextDiff> =>
    eventually('the comparison is open', (look) => vscode.window.tabGroups.onDidChangeTabs(look), diffTab);
  const linesOf = async (uri: vscode.Uri): Promise<string[]> =>
    (await vscode.workspace.openTextDocument(uri)).getText().split('\n');

  it('appear as a drawing in one tab, and on request side by side as text', async () => {
    await write(now, text('We open at ten.'));
    await vscode.commands.executeCommand('dialtree.tree.compare', at(now), [at(before), at(now)]);
    const panel = await eventually('the drawing compares', ticking, () => {
      const one = api.panels.find(at(now).toString());
      return one?.lastSnapshot?.base ? one : undefined;
    });
    assert.equal(vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).length, 1);
    assert.equal(diffTab(), undefined);
    void panel.act({ type: 'openCompared' });
    const { original, modified } = await opened();
    const [was, is] = [await linesOf(original), await linesOf(modified)];
    assert.deepEqual(was, [
      'says Welcome.',
      'says For opening hours, press 1.',
      '1 opening hours',
      '  says We open at nine.',
      '  says Goodbye.',
      '  hangs up',
      '',
    ]);
    assert.deepEqual([is.length, is.filter((line) => !was.includes(line))], [was.length, ['  says We open at ten.']]);
    assert.equal((await vscode.workspace.openTextDocument(original)).languageId, 'plaintext');
    // The text follows the file.
    const document = await vscode.workspace.openTextDocument(modified);
    const changed = new Promise<void>((resolve) => {
      const watch = vscode.workspace.onDidChangeTextDocument((change) => {
        if (change.document === document) {
          watch.dispose();
          resolve();
        }
      });
    });
    const file = await replaceText(at(now), text('We open at eleven.'));
    assert.ok(await file.save());
    await changed;
    assert.ok(document.getText().includes('says We open at eleven.'));
  });
});
