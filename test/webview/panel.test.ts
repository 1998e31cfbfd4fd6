import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { TreeNode } from '../../src/contract/tree.ts';
import { bankTree, runOf, snapshotOf } from './bankTree.ts';
import { makeWav } from './speechLikeWav.ts';
import { textOf, withShown, withWebview } from './webviewPage.ts';

const completed = runOf(3, 'completed');

describe('the panel', () => {
  it('can be used by keyboard alone, from the first key to the sound', async () => {
    await withShown(snapshotOf(bankTree(), completed), async (webview) => {
      const { keyboard } = webview.page;
      for (let presses = 0; presses < 20 && !(await webview.treeHasFocus()); presses += 1) await keyboard.press('Tab');
      await keyboard.press('ArrowRight');
      await keyboard.press('ArrowDown');
      await keyboard.press('ArrowRight');
      await keyboard.press(' ');
      const [request] = await webview.messages('requestAudio');
      assert.deepEqual(request, { type: 'requestAudio', stepId: 'step-2' });
      await webview.post({ type: 'audio', stepId: 'step-2', wav: makeWav(5) });
      await webview.page.locator('.player[data-playing="true"]').waitFor();
      const slider = webview.pane.getByRole('slider', { name: 'Position in the recording' });
      assert.equal(await slider.getAttribute('aria-valuemax'), '5.0');
      await keyboard.press(' ');
      await webview.page.locator('.player[data-playing="false"]').waitFor();
      await slider.focus();
      await keyboard.press('End');
      await webview.until('Number(document.querySelector("[role=slider]").ariaValueNow) > 4.5');
      await keyboard.press('Escape');
      await webview.painted();
      assert.equal(await webview.pane.isVisible(), false);
      assert.equal(await webview.treeHasFocus(), true);
    });
  });

  it("explains why a recording can't be played, and tries again", async () => {
    await withShown(snapshotOf(bankTree(), completed), async (webview) => {
      await webview.card('step-8').click();
      await webview.pane.getByRole('button', { name: 'Play' }).click();
      await webview.messages('requestAudio');
      await webview.post({ type: 'audio', stepId: 'step-8', error: 'The recording has expired.' });
      assert.match(await textOf(webview.pane.getByRole('alert')), /expired/);
      await webview.pane.getByRole('button', { name: 'Retry' }).click();
      assert.equal((await webview.sent('requestAudio')).length, 2);
      await webview.post({ type: 'audio', stepId: 'step-8', wav: makeWav(1) });
      await webview.page.locator('.player[data-phase="ready"]').waitFor();
      assert.equal(await webview.pane.getByRole('alert').textContent(), '');
      await webview.pane.getByRole('button', { name: 'Speed 1×' }).click();
      await webview.painted();
      assert.equal(await webview.page.evaluate('document.querySelector("audio")?.playbackRate ?? 1.5'), 1.5);
    });
  });

  it('finds search results, through collapsed parents, and shows the position among them', async () => {
    await withShown(snapshotOf(bankTree(), completed), async (webview) => {
      await webview.page.getByRole('button', { name: 'Collapse all' }).click();
      await webview.tree.focus();
      await webview.page.keyboard.press('/');
      await webview.page.keyboard.type('stolen');
      await webview.painted();
      const count = webview.page.locator('.match-count');
      assert.equal(await count.textContent(), '1 of 3');
      assert.equal(await webview.card('step-8').locator('.twistie.hides-match').count(), 1);
      await webview.press('Enter');
      assert.equal(await count.textContent(), '2 of 3');
      assert.equal(await webview.focusedCard.getAttribute('data-key'), 'step-9');
      assert.equal(await webview.card('step-9').locator('mark').textContent(), 'stolen');
      await webview.press('Shift+Enter');
      assert.equal(await webview.focusedCard.getAttribute('data-key'), 'step-8');
      await webview.press('Escape');
      assert.equal(await webview.page.locator('.card mark').count(), 0);
      assert.equal(await webview.treeHasFocus(), true);
    });
  });

  it('shows another run, and finds the chosen step in it again', async () => {
    await withShown(snapshotOf(bankTree(), completed), async (webview) => {
      await webview.card('step-10').click();
      const picker = webview.page.getByRole('combobox', { name: 'Run' });
      assert.match(await textOf(picker), /Run 3 · completed · 10 menus · 1.2× the minimum/);
      await picker.click();
      await webview.page.getByRole('option', { name: /Run 2/ }).click();
      assert.deepEqual(await webview.messages('showRun'), [{ type: 'showRun', version: 2 }]);
      const other = JSON.parse(JSON.stringify(bankTree()).replaceAll('"step-', '"other-')) as TreeNode;
      await webview.post({ ...snapshotOf(other, completed), version: 2 });
      assert.match(await textOf(picker.locator('[slot="selected-value"]')), /^Run 2/);
      assert.equal(await webview.focusedCard.getAttribute('data-key'), 'other-10');
      assert.equal(await webview.pane.getByRole('heading', { level: 2 }).textContent(), 'Activate a new card');
    });
  });

  it("shows an IVR's words as text, with any content", async () => {
    await withWebview(async (webview) => {
      const attack = '<img src=x onerror="window.broken=1"><script>window.broken=1</script><b>bold</b>';
      const tree = bankTree();
      Object.assign(tree, {
        label: attack,
        transcript: attack,
        reason: attack,
        options: [{ key: '1', label: attack }],
        phrases: [attack],
      });
      Object.assign(tree.children?.[0] ?? {}, { stepId: '"><img src=x>', label: attack });
      const snapshot = snapshotOf(tree, runOf(1, 'failed', { reason: attack }));
      await webview.post({ ...snapshot, name: attack });
      await webview.card('step-0').click();
      await webview.page.keyboard.press('/');
      await webview.page.keyboard.type('<img');
      await webview.post({ type: 'notice', message: attack, severity: 'error' });
      assert.equal(await webview.page.locator('img, b').count(), 0);
      assert.equal(await webview.page.evaluate('window.broken'), undefined);
      assert.equal(await webview.card('step-0').locator('.title').textContent(), attack);
      assert.ok((await webview.pane.textContent())?.includes(attack));
    });
  });

  it('starts and cancels, once per press', async () => {
    await withShown(snapshotOf(null, undefined), async (webview) => {
      await webview.page.getByRole('button', { name: 'Start mapping' }).dblclick();
      assert.equal((await webview.messages('start')).length, 1);
      await webview.post(snapshotOf(bankTree(), runOf(1, 'running')));
      const cancel = webview.page.getByRole('button', { name: 'Cancel' });
      await cancel.click();
      assert.equal((await webview.messages('cancel')).length, 1);
      await webview.until('document.querySelector("vscode-button[disabled]") !== null');
      await webview.post(snapshotOf(bankTree(), runOf(1, 'completed')));
      assert.equal(await cancel.isVisible(), false);
      assert.match(await textOf(webview.page.locator('.unseen')), /Run 1 is complete\. Totals: 10 menus, 19 calls/);
    });
  });

  it('shows all details of a step, and offers the next actions', async () => {
    await withShown(
      snapshotOf(bankTree(), completed),
      async (webview) => {
        await webview.card('step-2').click();
        await webview.painted();
        const text = await textOf(webview.pane);
        for (const part of [
          'Asks for data',
          'account number',
          'ten digit account number',
          '10 digits',
          '#',
          '5.1 s',
          'Step ID',
        ])
          assert.ok(text.includes(part), `${part} is missing`);
        await webview.pane.getByRole('button', { name: 'Open transcript' }).click();
        assert.deepEqual(await webview.messages('openTranscript'), [{ type: 'openTranscript', stepId: 'step-2' }]);
        await webview.pane.getByRole('button', { name: 'Copy the path' }).click();
        assert.equal(await webview.page.evaluate('navigator.clipboard.readText()'), '1 > 1');
        await webview.card('step-8').click();
        await webview.pane.getByRole('button', { name: '3 your PIN Goes to voicemail' }).click();
        await webview.painted();
        assert.equal(await webview.focusedCard.getAttribute('data-key'), 'step-11');
      },
      { context: { permissions: ['clipboard-read', 'clipboard-write'] } },
    );
  });

  it('keeps the selection in the step while a run is active', async () => {
    await withShown(snapshotOf(bankTree(), runOf(1, 'running')), async (webview) => {
      await webview.card('step-8').click();
      await webview.pane.locator('blockquote').evaluate((quote) => {
        quote.setAttribute('data-mine', 'yes');
      });
      await webview.post(snapshotOf(bankTree(), runOf(1, 'running')));
      assert.equal(await webview.pane.locator('blockquote').getAttribute('data-mine'), 'yes');
    });
  });

  it('resizes its step by keyboard and by pointer', async () => {
    await withShown(snapshotOf(bankTree(), completed), async (webview) => {
      await webview.card('step-8').click();
      const splitter = webview.page.getByRole('separator', { name: 'Size of the step pane' });
      await splitter.focus();
      await webview.press('ArrowLeft');
      assert.equal(await splitter.getAttribute('aria-valuenow'), '384');
      assert.equal((await webview.pane.boundingBox())?.width, 384);
      const { x, y } = (await splitter.boundingBox()) ?? assert.fail('no splitter');
      await webview.page.mouse.move(x + 2, y + 100);
      await webview.page.mouse.down();
      await webview.page.mouse.move(x - 98, y + 100, { steps: 3 });
      await webview.page.mouse.up();
      await webview.painted();
      assert.equal((await webview.pane.boundingBox())?.width, 484);
    });
  });

  it('fits into 320 pixels, with the step below', async () => {
    await withShown(
      snapshotOf(bankTree(), completed),
      async (webview) => {
        await webview.page.evaluate('document.querySelector(".card").click()');
        await webview.painted();
        assert.ok(
          (await webview.page.evaluate<number>('document.querySelector("#app").scrollWidth')) <= 320,
          'the page is wider than the window',
        );
        const [pane, stage] = [await webview.pane.boundingBox(), await webview.tree.boundingBox()];
        assert.ok(pane && stage && pane.y >= stage.y + stage.height - 1 && pane.width <= 320 && stage.height > 60);
        await webview.screenshot('narrow');
      },
      { context: { viewport: { width: 320, height: 640 } } },
    );
  });
});
