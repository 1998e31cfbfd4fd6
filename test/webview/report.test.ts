import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'mocha';
import type { WebviewPage } from './webviewPage.ts';
import { bundleWebview, withFolder, withWebview } from './webviewPage.ts';
import { themeNames } from '../support/themes.ts';
import { findings } from './accessibility.ts';
import { wordDiff } from '../../webview/report/wordDiff.ts';
import { turnAt } from '../../webview/report/turns.ts';
import { failedRun, missionRun, runningRun } from './reportRun.ts';
import { makeWav } from './speechLikeWav.ts';

const audioUrl = 'http://127.0.0.1:1/audio';

const withReport = (work: (webview: WebviewPage) => Promise<void>): Promise<void> => withWebview(work, { entry: 'report' });

describe('the report of a run', () => {
  it('tells the outcome, who hung up, and what each step heard', async () => {
    await withReport(async (webview) => {
      await webview.post(failedRun());
      const text = await webview.page.locator('body').innerText();
      for (const part of ['Harbour Bank: balance by keypad', 'Failed', 'The called side hung up after “Good bye.”', '42 % of it was heard', 'Failed, optional', 'answered after 0.9 s']) assert.ok(text.includes(part), part);
      const balance = webview.page.locator('.step').nth(2);
      assert.deepEqual(await balance.locator('.missing').allTextContents(), ['[missing: eight digit]', '[missing: followed by the pound key.]']);
      assert.deepEqual(await balance.locator('.extra').allTextContents(), ['[more: We are sorry, all of our lines are busy.]', '[more: later.]']);
      assert.equal(await webview.page.locator('[role=status]').textContent(), 'Failed. The called side hung up after “Good bye.”');
    });
  });

  it('leads from a step to what was said, and back, by keyboard alone', async () => {
    await withReport(async (webview) => {
      await webview.post(failedRun());
      const { page } = webview;
      await page.locator('.step').nth(2).getByRole('button', { name: /Show what was said/ }).focus();
      await page.keyboard.press('Enter');
      assert.match(await page.locator('.turn[aria-current=true]').innerText(), /1/);
      assert.equal(await page.evaluate('document.activeElement.matches(".turn")'), true);
      await page.getByRole('button', { name: /Show step 3/ }).press('Enter');
      assert.equal(await page.evaluate('document.activeElement.dataset.step'), '2');
      await page.getByRole('button', { name: 'Open test file' }).press('Enter');
      await page.getByRole('button', { name: /Open step 3 in the file/ }).press('Enter');
      assert.deepEqual(await webview.sent('openFile'), [{ type: 'openFile' }, { type: 'openFile', step: 2 }]);
    });
  });

  it('shows the address at which a probe waits for a call, until the call comes', async () => {
    await withReport(async (webview) => {
      const { page } = webview;
      const waiting = runningRun();
      await webview.post({ ...waiting, run: { ...waiting.run, runType: 'compliance', steps: [], transcript: [], awaitsCallAt: 'sip:probe-0123456789abcdef@127.0.0.1:40123' } });
      assert.match(await page.locator('.run-outcome').innerText(), /Waiting for their call/);
      assert.equal(await page.locator('.awaited code').innerText(), 'sip:probe-0123456789abcdef@127.0.0.1:40123');
      await page.getByRole('button', { name: 'Copy address' }).press('Enter');
      assert.equal((await webview.sent('copyAddress')).length, 1);
      await page.screenshot({ path: 'test/.artifacts/webview/report-awaits-call.png' });
      await webview.post(waiting);
      assert.equal(await page.locator('.awaited').isVisible(), false);
    });
  });

  it('keeps the focus while a run goes on, and hangs up once a press', async () => {
    await withReport(async (webview) => {
      const { page } = webview;
      await webview.post(runningRun());
      assert.match(await page.locator('.run-outcome').innerText(), /On the phone/);
      const step = page.locator('.step').first().getByRole('button', { name: /Show what was said/ });
      await step.focus();
      await webview.post({ ...runningRun(), run: { ...runningRun().run, transcript: failedRun().run.transcript ?? [] } });
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

  it('plays the call from the second that a step, a key or a word stands for', async () => {
    await withReport(async (webview) => {
      const { page } = webview;
      await webview.post(failedRun());
      assert.equal(await page.locator('.player').isVisible(), false);
      await webview.post(failedRun({ audioUrl }));
      await page.locator('.step').nth(2).getByRole('button', { name: /Show what was said/ }).click();
      await webview.messages('requestAudio');
      await webview.post({ type: 'audio', wav: makeWav(29.4) });
      await page.locator('.player[data-playing="true"]').waitFor();
      const second = async (): Promise<number> => Number(await page.getByRole('slider').getAttribute('aria-valuenow'));
      assert.ok(await second() >= 12.3);
      await page.getByRole('button', { name: 'Pause' }).click();
      await page.getByRole('button', { name: /^1, Keys 1 at 0:06.6/ }).click();
      assert.ok(await second() < 8);
      await webview.until('document.querySelector(".turn[aria-current]")?.textContent.includes("You have reached accounts")');
      assert.equal((await webview.sent('requestAudio')).length, 1);
    });
  });

  it('tells why there is no sound', async () => {
    await withReport(async (webview) => {
      await webview.post(failedRun({ audioUrl }));
      await webview.page.getByRole('button', { name: 'Play' }).click();
      await webview.messages('requestAudio');
      await webview.post({ type: 'audio', error: 'The recording was deleted.' });
      assert.match(await webview.page.locator('.trouble').textContent() ?? '', /was deleted/);
    });
  });

  it('shows why a mission was judged so, with quotes that lead to their second', async () => {
    await withReport(async (webview) => {
      await webview.post(missionRun());
      const verdict = webview.page.getByRole('region', { name: 'Verdict' });
      for (const part of ['The bank asked for the account number', 'Two of three votes', 'all of our lines are busy', 'Says that calls are recorded: Failed']) assert.ok((await verdict.innerText()).includes(part), part);
      assert.equal(await webview.page.getByRole('heading', { name: 'Steps' }).isVisible(), false);
      await verdict.getByRole('button', { name: /0:13.4/ }).click();
      assert.match(await webview.page.locator('.turn[aria-current=true]').innerText(), /lines are busy/);
    });
  });

  it('shows what an IVR says as text, whatever it says', async () => {
    await withReport(async (webview) => {
      const attack = '<img src=x onerror="window.broken=1"><script>window.broken=1</script><b>bold</b>';
      await webview.post({ ...failedRun({ reason: attack, transcript: [{ speaker: 'them', text: attack, startMs: 0 }], row: { [attack]: attack }, steps: [{ name: attack, outcome: 'FAIL', reason: attack, expectedTranscript: 'bold', transcript: attack, similarity: 0.1 }] }), name: attack });
      await webview.post({ type: 'notice', message: attack });
      assert.equal(await webview.page.locator('img, b').count(), 0);
      assert.equal(await webview.page.evaluate('window.broken'), undefined);
    });
  });

  it('tells the next window which run it shows, and tries again after trouble', async () => {
    await withReport(async (webview) => {
      await webview.post(failedRun());
      assert.equal(await webview.page.evaluate('sessionStorage.getItem("state")'), JSON.stringify({ runId: failedRun().run.id }));
      await webview.post({ type: 'notice', message: 'The service cannot be reached.' });
      await webview.page.getByRole('button', { name: 'Try again' }).click();
      assert.equal((await webview.messages('refresh')).length, 1);
      await webview.post(failedRun());
      assert.equal(await webview.page.getByRole('alert').filter({ hasText: 'cannot be reached' }).isVisible(), false);
    });
  });

  for (const theme of themeNames) {
    it(`can be seen and read by everybody in the theme ${theme}`, async () => {
      await withWebview(async (webview) => {
        await webview.post(failedRun({ audioUrl }));
        await webview.page.locator('.step').nth(2).getByRole('button', { name: /Show what was said/ }).click();
        await webview.messages('requestAudio');
        await webview.post({ type: 'audio', wav: makeWav(29.4) });
        await webview.page.locator('.player[data-phase="ready"]').waitFor();
        assert.deepEqual(await findings(webview), [], 'a failed run');
        await webview.screenshot(`report-${theme}`);
        await webview.post(runningRun());
        assert.deepEqual(await findings(webview), [], 'a run that goes on');
        await webview.screenshot(`report-running-${theme}`);
        await webview.post({ type: 'notice', message: 'The service cannot be reached.' });
        await webview.post(missionRun());
        assert.deepEqual(await findings(webview), [], 'a mission');
        await webview.screenshot(`report-mission-${theme}`);
      }, { theme, entry: 'report', context: { viewport: { width: 1200, height: 860 } } });
    });
  }

  it('takes every colour from the theme, and comes from a small script', async () => {
    const styles = await readFile(new URL('../../webview/report/report.css', import.meta.url), 'utf8');
    assert.deepEqual(styles.match(/#[0-9a-f]{3,8}\b(?!\w)|rgba?\(|hsla?\(/gi) ?? [], []);
    await withFolder(async (folder) => { assert.ok((await bundleWebview(folder, 'report')).bytes < 400_000); });
  });
});

describe('the words of two texts', () => {
  const marked = (expected: string, heard: string): string[] => {
    const diff = wordDiff(expected, heard);
    return [diff.expected, diff.heard].map((parts) => parts.map(({ text, common }) => (common ? text : `[${text}]`)).join(' '));
  };

  it('are compared without case and punctuation', () => {
    assert.deepEqual(marked('Press one, please.', 'press ONE please'), ['Press one, please.', 'press ONE please']);
    assert.deepEqual(marked('For accounts, press 1.', 'For cards or accounts press 2'), ['For accounts, press [1.]', 'For [cards or] accounts press [2]']);
    assert.deepEqual(marked('Hello', ''), ['[Hello]', '']);
  });

  it('are not lost where the texts are long', () => {
    const long = Array.from({ length: 2000 }, (_value, index) => `word${String(index)}`).join(' ');
    assert.deepEqual(marked(long, long), [long, long]);
  });

  it('belong to the turn of a moment', () => {
    const turns = [{ speaker: 'them', text: 'a', startMs: 0, endMs: 1000 }, { speaker: 'us', text: '1' }, { speaker: 'them', text: 'b', startMs: 3000, endMs: 4000 }] as const;
    assert.deepEqual([0, 500, 2000, 3500, 9000].map((ms) => turnAt(turns, ms)), [0, 0, 2, 2, 2]);
    assert.equal(turnAt([], 5), -1);
  });
});
