import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { changedWideTree, runOf, snapshotOf, wideTree } from './bankTree.ts';
import { withWebview } from './webviewPage.ts';
import type { WebviewPage } from './webviewPage.ts';

/** The most elements that were there while somebody fits, zooms in step by step, and pans. */
async function mostElements(webview: WebviewPage): Promise<number> {
  const counts: number[] = [await webview.elements()];
  await webview.tree.focus();
  for (const key of ['0', ...Array.from({ length: 24 }, () => '+')]) {
    await webview.page.keyboard.press(key);
    await webview.painted();
    counts.push(await webview.elements());
  }
  await webview.page.mouse.move(600, 400);
  for (let turn = 0; turn < 6; turn += 1) {
    await webview.page.mouse.wheel(200, 900);
    await webview.painted();
    counts.push(await webview.elements());
  }
  assert.ok(Math.max(...counts) > 150, 'no cards were drawn at all');
  return Math.max(...counts);
}

const marked = (webview: WebviewPage): Promise<void> => webview.until('document.querySelector(".compare-steps")?.hidden === false');
const sum = async (webview: WebviewPage): Promise<string> => await webview.page.locator('.compare-sum').textContent() ?? '';

describe('a tree of 10,000 nodes', () => {
  const compared = snapshotOf(changedWideTree(10_000), runOf(2, 'completed'), { base: { title: 'Run 1', tree: wideTree(10_000) } });

  it('is drawn with a bounded number of elements', async () => {
    await withWebview(async (webview) => {
      await webview.post(snapshotOf(wideTree(10_000), runOf(1, 'completed')));
      assert.ok(await mostElements(webview) < 600);
    });
  });

  it('is drawn so against another one, and with its latencies', async () => {
    await withWebview(async (webview) => {
      await webview.post(compared);
      await marked(webview);
      assert.ok(await mostElements(webview) < 640, 'compared');
      await webview.page.keyboard.press('l');
      await webview.painted();
      assert.ok(await webview.page.locator('.card.heated').count() > 0 || await webview.tree.getAttribute('data-detail') === 'far');
      assert.ok(await mostElements(webview) < 640, 'with latencies');
    });
  });

  it('is drawn before it is compared, and keeps its place when the marks come', async () => {
    await withWebview(async (webview) => {
      await webview.page.evaluate(`{
        // What stands on the page when the first frame of a snapshot has been made.
        globalThis.first = undefined;
        addEventListener('message', () => requestAnimationFrame(() => { first ??= { cards: document.querySelectorAll('.card').length, sum: document.querySelector('.compare-sum').textContent, isOver: document.querySelector('.compare-steps').hidden === false }; }));
      }`);
      await webview.post(compared);
      await marked(webview);
      const first = await webview.page.evaluate<{ cards: number; sum: string; isOver: boolean }>('first');
      assert.ok(first.cards > 10);
      assert.deepEqual([first.sum, first.isOver], ['Comparing with Run 1…', false]);
      assert.match(await sum(webview), /^Compared with Run 1: \d+ added, \d+ removed, /);
      await webview.tree.focus();
      await webview.page.keyboard.press('n');
      await webview.painted();
      assert.equal(await webview.focusedCard.locator('.change').count(), 1);
    });
  });

  it('shows the last comparison while it grows, until the next one is there', async () => {
    await withWebview(async (webview) => {
      await webview.post(compared);
      await marked(webview);
      const before = await sum(webview);
      await webview.page.evaluate(`{
        globalThis.sums = new Set();
        new MutationObserver(() => { sums.add(document.querySelector('.compare-sum').textContent); }).observe(document.querySelector('.compare'), { subtree: true, childList: true, characterData: true, attributes: true });
      }`);
      const grown = changedWideTree(10_000);
      grown.children?.push({ stepId: 'grown', digit: '#', label: 'A directory of extensions', status: 'explored', transcript: 'Dial the extension of the person you want to reach.' });
      const added = (text: string): number => Number(/(\d+) added/.exec(text)?.[1]);
      for (let times = 0; times < 4; times += 1) await webview.post({ ...compared, tree: { ...compared.tree, tree: grown } });
      await webview.until(`[...sums].some((sum) => sum.includes('${added(before) + 1} added'))`);
      assert.deepEqual(await webview.page.evaluate<string[]>('[...sums].filter((sum) => !sum.startsWith("Compared with"))'), []);
    });
  });

  it('goes back to the plain tree at once, though it is still being compared', async () => {
    await withWebview(async (webview) => {
      await webview.post(compared);
      await webview.post(snapshotOf(wideTree(10_000), runOf(2, 'completed')));
      for (let frames = 0; frames < 5; frames += 1) await webview.painted();
      assert.equal(await webview.page.getByRole('region', { name: 'Comparison' }).isVisible(), false);
    });
  });
});
