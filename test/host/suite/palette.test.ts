import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { DialtreeTestApi } from '../../../src/editor/testApi.ts';
import { dialtree, ticking } from './support.ts';

/** Runs an editor command again and again, until `done` resolves. */
async function until(done: Thenable<unknown>, command: string): Promise<void> {
  const pressing = ticking(() => void vscode.commands.executeCommand(command));
  try {
    await done;
  } finally {
    pressing.dispose();
  }
}

/** Commands that only talk to the editor, so only the editor can show whether they work. */
describe('commands of the palette', () => {
  let api: DialtreeTestApi;
  before(async () => {
    api = await dialtree();
  });

  it('copies the address of a running practice IVR', async () => {
    const { file, uri } = await vscode.commands.executeCommand<{ file: string; uri: string }>(
      'dialtree.practice.start',
      { sample: 'clinic' },
    );
    try {
      await vscode.env.clipboard.writeText('');
      await vscode.commands.executeCommand('dialtree.practice.copyAddress', { file });
      assert.equal(await vscode.env.clipboard.readText(), uri);
    } finally {
      await vscode.commands.executeCommand('dialtree.practice.stop', { file });
    }
    assert.deepEqual(
      api.practice.running.filter((ivr) => ivr.file === file),
      [],
    );
  });

  it('reads the runs again, and older ones', async () => {
    await vscode.commands.executeCommand('dialtree.runs.refresh');
    assert.equal(api.runs.isRead, true);
    const before = api.runs.rows.length;
    await vscode.commands.executeCommand('dialtree.runs.loadMore');
    assert.ok(api.runs.rows.length >= before);
  });

  it('refuses a number that no line serves, and saves nothing for it', async () => {
    const before = await api.connection.call('listMappings', {});
    const creating = vscode.commands.executeCommand('dialtree.mapping.new', { target: '+12025550199' });
    await until(creating, 'notifications.clearAll');
    assert.deepEqual(await api.connection.call('listMappings', {}), before);
  });

  it('searches the prompts for the given words', async () => {
    const searching = vscode.commands.executeCommand('dialtree.mapping.searchPrompts', 'words that no IVR says');
    await until(searching, 'workbench.action.acceptSelectedQuickOpenItem');
  });

  it("opens settings where this window's extension host has them", async () => {
    await vscode.commands.executeCommand('dialtree.line.showInSettings');
    const { activeTab } = vscode.window.tabGroups.activeTabGroup;
    assert.match(activeTab?.label ?? '', /Settings/);
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
  });

  it('opens its menu, and closes it without an action', async () => {
    const choosing = vscode.commands.executeCommand('dialtree.service.showMenu');
    await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
    await choosing;
    assert.equal(api.connection.mode, 'embedded');
  });
});
