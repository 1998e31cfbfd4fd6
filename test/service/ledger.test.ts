import assert from 'node:assert/strict';
import { createDialer } from '../../src/engine/call/conversation.ts';
import { sleep, systemClock } from '../../src/base/clock.ts';
import type { SipAgent } from '../../src/telephony/call.ts';
import { startSipAgent } from '../../src/telephony/agent.ts';
import { RTP_HEADER_BYTES, parseRtp, writeRtpHeader } from '../../src/telephony/rtp/packet.ts';
import { playedBy } from '../support/practicePlaces.ts';
import { quietSpeech } from '../support/quietSpeech.ts';
import { EventWatch, ServiceFixture } from '../support/serviceFixture.ts';
import { fakeDialer } from '../support/fakeDialer.ts';
import { stepsOf } from '../support/savedInputs.ts';

const host = '127.0.0.1';

/** Sends `copies` packets, each with the next sequence number and timestamp, for every `every`th packet of the leg. */
function paced(every: number, copies: number): (packet: Uint8Array, send: (packet: Uint8Array) => void) => void {
  let seen = 0;
  let sequence = 0;
  return (packet, send) => {
    if (seen++ % every !== 0) return;
    const { payloadType, ssrc, payload } = parseRtp(packet) ?? assert.fail('no RTP');
    for (let copy = 0; copy < copies; copy += 1, sequence += 1) {
      const next = new Uint8Array(RTP_HEADER_BYTES + payload.length);
      writeRtpHeader(next, { payloadType, marker: false, sequence, timestamp: sequence * 160, ssrc });
      next.set(payload, RTP_HEADER_BYTES);
      send(next);
    }
  };
}

/**
 * What a callee sends: normal audio, one packet in 140 ms, a second of audio every 100 ms, the same all in one go, or
 * nothing.
 */
const audio: Readonly<Record<string, () => ReturnType<typeof paced>>> = {
  ordinary: () => paced(1, 1),
  slow: () => paced(7, 1),
  bursts: () => paced(5, 50),
  flood: () => paced(1, 20),
  mute: () => () => undefined,
};

describe('service: the ledger', function () {
  const fixture = new ServiceFixture();
  const closing: (() => Promise<void> | void)[] = [];
  afterEach(async () => {
    await fixture.close();
    for (const close of closing.splice(0)) await close();
  });

  it('counts clock seconds from answer to end, whatever the callee sends and however the call ends', async () => {
    const [callee, caller] = await Promise.all([startSipAgent({ host }), startSipAgent({ host })]);
    const withdraw = playedBy(callee);
    closing.push(() => callee.close(), withdraw);
    /** How long each call lasted, in seconds of the clock, by URI. */
    const lasted = new Map<string, number>();
    let answered = 0;
    callee.onCall((leg) => {
      const [sends = '', ending = ''] = /^sip:([a-z]+)-([a-z]+)@/.exec(leg.requestUri)?.slice(1) ?? [];
      const impairRtp = audio[sends]?.() ?? assert.fail(leg.requestUri);
      if (ending === 'unanswered') {
        leg.ring();
        void sleep(systemClock, 2000).then(() => leg.reject(480));
        return;
      }
      leg.answer({ impairRtp });
      if (ending === 'theirs') void sleep(systemClock, 2000).then(() => leg.hangup());
    });
    const measured: SipAgent = {
      address: caller.address,
      onCall: (handler) => caller.onCall(handler),
      options: (...ping) => caller.options(...ping),
      register: (...registration) => caller.register(...registration),
      close: () => caller.close(),
      call: (uri, options) => {
        const leg = caller.call(uri, options);
        let answeredAt: number | undefined;
        leg.listen(({ type }) => {
          const now = performance.now();
          if (type === 'answered') {
            answeredAt = now;
            answered += 1;
          } else if (type === 'ended') lasted.set(uri, (now - (answeredAt ?? now)) / 1000);
        });
        return leg;
      },
    };
    const { client } = await fixture.start({
      parts: {
        openDialer: () => fakeDialer(createDialer({ agent: measured, speech: quietSpeech() }), () => caller.close()),
      },
    });
    const watch = new EventWatch(client);
    await watch.ready;
    const run = async (uri: string): Promise<string> => {
      const { id: configId } = await client.call('createTestConfig', {
        name: uri,
        phoneNumber: uri,
        steps: stepsOf({ type: 'dial' }, { type: 'wait', seconds: uri.includes('-ours@') ? 2 : 20 }),
      });
      return (await client.call('runTest', { configId })).items[0]?.id ?? assert.fail('no run');
    };
    const runs = new Map<string, string>();
    const start = async (ending: string): Promise<string[]> =>
      await Promise.all(
        Object.keys(audio).map(async (sends) => {
          const uri = `sip:${sends}-${ending}@${host}:${String(callee.address.port)}`;
          const id = await run(uri);
          runs.set(uri, id);
          return id;
        }),
      );
    for (const ending of ['cancelled', 'ours', 'theirs', 'unanswered']) {
      const ids = await start(ending);
      if (ending === 'cancelled') {
        while (answered < ids.length) await sleep(systemClock, 50);
        await sleep(systemClock, 1500);
        for (const runId of ids) await client.call('cancelTestRun', { runId });
      }
      await watch.until(async () => (await client.call('getWorkspaceUsage', {})).runsInFlight === 0);
    }
    await watch.close();

    assert.equal(lasted.size, runs.size);
    let sum = 0;
    for (const [uri, runId] of runs) {
      const { callSeconds = 0 } = await client.call('getRunResults', { runId });
      const seconds = lasted.get(uri) ?? assert.fail(uri);
      assert.ok(Math.abs(callSeconds - seconds) < 1, `${uri}: counted ${String(callSeconds)} of ${String(seconds)} s`);
      sum += callSeconds;
    }
    const { minutes } = (await client.call('getWorkspaceUsage', {})).period;
    assert.ok(Math.abs((minutes.testing ?? 0) * 60 - sum) < 1, 'the ledger has the sum');
  });
});
