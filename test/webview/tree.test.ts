import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Locator } from 'playwright-core';
import type { TreeNode } from '../../src/contract/tree.ts';
import { findings } from './accessibility.ts';
import { bankTree, runOf, snapshotOf, wideTree } from './bankTree.ts';
import { withShown, withWebview } from './webviewPage.ts';
import type { WebviewPage } from './webviewPage.ts';

const running = runOf(2, 'running');

type Box = NonNullable<Awaited<ReturnType<Locator['boundingBox']>>>;

async function boxOf(webview: WebviewPage, stepId: string): Promise<Box> {
  return (await webview.card(stepId).boundingBox()) ?? assert.fail(`${stepId} is not drawn`);
}

const overlaps = (a: Box, b: Box): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
const near = (a: Box, b: Box): boolean => Math.abs(a.x - b.x) < 1 && Math.abs(a.y - b.y) < 1;

const grown = (tree: TreeNode, count: number): TreeNode => {
  tree.children?.[0]?.children?.unshift(
    ...Array.from({ length: count }, (_, at): TreeNode => ({
      stepId: `new-${at}`,
      digit: '8',
      label: `New step ${at}`,
      status: 'explored',
    })),
  );
  return tree;
};

describe('the drawn tree', () => {
  it('keeps the focused step in place while the tree grows above it, and fades new steps in', async () => {
    await withShown(snapshotOf(bankTree(), running), async (webview) => {
      await webview.card('step-13').click();
      await webview.painted();
      const before = await boxOf(webview, 'step-13');
      await webview.post(snapshotOf(grown(bankTree(), 12), running));
      assert.ok(near(before, await boxOf(webview, 'step-13')), 'the selected card has moved');
      assert.notEqual(await webview.page.locator('.card.fresh').count(), 0);
      assert.equal(await webview.card('step-13').evaluate((card) => card.classList.contains('fresh')), false);
    });
  });

  it('keeps the middle of the screen in place if nothing is selected', async () => {
    await withShown(snapshotOf(bankTree(), running), async (webview) => {
      await webview.page.mouse.move(700, 500);
      await webview.page.mouse.wheel(30, 60);
      await webview.painted();
      const before = await boxOf(webview, 'step-12');
      await webview.post(snapshotOf(grown(bankTree(), 5), running));
      assert.ok(near(before, await boxOf(webview, 'step-12')));
    });
  });

  it('follows a growing tree until the user moves it', async () => {
    await withWebview(async (webview) => {
      const root: TreeNode = { stepId: 'step-0', label: 'First', status: 'exploring', children: [] };
      await webview.post(snapshotOf(root, running));
      await webview.post(snapshotOf(bankTree(), running));
      for (const stepId of ['step-0', 'step-1', 'step-23']) {
        const { y, height } = await boxOf(webview, stepId);
        assert.ok(y > 80 && y + height < 800, `${stepId} lies outside`);
      }
    });
  });

  it("follows the focus into parts that aren't drawn", async () => {
    await withShown(snapshotOf(wideTree(10_000), runOf(1, 'completed')), async (webview) => {
      await webview.tree.focus();
      await webview.press('End');
      const active = await webview.tree.getAttribute('aria-activedescendant');
      const card = webview.page.locator(`#${active ?? ''}`);
      assert.equal(await card.getAttribute('aria-posinset'), '10');
      const box = await card.boundingBox();
      assert.ok(box && box.y > 0 && box.y < 800 && box.x < 1280);
      await webview.press('Home');
      assert.equal(await webview.focusedCard.getAttribute('data-key'), 'n0');
    });
  });

  it('presents a tree to a screen reader', async () => {
    await withShown(snapshotOf(bankTree(), running), async (webview) => {
      const cards = webview.page.getByRole('treeitem', {
        name: '2 Cards If your card was lost or stolen, press 1. To activate a new card, press 2. For your PIN, p… Explored',
      });
      assert.equal(await cards.getAttribute('aria-level'), '2');
      assert.equal(await cards.getAttribute('aria-posinset'), '2');
      assert.equal(await cards.getAttribute('aria-setsize'), '8');
      assert.equal(await cards.getAttribute('aria-expanded'), 'true');
      assert.equal(await webview.card('step-2').getAttribute('aria-expanded'), null);
      assert.equal(
        await webview.page
          .getByRole('treeitem', { name: '7 Staff line Hangs up Hangs up, not offered by any prompt' })
          .count(),
        1,
      );
    });
  });

  it('marks an unsure step on its card and in its pane', async () => {
    const tree = bankTree();
    const cards = tree.children?.find(({ label }) => label === 'Cards');
    assert.ok(cards);
    cards.unsure = true;
    await withShown(snapshotOf(tree, running), async (webview) => {
      const card = webview.page.getByRole('treeitem', { name: /^2 Cards .* \? unsure$/ });
      const why = 'This machine was busy, so this step may be different or may not exist. Map again to confirm.';
      assert.equal(await card.getByTitle(why).count(), 1);
      const badge = (await card.getByTitle(why).boundingBox()) ?? assert.fail('no badge');
      for (const text of await webview.page.locator('.card :is(.title, .subtitle, .key)').all()) {
        const box = (await text.boundingBox()) ?? assert.fail('no text');
        assert.ok(!overlaps(badge, box), `the badge covers ${(await text.textContent()) ?? ''}`);
      }
      await card.click();
      await webview.painted();
      assert.equal(await webview.page.getByRole('complementary', { name: 'Step' }).getByText(why).count(), 1);
      assert.deepEqual(await findings(webview), []);
    });
  });

  it('collapses and expands by pointer', async () => {
    await withShown(snapshotOf(bankTree(), running), async (webview) => {
      const before = await boxOf(webview, 'step-8');
      await webview.card('step-8').locator('.twistie').click();
      await webview.painted();
      assert.equal(await webview.card('step-9').count(), 0);
      assert.equal(await webview.card('step-8').locator('.twistie').textContent(), '+4');
      assert.ok(near(before, await boxOf(webview, 'step-8')), 'the card left the hand');
      await webview.page.getByRole('button', { name: 'Collapse all' }).click();
      await webview.painted();
      assert.equal(await webview.page.locator('.card').count(), 9);
      await webview.page.getByRole('button', { name: 'Expand all' }).click();
      await webview.painted();
      assert.equal(await webview.page.locator('.card').count(), 24);
    });
  });

  it('follows a run after everything is collapsed, until the user selects a step', async () => {
    await withWebview(async (webview) => {
      const isKept = (state: string): Promise<void> =>
        webview.until(
          `(({ collapsed, following }) => ${state})(JSON.parse(sessionStorage.getItem('state')).kept ?? {})`,
        );
      await webview.post(snapshotOf(bankTree(), running));
      await webview.page.getByRole('button', { name: 'Collapse all' }).click();
      await isKept('collapsed?.length > 0 && following === true');
      await webview.tree.focus();
      await webview.page.keyboard.press('ArrowRight');
      await isKept('following === false');
      await webview.page.keyboard.press('0');
      await isKept('following === true');
    });
  });

  it('follows the next run from its root, wherever the user was in the last one', async () => {
    await withShown(snapshotOf(bankTree(), runOf(2, 'completed')), async (webview) => {
      await webview.page.mouse.move(700, 400);
      await webview.page.mouse.wheel(900, 900);
      await webview.painted();
      const root: TreeNode = { stepId: 'first', status: 'exploring', transcript: 'Welcome.' };
      await webview.post(snapshotOf(root, runOf(3, 'running')));
      const stage = (await webview.tree.boundingBox()) ?? assert.fail('no stage');
      const card = await boxOf(webview, 'first');
      assert.ok(card.x >= stage.x && card.y >= stage.y, 'the root is off the screen');
      assert.ok(card.x + card.width <= stage.x + stage.width && card.y + card.height <= stage.y + stage.height);
    });
  });

  it('jumps from a linked step to the equal menu', async () => {
    await withShown(snapshotOf(bankTree(), running), async (webview) => {
      await webview.card('step-23').locator('.jump').click();
      await webview.painted();
      assert.equal(await webview.focusedCard.getAttribute('data-key'), 'step-8');
      await webview.press('End');
      await webview.press('Enter');
      assert.equal(await webview.focusedCard.getAttribute('data-key'), 'step-8');
    });
  });

  it("pans by drag and wheel, zooms by pinch, and doesn't mistake a drag for a click", async () => {
    await withShown(snapshotOf(bankTree(), running), async (webview) => {
      const start = await boxOf(webview, 'step-8');
      await webview.page.mouse.move(start.x + 20, start.y + 20);
      await webview.page.mouse.down();
      await webview.page.mouse.move(start.x + 60, start.y + 50, { steps: 4 });
      await webview.page.mouse.up();
      await webview.painted();
      const dragged = await boxOf(webview, 'step-8');
      assert.ok(near(dragged, { ...start, x: start.x + 40, y: start.y + 30 }), 'the drag');
      assert.equal(await webview.pane.isVisible(), false);
      await webview.page.mouse.wheel(10, 25);
      await webview.painted();
      const scrolled = await boxOf(webview, 'step-8');
      assert.ok(near(scrolled, { ...dragged, x: dragged.x - 10, y: dragged.y - 25 }), 'the wheel');
      await webview.page.mouse.move(scrolled.x, scrolled.y);
      await webview.page.keyboard.down('Control');
      await webview.page.mouse.wheel(0, -100);
      await webview.page.keyboard.up('Control');
      await webview.painted();
      const zoomed = await boxOf(webview, 'step-8');
      assert.ok(zoomed.width > scrolled.width * 1.1 && near(zoomed, scrolled), 'the pinch');
    });
  });

  it('shows a step that the editor reveals, through collapsed parents', async () => {
    await withShown(snapshotOf(bankTree(), running), async (webview) => {
      await webview.page.getByRole('button', { name: 'Collapse all' }).click();
      await webview.post({ type: 'reveal', stepId: 'step-6' });
      assert.equal(await webview.focusedCard.getAttribute('data-key'), 'step-6');
      assert.equal(await webview.pane.getByRole('heading', { level: 2 }).textContent(), 'Pay somebody else');
    });
  });

  it('shows a step that was to be revealed before the tree existed', async () => {
    await withShown({ type: 'reveal', stepId: 'step-11' }, async (webview) => {
      await webview.post(snapshotOf(bankTree(), running));
      assert.equal(await webview.focusedCard.getAttribute('data-key'), 'step-11');
    });
  });

  it('returns after a reload, even if the tree has grown meanwhile', async () => {
    await withShown(snapshotOf(bankTree(), running), async (webview) => {
      await webview.card('step-13').click();
      await webview.card('step-1').locator('.twistie').click();
      await webview.page.mouse.move(400, 700);
      await webview.page.mouse.wheel(0, 40);
      await webview.painted();
      const before = await boxOf(webview, 'step-13');
      await webview.open();
      await webview.post(snapshotOf(grown(bankTree(), 3), running));
      assert.ok(near(before, await boxOf(webview, 'step-13')));
      assert.equal(await webview.card('step-1').getAttribute('aria-expanded'), 'false');
      assert.equal(await webview.pane.getByRole('heading', { level: 2 }).textContent(), 'Loans and mortgages');
    });
  });
});
