import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { changedBank, comparedBank, heatedBank, runOf, snapshotOf } from './bankTree.ts';
import { endedTest, limitedTest, runningTest } from './loadRecords.ts';
import { longTranscript } from './longRun.ts';
import { failedRun, handCall, missionRun, runningRun } from './reportRun.ts';
import { makeWav } from './speechLikeWav.ts';
import { withWebview } from './webviewPage.ts';
import type { WebviewOptions, WebviewPage } from './webviewPage.ts';

interface Stop {
  readonly name: string;
  readonly role: string;
  readonly place: number;
  readonly box: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
}

/** Every usable control of the page, in order. */
const inPage = `globalThis.keyboard = {
  controls: () => [...document.querySelectorAll('button, vscode-button, vscode-checkbox, vscode-text-field, vscode-dropdown, summary, a[href], [tabindex="0"]')]
    .filter((control) => !control.disabled && control.checkVisibility({ visibilityProperty: true }) && control.getBoundingClientRect().width > 0 && !control.parentElement.closest('vscode-button, vscode-checkbox, vscode-text-field, vscode-dropdown')),
  nameOf: (control) => (control.getAttribute('aria-label') ?? [...(control.getAttribute('aria-labelledby') ?? '').split(' ')].map((id) => document.getElementById(id)?.textContent ?? '').join(' ').trim() ?? '') || control.textContent.trim(),
  roleOf: (control) => control.getAttribute('role') ?? { SECTION: 'region', 'VSCODE-TEXT-FIELD': 'textbox', 'VSCODE-DROPDOWN': 'listbox', SUMMARY: 'summary' }[control.tagName] ?? 'button',
  active: () => {
    const control = document.activeElement;
    if (!control || control === document.body) return undefined;
    const { x, y, width, height } = control.getBoundingClientRect();
    return { name: keyboard.nameOf(control), role: keyboard.roleOf(control), place: keyboard.controls().indexOf(control), box: { x, y, width, height } };
  },
};`;

/**
 * Presses Tab from the first control to the last, and back again. Each has a name, is on the screen when focused, and
 * looks different then.
 */
async function tabThrough(webview: WebviewPage): Promise<Stop[]> {
  const { page } = webview;
  await page.evaluate(inPage);
  await page.evaluate(
    'document.activeElement.blur(); document.body.tabIndex = -1; document.body.focus(); document.body.removeAttribute("tabindex")',
  );
  const [count, names] = [
    await page.evaluate<number>('keyboard.controls().length'),
    await page.evaluate<string[]>('keyboard.controls().map(keyboard.nameOf)'),
  ];
  assert.ok(count > 1, 'nothing can be used');
  const stops: Stop[] = [];
  for (let presses = 0; presses < count + 3; presses += 1) {
    await page.keyboard.press('Tab');
    await webview.painted();
    const stop = await page.evaluate<Stop | undefined>('keyboard.active()');
    if (!stop) break;
    assert.notEqual(stop.name, '', `${stop.role} ${stop.place} has no name`);
    await assertSeen(webview, stop);
    stops.push(stop);
  }
  assert.deepEqual(
    stops.map(({ name }) => name),
    names,
    'every control in its order',
  );
  assert.deepEqual(
    stops.map(({ place }) => place),
    names.map((_name, at) => at),
  );
  await page.keyboard.press('Shift+Tab');
  assert.equal(await page.evaluate('keyboard.active()?.name'), names.at(-1), 'and back');
  return stops;
}

async function assertSeen(webview: WebviewPage, { name, box }: Stop): Promise<void> {
  const viewport = webview.page.viewportSize() ?? assert.fail('no viewport');
  const left = Math.max(0, box.x - 4);
  const top = Math.max(0, box.y - 4);
  const clip = {
    x: left,
    y: top,
    width: Math.min(viewport.width, box.x + box.width + 4) - left,
    height: Math.min(viewport.height, box.y + box.height + 4) - top,
  };
  assert.ok(clip.width > 8 && clip.height > 8, `${name} is not on the screen`);
  const withFocus = await webview.page.screenshot({ clip });
  await webview.page.evaluate('globalThis.held = document.activeElement; document.activeElement.blur()');
  await webview.painted();
  const without = await webview.page.screenshot({ clip });
  await webview.page.evaluate('held.focus({ preventScroll: true })');
  assert.ok(!withFocus.equals(without), `${name} looks the same without the focus`);
}

/** Without motion: a spinner looks different each time. */
const withPage = (
  entry: NonNullable<WebviewOptions['entry']>,
  work: (webview: WebviewPage) => Promise<void>,
): Promise<void> =>
  withWebview(work, { entry, context: { reducedMotion: 'reduce', viewport: { width: 1280, height: 900 } } });
const withSound = (values: Parameters<typeof failedRun>[0] = {}): ReturnType<typeof failedRun> =>
  failedRun({ audioUrl: 'http://127.0.0.1:1/audio', ...values });

async function tabTo(webview: WebviewPage, name: string | RegExp): Promise<void> {
  await webview.page.evaluate(inPage);
  for (let presses = 0; presses < 60; presses += 1) {
    await webview.page.keyboard.press('Tab');
    const found = await webview.page.evaluate<string | undefined>('keyboard.active()?.name');
    if (found !== undefined && (typeof name === 'string' ? found === name : name.test(found))) return;
  }
  assert.fail(`Tab does not lead to ${String(name)}`);
}

describe('keyboard use', () => {
  it('reaches every control of a compared tree, with an open step', async () => {
    await withPage('tree', async (webview) => {
      await webview.post(comparedBank());
      await webview.tree.focus();
      await webview.page.keyboard.press('n');
      await webview.press('Enter');
      const names = (await tabThrough(webview)).map(({ name }) => name);
      const inOrder = [
        'Run',
        'Map again',
        'Search labels, prompts and options',
        'Latency (L)',
        'Previous change (Shift+N)',
        'Next change (N)',
        'Stop comparing',
        'Menu tree of First Harbour Bank',
        'Zoom in (+)',
        'Size of the step pane',
      ];
      assert.deepEqual(
        names.filter((name) => inOrder.includes(name)),
        inOrder,
      );
    });
  });

  it("reaches every control of a run's report", async () => {
    await withPage('report', async (webview) => {
      await webview.post(withSound());
      await webview.page.getByRole('button', { name: 'Play' }).press('Enter');
      await webview.messages('requestAudio');
      await webview.post({ type: 'audio', wav: makeWav(29.4) });
      await webview.page.locator('.player[data-playing="true"]').waitFor();
      await webview.page.getByRole('button', { name: 'Pause' }).press('Space');
      await webview.page.getByRole('button', { name: 'Play' }).waitFor();
      const stops = await tabThrough(webview);
      const names = stops.map(({ name }) => name);
      const inOrder = ['Open test file', 'Play', 'Position in the recording', 'Speed 1×', 'Transcript'];
      assert.deepEqual(
        names.filter((name) => inOrder.includes(name)),
        inOrder,
      );
      assert.ok(
        names.indexOf('Transcript') < names.findIndex((name) => /Show step 1/.test(name)),
        'what is in the transcript comes after it',
      );
      assert.deepEqual([...new Set(stops.map(({ role }) => role))].sort(), ['button', 'region', 'slider']);
    });
  });

  it("reaches every control of a mission's and of a running report", async () => {
    await withPage('report', async (webview) => {
      await webview.post(missionRun());
      await tabThrough(webview);
      await webview.post(runningRun());
      await webview.post({ type: 'notice', message: 'The service cannot be reached.', severity: 'error' });
      const names = (await tabThrough(webview)).map(({ name }) => name);
      assert.deepEqual(names.slice(0, 2), ['Listen', 'Hang up']);
      assert.ok(names.includes('Try again'));
      await tabTo(webview, 'Hang up');
      await webview.page.keyboard.press('Space');
      assert.equal((await webview.messages('cancel')).length, 1);
    });
  });

  it('reaches every control of a call by hand, while it is up and after it', async () => {
    await withPage('hand', async (webview) => {
      await webview.post(handCall());
      const stops = await tabThrough(webview);
      assert.deepEqual(
        stops.map(({ name }) => name),
        [
          ...['Save as test…', 'Save as mission…', 'Listen', 'Hang up'],
          ...Array.from('123456789*0#').map((key) => `Key ${key}`),
          ...['Keep keys secret', 'What to say', 'Say', 'Transcript'],
        ],
      );
      await tabTo(webview, 'What to say');
      await webview.page.keyboard.type('agent');
      await webview.page.keyboard.press('Enter');
      await webview.page.keyboard.press('Tab');
      await webview.page.keyboard.press('4');
      await tabTo(webview, 'Hang up');
      await webview.page.keyboard.press('Enter');
      assert.deepEqual(
        [await webview.sent('say'), await webview.sent('press'), await webview.sent('hangUp')].map(
          (sent) => sent.length,
        ),
        [1, 1, 1],
      );
      await webview.post(handCall({ run: failedRun().run }));
      assert.deepEqual(
        (await tabThrough(webview)).map(({ name }) => name),
        ['Call again', 'Open report', 'Save as test…', 'Save as mission…', 'Transcript'],
      );
    });
  });

  it('leads from a step to its words and to the file, and returns with Escape to the place that asked', async () => {
    await withPage('report', async (webview) => {
      await webview.post(failedRun());
      const { page } = webview;
      const step = webview.wordsOf(2);
      await step.press('Enter');
      assert.equal(await page.evaluate('document.activeElement.matches(".turn[aria-current=true]")'), true);
      await page.keyboard.press('Escape');
      assert.equal(await step.evaluate((button) => button === button.ownerDocument.activeElement), true);
      const mark = page.getByRole('button', { name: /Show step 3/ });
      await mark.press('Space');
      assert.equal(await page.evaluate('document.activeElement.dataset.step'), '2');
      await page.keyboard.press('Escape');
      assert.equal(await mark.evaluate((button) => button === button.ownerDocument.activeElement), true);
      await page.getByRole('button', { name: 'Open test file' }).press('Enter');
      await page.getByRole('button', { name: /Open step 3 in the file/ }).press('Enter');
      assert.deepEqual(await webview.sent('openFile'), [{ type: 'openFile' }, { type: 'openFile', step: 2 }]);
    });
  });

  it('scrolls a long transcript', async () => {
    await withPage('report', async (webview) => {
      await webview.post(failedRun({ steps: [], transcript: longTranscript(120) }));
      await tabTo(webview, 'Transcript');
      await webview.page.keyboard.press('End');
      await webview.until("document.querySelector('section.column').scrollTop > 500");
    });
  });

  it("reaches every control of a load test's report, running and ended", async () => {
    await withPage('load', async (webview) => {
      for (const second of [0, 5, 9]) await webview.post(runningTest(second));
      assert.equal((await tabThrough(webview))[0]?.name, 'Cancel');
      await webview.post(limitedTest());
      await webview.page.locator('summary').press('Enter');
      await webview.page.locator('.numbers tbody tr').first().waitFor();
      const stops = await tabThrough(webview);
      const names = stops.map(({ name }) => name);
      const inOrder = [
        'Run again',
        'Copy summary',
        'Set-up success',
        'Estimated MOS',
        'Time since the start of the test',
        'Show as a table',
        'Calls over time, as a table',
      ];
      assert.deepEqual(
        names.filter((name) => inOrder.includes(name)),
        inOrder,
      );
      await tabTo(webview, 'Copy summary');
      await webview.page.keyboard.press('Space');
      await webview.messages('copy');
    });
  });

  it("answers and dismisses a notice in a load test's report", async () => {
    await withPage('load', async (webview) => {
      await webview.post(endedTest());
      await webview.post({ type: 'notice', message: 'The service cannot be reached.', severity: 'error' });
      await tabTo(webview, 'Try again');
      await webview.page.keyboard.press('Enter');
      assert.equal((await webview.messages('refresh')).length, 1);
      await tabTo(webview, 'Dismiss');
      await webview.page.keyboard.press('Space');
      assert.equal(await webview.page.getByText('cannot be reached').isVisible(), false);
    });
  });
});

describe('reduced motion', () => {
  const scenes = {
    tree: async (webview: WebviewPage) => {
      for (const tree of [heatedBank(), changedBank()]) await webview.post(snapshotOf(tree, runOf(2, 'running')));
      assert.ok((await webview.page.locator('.card.fresh').count()) > 0);
    },
    report: (webview: WebviewPage) => webview.post(runningRun()),
    load: (webview: WebviewPage) => webview.post(runningTest(9)),
    hand: (webview: WebviewPage) => webview.post(handCall()),
  } as const;
  const moving = (webview: WebviewPage): Promise<number> =>
    webview.page.evaluate<number>(
      "document.getAnimations().length + document.querySelectorAll('vscode-progress-ring').length",
    );

  for (const [entry, post] of Object.entries(scenes) as [keyof typeof scenes, (typeof scenes)['tree']][]) {
    it(`stops all movement on the page ${entry}`, async () => {
      await withPage(entry, async (webview) => {
        await post(webview);
        assert.equal(await moving(webview), 0);
        assert.ok((await webview.page.locator('body').innerText()).length > 50);
      });
    });
  }

  it('still shows without a spinner that a run is active', async () => {
    await withPage('tree', async (webview) => {
      await webview.post(snapshotOf(heatedBank(), runOf(2, 'running')));
      assert.equal(await webview.page.locator('.status').getByRole('img', { name: 'Running' }).isVisible(), true);
    });
  });
});
