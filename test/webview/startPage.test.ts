import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ToWebview } from '../../src/contract/panel.ts';
import { findings } from './accessibility.ts';
import { bankTree, runOf, snapshotOf } from './bankTree.ts';
import { endedTest } from './loadRecords.ts';
import { failedRun, handCall } from './reportRun.ts';
import type { WebviewPage } from './webviewPage.ts';
import { textOf, withShown, withWebview } from './webviewPage.ts';

const pages = [
  { entry: 'tree', data: snapshotOf(bankTree(), runOf(3, 'completed')) },
  { entry: 'report', data: failedRun() },
  { entry: 'load', data: endedTest() },
  { entry: 'hand', data: handCall() },
] as const;

/** Returns the words and the buttons that can be seen. */
const visible = (webview: WebviewPage): Promise<{ text: string; buttons: string[] }> =>
  webview.page.evaluate(`({
    text: document.querySelector('#app').innerText.replaceAll(/\\s+/g, ' ').trim(),
    buttons: [...document.querySelectorAll('#app vscode-button')]
      .filter((button) => button.checkVisibility())
      .map((button) => button.ariaLabel ?? button.textContent.trim()),
  })`);

for (const { entry, data } of pages)
  describe(`a page of the kind "${entry}"`, () => {
    it('shows nothing of itself while it waits for data, and then the data', async () => {
      await withWebview(
        async (webview) => {
          assert.deepEqual(await visible(webview), { text: 'Loading…', buttons: [] });
          assert.equal(await webview.page.getByRole('status').count(), 1);
          const state = await webview.page.evaluate('sessionStorage.getItem("state")');
          assert.equal(state, '{"subject":"subject"}', 'for a restored window');
          for (const gone of ['header', 'main', '.banner'])
            assert.equal(await webview.page.locator(gone).count(), 0, gone);
          await webview.post(data);
          const { text, buttons } = await visible(webview);
          assert.ok(text.includes(data.name) && !text.includes('Loading'), text);
          assert.ok(buttons.length > 0);
          assert.equal(await webview.page.locator('.standby').count(), 0);
        },
        { entry },
      );
    });

    it('shows an error before any data as its only message, and tries again', async () => {
      const notice = { type: 'notice', message: 'The service cannot be reached.', severity: 'error' } as const;
      await withShown(
        notice,
        async (webview) => {
          assert.deepEqual(await visible(webview), {
            text: 'The service cannot be reached. Try again',
            buttons: ['Try again'],
          });
          assert.equal(await webview.page.getByRole('alert').count(), 1);
          await webview.page.getByRole('button', { name: 'Try again' }).click();
          assert.deepEqual(await webview.messages('refresh'), [{ type: 'refresh' }]);
          assert.equal((await visible(webview)).text, 'Loading…');
          await webview.post(notice);
          assert.deepEqual((await visible(webview)).buttons, ['Try again']);
          await webview.post(data);
          assert.ok((await visible(webview)).text.includes(data.name));
          assert.equal(await webview.page.getByRole('alert').count(), 0);
        },
        { entry },
      );
    });

    it('shows a message instead of data that it cannot draw', async () => {
      await withWebview(
        async (webview) => {
          for (const before of [undefined, data]) {
            if (before) await webview.post(before);
            await webview.post({ type: 'snapshot', name: 'Bank' } as ToWebview);
            assert.deepEqual(await visible(webview), {
              text: "Couldn't show this page. Try again, or report the issue. Try again",
              buttons: ['Try again'],
            });
            assert.ok(webview.problems.length > 0, 'the cause is in the log');
            webview.problems.length = 0;
          }
          await webview.post(data);
          assert.ok((await visible(webview)).text.includes(data.name));
        },
        { entry },
      );
    });
  });

describe("the page of a tree's file", () => {
  const problem: ToWebview = {
    type: 'notice',
    message: 'tree: This is a number, but must be an object in { }.',
    severity: 'error',
    place: { line: 3, column: 11 },
  };

  it('shows the problem of an invalid file with its place, and opens the text there', async () => {
    await withShown(problem, async (webview) => {
      assert.deepEqual(await visible(webview), {
        text: "This file isn't a tree tree: This is a number, but must be an object in { }. Line 3, column 11 Open in Text Editor",
        buttons: ['Open in Text Editor'],
      });
      assert.deepEqual(await findings(webview), []);
      await webview.screenshot('invalid-file');
      await webview.page.getByRole('button', { name: 'Open in Text Editor' }).click();
      assert.deepEqual(await webview.messages('openText'), [{ type: 'openText', line: 3, column: 11 }]);
    });
  });

  it('keeps the last tree while the text is invalid, with the problem above it', async () => {
    await withShown(snapshotOf(bankTree(), undefined), async (webview) => {
      await webview.post(problem);
      const banner = webview.page.getByRole('alert');
      assert.match(await textOf(banner), /^This file isn't a tree\. tree: This is a number.* Line 3, column 11/);
      assert.ok((await webview.page.locator('.card').count()) > 3);
      await banner.getByRole('button', { name: 'Open in Text Editor' }).click();
      assert.equal((await webview.messages('openText')).length, 1);
    });
  });
});
