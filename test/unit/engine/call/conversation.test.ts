import assert from 'node:assert/strict';
import { createDialer, joinCall } from '../../../../src/engine/call/conversation.ts';
import { deadAirReason } from '../../../../src/engine/hearing/deadAir.ts';
import { describeHangUp } from '../../../../src/engine/call/hangUp.ts';
import { DialError } from '../../../../src/engine/call/activeCall.ts';
import type { DialOptions, ActiveCall, ActiveCallEvent, Cleared } from '../../../../src/engine/call/activeCall.ts';
import type { EarEvent, SpeechEngine } from '../../../../src/speech/ear.ts';
import type { IncomingCallLeg, SendDigitsOptions, SipAgent } from '../../../../src/telephony/call.ts';
import { encodeUlaw } from '../../../../src/base/g711.ts';
import { writeRtpHeader } from '../../../../src/telephony/rtp/packet.ts';
import { parseMessage, serialiseMessage } from '../../../../src/telephony/sip/message.ts';
import { createResponse } from '../../../../src/telephony/sip/response.ts';
import { quietSpeech } from '../../../support/quietSpeech.ts';
import { ManualClock } from '../../../support/manualClock.ts';
import { TelephonyLink } from '../../../support/telephonyLink.ts';

const G711 = '0 101\r\na=rtpmap:101 telephone-event/8000';
const sdp = (types: string): string =>
  `v=0\r\no=- 1 1 IN IP4 10.0.0.3\r\ns=-\r\nc=IN IP4 10.0.0.3\r\nt=0 0\r\nm=audio 7000 RTP/AVP ${types}\r\n`;

describe('engine: a conversation over SIP', () => {
  let clock: ManualClock, link: TelephonyLink, agent: SipAgent, sent: string[], send: (text: string) => void;

  beforeEach(() => {
    clock = new ManualClock();
    link = new TelephonyLink(clock);
    agent = link.agent('10.0.0.1');
    sent = [];
    const far = link.transport('10.0.0.3', 5060);
    far.listen({
      onMessage: (datagram) => {
        sent.push(Buffer.from(datagram).toString());
      },
      onFailure: () => undefined,
    });
    send = (text) => far.send(Buffer.from(text), { host: '10.0.0.1', port: 5060 });
  });
  afterEach(async () => {
    await clock.finish(agent.close(), 70_000);
    assert.equal(clock.pending, 0, 'no timer is left behind');
  });

  const started = (method: string): string | undefined => sent.find((text) => text.startsWith(`${method} `));

  function answer(body: string): void {
    const invite = parseMessage(Buffer.from(started('INVITE') ?? ''));
    assert.ok(invite?.kind === 'request');
    send(
      serialiseMessage(
        createResponse(invite, 200, {
          toTag: 'far',
          body,
          headers: [
            ['Contact', '<sip:far@10.0.0.3>'],
            ...(body === '' ? [] : [['Content-Type', 'application/sdp'] as const]),
          ],
        }),
      ).toString(),
    );
  }

  function bye(): void {
    const invite = started('INVITE') ?? '';
    const header = (name: string): string => new RegExp(`^${name}: (.*)$`, 'm').exec(invite)?.[1]?.trim() ?? '';
    send(
      [
        'BYE sip:caller@10.0.0.1 SIP/2.0',
        'Via: SIP/2.0/UDP 10.0.0.3;branch=z9hG4bKbye',
        'Max-Forwards: 70',
        `From: ${header('To')};tag=far`,
        `To: ${header('From')}`,
        `Call-ID: ${header('Call-ID')}`,
        'CSeq: 1 BYE',
        'Reason: Q.850;cause=16',
        'Content-Length: 0',
        '',
        '',
      ].join('\r\n'),
    );
  }

  async function dial(answers: () => void, options?: DialOptions): Promise<ActiveCall | DialError> {
    let outcome: ActiveCall | DialError | undefined;
    createDialer({ agent, speech: quietSpeech(), clock })
      .dial('sip:ivr@10.0.0.3', new AbortController().signal, options)
      .then(
        (call) => {
          outcome = call;
        },
        (error: unknown) => {
          outcome = error as DialError;
        },
      );
    assert.ok(await clock.run(() => started('INVITE') !== undefined, 1000));
    answers();
    assert.ok(await clock.run(() => outcome !== undefined, 130_000));
    assert.ok(outcome);
    return outcome;
  }

  async function connected(): Promise<ActiveCall> {
    const call = await dial(() => answer(sdp(G711)));
    assert(!(call instanceof DialError));
    return call;
  }

  it('fails if the answer has no audio codec that we support, and names the codecs', async () => {
    for (const [types, told] of [
      ['18\r\na=rtpmap:18 G729/8000', /it answered with G729\./],
      ['111\r\na=rtpmap:111 opus/48000/2', /it answered with opus\./],
      ['9', /it answered with G722\./],
      [undefined, /names no audio \(no SDP\)/],
    ] as const) {
      sent.length = 0;
      const refused = await dial(() => answer(types === undefined ? '' : sdp(types)));
      assert(refused instanceof DialError);
      assert.equal(refused.end.kind, 'noCommonCodec');
      const { sentence } = describeHangUp(refused.end);
      assert.match(sentence, told);
      assert.match(sentence, /No common codec.*G\.711/);
      assert.ok(await clock.run(() => started('BYE') !== undefined, 1000));
      assert.deepEqual(
        sent.map((text) => text.split(' ')[0]).filter((method, index, all) => all.indexOf(method) === index),
        ['INVITE', 'ACK', 'BYE'],
        'acknowledged, then hung up',
      );
    }
  });

  it('ends if the called side hangs up as it answers, and later listeners are notified', async () => {
    const call = await dial(() => {
      answer(sdp(G711));
      bye();
    });
    assert(!(call instanceof DialError));
    assert.equal(call.ended?.by, 'remote');
    const told: ActiveCallEvent[] = [];
    call.listen((event) => {
      told.push(event);
    });
    assert.ok(await clock.run(() => told.length > 0, 100));
    assert.deepEqual(
      told.map(({ type }) => type),
      ['ended'],
    );
    const late: ActiveCallEvent[] = [];
    call.listen((event) => {
      late.push(event);
    });
    assert.ok(await clock.run(() => late.length > 0, 100));
    assert.equal(told.length, 1, 'each is told once');
  });

  it('ends immediately if an incoming call was over before it was joined', async () => {
    const legs: IncomingCallLeg[] = [];
    const callee = link.agent('10.0.0.2');
    callee.onCall((leg) => {
      legs.push(leg);
      leg.answer();
    });
    const ours = agent.call('sip:ivr@10.0.0.2');
    ours.listen((event) => {
      if (event.type === 'answered') void ours.hangup();
    });
    assert.ok(await clock.run(() => legs[0]?.state === 'ended', 5000));
    const [leg] = legs;
    assert(leg);
    const call = joinCall(leg, quietSpeech(), clock);
    assert.equal(call.ended?.by, 'remote');
    const told: string[] = [];
    call.listen(({ type }) => {
      told.push(type);
    });
    assert.ok(await clock.run(() => told.includes('ended'), 100));
    await clock.finish(callee.close());
  });

  it('ends alone if its recogniser or a listener throws', async () => {
    const faults: string[] = [];
    const callee = link.agent('10.0.0.2'),
      ours = link.agent('10.0.0.4', {
        onFault: (error) => {
          faults.push(String(error));
        },
      });
    callee.onCall((leg) => leg.answer());
    const dialWith = async (speech: SpeechEngine): Promise<ActiveCall> => {
      let call: ActiveCall | undefined;
      void createDialer({ agent: ours, speech, clock })
        .dial('sip:ivr@10.0.0.2', new AbortController().signal)
        .then((one) => {
          call = one;
        });
      assert.ok(await clock.run(() => call !== undefined, 5000));
      return call ?? assert.fail();
    };
    let say: (event: EarEvent) => void = () => assert.fail();
    const broken = quietSpeech(),
      listening = quietSpeech();
    const healthy = await dialWith(quietSpeech());
    const deaf = await dialWith({
      ...broken,
      openEar: () => ({
        ...broken.openEar(),
        push: () => {
          throw new Error('deaf');
        },
      }),
    });
    const heard = await dialWith({
      ...listening,
      openEar: () => ({
        ...listening.openEar(),
        listen: (listener) => {
          say = listener;
          return () => undefined;
        },
      }),
    });
    heard.listen(() => {
      throw new Error('bad listener');
    });
    say({ type: 'speechStart', atMs: 0 });
    assert.ok(await clock.run(() => deaf.ended !== undefined && heard.ended !== undefined, 5000));
    assert.deepEqual([deaf.ended?.kind, heard.ended?.kind, healthy.ended], ['internal', 'internal', undefined]);
    // It is notified of the end too, and throws again.
    assert.deepEqual([...faults].sort(), ['Error: bad listener', 'Error: bad listener', 'Error: deaf']);
    assert.match(describeHangUp(deaf.ended ?? assert.fail()).sentence, /internal error/);
    void healthy.hangUp();
    assert.ok(await clock.run(() => healthy.ended !== undefined, 5000));
    await clock.finish(Promise.all([callee.close(), ours.close()]));
  });

  it('distinguishes no audio, audio of another codec, and silence', async () => {
    const heard = async (type: number | undefined): Promise<string> => {
      sent.length = 0;
      const call = await connected();
      const port = Number(/m=audio (\d+)/.exec(started('INVITE') ?? '')?.[1]);
      for (let sequence = 0; type !== undefined && sequence < 10; sequence += 1) {
        const packet = new Uint8Array(172);
        writeRtpHeader(packet, { payloadType: type, marker: false, sequence, timestamp: sequence * 160, ssrc: 7 });
        link.deliver(packet, { host: '10.0.0.3', port: 7000 }, { host: '10.0.0.1', port });
      }
      await clock.run(() => false, 1000);
      const reason = String(deadAirReason(call, 10));
      void call.hangUp();
      assert.ok(await clock.run(() => call.ended !== undefined, 5000));
      return reason;
    };
    assert.match(await heard(undefined), /received no RTP packets/);
    assert.match(await heard(18), /sends audio as G729,/);
    assert.match(await heard(111), /sends audio as payload type 111,/);
    assert.equal(await heard(13), 'Dead air: nothing was heard for 10 s.', 'comfort noise is silence that arrived');
    assert.equal(await heard(0), 'Dead air: nothing was heard for 10 s.');
  });

  it("presses keys at its caller's pace, never faster than a press allows, and speaks in the caller's voice", async () => {
    const pressed: { readonly digit: string; readonly ms: number; readonly at: number }[] = [];
    const callee = link.agent('10.0.0.2');
    callee.onCall((leg) => {
      leg.listen((event) => {
        if (event.type === 'digit') pressed.push({ digit: event.digit, ms: event.durationMs, at: clock.now() });
      });
      leg.answer();
    });
    const spoken: (string | undefined)[] = [];
    const quiet = quietSpeech();
    const dialer = createDialer({
      agent,
      speech: {
        ...quiet,
        speak: (text, voice) => {
          spoken.push(voice);
          return quiet.speak(text);
        },
      },
      clock,
    });
    const press = async (
      options: DialOptions,
      asked?: SendDigitsOptions,
    ): Promise<{ readonly tones: number[]; readonly between: number }> => {
      pressed.length = 0;
      let call: ActiveCall | undefined;
      let done = false;
      void (async () => {
        call = await dialer.dial('sip:ivr@10.0.0.2', new AbortController().signal, options);
        await call.press('12' as Cleared, asked);
        await call.say('Hello.' as Cleared);
        await call.hangUp();
        done = true;
      })();
      assert.ok(await clock.run(() => done, 20_000));
      return { tones: pressed.map(({ ms }) => ms), between: (pressed[1]?.at ?? 0) - (pressed[0]?.at ?? 0) };
    };
    const slow = { keys: { toneMs: 300, gapMs: 500 } };
    assert.deepEqual(await press({}), { tones: [100, 100], between: 200 });
    assert.deepEqual(await press(slow), { tones: [300, 300], between: 800 });
    assert.deepEqual(await press(slow, { toneMs: 200, gapMs: 200 }), { tones: [300, 300], between: 800 });
    assert.deepEqual(await press({ keys: { toneMs: 60, gapMs: 60 }, voice: 'slt' }, { toneMs: 200, gapMs: 200 }), {
      tones: [200, 200],
      between: 400,
    });
    assert.deepEqual(spoken, [undefined, undefined, undefined, 'slt']);
    await clock.finish(callee.close());
  });

  for (const [what, packets, everyMs] of [
    ['one packet in 140 ms', 1, 140],
    ['50 packets at once, each 500 ms', 50, 500],
    ['50 packets at once, each 15 s', 50, 15_000],
  ] as const)
    it(`keeps its audio clock in step if the called side sends ${what}`, async () => {
      const call = await connected();
      const answeredAt = clock.now();
      const port = Number(/m=audio (\d+)/.exec(started('INVITE') ?? '')?.[1]);
      let sequence = 0;
      while (clock.now() - answeredAt < 60_000) {
        for (let packet = 0; packet < packets; packet += 1, sequence += 1) {
          const datagram = new Uint8Array(172).fill(0x55);
          writeRtpHeader(datagram, { payloadType: 0, marker: false, sequence, timestamp: sequence * 160, ssrc: 7 });
          link.deliver(datagram, { host: '10.0.0.3', port: 7000 }, { host: '10.0.0.1', port });
        }
        await clock.run(() => false, everyMs, 20);
        const elapsed = clock.now() - answeredAt;
        assert.ok(Math.abs(call.durationSeconds - elapsed / 1000) < 0.001, 'the duration is that of the clock');
        const behindMs = elapsed - call.now();
        assert.ok(behindMs >= -200 && behindMs <= 3200, `${String(behindMs)} ms behind after ${String(elapsed)} ms`);
      }
      void call.hangUp();
      assert.ok(await clock.run(() => call.ended !== undefined, 5000));
      const lasted = call.durationSeconds;
      await clock.run(() => false, 2000);
      assert.equal(call.durationSeconds, lasted, 'the duration ends with the call');
    });

  it('inserts no silence into received audio, however late', async () => {
    const call = await connected();
    const answeredAt = clock.now();
    const port = Number(/m=audio (\d+)/.exec(started('INVITE') ?? '')?.[1]);
    let sequence = 0;
    // A machine that stalls now and then: 20 ms of audio every 25 ms.
    const hear = async (sampleAt: (index: number) => number, packets: number): Promise<void> => {
      for (const until = sequence + packets; sequence < until; sequence += 1) {
        const packet = new Uint8Array(172);
        writeRtpHeader(packet, { payloadType: 0, marker: false, sequence, timestamp: sequence * 160, ssrc: 7 });
        packet.set(encodeUlaw(Int16Array.from({ length: 160 }, (_, index) => sampleAt(sequence * 160 + index))), 12);
        link.deliver(packet, { host: '10.0.0.3', port: 7000 }, { host: '10.0.0.1', port });
        await clock.run(() => false, 25, 5);
      }
    };
    await hear((index) => 8000 * Math.sin(index / 3), 160);
    const behindMs = (): number => clock.now() - answeredAt - call.now();
    assert.ok(behindMs() > 600, String(behindMs()));
    const word = call.audio(0, call.now());
    const [from, to] = [
      word.findIndex((sample) => Math.abs(sample) > 4000),
      word.findLastIndex((sample) => Math.abs(sample) > 4000),
    ];
    let longest = 0;
    for (let index = from, last = from; index <= to; index += 1)
      if (Math.abs(word[index] ?? 0) > 4000) {
        longest = Math.max(longest, index - last);
        last = index;
      }
    assert.ok(longest < 160, `${String(longest / 8)} ms were put into a word`);
    await hear(() => 0, 40);
    assert.ok(behindMs() > 800, 'nor in a pause, which would look like the end of a prompt');
    void call.hangUp();
    assert.ok(await clock.run(() => call.ended !== undefined, 5000));
  });

  it('continues in silence with the clock if no audio comes at all', async () => {
    const call = await connected();
    const answeredAt = clock.now();
    for (let seconds = 1; seconds <= 5; seconds += 1) {
      await clock.run(() => false, 1000);
      const behindMs = clock.now() - answeredAt - call.now();
      assert.ok(behindMs >= 0 && behindMs <= 500, String(behindMs));
    }
    void call.hangUp();
    assert.ok(await clock.run(() => call.ended !== undefined, 5000));
  });

  it('rings as long as requested, and reports how long that was', async () => {
    const ringing = (): void => {
      const invite = parseMessage(Buffer.from(started('INVITE') ?? ''));
      assert.ok(invite?.kind === 'request');
      send(serialiseMessage(createResponse(invite, 180, { toTag: 'far' })).toString());
    };
    const within = async (options?: DialOptions): Promise<readonly [string | undefined, number]> => {
      sent.length = 0;
      const from = clock.now();
      const refused = await dial(ringing, options);
      assert(refused instanceof DialError);
      return [refused.sentence, Math.floor((clock.now() - from) / 10_000)];
    };
    assert.deepEqual(await within(), ["The call wasn't answered within 60 s.", 6]);
    assert.deepEqual(await within({ ringSeconds: 100 }), ["The call wasn't answered within 100 s.", 10]);
  });
});
