import assert from 'node:assert/strict';
import type { CallLeg, KeyTransport } from '../../../src/telephony/call.ts';
import { parseRtp } from '../../../src/telephony/rtp/packet.ts';
import { RawPeer, RawStage } from '../../support/rawPeer.ts';

const withoutEvents = RawPeer.sdp.replace(' 0 101', ' 0').replace(/a=rtpmap:101.*\r\n/, '');
const allow = ['Allow', 'INVITE, ACK, BYE, INFO'] as const;
const accept = ['Accept', 'application/sdp, application/dtmf-relay'] as const;

describe('keys of a call', () => {
  let stage: RawStage, clock: RawStage['clock'], far: RawPeer, leg: CallLeg;
  /** Payload types of the received packets that aren't silence. */
  let heard: Set<string>;

  async function answer(
    keysBy: KeyTransport | undefined,
    body = withoutEvents,
    headers: readonly (readonly [string, string])[] = [],
  ): Promise<void> {
    ({ leg } = await stage.answered({ body, headers }, keysBy && { keysBy }));
  }
  /** Sends keys, and answers each INFO with this status. Returns the keys and times that came by INFO. */
  async function press(keys: string, status?: number): Promise<string[]> {
    let sent = false;
    void leg.sendDigits(keys).then(() => (sent = true));
    const answered: string[] = [];
    await clock.run(() => {
      const next = far.all('INFO')[answered.length];
      if (next !== undefined) {
        assert.match(next, /^Content-Type: application\/dtmf-relay\r$/m);
        answered.push(next.slice(next.indexOf('\r\n\r\n') + 4));
        if (status !== undefined) far.respond(next, status);
      }
      return sent;
    }, 60_000);
    assert.ok(sent, 'the keys are sent');
    return answered;
  }

  beforeEach(() => {
    stage = new RawStage();
    ({ clock, far } = stage);
    heard = new Set();
    stage.link.listenAt('10.0.0.3', 7000, (datagram) => {
      const packet = parseRtp(datagram);
      if (packet?.payloadType === 101) heard.add('event');
      else if (packet?.payload.some((byte) => byte !== 0xff)) heard.add('tone');
    });
  });
  afterEach(() => stage.close());

  it('go out by INFO one by one, with their length, if the line says so', async () => {
    await answer('info', RawPeer.sdp);
    assert.deepEqual(await press('1*,d', 200), [
      'Signal=1\r\nDuration=100\r\n',
      'Signal=*\r\nDuration=100\r\n',
      'Signal=D\r\nDuration=100\r\n',
    ]);
    assert.deepEqual([[...heard], leg.keyTrouble], [[], undefined]);
    assert.ok(
      leg.trace().every(({ text }) => !text.includes('Signal=')),
      'the trace has no keys',
    );
  });

  it('go out by INFO automatically if no events are agreed and the answer accepts them there', async () => {
    await answer(undefined, withoutEvents, [accept]);
    assert.equal((await press('12', 200)).length, 2);
    assert.deepEqual([[...heard], leg.keyTrouble], [[], undefined]);
  });

  it('go out as events if those are agreed, even if the answer also accepts INFO', async () => {
    await answer(undefined, RawPeer.sdp, [accept]);
    assert.deepEqual(await press('12'), []);
    assert.deepEqual([[...heard], leg.keyTrouble], [['event'], undefined]);
  });

  it('go out as tones otherwise, and the leg says why, and that INFO is allowed', async () => {
    await answer(undefined, withoutEvents, [allow]);
    assert.equal(leg.keyTrouble, undefined, 'no key was sent yet');
    assert.deepEqual(await press('12'), []);
    assert.deepEqual([...heard], ['tone']);
    assert.match(
      leg.keyTrouble ?? '',
      /No telephone-event was agreed .* tones \(in-band\)\. It allows INFO: .* dtmf to info/,
    );
  });

  it('go out as tones although events are agreed, if the line says so', async () => {
    await answer('inband', RawPeer.sdp);
    assert.deepEqual(await press('12'), []);
    assert.deepEqual(
      [[...heard], leg.keyTrouble],
      [['tone'], 'Keys were sent as tones (in-band), because the line says so.'],
    );
  });

  it('go out as events although none are agreed, if the line says so', async () => {
    await answer('rfc4733');
    assert.deepEqual(await press('12'), []);
    assert.deepEqual([...heard], ['event']);
    assert.match(leg.keyTrouble ?? '', /No telephone-event was agreed/);
  });

  it('go out as tones from the one whose INFO is refused', async () => {
    await answer('info');
    assert.equal((await press('123', 415)).length, 1);
    assert.deepEqual([...heard], ['tone']);
    assert.match(leg.keyTrouble ?? '', /refused keys by INFO \(SIP 415\), so they were sent as tones/);
  });

  it('go out once if an INFO has no response, and the next one follows after 4 s', async () => {
    await answer('info');
    const begun = clock.now();
    assert.equal((await press('12')).filter((body) => body.startsWith('Signal=1')).length > 0, true);
    assert.ok(clock.now() - begun < 10_000, String(clock.now() - begun));
    assert.deepEqual([...heard], []);
    assert.match(leg.keyTrouble ?? '', /didn't respond to an INFO/);
  });

  it('stop being sent when the call ends', async () => {
    await answer('info');
    const sent = leg.sendDigits('123456');
    await far.last('INFO');
    void leg.hangup();
    far.respond(await far.last('BYE'), 200);
    await clock.finish(sent);
    // Its transaction ends after 32 s.
    await stage.pass(40_000, 100);
    assert.equal(new Set(far.all('INFO').map((text) => /Signal=./.exec(text)?.[0])).size, 1);
  });

  it('cause a TypeError unless they are keys', async () => {
    await answer('info');
    await assert.rejects(leg.sendDigits('1x'), TypeError);
    assert.deepEqual(far.all('INFO'), []);
  });
});
