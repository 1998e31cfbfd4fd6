import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { HandSnapshot } from '../../src/contract/handPanel.ts';
import { findings } from './accessibility.ts';
import { failedRun, handCall, ringingCall } from './reportRun.ts';
import type { WebviewPage } from './webviewPage.ts';
import { textOf, withShown } from './webviewPage.ts';

const shown = (snapshot: HandSnapshot, work: (webview: WebviewPage) => Promise<void>): Promise<void> =>
  withShown(snapshot, work, { entry: 'hand' });

const ringing = ringingCall();
const over = handCall({ run: failedRun().run });

const pressed = async (webview: WebviewPage): Promise<string> =>
  (await webview.sent('press')).map(({ key, secret }) => (secret ? `(${key})` : key)).join('');
const button = ({ page }: WebviewPage, name: string) => page.getByRole('button', { name, exact: true });

describe('the page of a call by hand', () => {
  it('shows the state of the call, what was said in order, and how it ended', async () => {
    await shown(ringing, async (webview) => {
      const { page } = webview;
      const state = page.locator('.run-outcome');
      assert.ok(await page.getByText('The words appear here as they are recognised.').isVisible());
      assert.equal(await state.innerText(), 'Calling');
      assert.equal(await page.getByRole('timer').textContent(), '');
      for (const name of ['Save as test…', 'Open report']) assert.equal(await button(webview, name).isVisible(), false);
      await webview.press('5');
      await button(webview, 'Key 5').click({ force: true });
      assert.equal(await pressed(webview), '', 'no key before the answer');

      const turns = handCall().run.transcript ?? [];
      await webview.post(
        handCall({ run: { ...handCall().run, guided: true, transcript: [...turns.slice(1), ...turns.slice(0, 1)] } }),
      );
      assert.equal(await state.innerText(), 'Connected');
      assert.deepEqual(
        await page
          .locator('.turn')
          .evaluateAll((all) => all.map((turn) => turn.innerText.replaceAll(/\s+/g, ' ').slice(0, 24))),
        ['0:00.4 IVR Welcome to Ha', '0:06.6 You Pressed 1', '0:07.6 IVR You have reac', '0:12.3 You Pressed 1'],
        'words that became text late are in their place',
      );
      assert.match(await textOf(page.getByRole('timer')), /^0:1\d$/);
      await webview.until("document.querySelector('[role=timer]').textContent === '0:14'");

      await webview.post({ ...over, answeredMs: 29_400 });
      assert.equal(await state.innerText(), 'The call is over');
      assert.equal(await page.locator('.run-reason').innerText(), 'The called side hung up after “Good bye.”');
      assert.equal(await page.getByRole('timer').textContent(), '0:29');
      await webview.post({
        ...over,
        run: { ...over.run, reason: 'No step was given.', hangUp: { by: 'us', sentence: 'Dialtree hung up.' } },
      });
      assert.equal(await page.locator('.run-reason').innerText(), 'Dialtree hung up. No step was given.');
      const ours = { by: 'us', sentence: 'Dialtree hung up.' } as const;
      await webview.post({ ...over, run: { ...over.run, guided: true, reason: undefined, hangUp: ours } });
      assert.equal(await page.locator('.run-reason').innerText(), 'You hung up.');
      await webview.press('5');
      assert.equal(await pressed(webview), '', 'no key after the end');
      for (const name of ['Open report', 'Save as test…', 'Save as mission…']) await button(webview, name).click();
      const saved = await webview.sent('save');
      assert.equal(saved.map(({ as }) => as).join(), 'calltest,mission');
      assert.equal((await webview.sent('openReport')).length, 1);
    });
  });

  it('plays the call once the user asks for it, with its level, until the call is over', async () => {
    await shown(handCall(), async (webview) => {
      const listen = button(webview, 'Listen');
      const isOn = () => webview.page.locator('.live-sound vscode-button').getAttribute('aria-pressed');
      const level = (): Promise<number> =>
        webview.page.locator('.level span').evaluate((bar) => bar.getBoundingClientRect().width);
      const loud = { type: 'sound', pcm: Int16Array.from({ length: 400 }, (_none, at) => (at % 20) * 800) } as const;
      await webview.post(loud);
      assert.deepEqual([await isOn(), await level()], ['false', 0], 'muted at first');
      await listen.press('Enter');
      assert.equal(await isOn(), 'true');
      await webview.page.evaluate(`{
        window.highest = 0;
        const bar = document.querySelector('.level span');
        new MutationObserver(() => (highest = Math.max(highest, bar.clientWidth))).observe(bar, { attributes: true });
      }`);
      for (let parts = 0; parts < 20; parts += 1) await webview.post(loud);
      assert.ok((await webview.page.evaluate<number>('highest')) > 30);
      await webview.until("document.querySelector('.level span').clientWidth === 0");
      await webview.post({ type: 'sound', error: 'Too many pages listen.' });
      assert.ok(await webview.page.getByText('Too many pages listen.').isVisible());
      assert.equal(await isOn(), 'false');
      await listen.click();
      assert.deepEqual(await findings(webview), []);
      await webview.post(over);
      assert.equal(await listen.isVisible(), false);
      assert.equal((await webview.sent('listen')).map(({ on }) => on).join(), 'true,true,false');
    });
  });

  it('keeps Hang up in its place after the call, where a second click does nothing', async () => {
    await shown(handCall(), async (webview) => {
      const place = async () => (await button(webview, 'Hang up').boundingBox())?.x;
      const before = await place();
      await button(webview, 'Hang up').click();
      await webview.post(over);
      assert.equal(await place(), before);
      await button(webview, 'Hang up').click({ force: true });
      assert.equal((await webview.sent('hangUp')).length, 1);
    });
  });

  it('sends the keys of the keypad and of the keyboard, each once, and as secret if wished', async () => {
    await shown(handCall(), async (webview) => {
      const { page } = webview;
      for (const key of ['1', '*', '0', '#']) await button(webview, `Key ${key}`).click();
      await page.keyboard.type('12*#9x');
      await webview.press('Control+1');
      await button(webview, 'Key 7').press('Enter');
      await button(webview, 'Key 7').press('Space');
      await button(webview, 'Key 7').press('8');
      assert.equal(await pressed(webview), '1*0#12*#9778');
      await page.getByRole('checkbox', { name: 'Keep keys secret' }).press('Space');
      await page.keyboard.type('47');
      assert.equal(await pressed(webview), '1*0#12*#9778(4)(7)');
    });
  });

  it('asks for the next step of a test, once the steps before it are over', async () => {
    await shown(handCall({ next: { text: 'Accounts · Keys 1', isReady: false } }), async (webview) => {
      const next = button(webview, 'Next step');
      await next.click({ force: true });
      assert.equal((await webview.sent('next')).length, 0);
      await webview.post(handCall({ next: { text: 'Accounts · Keys 1', isReady: true } }));
      assert.ok(await webview.page.getByText('Accounts · Keys 1').isVisible());
      await next.press('Enter');
      assert.equal((await webview.sent('next')).length, 1);
      await webview.post(handCall());
      assert.equal(await next.isVisible(), false, 'after the last step');
    });
  });

  it('says what is written in its box, where keys are text', async () => {
    await shown(handCall(), async (webview) => {
      const { page } = webview;
      const box = page.getByRole('textbox', { name: 'What to say' });
      await box.click();
      await button(webview, 'Say').click();
      await box.press('Enter');
      await page.keyboard.type('account 12 #');
      await webview.press('Enter');
      assert.equal(await box.inputValue(), '');
      await page.keyboard.type('  agent ');
      await button(webview, 'Say').click();
      const said = await webview.sent('say');
      assert.deepEqual(
        said.map(({ text }) => text),
        ['account 12 #', 'agent'],
      );
      assert.equal(await pressed(webview), '');
    });
  });

  it('hangs up, also before the answer, and shows that', async () => {
    await shown(ringing, async (webview) => {
      await button(webview, 'Hang up').click();
      assert.equal((await webview.sent('hangUp')).length, 1);
      await webview.post({ ...ringing, isCancelling: true });
      assert.equal(await webview.page.locator('.run-outcome').innerText(), 'Cancelling…');
    });
  });

  it('hangs up by Escape only on its button', async () => {
    await shown(handCall(), async (webview) => {
      await webview.press('Escape');
      await webview.page.getByRole('textbox', { name: 'What to say' }).press('Escape');
      await button(webview, 'Key 5').press('Escape');
      assert.equal((await webview.sent('hangUp')).length, 0);
      await button(webview, 'Hang up').press('Escape');
      assert.equal((await webview.sent('hangUp')).length, 1);
    });
  });

  it('shows the words of an utterance while it continues, which a screen reader says when it is over', async () => {
    const { run, ...rest } = handCall();
    const [first, ...others] = run.transcript ?? [];
    await shown({ ...rest, run: { ...run, transcript: [], hearing: 'Welcome to' } }, async (webview) => {
      const turns = webview.page.locator('.turn');
      const look = (): Promise<string[]> =>
        turns.evaluateAll((all) =>
          all.map((turn) => `${turn.ariaLive ?? ''} ${turn.querySelector('p')?.textContent ?? ''}`.slice(0, 24)),
        );
      assert.deepEqual(await look(), ['off Welcome to …']);
      assert.equal(await webview.page.getByText('The words appear here as they are recognised.').isVisible(), false);
      await webview.post({ ...rest, run: { ...run, transcript: first && [first], hearing: 'You have' } });
      assert.deepEqual(await look(), [' Welcome to Harbour Bank', 'off You have …']);
      await webview.post({ ...rest, run: { ...run, transcript: first && [first, ...others] } });
      assert.equal(
        (await look()).some((turn) => turn.startsWith('off')),
        false,
      );
    });
  });

  it("says why a call wasn't answered, once, and calls again only on request", async () => {
    const sentence = 'Nothing answers at 127.0.0.1:5070.';
    await shown(ringing, async (webview) => {
      const { page } = webview;
      await button(webview, 'Hang up').focus();
      const { hangUp: _hangUp, callSeconds: _seconds, ...run } = over.run;
      await webview.post({
        ...ringing,
        run: {
          ...run,
          outcome: 'ERROR',
          transcript: [],
          reason: `Step “Answer”: ${sentence}`,
          hangUp: { by: 'network', sentence },
        },
      });
      assert.equal(await page.locator('.run-reason').innerText(), sentence);
      assert.ok(await page.getByText('There is no transcript, because no call was connected.').isVisible());
      assert.equal(await button(webview, 'Save as test…').isVisible(), false);
      assert.equal(await page.evaluate('document.activeElement.textContent'), 'Open report');
      await webview.press('Enter');
      assert.equal((await webview.sent('callAgain')).length, 0);
      await button(webview, 'Call again').click();
      assert.equal((await webview.sent('callAgain')).length, 1);
    });
  });

  it("shows what wasn't sent, and that the service is away, beside the call", async () => {
    await shown(handCall({ trouble: "Couldn't send this: Keys 9. This key is forbidden." }), async (webview) => {
      const { page } = webview;
      assert.match((await page.getByRole('alert').allTextContents()).join(), /Keys 9/);
      await webview.post({ type: 'notice', message: 'The service cannot be reached.', severity: 'error' });
      assert.match((await page.getByRole('alert').allTextContents()).join(), /Keys 9.*cannot be reached/);
      assert.equal(await page.locator('.turn').count(), 4);
      await button(webview, 'Try again').click();
      assert.equal((await webview.sent('refresh')).length, 1);
    });
  });

  it('follows new words to the end of a long transcript, unless the user reads above', async () => {
    const long = (count: number): HandSnapshot =>
      handCall({
        run: {
          ...handCall().run,
          transcript: Array.from({ length: count }, (_value, index) => ({
            speaker: 'them' as const,
            text: `Sentence ${String(index)}.`,
            startMs: index * 1000,
          })),
        },
      });
    await shown(long(60), async (webview) => {
      const fromEnd = (): Promise<number> =>
        webview.page.getByRole('log').evaluate((log) => log.scrollHeight - log.scrollTop - log.clientHeight);
      await webview.until("document.querySelectorAll('.turn').length === 60");
      await webview.post(long(61));
      await webview.post(long(62));
      await webview.until("document.querySelector('.turn:last-child').getBoundingClientRect().bottom < innerHeight");
      assert.ok((await fromEnd()) < 40, String(await fromEnd()));
      await webview.page.getByRole('log').evaluate((log) => {
        log.scrollTop = 0;
      });
      await webview.post(long(63));
      assert.ok((await fromEnd()) > 400);
    });
  });

  it('keeps the newest words and the keys within reach in a small window', async () => {
    await shown(handCall(), async (webview) => {
      for (const [width, height] of [[300, 700] as const, [512, 340] as const]) {
        await webview.page.setViewportSize({ width, height });
        const fromEnd = await webview.page
          .getByRole('log')
          .evaluate((words) => words.scrollHeight - words.scrollTop - words.clientHeight);
        assert.ok(fromEnd < 40, String(width));
        for (const key of ['1', '#']) await button(webview, `Key ${key}`).click();
      }
      assert.equal(await pressed(webview), '1#1#');
    });
  });
});
