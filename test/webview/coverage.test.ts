import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { PanelSnapshot } from '../../src/contract/panel.ts';
import type { TreeNode } from '../../src/contract/tree.ts';
import { markTree } from '../../src/model/tests/pathCoverage.ts';
import type { Walk } from '../../src/model/tests/pathCoverage.ts';
import { bankTree, wideTree } from './bankTree.ts';
import { textOf, withShown, withWebview } from './webviewPage.ts';

const tree: TreeNode = {
  stepId: 'root',
  status: 'explored',
  transcript: 'Welcome. For accounts, press 1. For cards, press 2. For loans, press 3.',
  children: [
    {
      stepId: 'a',
      digit: '1',
      label: 'accounts',
      status: 'explored',
      transcript: 'You have reached accounts. For your balance, press 1.',
      children: [
        {
          stepId: 'b',
          digit: '1',
          label: 'your balance',
          status: 'explored',
          transcript: 'Please enter your account number.',
          end: 'input',
        },
        { stepId: 'm', digit: '9', label: 'main menu', status: 'linked', linksTo: 'root' },
      ],
    },
    { stepId: 'c', digit: '2', label: 'cards', status: 'explored', transcript: 'For a lost or stolen card, press 1.' },
    { stepId: 'l', digit: '3', label: 'loans', status: 'failed' },
  ],
};
const savedTree = (shown: TreeNode, ...walks: Walk[]): PanelSnapshot => ({
  type: 'snapshot',
  name: 'Harbour Bank',
  runs: [],
  tree: { jobId: 'bank.calltree.json', tree: shown },
  ...(walks.length > 0 && { coverage: markTree(shown, walks) }),
});
const saved = savedTree(tree);
const covered = savedTree(tree, [
  { key: '1', heard: 'You have reached accounts. For your balance, press 1.' },
  { key: '9' },
]);

describe("a tree's coverage", () => {
  it('marks each step, counts them, and moves from one uncovered step to the next by key', async () => {
    await withShown(covered, async (webview) => {
      const bar = webview.page.getByRole('region', { name: 'Coverage' });
      assert.match(await textOf(bar), /reached 3 of 5 steps and used 2 of 4 keys and phrases\./);
      const marks = await webview.page
        .locator('.card')
        .evaluateAll((cards) =>
          cards.map((card) => [card.getAttribute('data-key'), card.querySelector('.change')?.textContent]),
        );
      assert.deepEqual(Object.fromEntries(marks), {
        root: '✓ covered',
        a: '✓ covered',
        b: '− not covered',
        m: '✓ covered',
        c: '− not covered',
        l: undefined,
      });
      await webview.tree.focus();
      const seen: (string | null)[] = [];
      for (const key of ['n', 'n', 'n', 'Shift+N']) {
        await webview.press(key);
        seen.push(await webview.focusedCard.getAttribute('data-key'));
      }
      assert.deepEqual(seen, ['b', 'c', 'b', 'c']);
      assert.equal(await bar.getByRole('status').textContent(), '2 of 2: cards: No call reached this step.');
    });
  });

  it('scrolls its target into view, even if its own text takes space', async () => {
    await withWebview(
      async (webview) => {
        const steps: TreeNode[] = ['1', '2', '3', '4', '5', '6', '7'].map((digit) => ({
          stepId: digit,
          digit,
          label: `option ${digit}`,
          status: 'explored',
        }));
        const tall: TreeNode = {
          stepId: 'root',
          status: 'explored',
          transcript: 'Welcome.',
          children: ['1', '2', '3'].map((digit) => ({
            stepId: `m${digit}`,
            digit,
            label: `menu ${digit}`,
            status: 'explored',
            children: steps.map((step) => ({ ...step, stepId: `${digit} > ${step.stepId ?? ''}` })),
          })),
        };
        await webview.post(savedTree(tall));
        await webview.post(savedTree(tall, [{ key: '2' }]));
        for (const expected of ['m1', '1 > 1', '1 > 2']) {
          await webview.page.getByRole('button', { name: /^Next uncovered step/ }).click();
          // The bar's text changes its height, and that of the drawing.
          await webview.painted();
          assert.equal(await webview.focusedCard.getAttribute('data-key'), expected);
          const [card, stage] = [
            await webview.focusedCard.boundingBox(),
            await webview.page.locator('.stage').boundingBox(),
          ];
          assert.ok(
            card && stage && card.y > stage.y && card.y + card.height < stage.y + stage.height,
            `${expected} at ${String(card?.y)} in ${JSON.stringify(stage)}`,
          );
        }
      },
      { context: { viewport: { width: 1000, height: 480 } } },
    );
  });

  it('offers tests for the rest, and is hidden on request', async () => {
    await withShown(covered, async (webview) => {
      await webview.page.getByRole('button', { name: 'Generate tests…' }).click();
      assert.equal((await webview.messages('generateTests')).length, 1);
      await webview.page.getByRole('button', { name: 'Hide' }).click();
      assert.equal((await webview.messages('hideCoverage')).length, 1);
      await webview.post(saved);
      assert.equal(await webview.page.getByRole('region', { name: 'Coverage' }).isVisible(), false);
      assert.equal(await webview.page.locator('.card .change').count(), 0);
    });
  });

  it('gives way to a comparison, and returns after it', async () => {
    await withShown({ ...covered, base: { title: 'main', tree: bankTree() } }, async (webview) => {
      assert.equal(await webview.page.getByRole('region', { name: 'Coverage' }).isVisible(), false);
      assert.equal(await webview.page.getByRole('region', { name: 'Comparison' }).isVisible(), true);
      await webview.post(covered);
      assert.equal(await webview.page.getByRole('region', { name: 'Coverage' }).isVisible(), true);
      assert.equal(await webview.card('b').locator('.change').textContent(), '− not covered');
    });
  });

  it('stays hidden while a large comparison is being made', async () => {
    await withWebview(async (webview) => {
      const wide = wideTree(1_200);
      await webview.post({ ...savedTree(wide, [{ key: '1' }]), base: { title: 'main', tree: wideTree(1_200) } });
      assert.equal(await webview.page.getByRole('region', { name: 'Coverage' }).isVisible(), false);
      await webview.until('document.querySelector(".compare .stop-sum")?.textContent.includes("no differences")');
      assert.equal(await webview.page.locator('.card .change').count(), 0);
    });
  });

  it('names steps that were reached another way', async () => {
    await withWebview(async (webview) => {
      await webview.post(
        savedTree(
          {
            ...tree,
            children: [
              ...(tree.children ?? []),
              { stepId: 'x', digit: '7', label: 'cards too', status: 'linked', linksTo: 'c' },
            ],
          },
          [{ key: '7' }],
        ),
      );
      assert.equal(await webview.card('c').locator('.change').textContent(), '↷ via another branch');
    });
  });

  for (const width of [320, 640, 900]) {
    it(`leaves space for its text and the tree in ${String(width)} pixels, in German too`, async () => {
      await withShown(
        covered,
        async (webview) => {
          await webview.tree.focus();
          await webview.press('n');
          const bar = webview.page.locator('.coverage');
          assert.ok(((await bar.locator('.stop-sum').boundingBox())?.width ?? 0) > 200);
          assert.ok(((await bar.boundingBox())?.height ?? 0) < 200);
          await webview.screenshot(`coverage-${String(width)}`);
        },
        { language: 'de', context: { viewport: { width, height: 640 } } },
      );
    });
  }
});
