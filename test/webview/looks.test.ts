import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'mocha';
import { themeNames } from '../support/themes.ts';
import { findings } from './accessibility.ts';
import { bankTree, comparedBank, runOf, snapshotOf } from './bankTree.ts';
import { makeWav } from './speechLikeWav.ts';
import { bundleWebview, withFolder, withShown } from './webviewPage.ts';

describe('the appearance', () => {
  for (const theme of themeNames) {
    it(`stays visible and readable in the theme ${theme}`, async () => {
      await withShown(
        snapshotOf(bankTree(), runOf(3, 'running')),
        async (webview) => {
          await webview.card('step-8').click();
          await webview.pane.getByRole('button', { name: 'Play' }).click();
          await webview.messages('requestAudio');
          await webview.post({ type: 'audio', stepId: 'step-8', wav: makeWav(9.8) });
          await webview.page.locator('.player[data-phase="ready"]').waitFor();
          await webview.page.keyboard.press('/');
          await webview.page.keyboard.type('card');
          await webview.post(snapshotOf(bankTree(), runOf(3, 'limited', { limitReason: 'max_calls' })));
          await webview.post({ type: 'notice', message: 'The service cannot be reached.', severity: 'error' });
          assert.deepEqual(await findings(webview), [], 'the step, the search and the banners');
          await webview.screenshot(`step-${theme}`);
        },
        { theme, context: { viewport: { width: 1400, height: 860 } } },
      );
    });

    it(`shows differences and slow steps visibly in the theme ${theme}`, async () => {
      await withShown(
        comparedBank(),
        async (webview) => {
          await webview.page.keyboard.press('Tab');
          await webview.page.getByRole('button', { name: 'Next change (N)' }).click();
          await webview.card('step-8').click();
          assert.deepEqual(await findings(webview), [], 'the comparison');
          await webview.screenshot(`compare-${theme}`);
          await webview.page.keyboard.press('l');
          assert.deepEqual(await findings(webview), [], 'the latencies');
          await webview.screenshot(`latency-${theme}`);
        },
        { theme, context: { viewport: { width: 1400, height: 860 } } },
      );
    });
  }

  for (const entry of ['tree', 'report', 'load', 'hand'] as const)
    it(`comes from a small script on the page ${entry}`, async () => {
      await withFolder(async (folder) => {
        const { bytes } = await bundleWebview(folder, entry);
        assert.ok(bytes < 400_000, `${bytes} bytes`);
      });
    });

  it('takes every colour from the theme', async () => {
    for (const name of ['page', 'player', 'tree', 'report', 'load', 'hand']) {
      const styles = await readFile(new URL(`../../webview/${name}/${name}.css`, import.meta.url), 'utf8');
      assert.deepEqual(styles.match(/#[0-9a-f]{3,8}\b(?!\w)|rgba?\(|hsla?\(/gi) ?? [], [], name);
    }
  });
});
