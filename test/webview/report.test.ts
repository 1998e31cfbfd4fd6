import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { WebviewPage } from './webviewPage.ts';
import { textOf, withShown, withWebview } from './webviewPage.ts';
import { themeNames } from '../support/themes.ts';
import { findings } from './accessibility.ts';
import { wordDiff } from '../../src/model/heard/wordDiff.ts';
import { needsModel } from '../../src/model/report/runBlocks.ts';
import { RecordingParts } from '../../webview/player/recordingParts.ts';
import { answerMs, turnAt, turnOf } from '../../webview/report/turns.ts';
import { checkedRun, failedRun, judgedAgain, missionRun, runningRun } from './reportRun.ts';
import { makeWav } from './speechLikeWav.ts';

const audioUrl = 'http://127.0.0.1:1/audio';

const withReport = (work: (webview: WebviewPage) => Promise<void>): Promise<void> =>
  withWebview(work, { entry: 'report' });

const shownReport = (snapshot: Parameters<typeof withShown>[0], work: (webview: WebviewPage) => Promise<void>) =>
  withShown(snapshot, work, { entry: 'report' });

describe("a run's report", () => {
  it('shows the outcome, who hung up, and what each step heard', async () => {
    await shownReport(failedRun(), async (webview) => {
      const text = await webview.page.locator('body').innerText();
      for (const part of [
        'Harbour Bank: balance by keypad',
        'Failed',
        'The called side hung up after “Good bye.”',
        '42% match, 80% needed',
        'Passed, with other words',
        '89% match, 80% needed',
        'Failed, optional',
        'answered after 0.9 s',
      ])
        assert.ok(text.includes(part), part);
      const balance = webview.page.locator('.step').nth(2);
      assert.deepEqual(await balance.locator('.missing').allTextContents(), [
        '[missing: eight digit]',
        '[missing: followed by the pound key.]',
      ]);
      assert.deepEqual(await balance.locator('.extra').allTextContents(), [
        '[extra: We are sorry, all of our lines are busy.]',
        '[extra: later.]',
      ]);
      assert.equal(
        await webview.page.locator('.unseen[role=status]').textContent(),
        'Failed. The called side hung up after “Good bye.”',
      );
    });
  });

  it('marks no word if all that is needed was heard, and no wildcard', async () => {
    const { run } = failedRun();
    const [first] = run.steps;
    assert.ok(first);
    const words = { expectedTranscript: 'Press one. * Good bye.', transcript: 'Hello. Press 1. Thank you. Good bye.' };
    await shownReport(
      failedRun({
        steps: [
          { ...first, ...words, similarity: 1 },
          { ...first, ...words, similarity: 0.9 },
        ],
      }),
      async ({ page }) => {
        assert.equal(await page.locator('.step').nth(0).locator('.missing, .extra').count(), 0);
        assert.deepEqual(await page.locator('.step').nth(1).locator('.missing').allTextContents(), ['[missing: one.]']);
        assert.equal(await page.locator('.step').nth(0).locator('.outcome').innerText(), 'Passed');
      },
    );
  });

  it('runs the test again, and its failed rows if it has rows, once the call is over', async () => {
    await shownReport(runningRun(), async (webview) => {
      const again = webview.page.getByRole('button', { name: 'Run again', exact: true });
      const rows = webview.page.getByRole('button', { name: 'Run failed rows again' });
      assert.equal(await again.isVisible(), false);
      await webview.post(failedRun());
      assert.equal(await rows.isVisible(), false);
      await webview.post(failedRun({ runType: 'param', row: { key: '1' } }));
      await again.click();
      await rows.click();
      assert.deepEqual(await webview.sent('runAgain'), [
        { type: 'runAgain', what: 'all' },
        { type: 'runAgain', what: 'failed' },
      ]);
    });
  });

  it('shows the steps ahead of an active run, marks the current one, and counts nothing yet', async () => {
    const { run } = failedRun();
    const names = run.steps.map(({ name }) => name);
    await shownReport({ ...runningRun(), plan: { names } }, async (webview) => {
      const { page } = webview;
      const steps = page.locator('.step');
      assert.deepEqual(await steps.locator('.outcome').allInnerTexts(), [
        'Passed',
        'In progress',
        'Not reached yet',
        'Not reached yet',
      ]);
      assert.equal(await page.locator('.step[aria-current=step] h3').innerText(), '2 Accounts');
      assert.doesNotMatch(await page.locator('.counts').innerText(), /Steps passed/);
      const { mission, ...rest } = missionRun();
      const goal = 'You are a customer. Find out the balance.';
      await webview.post({
        ...rest,
        mission: { ...mission!, status: 'running', turnLatencyMs: { median: 0, worst: 0 } },
        run: { ...runningRun().run, runType: 'mission' },
        plan: { names: ['It says the balance.'], goal, acceptance: 'It says the balance in dollars.' },
      });
      const text = await page.locator('body').innerText();
      for (const part of [goal, 'in dollars', 'It says the balance.', 'Not decided yet'])
        assert.ok(text.includes(part), part);
      assert.doesNotMatch(await page.locator('.counts').innerText(), /passed|response/);
    });
  });

  it('offers to choose a language model and to write checks for a mission that rules could not judge', async () => {
    const { mission, ...shown } = missionRun();
    const judgeReasoningParts = needsModel.parts.map((part) => [...part]);
    const undecided = { ...shown, mission: { ...mission!, judgeReasoningParts }, hasFile: true, choosesModel: true };
    await shownReport(undecided, async (webview) => {
      await webview.page.getByRole('button', { name: 'Choose Language Model…' }).click();
      await webview.page.getByRole('button', { name: 'Write Checks' }).click();
      assert.deepEqual(await webview.sent('chooseModel'), [{ type: 'chooseModel' }]);
      assert.deepEqual(await webview.sent('openFile'), [{ type: 'openFile' }]);
    });
  });

  it('says that a call was made by hand, and offers what the page of the call does', async () => {
    await shownReport(failedRun({ guided: true }), async (webview) => {
      const { page } = webview;
      assert.match(await page.locator('.title').innerText(), /Called by hand · /);
      assert.equal(await page.getByRole('button', { name: 'Run again' }).isVisible(), false);
      for (const name of ['Call again', 'Save as test…', 'Save as mission…'])
        await page.getByRole('button', { name }).click();
      assert.deepEqual(
        [await webview.sent('callAgain'), await webview.sent('save')],
        [
          [{ type: 'callAgain' }],
          [
            { type: 'save', as: 'calltest' },
            { type: 'save', as: 'mission' },
          ],
        ],
      );
    });
  });

  it('accepts what was heard at a step that failed by its words', async () => {
    await shownReport(failedRun(), async (webview) => {
      const accept = webview.page.getByRole('button', { name: 'Accept what was heard…' });
      assert.equal(await accept.count(), 1);
      await accept.press('Enter');
      assert.deepEqual(await webview.sent('acceptHeard'), [{ type: 'acceptHeard', step: 2 }]);
      await webview.post({ ...failedRun(), acceptable: [] });
      assert.equal(await accept.count(), 0);
    });
  });

  it('opens another run of the test from the line of its dots, and can be shared', async () => {
    await shownReport(failedRun(), async (webview) => {
      const { page } = webview;
      const dots = page.getByRole('list', { name: 'Runs of this test' }).getByRole('button');
      assert.deepEqual(
        await dots.evaluateAll((all) => all.map((dot) => [dot.title.split(',')[0], dot.getAttribute('aria-current')])),
        [
          ['Passed', null],
          ['Failed', 'true'],
        ],
      );
      await dots.nth(1).click();
      await dots.nth(0).press('Enter');
      assert.deepEqual(
        (await webview.sent('openRun')).map((message) => 'runId' in message && message.runId.slice(-1)),
        ['9'],
      );
      await page.getByRole('button', { name: 'Share…' }).click();
      assert.equal((await webview.sent('share')).length, 1);
      await webview.post({ ...failedRun(), history: [] });
      assert.equal(await dots.count(), 0);
    });
  });

  it('gives the reason of a step in the headline too, and each other reason once', async () => {
    const { run } = failedRun();
    const reason = 'Step “Balance”: Another text was heard.';
    await shownReport({ ...failedRun(), run: { ...run, reason } }, async (webview) => {
      const { page } = webview;
      const times = async (text: string): Promise<number> =>
        (await page.locator('header, main').allInnerTexts()).join('\n').split(text).length - 1;
      assert.equal(await page.locator('.run-reason').innerText(), '3 Balance: Another text was heard.');
      assert.equal(await times('Another text was heard.'), 2);
      await page
        .getByRole('button', { name: /^3 Balance/ })
        .first()
        .click();
      assert.equal(await page.locator('.step:focus .step-number').innerText(), '3 ');
      const sentence = 'The called side was busy (486).';
      const { passReasoning: _reasoning, ...mission } = missionRun().mission!;
      const hangUp = { by: 'them', status: 486, sentence } as const;
      await webview.post({
        ...missionRun(),
        mission: { ...mission, judgeReasoning: sentence, hangUp },
        run: { ...missionRun().run, reason: sentence, hangUp },
      });
      assert.equal(await times(sentence), 1);
    });
  });

  it('shows the address at which a probe waits for a call, until the call comes', async () => {
    await withReport(async (webview) => {
      const { page } = webview;
      const waiting = runningRun();
      await webview.post({
        ...waiting,
        run: {
          ...waiting.run,
          runType: 'compliance',
          steps: [],
          transcript: [],
          awaitsCallAt: 'sip:probe-0123456789abcdef@127.0.0.1:40123',
        },
      });
      assert.match(await page.locator('.run-outcome').innerText(), /Waiting for a call/);
      assert.match(
        await page.locator('.awaited').innerText(),
        /^Waiting for a call from \+12025550101 since .* for up to 5 min 00 s\.\s+Point your/,
      );
      assert.equal(await page.locator('.awaited code').innerText(), 'sip:probe-0123456789abcdef@127.0.0.1:40123');
      await page.getByRole('button', { name: 'Copy address' }).press('Enter');
      assert.equal((await webview.sent('copyAddress')).length, 1);
      await page.screenshot({ path: 'test/.artifacts/webview/report-awaits-call.png' });
      await webview.post(waiting);
      assert.equal(await page.locator('.awaited').isVisible(), false);
    });
  });

  it('keeps the focus while a run is active, and hangs up once per press', async () => {
    await shownReport(runningRun(), async (webview) => {
      const { page } = webview;
      assert.match(await page.locator('.run-outcome').innerText(), /Call in progress/);
      const step = webview.wordsOf(0);
      await step.focus();
      await webview.post({
        ...runningRun(),
        run: { ...runningRun().run, transcript: failedRun().run.transcript ?? [] },
      });
      assert.equal(await step.evaluate((button) => button === button.ownerDocument.activeElement), true);
      await page.getByRole('button', { name: 'Hang up' }).dblclick();
      assert.equal((await webview.messages('cancel')).length, 1);
      await webview.post({ type: 'notice', message: 'The service cannot be reached.', severity: 'error' });
      await page.getByRole('button', { name: 'Hang up' }).click();
      assert.equal((await webview.sent('cancel')).length, 2);
      await webview.post(failedRun());
      assert.equal(await page.getByRole('button', { name: 'Hang up' }).isVisible(), false);
    });
  });

  it('plays the call from the second of a step, a key or a word', async () => {
    await shownReport(failedRun(), async (webview) => {
      const { page } = webview;
      assert.equal(await page.locator('.player').isVisible(), false);
      await webview.post(failedRun({ audioUrl }));
      await webview.wordsOf(2).click();
      await webview.messages('requestAudio');
      await webview.post({ type: 'audio', wav: makeWav(29.4) });
      await page.locator('.player[data-playing="true"]').waitFor();
      const second = async (): Promise<number> => Number(await page.getByRole('slider').getAttribute('aria-valuenow'));
      assert.ok((await second()) >= 12.3);
      await page.getByRole('button', { name: 'Pause' }).click();
      await page.getByRole('button', { name: /^1, Keys 1 at 0:06.6/ }).click();
      assert.ok((await second()) < 8);
      await webview.until(
        'document.querySelector(".turn[aria-current]")?.textContent.includes("You have reached accounts")',
      );
      assert.equal((await webview.sent('requestAudio')).length, 1);
    });
  });

  it('draws the recording of a finished call immediately, and plays it on request', async () => {
    await shownReport(failedRun({ audioUrl }), async (webview) => {
      const { page } = webview;
      assert.deepEqual(await webview.messages('requestAudio'), [{ type: 'requestAudio' }]);
      assert.equal(await page.getByRole('button', { name: 'Play' }).isVisible(), true, 'nobody waits for it');
      await webview.post({ type: 'audio', wav: makeWav(29.4) });
      await page.locator('.player[data-phase="ready"][data-playing="false"]').waitFor();
      const heights = await page.evaluate<number>(`(() => {
        const canvas = document.querySelector('.track');
        const { data, width, height } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
        const tall = Array.from({ length: width }, (_, x) => Array.from({ length: height }, (_, y) => data[(y * width + x) * 4 + 3] > 0).filter(Boolean).length);
        return new Set(tall).size;
      })()`);
      assert.ok(heights > 5, 'bars of many heights');
    });
  });

  it('accepts a position on the bar before the recording has arrived', async () => {
    await shownReport(failedRun({ audioUrl, callSeconds: 900.64 }), async (webview) => {
      const { page } = webview;
      assert.deepEqual(await webview.sent('requestAudio'), [], 'a long one waits');
      assert.match(await page.locator('.no-wave').innerText(), /when you play it/);
      const slider = page.getByRole('slider');
      const box = await slider.boundingBox();
      assert.ok(box);
      await page.mouse.click(box.x + box.width / 2, box.y + 10);
      await webview.messages('requestAudio');
      assert.ok(Math.abs(Number(await slider.getAttribute('aria-valuenow')) - 450) < 5);
      assert.equal(await page.locator('.no-wave').isVisible(), false);
      await slider.press('Home');
      await slider.press('ArrowRight');
      assert.equal(await slider.getAttribute('aria-valuenow'), '2.0');
      await webview.post({ type: 'audio', wav: makeWav(29.4) });
      await page.locator('.player[data-phase="ready"][data-playing="false"]').waitFor();
      assert.deepEqual(
        [await slider.getAttribute('aria-valuenow'), await slider.getAttribute('aria-valuemax')],
        ['2.0', '29.4'],
      );
      assert.equal((await webview.sent('requestAudio')).length, 1);
    });
  });

  it('loads a long recording in consecutive parts, and shows its progress', async () => {
    await shownReport(failedRun({ audioUrl }), async (webview) => {
      const { page } = webview;
      await webview.messages('requestAudio');
      const wav = makeWav(29.4);
      const cut = Math.ceil(wav.length / 4);
      await webview.post({ type: 'audio', wav: wav.slice(0, cut), from: 0, total: wav.length });
      assert.deepEqual((await webview.sent('requestAudio')).at(-1), { type: 'requestAudio', from: cut });
      assert.equal(await page.locator('.player .time').textContent(), '25 %');
      await webview.post({ type: 'audio', wav: wav.slice(cut), from: cut, total: wav.length });
      await page.locator('.player[data-phase="ready"]').waitFor();
      assert.equal(await page.getByRole('slider').getAttribute('aria-valuemax'), '29.4');
    });
  });

  it('puts marks at the time that they are heard, whatever the post-dial delay', async () => {
    await withReport(async (webview) => {
      const { page } = webview;
      const shares = (): Promise<number[]> =>
        page
          .locator('.call-mark.of-keys')
          .evaluateAll((marks) => marks.map((mark) => parseFloat(mark.style.getPropertyValue('--at'))));
      // Eight seconds of ringing, then 24.72 s of call: the second key is in its middle.
      await webview.post(
        failedRun({
          audioUrl,
          callSeconds: 32.72,
          postDialMs: 8000,
          transcript: [
            { speaker: 'us', text: '[keys 1]', startMs: 0, endMs: 100 },
            { speaker: 'us', text: '[keys 2]', startMs: 12_360, endMs: 12_500 },
          ],
        }),
      );
      assert.deepEqual(await shares(), [0, 50]);
      await webview.messages('requestAudio');
      await webview.post({ type: 'audio', wav: makeWav(20) });
      await page.locator('.player[data-phase="ready"]').waitFor();
      assert.deepEqual(await shares(), [0, 61.8], 'what is heard decides');
    });
  });

  it('says that nothing was said only if the call was heard to its end', async () => {
    await withReport(async (webview) => {
      const why = webview.page.locator('.no-transcript');
      const shown = async (values: Parameters<typeof failedRun>[0]): Promise<string> => {
        await webview.post(failedRun({ transcript: [], ...values }));
        return why.innerText();
      };
      assert.equal(await shown({}), 'Nothing was said.');
      assert.match(await shown({ outcome: 'ERROR', endedBy: 'cancel' }), /because the call was cut short/);
      assert.match(await shown({ callSeconds: 0 }), /because no call was connected/);
    });
  });

  it('explains why there is no sound', async () => {
    await withReport(async (webview) => {
      const { page } = webview;
      const why = page.locator('.no-wave');
      await webview.post(runningRun());
      assert.match(await why.innerText(), /when the call is over/);
      await webview.post(failedRun({ callSeconds: 0, transcript: [] }));
      assert.match(await why.innerText(), /no call was connected/);
      await webview.post(failedRun());
      assert.match(await why.innerText(), /deleted it when its retention period ended/);
      await webview.post(failedRun({ audioUrl }));
      assert.equal(await why.isVisible(), false);
      await page.getByRole('button', { name: 'Play' }).click();
      await webview.messages('requestAudio');
      await webview.post({ type: 'audio', error: 'The recording was deleted.' });
      assert.match(await textOf(page.locator('.trouble')), /was deleted/);
      await page.getByRole('button', { name: 'Retry' }).click();
      assert.equal((await webview.sent('requestAudio')).length, 2);
    });
  });

  it("shows the reasons of a mission's verdict, with quotes that lead to their second", async () => {
    await shownReport(missionRun(), async (webview) => {
      const verdict = webview.page.getByRole('region', { name: 'Verdict' });
      for (const part of [
        'The bank asked for the account number',
        'Two of three votes',
        'all of our lines are busy',
        'Says that calls are recorded: Failed',
      ])
        assert.ok((await verdict.innerText()).includes(part), part);
      assert.equal(await webview.page.getByRole('heading', { name: 'Steps' }).isVisible(), false);
      await verdict.getByRole('button', { name: /0:13.4/ }).click();
      assert.match(await webview.page.locator('.turn[aria-current=true]').innerText(), /lines are busy/);
    });
  });

  it('lists the checks of a mission like steps, with the words that decided them', async () => {
    const rest = missionRun();
    const { mission } = rest;
    assert.ok(mission);
    const check = { check: 'It says “lines are busy”.', verdict: 'pass', reason: 'Said.' } as const;
    const evidence = { quote: 'all of our lines are busy', startMs: 13_400, endMs: 17_000 };
    const begun: typeof rest = {
      ...rest,
      run: { ...rest.run, status: 'running' },
      mission: { ...mission, status: 'running' },
      plan: { names: [check.check] },
    };
    await shownReport(begun, async (webview) => {
      const row = webview.page.getByRole('list', { name: 'Checks' }).locator('.step');
      assert.match(await row.innerText(), /lines are busy[^]*Not decided yet$/);
      await webview.post({ ...rest, mission: { ...mission, checks: [{ ...check, evidence }] } });
      assert.match(await row.innerText(), /Passed[^]*Said\.[^]*all of our lines are busy/);
      await row.getByRole('button', { name: /0:13.4/ }).click();
      assert.match(await webview.page.locator('.turn[aria-current=true]').innerText(), /lines are busy/);
    });
  });

  it('shows how long a mission waited for answers', async () => {
    await shownReport(missionRun(), async (webview) => {
      assert.match(
        await webview.page.locator('.counts').innerText(),
        /Median response time\s+0\.8 s\s+Slowest response time\s+0\.9 s/,
      );
      assert.deepEqual(await webview.page.locator('.turn .answered').allTextContents(), [
        'answered after 0.8 s',
        'answered after 0.9 s',
      ]);
    });
  });

  it('judges a stored call again by another criterion, by keyboard alone', async () => {
    await shownReport(failedRun(), async (webview) => {
      const { page } = webview;
      assert.equal(
        await page.getByRole('button', { name: 'Judge again…' }).isVisible(),
        false,
        'a script has no judge',
      );
      await webview.post(missionRun());
      await page.getByRole('button', { name: 'Judge again…' }).press('Enter');
      const criterion = page.getByRole('textbox', { name: 'Acceptance criterion' });
      assert.equal(await criterion.evaluate((area) => area === area.ownerDocument.activeElement), true);
      assert.equal(await criterion.inputValue(), 'The bank tells the balance, or says why it cannot.');
      await page.keyboard.press('Escape');
      assert.equal(await page.evaluate('document.activeElement.textContent'), 'Judge again…');
      await page.keyboard.press('Enter');
      await criterion.fill('  ');
      await page.getByRole('button', { name: 'Judge the call' }).press('Enter');
      assert.match(await page.locator('.judge-trouble').innerText(), /what must happen/);
      await criterion.fill('The bank says that its lines are busy.');
      await page.keyboard.press('Control+Enter');
      await page.keyboard.press('Control+Enter');
      assert.deepEqual(await webview.messages('judge'), [
        { type: 'judge', acceptance: 'The bank says that its lines are busy.' },
      ]);
      assert.match(await page.locator('.judge-form').innerText(), /Judging the stored call/);
      await webview.post({ ...missionRun(), again: { acceptance: 'The bank says that its lines are busy.' } });
      await webview.post(judgedAgain());
      const after = page.getByRole('region', { name: 'New verdict' });
      assert.equal(await after.evaluate((region) => region === region.ownerDocument.activeElement), true);
      for (const part of ['Passed', 'The bank says that its lines are busy.', 'in its own words'])
        assert.ok((await after.innerText()).includes(part), part);
      assert.equal((await after.innerText()).includes('Compliance'), false, 'it is not judged by a criterion');
      assert.match(
        await page.getByRole('region', { name: 'Verdict', exact: true }).innerText(),
        /ORIGINAL VERDICT\s+Inconclusive/,
      );
      assert.match(await page.locator('.run-outcome').first().innerText(), /Inconclusive/, 'the run keeps its verdict');
      assert.equal(await page.locator('.unseen[role=status]').textContent(), 'New verdict: Passed.');
      assert.match(await page.locator('main').innerText(), /Dialtree placed no call/);
      await after.getByRole('button', { name: /0:13.4/ }).press('Enter');
      assert.match(await page.locator('.turn[aria-current=true]').innerText(), /lines are busy/);
    });
  });

  it("opens the criterion at the editor's request, if there is a call to judge", async () => {
    await withReport(async (webview) => {
      const { page } = webview;
      const criterion = page.getByRole('textbox', { name: 'Acceptance criterion' });
      const { mission } = missionRun();
      assert.ok(mission);
      for (const snapshot of [
        failedRun(),
        { ...missionRun(), mission: { ...mission, transcript: [] } },
        { ...missionRun(), mission: { ...mission, status: 'running' as const } },
      ]) {
        await webview.post(snapshot);
        await webview.post({ type: 'editCriterion' });
        assert.equal(await criterion.isVisible(), false);
      }
      await webview.post(missionRun());
      await webview.post({ type: 'editCriterion' });
      assert.equal(await criterion.evaluate((area) => area === area.ownerDocument.activeElement), true);
    });
  });

  it('keeps an unfinished criterion, explains a missing verdict, and retries', async () => {
    await withReport(async (webview) => {
      const { page } = webview;
      const criterion = page.getByRole('textbox', { name: 'Acceptance criterion' });
      await webview.post(missionRun());
      await page.getByRole('button', { name: 'Judge again…' }).click();
      await criterion.fill('The bank says goodbye.');
      await webview.open();
      await webview.post(missionRun());
      assert.equal(await criterion.inputValue(), 'The bank says goodbye.');
      await page.getByRole('button', { name: 'Judge the call' }).click();
      await webview.post({ ...missionRun(), again: { acceptance: 'The bank says goodbye.' } });
      assert.equal(await criterion.getAttribute('readonly'), '');
      await webview.open();
      await webview.post({ ...missionRun(), again: { acceptance: 'The bank says goodbye.' } });
      assert.match(
        await page.locator('.judge-form').innerText(),
        /Judging the stored call/,
        'also in a page that comes back',
      );
      await webview.post({
        ...missionRun(),
        again: { acceptance: 'The bank says goodbye.', error: 'The language model cannot be reached. Start it.' },
      });
      assert.match(await page.getByRole('alert').filter({ hasText: 'Start it.' }).innerText(), /cannot be reached/);
      assert.equal(await criterion.inputValue(), 'The bank says goodbye.');
      await page.getByRole('button', { name: 'Judge the call' }).click();
      assert.equal((await webview.sent('judge')).length, 1, 'of the page that came back');
    });
  });

  it('retries after errors', async () => {
    await shownReport(failedRun(), async (webview) => {
      await webview.post({ type: 'notice', message: 'The service cannot be reached.', severity: 'error' });
      await webview.page.getByRole('button', { name: 'Try again' }).click();
      assert.equal((await webview.messages('refresh')).length, 1);
      await webview.post(failedRun());
      assert.equal(await webview.page.getByRole('alert').filter({ hasText: 'cannot be reached' }).isVisible(), false);
    });
  });

  for (const theme of themeNames) {
    it(`stays visible and readable in the theme ${theme}`, async () => {
      await withShown(
        failedRun({ audioUrl }),
        async (webview) => {
          await webview.wordsOf(2).click();
          await webview.messages('requestAudio');
          await webview.post({ type: 'audio', wav: makeWav(29.4) });
          await webview.page.locator('.player[data-phase="ready"]').waitFor();
          assert.deepEqual(await findings(webview), [], 'a failed run');
          await webview.screenshot(`report-${theme}`);
          await webview.post(checkedRun());
          await webview.page.getByRole('button', { name: 'Judge again…' }).click();
          assert.deepEqual(await findings(webview), [], 'a criterion that is being written');
          await webview.screenshot(`report-criterion-${theme}`);
          await webview.page.getByRole('button', { name: 'Judge the call' }).click();
          assert.deepEqual(await findings(webview), [], 'a judgement that is awaited');
          await webview.post({
            ...missionRun(),
            again: { acceptance: 'x', error: 'The language model cannot be reached. Start it.' },
          });
          assert.deepEqual(await findings(webview), [], 'a judgement that failed');
          await webview.screenshot(`report-not-judged-${theme}`);
        },
        { theme, entry: 'report', context: { viewport: { width: 1200, height: 860 } } },
      );
    });
  }
});

describe('the words of two texts', () => {
  const marked = (expected: string, heard: string): string[] => {
    const diff = wordDiff(expected, heard);
    return [diff.expected, diff.heard].map((parts) =>
      parts.map(({ text, common }) => (common ? text : `[${text}]`)).join(' '),
    );
  };

  it('ignore case and punctuation', () => {
    assert.deepEqual(marked('Press one, please.', 'press ONE please'), ['Press one, please.', 'press ONE please']);
    assert.deepEqual(marked('For accounts, press 1.', 'For cards or accounts press 2'), [
      'For accounts, press [1.]',
      'For [cards or] accounts press [2]',
    ]);
    assert.deepEqual(marked('Hello', ''), ['[Hello]', '']);
  });

  it('survive long texts', () => {
    const long = Array.from({ length: 2000 }, (_value, index) => `word${String(index)}`).join(' ');
    assert.deepEqual(marked(long, long), [long, long]);
  });

  it('belong to the turn at a moment', () => {
    const turns = [
      { speaker: 'them', text: 'a', startMs: 0, endMs: 1000 },
      { speaker: 'us', text: '1' },
      { speaker: 'them', text: 'b', startMs: 3000, endMs: 4000 },
      { speaker: 'us', text: '2', startMs: 3900, endMs: 4100 },
    ] as const;
    assert.deepEqual(
      [0, 500, 2000, 3500, 3950, 9000].map((ms) => turnAt(turns, ms)),
      [0, 0, 2, 2, 3, 3],
    );
    assert.equal(turnAt([], 5), -1);
  });

  it('belong to the turn that contains them, even if another overlaps', () => {
    const turns = [
      { speaker: 'them', text: 'Your balance is low.', startMs: 1000, endMs: 2000 },
      { speaker: 'us', text: '[keys ••••#]', startMs: 30_060, endMs: 31_840 },
      { speaker: 'them', text: 'Your balance, is: 12 pounds. Good bye.', startMs: 31_776, endMs: 36_000 },
      { speaker: 'us', text: '[keys 1]', startMs: 31_700, endMs: 31_900 },
    ] as const;
    assert.equal(turnOf(turns, 'your balance is', 31_776), 2);
    assert.equal(turnOf(turns, 'your balance is', 900), 0);
    assert.equal(turnOf(turns, 'pounds good bye', 0), 2);
    assert.equal(turnOf(turns, 'alance', 31_776), 2, 'that of the moment, since nobody said so: words are whole');
    assert.equal(turnOf(turns, '…', 1500), 0);
    assert.equal(turnOf([], 'x', 0), -1);
  });

  it('show how long an answer took, except if it was interrupted', () => {
    const turns = [
      { speaker: 'them', text: 'a', startMs: 0, endMs: 1000 },
      { speaker: 'us', text: '1', startMs: 1500, endMs: 1700 },
      { speaker: 'them', text: 'b', startMs: 2600, endMs: 5000 },
      { speaker: 'us', text: '2', startMs: 4000, endMs: 4200 },
      { speaker: 'them', text: 'c', startMs: 6000, endMs: 7000 },
      { speaker: 'us', text: '3', startMs: 7500, endMs: 7800 },
      { speaker: 'them', text: 'd', startMs: 7750 },
      { speaker: 'them', text: 'e', startMs: 9000 },
    ] as const;
    assert.deepEqual(
      turns.map((_turn, place) => answerMs(turns, place)),
      [undefined, undefined, 900, undefined, undefined, undefined, 0, undefined],
    );
  });
});

describe('a recording in parts', () => {
  const bytes = (length: number): Uint8Array<ArrayBuffer> => Uint8Array.from({ length }, (_value, index) => index);

  it('ends with the last one', () => {
    const parts = new RecordingParts();
    assert.deepEqual(parts.take({ wav: bytes(8).slice(0, 5), from: 0, total: 8 }), { next: 5, share: 5 / 8 });
    assert.deepEqual(parts.take({ wav: bytes(8).slice(5), from: 5, total: 8 }), { whole: bytes(8) });
    assert.deepEqual(parts.take({ wav: bytes(4) }), { whole: bytes(4) });
  });

  it("refuses parts that don't fit", () => {
    const parts = new RecordingParts();
    for (const part of [
      {},
      { wav: bytes(0) },
      { wav: bytes(4), from: 2, total: 8 },
      { wav: bytes(4), from: 0, total: 3 },
      { wav: bytes(4), from: 0, total: 2 ** 40 },
    ])
      assert.equal(parts.take(part), undefined);
    parts.take({ wav: bytes(4), from: 0, total: 8 });
    assert.equal(parts.take({ wav: bytes(4), from: 4, total: 9 }), undefined);
    parts.begin();
    assert.deepEqual(parts.take({ wav: bytes(2), from: 0, total: 4 }), { next: 2, share: 0.5 });
  });
});
