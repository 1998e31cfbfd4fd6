import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { stepContextSchema, type StepContext } from '../../src/contract/stepContext.ts';
import { bankTree, runOf, snapshotOf } from './bankTree.ts';
import { withShown } from './webviewPage.ts';
import type { WebviewPage } from './webviewPage.ts';

const shown = snapshotOf(bankTree(), runOf(1, 'completed'));

async function contextOf(webview: WebviewPage, stepId: string): Promise<StepContext> {
  const text = (await webview.card(stepId).getAttribute('data-vscode-context')) ?? '';
  const context = JSON.parse(text) as Record<string, unknown>;
  assert.deepEqual([context['webviewSection'], context['preventDefaultContextMenuItems']], ['dialtree.step', true]);
  return stepContextSchema.parse(context);
}

describe('the menu of a card', () => {
  it('has what makes sense for its step', async () => {
    await withShown(shown, async (webview) => {
      const menu = await contextOf(webview, 'step-8');
      assert.match(menu.prompt, /^If your card was lost/);
      assert.deepEqual(
        [menu.path, menu.plays, menu.calls, menu.isMapped, menu.isHere, menu.isPractice],
        ['2', true, true, true, true, false],
      );
      const first = await contextOf(webview, 'step-0');
      assert.deepEqual([first.path, first.calls], ['', false]);
      await webview.post({ ...shown, isPractice: true });
      assert.equal((await contextOf(webview, 'step-8')).isPractice, true);
      const { job: _job, ...saved } = shown;
      await webview.post(saved);
      const { plays, calls, isMapped, isHere, path } = await contextOf(webview, 'step-8');
      assert.deepEqual([plays, calls, isMapped, isHere, path], [false, false, false, true, '2']);
    });
  });

  it('opens for the focused card by keyboard', async () => {
    await withShown(shown, async (webview) => {
      await webview.card('step-8').click();
      await webview.until(`document.querySelector('.card.is-focused')?.dataset.key === 'step-8'`);
      await webview.page.evaluate(`{
        globalThis.asked = [];
        addEventListener('contextmenu', (event) => { asked.push([event.target.dataset.key, event.clientX > 0 && event.clientY > 0]); event.preventDefault(); });
      }`);
      await webview.press('Shift+F10');
      await webview.tree.dispatchEvent('contextmenu', { button: 0 });
      const asked = await webview.page.evaluate<unknown[]>('asked');
      assert.ok(asked.length > 0);
      for (const one of asked) assert.deepEqual(one, ['step-8', true]);
    });
  });

  it('offers the clipboard only in text fields', async () => {
    await withShown(shown, async (webview) => {
      const items = (selector: string): Promise<unknown> =>
        webview.page.evaluate(
          `JSON.parse(document.querySelector(${JSON.stringify(selector)}).closest('[data-vscode-context]').dataset.vscodeContext).preventDefaultContextMenuItems`,
        );
      assert.deepEqual(
        [await items('.stage'), await items('.head'), await items('vscode-text-field')],
        [true, true, false],
      );
    });
  });

  it('plays the sound of its step', async () => {
    await withShown(shown, async (webview) => {
      await webview.post({ type: 'play', key: 'step-8' });
      assert.deepEqual(await webview.messages('requestAudio'), [{ type: 'requestAudio', stepId: 'step-8' }]);
      assert.ok(await webview.pane.isVisible());
    });
  });
});
