import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { DialtreeTestApi } from '../../../src/editor/testApi.ts';
import { dialtree, eventually } from './support.ts';

describe('pages of the embedded service', function () {
  let api: DialtreeTestApi;

  before(async () => {
    api = await dialtree();
  });
  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  /** Resolves with the text of the page whose Markdown preview is in front. */
  const previewed = async (name: string): Promise<string> => {
    const isPreview = (tab: vscode.Tab | undefined): boolean =>
      (tab?.input instanceof vscode.TabInputWebview || tab?.input instanceof vscode.TabInputCustom) &&
      tab.input.viewType.includes('markdown.preview') &&
      tab.label.includes(name);
    await eventually(
      `a preview of ${name} is in front`,
      (look) => vscode.window.tabGroups.onDidChangeTabs(look),
      () => (isPreview(vscode.window.tabGroups.activeTabGroup.activeTab) ? true : undefined),
    );
    const isPage = ({ uri }: vscode.TextDocument): boolean =>
      uri.scheme === 'dialtree-page' && uri.path.endsWith(`/${name}`);
    return (
      await eventually(
        `${name} is read`,
        (look) => vscode.workspace.onDidOpenTextDocument(look),
        () => vscode.workspace.textDocuments.find(isPage),
      )
    ).getText();
  };

  it('opens guides as Markdown, one after the other', async () => {
    const { items } = await api.connection.call('listGuides', {});
    assert.ok(items.length > 0, 'the service has no guides');
    for (const { slug, title } of [items[0]!, items.at(-1)!]) {
      await vscode.commands.executeCommand('dialtree.guide.open', { slug });
      const text = await previewed(`${title.replaceAll('/', '-')}.md`);
      assert.match(text, /^# /);
      assert.match(text, /^## /m);
    }
  });
});
