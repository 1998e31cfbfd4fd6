import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { loadPanelStateSchema } from '../../src/contract/loadPanel.ts';
import { themeNames } from '../support/themes.ts';
import { findings } from './accessibility.ts';
import { bankStats, endedTest, limitedTest, runningTest, stagedLoad, testedLoad } from './loadRecords.ts';
import type { WebviewPage } from './webviewPage.ts';
import { makeWav } from './speechLikeWav.ts';
import { withShown, withWebview } from './webviewPage.ts';

const withLoad = (work: (webview: WebviewPage) => Promise<void>): Promise<void> => withWebview(work, { entry: 'load' });

const shownLoad = (snapshot: Parameters<typeof withShown>[0], work: (webview: WebviewPage) => Promise<void>) =>
  withShown(snapshot, work, { entry: 'load' });

const tile = (webview: WebviewPage, name: string): ReturnType<WebviewPage['page']['locator']> =>
  webview.page.getByRole('group', { name, exact: true });

const timeline = (webview: WebviewPage): ReturnType<WebviewPage['page']['locator']> =>
  webview.page.getByRole('slider', { name: 'Time since the start of the test' });

/** Returns how many pixels of the chart have the colour of a variable of the page. */
const pixelsOf = (webview: WebviewPage, colour: string): Promise<number> =>
  webview.page.evaluate(`(() => {
    const canvas = document.querySelector('.plot canvas');
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    const probe = document.querySelector('#app').appendChild(document.createElement('i'));
    probe.style.color = 'var(${colour})';
    const wanted = getComputedStyle(probe).color.match(/[0-9]+/g).map(Number);
    probe.remove();
    return Array.from({ length: data.length / 4 }).filter((_pixel, at) => data[4 * at + 3] > 200 && wanted.every((part, index) => Math.abs(data[4 * at + index] - part) < 12)).length;
  })()`);

describe("a load test's report", () => {
  it('summarises the calls in tiles, charts and tables', async () => {
    await shownLoad(endedTest(), async (webview) => {
      const { page } = webview;
      const text = await page.locator('body').innerText();
      for (const part of [
        'Harbour Bank: main menu',
        '+12025550101',
        'Completed',
        'Ramp\n20 s',
        'Hold\n10 s',
        'Length\n32 s',
        'Rejected, SIP 503 (service unavailable)',
        'By the called side, Q.850 31 (normal, unspecified)',
        '494,120',
      ])
        assert.ok(text.includes(part), part);
      assert.match(await tile(webview, 'Set-up success').innerText(), /98\.6\s*%\s*493 of 500 answered/);
      assert.match(await tile(webview, 'Answer time').innerText(), /1\.18\s*s\s*p95/);
      assert.match(await tile(webview, 'Estimated MOS').innerText(), /4\.38/);
      assert.match(
        (await page.getByRole('img').getAttribute('aria-label')) ?? '',
        /Line chart\. 31 seconds in total: 500 calls placed, 493 answered, 7 failed, 493 active at the peak/,
      );
      assert.deepEqual(await page.locator('.time-row').first().locator('.bar-figure').allTextContents(), [
        '0.097 s',
        '0.29 s',
        '0.43 s',
      ]);
      assert.deepEqual(
        await page.getByRole('region', { name: 'Outcomes' }).locator('.count-figure').allTextContents(),
        ['493', '4', '2', '1'],
      );
      assert.equal(await page.getByRole('note', { name: 'Warnings' }).isVisible(), false);
      assert.equal(await page.locator('.tile-mark:visible').count(), 0);
    });
  });

  it("shows the other percentiles and a figure's meaning on focus and hover, until Escape", async () => {
    await shownLoad(endedTest(), async (webview) => {
      const answer = tile(webview, 'Answer time');
      const tip = answer.getByRole('tooltip', { includeHidden: true });
      assert.equal(await tip.isVisible(), false);
      await tile(webview, 'Post-dial delay').focus();
      await webview.page.keyboard.press('Tab');
      assert.equal(await tip.isVisible(), true);
      assert.match(await tip.innerText(), /INVITE to the answer[^]*p50\s*0\.41 s[^]*p95\s*1\.18 s[^]*p99\s*1\.74 s/);
      await webview.page.keyboard.press('Escape');
      assert.equal(await tip.isVisible(), false);
      const score = tile(webview, 'Estimated MOS');
      await score.hover();
      assert.match(await score.getByRole('tooltip').innerText(), /not a rating by listeners/);
      const box = await score.getByRole('tooltip').boundingBox();
      assert.ok(box && box.x >= 0 && box.x + box.width <= 1280, "the last tile's tip lies within the page");
    });
  });

  it('reads single seconds of the timeline by keyboard and pointer, and as a table', async () => {
    await shownLoad(endedTest(), async (webview) => {
      const { page } = webview;
      const slider = timeline(webview);
      await slider.focus();
      assert.equal(await slider.getAttribute('aria-valuetext'), '31 s: 500 placed, 493 answered, 91 active, 7 failed');
      await page.keyboard.press('Home');
      await page.keyboard.press('ArrowRight');
      assert.equal(await slider.getAttribute('aria-valuetext'), '2 s: 50 placed, 25 answered, 25 active, 0 failed');
      assert.match(await page.locator('.legend').first().innerText(), /Placed\s*50[^]*at 2 s/);
      const dots = page.locator('.u-cursor-pt:visible');
      assert.equal(await dots.count(), 4);
      await page.keyboard.press('Escape');
      assert.equal(await dots.count(), 0);
      const box = await slider.boundingBox();
      assert.ok(box);
      await page.mouse.move(box.x + box.width * (10 / 31), box.y + 20);
      assert.match((await slider.getAttribute('aria-valuetext')) ?? '', /^10 s: 250 placed/);
      await page.locator('summary').focus();
      await page.keyboard.press('Enter');
      await webview.painted();
      assert.equal(await page.locator('.numbers tbody tr').count(), bankStats.timeline.length);
      assert.deepEqual(await page.locator('.numbers tbody tr').last().locator('th, td').allTextContents(), [
        '31',
        '500',
        '493',
        '91',
        '7',
        // No event.
        '',
      ]);
    });
  });

  it('keeps the second that is read when the page changes its width, or the test grows beyond its plan', async () => {
    await shownLoad(endedTest(), async (webview) => {
      const { page } = webview;
      await timeline(webview).focus();
      await page.keyboard.press('Home');
      await page.keyboard.press('ArrowRight');
      const read = /^2 s: 50 placed/;
      for (const width of [640, 300, 1280]) {
        await page.setViewportSize({ width, height: 640 });
        await webview.painted();
        assert.match((await timeline(webview).getAttribute('aria-valuetext')) ?? '', read, String(width));
      }
      const longer = [...bankStats.timeline, { second: 310, placed: 500, answered: 493, active: 91, failed: 7 }];
      await webview.post(endedTest({ stats: { ...bankStats, timeline: longer } }));
      await webview.painted();
      assert.match((await timeline(webview).getAttribute('aria-valuetext')) ?? '', /^2 s|^0:02/);
      assert.equal(await timeline(webview).getAttribute('aria-valuenow'), '1');
    });
  });

  it('follows a running test: numbers and line grow, focus stays, and the state is kept for another window', async () => {
    await shownLoad(runningTest(0), async (webview) => {
      const { page } = webview;
      assert.match(await page.locator('main').innerText(), /No calls have been placed yet/);
      assert.match(await tile(webview, 'Placed').innerText(), /–\s*of 500/);
      await webview.post(runningTest(5));
      await tile(webview, 'Active').focus();
      await webview.post(runningTest(6));
      assert.match(await tile(webview, 'Placed').innerText(), /150/);
      assert.match(await tile(webview, 'Active').innerText(), /124/);
      assert.equal(
        await tile(webview, 'Active').evaluate((element) => element === element.ownerDocument.activeElement),
        true,
      );
      assert.match(await page.locator('.legend').first().innerText(), /now, 6 s/);
      assert.equal(await timeline(webview).getAttribute('aria-valuenow'), '5');
      await webview.open();
      await webview.post(runningTest(7));
      assert.equal(await timeline(webview).getAttribute('aria-valuenow'), '6');
      const kept = loadPanelStateSchema.parse(await page.evaluate('JSON.parse(sessionStorage.getItem("state")).kept'));
      assert.deepEqual(kept.seen, bankStats.timeline.slice(0, 7), 'for the window that comes after this one');
    });
  });

  it("draws the lines in the theme's colours, and again when the theme changes", async () => {
    await shownLoad(endedTest(), async (webview) => {
      for (const theme of [undefined, 'light', 'highContrast'] as const) {
        if (theme) await webview.wear(theme);
        for (const colour of ['--dt-active', '--dt-failed'])
          assert.ok((await pixelsOf(webview, colour)) > 50, `${theme}: ${colour}`);
      }
    });
  });

  it('keeps the names of its marks apart and within a narrow page', async () => {
    await shownLoad(stagedLoad(), async (webview) => {
      for (const width of [1280, 640, 300]) {
        await webview.page.setViewportSize({ width, height: 640 });
        await webview.painted();
        const boxes = await webview.page.evaluate<{ left: number; right: number; top: number }[]>(
          "[...document.querySelectorAll('.mark-name')].map((name) => name.getBoundingClientRect().toJSON())",
        );
        assert.ok(boxes.length > 1);
        boxes.forEach(({ left, right, top }, index) => {
          const before = boxes[index - 1];
          assert.ok(right <= width && (before?.top !== top || before.right <= left), `${width}: ${left} to ${right}`);
        });
      }
    });
  });

  it('draws many snapshots within one frame once, using the last', async () => {
    await shownLoad(runningTest(1), async (webview) => {
      await webview.page.evaluate(`{
        globalThis.drawn = 0;
        new MutationObserver(() => { drawn += 1; }).observe(document.querySelector('.marks'), { childList: true });
        for (const snapshot of ${JSON.stringify([2, 3, 4, 5, 6].map(runningTest))}) fakeEditor.send(snapshot);
      }`);
      await webview.painted();
      assert.match(await tile(webview, 'Placed').innerText(), /150/);
      assert.equal(await webview.page.evaluate('drawn'), 1);
    });
  });

  it('cancels once per press, can retry after a refusal or on return, and reports the end', async () => {
    await shownLoad(runningTest(8), async (webview) => {
      const { page } = webview;
      const cancel = page.getByRole('button', { name: 'Cancel' });
      await cancel.focus();
      await page.keyboard.press('Enter');
      const clickAnyway = (): Promise<void> =>
        cancel.evaluate((button) => (button as unknown as { click: () => void }).click());
      await clickAnyway();
      assert.equal((await webview.messages('cancel')).length, 1);
      await webview.post({ type: 'notice', message: 'The service cannot be reached.', severity: 'error' });
      await page.getByRole('button', { name: 'Try again' }).click();
      assert.equal((await webview.messages('refresh')).length, 1);
      await cancel.click();
      await clickAnyway();
      assert.equal((await webview.sent('cancel')).length, 2);
      await webview.comeBack();
      await cancel.click();
      assert.equal((await webview.sent('cancel')).length, 3);
      const { timeline, ...stats } = bankStats;
      await webview.post(
        endedTest({
          status: 'aborted',
          reason: 'Cancelled.',
          stats: { ...stats, callsPlaced: 200, callsAnswered: 171, timeline: timeline.slice(0, 8) },
        }),
      );
      assert.equal(await cancel.isVisible(), false);
      assert.equal(await page.getByText('cannot be reached').isVisible(), false);
      assert.equal(
        await page.locator('.unseen[role=status]').textContent(),
        'Ended early. Cancelled. 171 of 200 calls answered.',
      );
    });
  });

  it('requests the same calls again, and copies a summary', async () => {
    await shownLoad(limitedTest(), async (webview) => {
      await webview.page.getByRole('button', { name: 'Run again' }).click();
      assert.deepEqual(await webview.messages('runAgain'), [{ type: 'runAgain' }]);
      await webview.page.getByRole('button', { name: 'Copy summary' }).click();
      const [copy] = await webview.messages('copy');
      for (const part of [
        '### Load test: Harbour Bank: main menu',
        '| Set-up success | 98.6 % |',
        '> The calling machine was the bottleneck',
        '**Outcomes:** Answered 493, Rejected, SIP 503',
      ])
        assert.ok(copy?.text.includes(part), part);
      await webview.post({ ...endedTest(), saved: true });
      assert.equal(await webview.page.getByRole('button', { name: 'Run again' }).isVisible(), false);
    });
  });

  it('plays a call that failed and its reference call, each from the failed step', async () => {
    await shownLoad(testedLoad(), async (webview) => {
      const part = webview.page.getByRole('region', { name: 'Results of the test' });
      const player = part.getByRole('region', { name: 'Recording' });
      const position = player.getByRole('slider', { name: 'Position in the recording' });
      assert.equal(await player.isVisible(), false);
      assert.equal(await part.getByRole('button', { name: /^Play .*call/ }).count(), 2, 'only of the recorded call');
      const call = part.getByRole('button', { name: 'Play call 41', exact: true });
      await call.focus();
      await webview.page.keyboard.press('Enter');
      assert.equal(await part.getByRole('status').innerText(), 'Call 41, from the step “Balance”');
      assert.deepEqual(await webview.messages('requestAudio'), [{ type: 'requestAudio', recording: 'call-41' }]);
      await part.getByRole('button', { name: 'Play the reference call for call 41' }).click();
      assert.equal(await part.getByRole('status').innerText(), 'Reference call, from the step “Balance”');
      const wav = makeWav(20);
      await webview.post({ type: 'audio', recording: 'call-41', wav });
      assert.equal(await player.getAttribute('data-phase'), 'loading', 'the one that was chosen first is too late');
      const audio = { type: 'audio', recording: 'reference-2', total: wav.length } as const;
      await webview.post({ ...audio, wav: wav.subarray(0, 1000), from: 0 });
      assert.deepEqual((await webview.sent('requestAudio')).at(-1), {
        type: 'requestAudio',
        recording: 'reference-2',
        from: 1000,
      });
      await webview.post({ ...audio, wav: wav.subarray(1000), from: 1000 });
      assert.equal(await player.getAttribute('data-phase'), 'ready');
      assert.ok(Number(await position.getAttribute('aria-valuenow')) >= 3);
      assert.equal(await position.getAttribute('aria-valuemax'), '20.0');
      await call.click();
      await webview.post({ type: 'audio', recording: 'call-41', error: 'This recording no longer exists.' });
      assert.match(await player.innerText(), /This recording no longer exists\.[^]*Retry/);
      const { stats, ...test } = testedLoad().test;
      const { failures, ...tested } = stats!.tested!;
      const left = failures.map(({ recording: _recording, ...failure }) => failure);
      await webview.post({
        ...testedLoad(),
        test: { ...test, stats: { ...stats!, tested: { ...tested, failures: left } } },
      });
      assert.equal(await player.isVisible(), false, 'its recordings were deleted');
      assert.equal(await part.getByRole('columnheader', { name: 'Recording' }).isVisible(), false);
    });
  });

  it('shows the results of the test that the calls carried out', async () => {
    await shownLoad(endedTest(), async (webview) => {
      const part = webview.page.getByRole('region', { name: 'Results of the test' });
      assert.equal(await part.isVisible(), false, 'without a test');
      await webview.post(testedLoad());
      const text = await part.innerText();
      for (const words of ['487 of 493 calls passed the test.', '3 calls were still running', '<b>failed</b>'])
        assert.ok(text.includes(words), words);
      assert.deepEqual(await part.getByRole('row', { name: 'Balance' }).first().getByRole('cell').allTextContents(), [
        '487',
        '4',
        '0',
        '0',
        '2',
        '1.70 s',
      ]);
      assert.deepEqual(
        await webview.page.getByRole('region', { name: 'Criteria' }).getByRole('listitem').allTextContents(),
        [
          'Not met: The share of passed calls is 98.8 %. Required: ≥ 99 %. Broken since second 14.',
          'Met: Loss is 0.1 %. Required: ≤ 1 %.',
        ],
      );
      assert.equal(await webview.page.locator('.load-status').innerText(), 'Criteria not met');
      await part.getByRole('button', { name: 'Play call 41' }).click();
      await webview.post({ type: 'audio', recording: 'call-41', wav: makeWav(20) });
      assert.deepEqual(await findings(webview), [], 'with a recording');
      await webview.page.getByRole('button', { name: 'Copy summary' }).click();
      assert.match(
        (await webview.messages('copy'))[0]?.text ?? '',
        /487 of 493 calls passed the test\.\n- Call 41: Step/,
      );
    });
  });

  it('warns if the caller was the bottleneck, and marks affected figures', async () => {
    await shownLoad(limitedTest(), async (webview) => {
      assert.match(await webview.page.getByRole('note', { name: 'Warnings' }).innerText(), /128 ms late at p99/);
      assert.equal(await webview.page.locator('.tile-mark:visible').count(), 6);
      await tile(webview, 'Jitter').hover();
      assert.match(
        await tile(webview, 'Jitter').getByRole('tooltip').innerText(),
        /The calling machine was the bottleneck and accounts for part of this value/,
      );
      await webview.post(endedTest({ stats: { ...bankStats, caller: { ...bankStats.caller, limited: true } } }));
      assert.match(
        await webview.page.getByRole('note', { name: 'Warnings' }).innerText(),
        /The calling machine was too slow for this many calls and became a bottleneck/,
      );
    });
  });

  it('explains missing or few figures, and that no call was answered', async () => {
    await withLoad(async (webview) => {
      const { page } = webview;
      const { stats: _stats, ...refused } = endedTest().test;
      await webview.post({
        ...endedTest(),
        test: { ...refused, status: 'failed', reason: 'The number is not on the list of numbers that may be called.' },
      });
      assert.match(await page.locator('body').innerText(), /not on the list of numbers[^]*No data/);
      assert.equal(await page.getByRole('img').isVisible(), false);
      await webview.screenshot('load-refused-dark');
      await webview.post(
        endedTest({
          status: 'aborted',
          reason: '20 of 20 calls failed. The test ends when 50 % have failed.',
          stats: {
            callsPlaced: 40,
            callsAnswered: 0,
            setupSuccess: 0,
            outcomes: { 'rejected 503': 20, cancelled: 20 },
            hangUps: {},
            callSeconds: 1.2,
            peakConcurrency: 0,
          },
        }),
      );
      const text = await page.locator('body').innerText();
      for (const part of [
        'Ended early',
        '0 of 40 answered',
        'no call was answered',
        'Cancelled by Dialtree',
        'This load test has no stored timeline.',
      ])
        assert.ok(text.includes(part), part);
      assert.equal(await page.getByRole('heading', { name: 'Times' }).isVisible(), false);
      assert.equal(await page.getByRole('heading', { name: 'Hang-ups' }).isVisible(), false);
      await webview.screenshot('load-unanswered-dark');
      const { callsPlaced, callsAnswered, setupSuccess, answerSeconds, promptSeconds, outcomes, callSeconds } =
        bankStats;
      await webview.post(
        endedTest({
          stats: { callsPlaced, callsAnswered, setupSuccess, answerSeconds, promptSeconds, outcomes, callSeconds },
        }),
      );
      assert.match(await tile(webview, 'Answer time').innerText(), /1\.18/);
      assert.match(await tile(webview, 'Packet loss').innerText(), /–/);
    });
  });

  it('shows external text as text, and ignores invalid messages', async () => {
    await withLoad(async (webview) => {
      const attack = '<img src=x onerror="window.broken=1"><script>window.broken=1</script><b>bold</b>';
      await webview.post({
        ...endedTest({
          reason: attack,
          stats: {
            ...bankStats,
            outcomes: { [attack]: 1, constructor: 2, answered: 3 },
            hangUps: { __proto__2: 1, [attack]: 1 },
            warnings: [attack],
          },
        }),
        name: attack,
      });
      await webview.post({ type: 'notice', message: attack, severity: 'info' });
      await webview.page.evaluate(
        'for (const data of [null, 7, [], {}, { type: 7 }, { type: "toString" }, { type: "unknown", name: "x" }]) dispatchEvent(new MessageEvent("message", { data }))',
      );
      await webview.painted();
      assert.equal(await webview.page.locator('img, b').count(), 0);
      assert.equal(await webview.page.evaluate('window.broken'), undefined);
      assert.match(await webview.page.locator('h1').innerText(), /onerror/);
    });
  });

  for (const theme of themeNames) {
    it(`stays visible and readable in the theme ${theme}`, async () => {
      await withShown(
        limitedTest(),
        async (webview) => {
          await webview.page.locator('summary').click();
          await tile(webview, 'Prompt time').focus();
          await webview.page.keyboard.press('Shift+Tab');
          assert.equal(await tile(webview, 'Answer time').getByRole('tooltip').isVisible(), true);
          assert.deepEqual(await findings(webview), [], 'a limited test, its table and a tip');
          await webview.screenshot(`load-limited-${theme}`);
          await webview.post({ type: 'notice', message: 'The service cannot be reached.', severity: 'error' });
          assert.deepEqual(await findings(webview), [], 'and a notice');
        },
        { theme, entry: 'load', context: { viewport: { width: 1200, height: 1560 } } },
      );
    });
  }

  it('marks the stages and what went wrong in the chart and its table', async () => {
    await shownLoad(stagedLoad(), async (webview) => {
      const { page } = webview;
      assert.deepEqual(await page.locator('.mark-name').allTextContents(), [
        'Stage 1: 200 calls',
        'Stage 2: 500 calls',
        'Stage 3: 50 calls',
        'Not met: Set-up success, Packet loss',
        'Rate halved',
        'Rate halved',
      ]);
      assert.deepEqual(
        [await page.locator('.mark.of-broken').count(), await page.locator('.mark.of-rate').count()],
        [1, 2],
      );
      const slider = timeline(webview);
      await slider.focus();
      await page.keyboard.press('Home');
      for (let second = 1; second < 17; second += 1) await page.keyboard.press('ArrowRight');
      assert.match(
        (await slider.getAttribute('aria-valuetext')) ?? '',
        /^17 s: .* failed\. Not met: Set-up success, Packet loss$/,
      );
      await page.getByText('Show as a table').click();
      await webview.painted();
      const table = page.getByRole('region', { name: 'Calls over time, as a table' });
      assert.equal(await table.getByRole('columnheader', { name: 'Events' }).isVisible(), true);
      assert.equal(
        await table.locator('tbody tr').nth(16).locator('td').last().textContent(),
        'Not met: Set-up success, Packet loss',
      );
      assert.deepEqual(await findings(webview), []);
      await webview.post(endedTest({ rampSeconds: 0, concurrency: 10 }));
      assert.equal(await table.getByRole('columnheader', { name: 'Events' }).isVisible(), false);
    });
  });
});
