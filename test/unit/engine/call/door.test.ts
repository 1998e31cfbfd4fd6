import assert from 'node:assert/strict';
import { ivrFileSchema } from '../../../../src/contract/ivrFile.ts';
import { Door } from '../../../../src/engine/call/door.ts';
import { CallLog } from '../../../../src/engine/hearing/callLog.ts';
import { LiveGuard } from '../../../../src/language/mission/liveGuard.ts';
import { simulatedDialer } from '../../../support/simulatedDialer.ts';
import { VirtualClock } from '../../../support/virtualClock.ts';

const ivrAfter = (announcement: string) =>
  ivrFileSchema.parse({
    name: 'Announcement',
    start: 'announcement',
    states: {
      announcement: { prompt: announcement, next: 'main', pauseMs: 2000 },
      main: { prompt: 'For opening hours, press 1.', keys: { 1: 'hours' } },
      hours: { prompt: 'We are open from nine to five.', end: 'hangup' },
    },
  });

/** Hears only the menu as a turn. Returns why its key isn't pressed. */
async function whyNotAfter(announcement: string): Promise<string | undefined> {
  const clock = new VirtualClock();
  const work = async (): Promise<string | undefined> => {
    const call = await simulatedDialer({ ivr: ivrAfter(announcement), clock }).dial(
      'sip:x',
      new AbortController().signal,
    );
    const log = new CallLog(call, clock, () => undefined);
    const next = (timeoutMs: number): Promise<void> => log.next(timeoutMs);
    const door = new Door({ call, log, next, forbiddenKeys: '', guard: new LiveGuard('') });
    while (log.utterancesSince(0).length < 2) await next(1000);
    const [before, menu] = log.utterancesSince(0);
    assert.ok(before && menu);
    door.hear({ text: menu.text, fromMs: before.endMs, endMs: menu.endMs });
    const refused = door.whyNot({ press: '1' });
    log.close();
    return refused?.because;
  };
  return clock.run(work());
}

describe('the door of a call', () => {
  it('judges a key also by what was said before the turn that was heard', async () => {
    assert.equal(await whyNotAfter('By pressing any key you agree to a charge of five pounds.'), 'acts');
    assert.equal(await whyNotAfter('Welcome to the harbour office.'), undefined);
  });
});
