import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { bankTree, runOf, snapshotOf, wideTree } from './bankTree.ts';
import { textOf, withShown } from './webviewPage.ts';
import type { WebviewPage } from './webviewPage.ts';

const completed = runOf(1, 'completed');
const large = snapshotOf(wideTree(250), completed);

/** Returns the size of the smallest text in the cards on the screen, in pixels. */
const smallestTitle = (webview: WebviewPage): Promise<number> =>
  webview.page.evaluate<number>(
    `Math.min(...[...document.querySelectorAll('.card .title')].map((title) => parseFloat(getComputedStyle(title).fontSize) * title.getBoundingClientRect().height / title.offsetHeight))`,
  );

/** Returns true if all of the card is within the stage. */
const isSeen = async (webview: WebviewPage, key: string): Promise<boolean> => {
  const [card, stage] = [
    (await webview.card(key).count()) === 0 ? null : await webview.card(key).boundingBox(),
    await webview.tree.boundingBox(),
  ];
  assert.ok(stage);
  return (
    card !== null &&
    card.x >= stage.x &&
    card.y >= stage.y &&
    card.x + card.width <= stage.x + stage.width &&
    card.y + card.height <= stage.y + stage.height
  );
};

describe('a large tree', () => {
  it('opens with two levels unfolded', async () => {
    await withShown(large, async (webview) => {
      await webview.until(`JSON.parse(sessionStorage.getItem('state') ?? '{}').kept?.collapsed?.length > 0`);
      await webview.press('0');
      const level = (number: number): Promise<number> =>
        webview.page.locator(`.card[aria-level="${String(number)}"]`).count();
      assert.ok((await level(2)) > 0 && (await level(3)) > 0);
      assert.equal(await level(4), 0);
    });
  });

  it('keeps what the user has unfolded when the page is shown again, and when it grows', async () => {
    await withShown(large, async (webview) => {
      await webview.page.getByRole('button', { name: 'Expand all' }).click();
      await webview.until(`JSON.parse(sessionStorage.getItem('state') ?? '{}').kept?.collapsed?.length === 0`);
      await webview.open();
      await webview.post(large);
      assert.equal(await webview.page.locator('.card[aria-expanded="false"]').count(), 0);
    });
    await withShown(snapshotOf(bankTree(), completed), async (webview) => {
      await webview.post(snapshotOf(wideTree(250), runOf(1, 'running')));
      assert.equal(await webview.page.locator('.card[aria-expanded="false"]').count(), 0);
    });
  });

  it('fits only as far as its titles are readable, with the focused step on the screen', async () => {
    await withShown(large, async (webview) => {
      await webview.page.getByRole('button', { name: 'Expand all' }).click();
      await webview.tree.focus();
      await webview.press('End');
      await webview.press('0');
      assert.ok((await smallestTitle(webview)) > 8.9, String(await smallestTitle(webview)));
      assert.ok(await isSeen(webview, (await webview.focusedCard.getAttribute('data-key')) ?? ''));
    });
  });
});

describe('the overview of a tree', () => {
  const strip = (webview: WebviewPage) => webview.page.locator('.overview');

  it('shows the tree beside the stage and moves the view to where the pointer is', async () => {
    await withShown(large, async (webview) => {
      await webview.page.getByRole('button', { name: 'Expand all' }).click();
      await webview.painted();
      const [box, stage] = [await strip(webview).boundingBox(), await webview.tree.boundingBox()];
      assert.ok(box && stage);
      assert.ok(box.x >= stage.x + stage.width, 'the strip covers no card');
      assert.equal(await isSeen(webview, 'n10'), false, 'the last option of the first menu');
      await webview.page.mouse.move(box.x + box.width * 0.4, box.y + 20);
      await webview.page.mouse.down();
      const last = (await webview.page.locator('.overview-steps').getAttribute('d')) ?? '';
      assert.equal(last.match(/M/g)?.length, 250);
      await webview.page.mouse.move(box.x + box.width * 0.4, box.y + box.height - 8);
      await webview.page.mouse.up();
      await webview.painted();
      assert.equal(await webview.tree.evaluate((tree) => tree.matches('.dragging')), false);
      assert.ok(await isSeen(webview, 'n10'));
      await webview.press('/');
      await webview.page.keyboard.type('Option 24');
      await webview.painted();
      assert.match((await webview.page.locator('.overview-found').getAttribute('d')) ?? '', /^M.*z$/);
      await webview.screenshot('overview');
    });
  });

  it('stays away from a tree of about one screen, and from a narrow stage', async () => {
    await withShown(snapshotOf(bankTree(), completed), async (webview) => {
      assert.equal(await strip(webview).isVisible(), false);
    });
    await withShown(
      large,
      async (webview) => {
        await webview.page.getByRole('button', { name: 'Expand all' }).click();
        await webview.painted();
        assert.equal(await strip(webview).isVisible(), false);
      },
      { context: { viewport: { width: 340, height: 600 } } },
    );
  });
});

describe('a tree beside its pane', () => {
  const narrow = { context: { viewport: { width: 1000, height: 700 } } };

  it('shows the steps that were just unfolded', async () => {
    await withShown(
      snapshotOf(bankTree(), completed),
      async (webview) => {
        await webview.page.getByRole('button', { name: 'Collapse all' }).click();
        await webview.card('step-8').locator('.twistie').click();
        await webview.card('step-8').click();
        await webview.until(`document.querySelector('.stage').clientWidth < 700`);
        await webview.painted();
        for (const key of ['step-8', 'step-9', 'step-12']) assert.ok(await isSeen(webview, key), key);
      },
      narrow,
    );
  });

  it('keeps the selected step on the screen when a branch is collapsed', async () => {
    await withShown(
      snapshotOf(bankTree(), completed),
      async (webview) => {
        await webview.tree.focus();
        await webview.press('End');
        await webview.press('Enter');
        const key = (await webview.focusedCard.getAttribute('data-key')) ?? '';
        await webview.page.getByRole('button', { name: 'Collapse all' }).click();
        await webview.painted();
        assert.ok(await isSeen(webview, (await webview.focusedCard.getAttribute('data-key')) ?? ''));
        assert.notEqual(await webview.focusedCard.getAttribute('aria-level'), '1', `${key} is below another step`);
      },
      narrow,
    );
  });
});

describe('the current match', () => {
  for (const theme of ['dark', 'light', 'highContrast', 'highContrastLight'] as const)
    it(`looks different from the other matches in ${theme}`, async () => {
      await withShown(
        snapshotOf(bankTree(), completed),
        async (webview) => {
          await webview.press('/');
          await webview.page.keyboard.type('card');
          await webview.painted();
          const look = (which: string): Promise<string> =>
            webview.page
              .locator(`.card.is-match${which}`)
              .first()
              .evaluate((card) => {
                const { outlineStyle, outlineWidth, outlineColor } =
                  card.ownerDocument.defaultView.getComputedStyle(card);
                return `${outlineStyle} ${outlineWidth} ${outlineColor}`;
              });
          assert.match(await look('.is-focused'), /^solid 3px rgb/);
          assert.match(await look(':not(.is-focused)'), /^none/);
          await webview.screenshot(`match-${theme}`);
        },
        { theme },
      );
    });
});

describe('the keys of the tree', () => {
  it('appear after ?, and Escape returns to where the focus was', async () => {
    await withShown(snapshotOf(bankTree(), completed), async (webview) => {
      await webview.card('step-8').click();
      await webview.press('?');
      const dialog = webview.page.getByRole('dialog', { name: 'Keyboard commands' });
      assert.ok(await dialog.isVisible());
      assert.match(await textOf(dialog), /Play or pause the recording/);
      await webview.screenshot('keys-dark');
      await webview.press('/');
      await webview.press('Escape');
      assert.equal(await dialog.isVisible(), false);
      assert.ok(await webview.treeHasFocus());
      assert.ok(await webview.pane.isVisible(), 'Escape closed only the list');
      await webview.press('/');
      await webview.press('?');
      assert.equal(await dialog.isVisible(), false, 'a question mark in the search box');
      await webview.page.getByRole('button', { name: 'Show the keyboard commands' }).click();
      assert.ok(await dialog.isVisible());
    });
  });
});
