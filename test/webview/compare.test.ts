import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { PanelSnapshot } from '../../src/contract/panel.ts';
import { bankTree, changedBank, comparedBank, heatedBank, runOf, snapshotOf, wideTree } from './bankTree.ts';
import { textOf, withShown, withWebview } from './webviewPage.ts';

describe('the comparison with another tree', () => {
  const compared = comparedBank();

  it('counts the changes, and moves from one to the next by key', async () => {
    await withShown(compared, async (webview) => {
      const bar = webview.page.getByRole('region', { name: 'Comparison' });
      assert.match(
        await textOf(bar),
        /Compared with Run 2: 1 added, 1 removed, .*1 reworded, 1 on another key, 1 leading elsewhere, 1 slower\./,
      );
      await webview.tree.focus();
      const seen: string[] = [];
      for (let step = 0; step < 6; step += 1) {
        await webview.press('n');
        seen.push(await textOf(webview.focusedCard.locator('.change')));
      }
      assert.deepEqual(
        new Set(seen),
        new Set(['− removed', '≠ reworded', '+ added', '# on another key', '◷ slower', '↪ leads elsewhere']),
      );
      const first = await webview.focusedCard.getAttribute('data-key');
      await webview.page.keyboard.press('n');
      await webview.press('Shift+N');
      assert.equal(await webview.focusedCard.getAttribute('data-key'), first);
      assert.match(await textOf(bar.getByRole('status')), /^6 of 6: /);
    });
  });

  it('says that the run was cancelled instead of counting what it lacks as removed', async () => {
    const cancelled = runOf(3, 'failed', { endedBy: 'cancel' });
    const base = { title: 'Run 2', tree: heatedBank() };
    await withShown(snapshotOf(changedBank(), cancelled, { base }), async (webview) => {
      const bar = await textOf(webview.page.getByRole('region', { name: 'Comparison' }));
      assert.match(bar, /Compared with Run 2: 1 added, .*1 reworded.* This run was cut short\./);
      assert.doesNotMatch(bar, /\d removed/);
      await webview.screenshot('compared-cancelled');
    });
  });

  it('explains what differs at a step, and offers no call to a removed one', async () => {
    await withShown(compared, async (webview) => {
      const goTo = async (kind: string): Promise<void> => {
        await webview.tree.focus();
        do {
          await webview.press('n');
        } while (!(await webview.focusedCard.evaluate((card, name) => card.classList.contains(name), `is-${kind}`)));
        await webview.press('Enter');
      };
      await goTo('removed');
      assert.match(await textOf(webview.pane), /Changes/);
      assert.equal(await webview.pane.getByRole('button', { name: 'Call this path now' }).count(), 0);
      await goTo('reworded');
      assert.match(await textOf(webview.pane), /Before\[missing: If your\] card.*Now\[extra: For a new\] card/);
      await webview.screenshot('compared-reworded');
      await webview.pane.getByRole('button', { name: 'Call this path now' }).click();
      const stepId = (await webview.focusedCard.getAttribute('data-key')) ?? '';
      assert.deepEqual(await webview.messages('callPath'), [{ type: 'callPath', stepId }]);
      await webview.pane.getByRole('button', { name: 'Generate test of this path' }).click();
      assert.deepEqual(await webview.messages('generateTests'), [{ type: 'generateTests', stepId }]);
    });
  });

  it('keeps a notice that arrives while it is being made', async () => {
    await withWebview(async (webview) => {
      await webview.post(
        snapshotOf(wideTree(1_200), runOf(3, 'completed'), { base: { title: 'Run 2', tree: wideTree(1_200) } }),
      );
      await webview.page.evaluate(
        `fakeEditor.send(${JSON.stringify(snapshotOf(wideTree(1_200), runOf(3, 'completed'), { base: { title: 'Run 1', tree: wideTree(1_200) } }))}); fakeEditor.send({ type: 'notice', message: 'The number is not known.', severity: 'error' })`,
      );
      await webview.until('document.querySelector(".compare .stop-sum")?.textContent.includes("Compared with Run 1")');
      const alert = webview.page.getByRole('alert').filter({ hasText: 'The number is not known.' });
      assert.equal(await alert.isVisible(), true);
      await webview.post(snapshotOf(wideTree(1_200), runOf(3, 'completed')));
      assert.equal(await alert.isVisible(), false);
    });
  });

  it('ends on request, and reports if there are no differences', async () => {
    await withWebview(async (webview) => {
      await webview.post(
        snapshotOf(heatedBank(), runOf(3, 'completed'), { base: { title: 'Run 2', tree: heatedBank() } }),
      );
      assert.match(await textOf(webview.page.getByRole('region', { name: 'Comparison' })), /no differences/);
      await webview.page.getByRole('button', { name: 'Stop comparing' }).click();
      await webview.messages('stopComparing');
      await webview.post(snapshotOf(heatedBank(), runOf(3, 'completed')));
      assert.equal(await webview.page.getByRole('region', { name: 'Comparison' }).isVisible(), false);
    });
  });
});

describe('latencies', () => {
  it('appear on each card, with the way to a person, until they are hidden', async () => {
    await withShown(snapshotOf(heatedBank(), runOf(3, 'completed')), async (webview) => {
      await webview.page.getByRole('button', { name: 'Latency (L)' }).click();
      await webview.painted();
      assert.equal(await webview.card('step-0').locator('.subtitle').textContent(), 'answers after 0.4 s · at 0.4 s');
      assert.match(
        await textOf(webview.page.getByRole('note', { name: 'Latency' })),
        /Time to reach a person: \d+ s if the caller listens to every prompt/,
      );
      await webview.tree.focus();
      await webview.press('l');
      assert.doesNotMatch(await textOf(webview.card('step-0').locator('.subtitle')), /answers after/);
    });
  });
});

describe('a saved tree', () => {
  const { job: _job, ...saved } = snapshotOf(heatedBank(), undefined);

  it('lacks the parts that only a job has', async () => {
    await withShown({ ...saved, runs: [] }, async (webview) => {
      await webview.card('step-8').click();
      for (const name of ['Map again', 'Start mapping', 'Play', 'Open transcript', 'Call this path now'])
        assert.equal(
          await webview.page.getByRole('button', { name, exact: true }).filter({ visible: true }).count(),
          0,
          name,
        );
      assert.equal(await webview.page.getByRole('heading', { level: 1 }).textContent(), 'First Harbour Bank');
      assert.equal(await webview.pane.getByRole('button', { name: /^Copy as keys/ }).count(), 1);
    });
  });
});

describe('the way to a person', () => {
  it('leads to an existing person, even in a comparison', async () => {
    await withWebview(async (webview) => {
      const tree = heatedBank();
      tree.children = tree.children?.filter(({ digit }) => digit !== '9') ?? [];
      tree.options = tree.options?.filter(({ key }) => key !== '9') ?? [];
      const shown = async (more: Partial<PanelSnapshot>): Promise<string | null> => {
        await webview.post(snapshotOf(tree, runOf(3, 'completed'), more));
        return webview.page.getByRole('note', { name: 'Latency' }).textContent();
      };
      await webview.post(snapshotOf(heatedBank(), runOf(3, 'completed')));
      await webview.page.getByRole('button', { name: 'Latency (L)' }).click();
      await webview.painted();
      assert.match(await textOf(webview.page.getByRole('note', { name: 'Latency' })), /\(9\)/);
      const alone = await shown({});
      assert.doesNotMatch(alone ?? '', /\(9\)/);
      assert.equal(await shown({ base: { title: 'Run 2', tree: heatedBank() } }), alone);
    });
  });
});

describe("a tree's picture", () => {
  it('produces an SVG that contains every step as text, with any words, and a PNG', async () => {
    await withWebview(async (webview) => {
      const tree = bankTree();
      Object.assign(tree.children?.[0] ?? {}, { label: '</svg><script>&"\u0001' });
      await webview.post(snapshotOf(tree, runOf(1, 'completed')));
      await webview.post({ type: 'draw', format: 'svg' });
      const [svg] = await webview.messages('picture');
      assert.equal(typeof svg?.picture, 'string');
      const counts = await webview.page.evaluate<number[]>(
        `(() => { const { documentElement } = new DOMParser().parseFromString(${JSON.stringify(svg?.picture)}, 'image/svg+xml'); return [documentElement.nodeName === 'svg' ? 1 : 0, documentElement.querySelectorAll('g > rect').length, documentElement.querySelectorAll('script, parsererror').length]; })()`,
      );
      assert.deepEqual(counts, [1, 24, 0]);
      await webview.post({ type: 'draw', format: 'png' });
      await webview.until('fakeEditor.sent.filter(({ type }) => type === "picture").length === 2');
      const signature = await webview.page.evaluate<number[]>(
        '[...fakeEditor.sent.filter(({ type }) => type === "picture")[1].picture.slice(0, 4)]',
      );
      assert.deepEqual(signature, [0x89, 0x50, 0x4e, 0x47]);
    });
  });

  it('contains the current tree, even if it is compared with another', async () => {
    await withShown(comparedBank(), async (webview) => {
      await webview.post({ type: 'draw', format: 'svg' });
      await webview.messages('picture');
      await webview.post(snapshotOf(changedBank(), runOf(3, 'completed')));
      await webview.post({ type: 'draw', format: 'svg' });
      await webview.until('fakeEditor.sent.filter(({ type }) => type === "picture").length === 2');
      const [compared, alone] = await webview.messages('picture');
      assert.ok(alone?.picture);
      assert.equal(compared?.picture, alone.picture);
    });
  });
});
