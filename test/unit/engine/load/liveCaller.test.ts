import assert from 'node:assert/strict';
import type { Dialer } from '../../../../src/engine/call/activeCall.ts';
import { callingAs } from '../../../../src/engine/call/activeCall.ts';
import { createDialer } from '../../../../src/engine/call/conversation.ts';
import { liveCaller } from '../../../../src/engine/load/liveCaller.ts';
import type { LoadCallRecord } from '../../../../src/engine/load/loadCaller.ts';
import { sleep } from '../../../../src/base/clock.ts';
import { quietSpeech } from '../../../support/quietSpeech.ts';
import { TelephonyLink } from '../../../support/telephonyLink.ts';
import { VirtualClock } from '../../../support/virtualClock.ts';

describe('a call of a load test that is heard live', () => {
  /** Places one call behind a door that opens after `doorMs`, and hangs it up after `hangUpMs`. */
  async function callBehind(doorMs: number, hangUpMs: number): Promise<{ record: LoadCallRecord; rang: number }> {
    const clock = new VirtualClock();
    const link = new TelephonyLink(clock);
    const [ours, theirs] = [link.agent('10.0.0.1'), link.agent('10.0.0.2')];
    let rang = 0;
    theirs.onCall((leg) => {
      rang += 1;
      leg.ring();
      leg.answer();
    });
    const opened = createDialer({ agent: ours, speech: quietSpeech(), clock });
    const dialer: Dialer = {
      dial: async (...call) => {
        await sleep(clock, doorMs);
        return await opened.dial(...call);
      },
    };
    const target = `sip:ivr@10.0.0.2:${String(theirs.address.port)}`;
    const record = await clock.run(
      new Promise<LoadCallRecord>((resolve) => {
        const caller = liveCaller(dialer, clock, async ({ dialer: door, signal }) => {
          const call = await callingAs(door, {}).dial(target, signal);
          await new Promise<void>((over) => {
            call.listen(({ type }) => {
              if (type === 'ended') over();
            });
          });
          return { outcome: 'PASS' };
        });
        const { hangUp } = caller.place({ target }, { onAnswered: () => undefined, onEnded: resolve });
        clock.setTimeout(hangUp, hangUpMs);
      }),
    );
    await Promise.all([ours.close(), theirs.close()]);
    return { record, rang };
  }

  it('has its times from its INVITE on', async () => {
    const { record, rang } = await callBehind(3000, 9000);
    assert.equal(rang, 1);
    const answerMs = (record.answeredAt ?? NaN) - record.placedAt;
    assert.ok(answerMs < 1000, String(answerMs));
    assert.equal(record.letGo, true);
  });

  it("doesn't reach the called side if it is hung up before its doors are open", async () => {
    const { record, rang } = await callBehind(3000, 1000);
    assert.deepEqual([rang, record.answeredAt, record.end.kind], [0, undefined, 'cancelled']);
    assert.equal(record.test?.unfinished, true);
  });
});
