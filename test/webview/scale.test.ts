import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { loadTimelinePoints } from '../../src/contract/loadTests.ts';
import { Timeline } from '../../src/engine/load/timeline.ts';
import { markTree } from '../../src/model/tests/pathCoverage.ts';
import { changedWideTree, runOf, snapshotOf, wideTree } from './bankTree.ts';
import { hourOfSound, longRun, longTranscript } from './longRun.ts';
import { endedTest } from './loadRecords.ts';
import { textOf, withShown, withWebview } from './webviewPage.ts';
import type { WebviewPage } from './webviewPage.ts';

/** Returns the maximum number of elements while fitting, zooming step by step, and panning. */
async function maxElements(webview: WebviewPage): Promise<number> {
  const counts: number[] = [await webview.elements()];
  await webview.tree.focus();
  for (const key of ['0', ...Array.from({ length: 24 }, () => '+')]) {
    await webview.press(key);
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

const marked = (webview: WebviewPage): Promise<void> =>
  webview.until('document.querySelector(".compare .stop-steps")?.hidden === false');
const sum = async (webview: WebviewPage): Promise<string> => textOf(webview.page.locator('.compare .stop-sum'));

describe('a tree of 10,000 nodes @full', function () {
  // Longer than the wait for a page, so that the page can report what is missing.
  const compared = snapshotOf(changedWideTree(10_000), runOf(2, 'completed'), {
    base: { title: 'Run 1', tree: wideTree(10_000) },
  });

  it('needs a bounded number of elements', async () => {
    await withShown(snapshotOf(wideTree(10_000), runOf(1, 'completed')), async (webview) =>
      assert.ok((await maxElements(webview)) < 600),
    );
  });

  it('needs no more in a comparison, and with its latencies', async () => {
    await withShown(compared, async (webview) => {
      await marked(webview);
      assert.ok((await maxElements(webview)) < 640, 'compared');
      await webview.press('l');
      assert.ok(
        (await webview.page.locator('.card.heated').count()) > 0 ||
          (await webview.tree.getAttribute('data-detail')) === 'far',
      );
      assert.ok((await maxElements(webview)) < 640, 'with latencies');
    });
  });

  it('shows its coverage', async () => {
    await withWebview(async (webview) => {
      const tree = wideTree(10_000);
      await webview.post({
        ...snapshotOf(tree, runOf(1, 'completed')),
        coverage: markTree(tree, [[{ key: '1' }, { key: '2' }], [{ key: '3' }]]),
      });
      assert.match(
        await textOf(webview.page.getByRole('region', { name: 'Coverage' })),
        /reached 4 of 10,000 steps and used 3 of 9,999 keys/,
      );
      assert.ok((await maxElements(webview)) < 640, 'covered');
    });
  });

  it('appears before it is compared, and keeps its position when the marks come', async () => {
    await withWebview(async (webview) => {
      await webview.page.evaluate(`{
        // What stands on the page when the first frame of a snapshot has been made.
        globalThis.first = undefined;
        addEventListener('message', () => requestAnimationFrame(() => { first ??= { cards: document.querySelectorAll('.card').length, sum: document.querySelector('.compare .stop-sum').textContent, isOver: document.querySelector('.compare .stop-steps').hidden === false }; }));
      }`);
      await webview.post(compared);
      await marked(webview);
      const first = await webview.page.evaluate<{ cards: number; sum: string; isOver: boolean }>('first');
      assert.ok(first.cards > 10);
      assert.deepEqual([first.sum, first.isOver], ['Comparing with Run 1…', false]);
      assert.match(await sum(webview), /^Compared with Run 1: \d+ added, \d+ removed, /);
      await webview.tree.focus();
      await webview.press('n');
      assert.equal(await webview.focusedCard.locator('.change').count(), 1);
    });
  });

  it('shows the last comparison while it grows, until the next one is ready', async () => {
    await withShown(compared, async (webview) => {
      await marked(webview);
      const before = await sum(webview);
      await webview.page.evaluate(`{
        globalThis.sums = new Set();
        new MutationObserver(() => { sums.add(document.querySelector('.compare .stop-sum').textContent); }).observe(document.querySelector('.compare'), { subtree: true, childList: true, characterData: true, attributes: true });
      }`);
      const grown = changedWideTree(10_000);
      grown.children?.push({
        stepId: 'grown',
        digit: '#',
        label: 'A directory of extensions',
        status: 'explored',
        transcript: 'Dial the extension of the person you want to reach.',
      });
      const added = (text: string): number => Number(/(\d+) added/.exec(text)?.[1]);
      for (let times = 0; times < 4; times += 1)
        await webview.post({ ...compared, tree: { ...compared.tree, tree: grown } });
      await webview.until(`[...sums].some((sum) => sum.includes('${added(before) + 1} added'))`);
      assert.deepEqual(
        await webview.page.evaluate<string[]>('[...sums].filter((sum) => !sum.startsWith("Compared with"))'),
        [],
      );
    });
  });

  it('returns to the plain tree immediately, even during a comparison', async () => {
    await withShown(compared, async (webview) => {
      await webview.post(snapshotOf(wideTree(10_000), runOf(2, 'completed')));
      for (let frames = 0; frames < 5; frames += 1) await webview.painted();
      assert.equal(await webview.page.getByRole('region', { name: 'Comparison' }).isVisible(), false);
    });
  });
});

describe('the report of a one-hour call @full', () => {
  const turns = 2_000;
  /**
   * The elements that take part in the layout, without empty boxes of turns and steps: the others exist only for
   * searching, and cost nothing.
   */
  const laidOut = (webview: WebviewPage): Promise<number> =>
    webview.page.evaluate<number>(
      "[...document.querySelectorAll('#app :not(.turn, .step)')].filter((part) => part.checkVisibility({ contentVisibilityAuto: true })).length",
    );
  const withReport = (work: (webview: WebviewPage) => Promise<void>): Promise<void> =>
    withWebview(work, { entry: 'report' });
  const all = (webview: WebviewPage): Promise<void> =>
    webview.until(`document.querySelectorAll('.turn').length === ${turns}`);

  it('draws the beginning before the rest, and lays out only what is visible', async () => {
    await withReport(async (webview) => {
      await webview.page.evaluate(`{
        globalThis.first = undefined;
        // Called before the frame in which the page goes on.
        addEventListener('message', () => { first = undefined; queueMicrotask(() => { first ??= document.querySelectorAll('#app *').length; }); });
      }`);
      await webview.post(longRun(turns, 200));
      const first = await webview.page.evaluate<number>('first');
      assert.ok(first > 300 && first < 2_000, `${first} elements before the first frame`);
      await all(webview);
      assert.equal(await webview.page.locator('.step').count(), 200);
      const [whole, seen] = [await webview.elements(), await laidOut(webview)];
      assert.ok(seen > 100 && seen < 1_000, `${seen} of ${whole} elements laid out`);
      assert.ok((await webview.page.locator('.call-mark').count()) <= 80);
    });
  });

  it('leads to a step and to a moment anywhere, even while the rest is being made', async () => {
    await withReport(async (webview) => {
      await webview.page.evaluate(`fakeEditor.send(${JSON.stringify(longRun(turns, 200))})`);
      const isSeen = (): Promise<boolean> =>
        webview.page.evaluate<boolean>(
          '(() => { const { top, bottom } = document.activeElement.getBoundingClientRect(); return document.activeElement !== document.body && bottom > 0 && top < innerHeight; })()',
        );
      await webview.wordsOf(199).press('Enter');
      await webview.painted();
      assert.match(await textOf(webview.page.locator('.turn[aria-current=true]')), /service number 199|\[keys 9\]/);
      assert.equal(await isSeen(), true, 'the turn');
      await webview.page.locator('.turn[aria-current=true] .step-mark').press('Enter');
      await webview.painted();
      assert.equal(await webview.page.evaluate('document.activeElement.dataset.step'), '199');
      assert.equal(await isSeen(), true, 'the step');
    });
  });

  it('makes one turn when one arrives', async () => {
    await withReport(async (webview) => {
      const run = longRun(turns, 3);
      await webview.post(run);
      await all(webview);
      await webview.page.evaluate(`{
        globalThis.made = 0;
        new MutationObserver((records) => { made += records.reduce((sum, { addedNodes }) => sum + addedNodes.length, 0); }).observe(document.querySelector('.turns'), { childList: true });
      }`);
      await webview.post({ ...run, run: { ...run.run, transcript: longTranscript(turns + 1) } });
      await webview.until(`document.querySelectorAll('.turn').length === ${turns + 1}`);
      assert.equal(await webview.page.evaluate('made'), 1);
    });
  });

  it('draws and plays its recording', async () => {
    await withReport(async (webview) => {
      await webview.post(longRun(turns, 3));
      await webview.page.getByRole('button', { name: 'Play' }).click();
      await webview.messages('requestAudio');
      await webview.page.evaluate(
        `{ ${hourOfSound} dispatchEvent(new MessageEvent('message', { data: { type: 'audio', wav: hourOfSound() } })); }`,
      );
      await webview.page.locator('.player[data-phase="ready"]').waitFor();
      assert.equal(
        await webview.page.getByRole('slider', { name: 'Position in the recording' }).getAttribute('aria-valuemax'),
        '3600.0',
      );
      await webview.page.locator('.player[data-playing="true"]').waitFor();
    });
  });
});

describe('the report of a one-hour load test @full', () => {
  it('draws as many points as a record holds, and a row for each on request', async () => {
    await withWebview(
      async (webview) => {
        const timeline = new Timeline();
        for (let second = 1; second <= 3600; second += 1)
          timeline.add({
            second,
            placed: second * 2,
            answered: second * 2 - 1,
            active: Math.min(500, second),
            failed: Math.floor(second / 100),
          });
        const { stats, ...test } = endedTest().test;
        assert.ok(stats);
        await webview.post({
          ...endedTest(),
          test: { ...test, holdSeconds: 3580, stats: { ...stats, timeline: timeline.points() } },
        });
        const before = await webview.elements();
        assert.ok(before < 700, `${before} elements`);
        await webview.page.locator('summary').press('Enter');
        await webview.until(`document.querySelectorAll('.numbers tbody tr').length === ${timeline.points().length}`);
        assert.ok((await webview.elements()) - before <= loadTimelinePoints * 6);
      },
      { entry: 'load' },
    );
  });
});
