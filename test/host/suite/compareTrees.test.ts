import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { dialtree } from './support.ts';

/** Two saved trees in the editor's own diff editor. */
describe('trees compared', () => {
  let before: vscode.Uri, now: vscode.Uri;
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
  const write = (to: vscode.Uri, what: string): Thenable<void> =>
    vscode.workspace.fs.writeFile(to, new TextEncoder().encode(what));

  beforeEach(async () => {
    await dialtree();
    const [workspace] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(workspace);
    [before, now] = ['before', 'now'].map((name) =>
      vscode.Uri.joinPath(workspace.uri, 'compared', `${name}.calltree.json`),
    ) as [vscode.Uri, vscode.Uri];
    await write(before, text('We open at nine.'));
    await write(now, text('we open at 9!'));
  });
  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.workspace.fs.delete(vscode.Uri.joinPath(before, '..'), { recursive: true });
  });

  const diffTab = (): vscode.TabInputTextDiff | undefined =>
    vscode.window.tabGroups.all
      .flatMap(({ tabs }) => tabs.map(({ input }) => input))
      .find((input) => input instanceof vscode.TabInputTextDiff);
  const opened = async (): Promise<vscode.TabInputTextDiff> => {
    for (;;) {
      const input = diffTab();
      if (input) return input;
      await new Promise<void>((resolve) => {
        const watch = vscode.window.tabGroups.onDidChangeTabs(() => {
          watch.dispose();
          resolve();
        });
      });
    }
  };
  const linesOf = async (uri: vscode.Uri): Promise<string[]> =>
    (await vscode.workspace.openTextDocument(uri)).getText().split('\n');

  it('appear side by side as text that shows their differences', async () => {
    await write(now, text('We open at ten.'));
    // The command waits until its message is closed.
    void vscode.commands.executeCommand('dialtree.tree.compare', now, [before, now]);
    const { original, modified } = await opened();
    const [was, is] = [await linesOf(original), await linesOf(modified)];
    assert.deepEqual(was, [
      'says Welcome.',
      'says For opening hours, press 1.',
      '1 opening hours',
      '  says We open at nine.',
      '  says Goodbye.',
      '  ends with hangup',
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
    const file = await vscode.workspace.openTextDocument(now);
    const edit = new vscode.WorkspaceEdit();
    edit.replace(
      now,
      new vscode.Range(file.positionAt(0), file.positionAt(file.getText().length)),
      text('We open at eleven.'),
    );
    await vscode.workspace.applyEdit(edit);
    assert.ok(await file.save());
    await changed;
    assert.ok(document.getText().includes('says We open at eleven.'));
  });
});
