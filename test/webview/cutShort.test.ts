import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { bankTree, runOf, snapshotOf } from './bankTree.ts';
import { endedTest, runningTest } from './loadRecords.ts';
import { failedRun, runningRun } from './reportRun.ts';
import type { WebviewPage } from './webviewPage.ts';
import { withShown } from './webviewPage.ts';

const textOf = async (webview: WebviewPage, selector: string): Promise<string> =>
  (await webview.page.locator(selector).first().innerText()).replaceAll(/\s+/g, ' ').trim();
/** Returns true if an icon has the quiet colour of the page. */
const isNeutral = (webview: WebviewPage, selector: string): Promise<boolean> =>
  webview.page.evaluate(`{
    const place = document.querySelector(${JSON.stringify(selector)});
    const quiet = document.createElement('span');
    quiet.style.color = 'var(--vscode-descriptionForeground)';
    place.append(quiet);
    const colourOf = (element) => getComputedStyle(element).color;
    const isQuiet = colourOf(place.querySelector('.icon')) === colourOf(quiet);
    quiet.remove();
    isQuiet;
  }`);

describe('a page of a run that was cut short', () => {
  it('shows at once that a mapping is being cancelled, then that it was, with what was found', async () => {
    await withShown(snapshotOf(bankTree(), runOf(2, 'running')), async (webview) => {
      const { page } = webview;
      await page.getByRole('button', { name: 'Cancel' }).click();
      await webview.painted();
      assert.equal(await textOf(webview, '.status'), 'Cancelling…');
      await webview.post(snapshotOf(bankTree(), runOf(2, 'running', { inFlightCount: 1 })));
      assert.equal(await textOf(webview, '.status'), 'Cancelling…', 'while calls are being hung up');
      await page.getByRole('button', { name: 'Cancel' }).click({ force: true });
      assert.equal((await webview.sent('cancel')).length, 1);
      await webview.post({ type: 'notice', message: 'The service cannot be reached.', severity: 'error' });
      assert.equal(await textOf(webview, '.status'), 'Running', 'after a refusal');
      await page.getByRole('button', { name: 'Cancel' }).click();
      assert.equal((await webview.sent('cancel')).length, 2);
      await webview.post(
        snapshotOf(bankTree(), runOf(2, 'failed', { endedBy: 'cancel', reason: 'Cancelled. What was found is kept.' })),
      );
      assert.equal(await textOf(webview, '.status'), 'Cancelled');
      assert.equal(await isNeutral(webview, '.status'), true);
      assert.match(await textOf(webview, '.banner-info[role=status]'), /^Cancelled\. Results so far are kept\./);
      assert.equal(await page.locator('.banner-error:visible').count(), 0);
      assert.match(await textOf(webview, 'vscode-dropdown [slot="selected-value"]'), /^Run 2 · cancelled/);
      assert.match((await page.locator('.unseen').textContent()) ?? '', /^Run 2 was cancelled\. Totals: 10 menus/);
      assert.ok((await page.locator('.card').count()) > 3);
      await webview.screenshot('cancelled-mapping');
    });
  });

  it('shows that it is being cancelled by another part of the editor, until that fails', async () => {
    const pages = [
      { entry: 'tree', data: snapshotOf(bankTree(), runOf(2, 'running')), state: '.status', usual: 'Running' },
      { entry: 'report', data: runningRun(), state: '.run-outcome', usual: 'Call in progress' },
      { entry: 'load', data: runningTest(7), state: '.load-status', usual: 'Running' },
    ] as const;
    for (const { entry, data, state, usual } of pages)
      await withShown(
        { ...data, isCancelling: true },
        async (webview) => {
          const button = webview.page.getByRole('button', { name: entry === 'report' ? 'Hang up' : 'Cancel' });
          assert.equal(await textOf(webview, state), 'Cancelling…');
          assert.equal(await button.isDisabled(), true);
          await webview.post({ ...data, isCancelling: false });
          assert.equal(await textOf(webview, state), usual);
          assert.equal(await button.isDisabled(), false);
        },
        { entry },
      );
  });

  it('distinguishes an interrupted mapping from a failed one, also without a tree', async () => {
    await withShown(
      snapshotOf(null, runOf(1, 'failed', { endedBy: 'crash', reason: 'The service stopped.' })),
      async (webview) => {
        assert.equal(await textOf(webview, '.status'), 'Interrupted');
        assert.match(await textOf(webview, '.empty'), /^Interrupted The service stopped\./);
        await webview.post(snapshotOf(null, runOf(1, 'failed', { endedBy: 'cancel', reason: 'Cancelled.' })));
        assert.match(await textOf(webview, '.empty'), /^Cancelled It ended before/);
        assert.equal(await webview.page.locator('.empty-failed').count(), 0);
        await webview.post(snapshotOf(null, runOf(1, 'failed', { reason: 'No route.' })));
        assert.equal(await textOf(webview, '.status'), 'Failed');
      },
    );
  });

  it('shows a cancelled test and the step that it was at as cancelled', async () => {
    await withShown(
      runningRun(),
      async (webview) => {
        await webview.page.getByRole('button', { name: 'Hang up' }).click();
        assert.equal(await textOf(webview, '.run-outcome'), 'Cancelling…');
        await webview.post(runningRun());
        assert.equal(await textOf(webview, '.run-outcome'), 'Cancelling…');
        const reason = 'Cancelled. What was heard is kept.';
        await webview.post(
          failedRun({
            outcome: 'ERROR',
            endedBy: 'cancel',
            reason,
            steps: [
              { name: 'Greeting', outcome: 'PASS' },
              { name: 'Cards', outcome: 'ERROR', reason },
              { name: 'End', outcome: 'INCONCLUSIVE', reason: 'Not reached.' },
            ],
          }),
        );
        assert.equal(await textOf(webview, '.run-outcome'), 'Cancelled');
        assert.equal(await isNeutral(webview, '.run-outcome'), true);
        assert.deepEqual(await webview.page.locator('.step .outcome').allTextContents(), [
          'Passed',
          'Cancelled',
          'Not reached',
        ]);
        assert.equal(await webview.page.locator('.outcome-error, .outcome-fail').count(), 0);
        assert.equal(await webview.page.getByText('Not reached').count(), 1, 'the reason says no more');
        assert.match((await webview.page.locator('.unseen').textContent()) ?? '', /^Cancelled\./);
      },
      { entry: 'report' },
    );
  });

  it('shows a cancelled load test as cancelled, with its figures, whatever its criteria say', async () => {
    await withShown(
      runningTest(7),
      async (webview) => {
        await webview.page.getByRole('button', { name: 'Cancel' }).click();
        assert.equal(await textOf(webview, '.load-status'), 'Cancelling…');
        await webview.post(runningTest(8));
        assert.equal(await textOf(webview, '.load-status'), 'Cancelling…');
        const { test } = endedTest();
        assert.ok(test.stats);
        const criterion = { name: 'minSetupSuccess', limit: 0.99, text: 'answered > 99%', met: false } as const;
        await webview.post(
          endedTest({
            status: 'aborted',
            endedBy: 'cancel',
            reason: 'Cancelled.',
            stats: { ...test.stats, verdict: { outcome: 'fail', criteria: [criterion] } },
          }),
        );
        assert.equal(await textOf(webview, '.load-status'), 'Cancelled');
        assert.equal(await isNeutral(webview, '.load-status'), true);
        assert.equal(await webview.page.locator('.criteria .is-broken').count(), 1);
        await webview.post(endedTest({ status: 'aborted', endedBy: 'stop', reason: 'The service stopped.' }));
        assert.equal(await textOf(webview, '.load-status'), 'Interrupted');
      },
      { entry: 'load' },
    );
  });
});
