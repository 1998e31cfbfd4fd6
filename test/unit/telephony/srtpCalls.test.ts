import assert from 'node:assert/strict';
import type { CallLeg, IncomingCallLeg, SipAgent, SrtpPolicy } from '../../../src/telephony/call.ts';
import { parseRtp, RTP_HEADER_BYTES, writeRtpHeader } from '../../../src/telephony/rtp/packet.ts';
import { isRtcp } from '../../../src/telephony/rtp/rtcp.ts';
import { newSrtpKey, SrtpContext, type SrtpSuite } from '../../../src/telephony/rtp/srtp.ts';
import type { CryptoLine } from '../../../src/telephony/sip/sdes.ts';
import { writeCrypto } from '../../../src/telephony/sip/sdes.ts';
import { readSdp } from '../../../src/telephony/sip/sdp.ts';
import { RawPeer, RawStage } from '../../support/rawPeer.ts';

const CALLEE = 'sip:ivr@10.0.0.2';
const tone = Int16Array.from({ length: 1600 }, (_, i) => 8000 * Math.sin(i / 3));
const AES = 'AES_CM_128_HMAC_SHA1_80';
const newCrypto = (tag: number, suite: SrtpSuite): CryptoLine => ({ tag, key: newSrtpKey(suite) });

describe('calls with SRTP', () => {
  let stage: RawStage, clock: RawStage['clock'], link: RawStage['link'], caller: SipAgent, far: RawPeer;
  let onWire: { datagram: Uint8Array; from: { host: string; port: number }; to: { host: string; port: number } }[];

  beforeEach(() => {
    stage = new RawStage();
    ({ clock, link, agent: caller, far } = stage);
    onWire = [];
    const deliver = link.deliver.bind(link);
    link.deliver = (datagram, from, to) => {
      if (to.port !== 5060) onWire.push({ datagram, from, to });
      deliver(datagram, from, to);
    };
  });

  const traceOf = (leg: CallLeg): string =>
    leg
      .trace()
      .map(({ text }) => text)
      .join('\n');
  async function until(done: () => boolean, limitMs = 5000): Promise<void> {
    assert.ok(await clock.run(done, limitMs));
  }
  function listen(leg: CallLeg): { peak: number } {
    const heard = { peak: 0 };
    leg.listen((event) => {
      if (event.type === 'audio') heard.peak = Math.max(heard.peak, ...event.frame.pcm);
    });
    return heard;
  }

  /** Two agents; the callee plays a tone. */
  async function callAgent(policy: SrtpPolicy, theirs?: SrtpPolicy) {
    const callee = link.agent('10.0.0.2', theirs === undefined ? {} : { srtp: theirs });
    let taken: IncomingCallLeg | undefined;
    callee.onCall((leg) => {
      taken = leg;
      leg.answer();
      void leg.play(tone);
    });
    const leg = caller.call(CALLEE, { srtp: policy });
    const heard = listen(leg);
    await clock.run(() => leg.state === 'ended' || heard.peak > 7000, 5000);
    const close = (): Promise<void> => clock.finish(Promise.all([caller.close(), callee.close()]));
    return { leg, heard, taken, close };
  }

  it('encrypt both directions, drop what is changed or comes again, and count it', async () => {
    const { leg, heard, taken, close } = await callAgent('require');
    assert.ok(taken && heard.peak > 7000);
    assert.deepEqual([leg.stats().srtp, taken.stats().srtp], [AES, AES]);
    assert.doesNotMatch(traceOf(leg) + traceOf(taken), /inline:[^[]/);
    assert.equal(new Set(onWire.map(({ datagram }) => datagram.length)).size, 1);
    assert.equal(onWire[0]?.datagram.length, RTP_HEADER_BYTES + 160 + 10);
    assert.equal(leg.stats().refusedPackets, undefined);
    const { datagram, from, to } = onWire.find((packet) => packet.to.host === '10.0.0.1') ?? assert.fail();
    link.deliver(datagram, from, to);
    link.deliver(
      datagram.map((byte, at) => (at === 50 ? byte ^ 1 : byte)),
      from,
      to,
    );
    await until(() => leg.stats().refusedPackets === 2);
    await close();
  });

  for (const [policy, theirs, outcome] of [
    ['prefer', 'prefer', AES],
    ['off', 'prefer', 'plain'],
    ['off', 'off', 'plain'],
    ['off', 'require', 'rejected 488'],
  ] as const)
    it(`${policy} to ${theirs}: ${outcome}`, async () => {
      const { leg, close } = await callAgent(policy, theirs);
      const end = leg.ended;
      assert.equal(end ? `${end.kind} ${String(end.status)}` : (leg.stats().srtp ?? 'plain'), outcome);
      await close();
    });

  /** A raw peer at 10.0.0.3, whose answers have these keys. */
  const described = (profile: string, line?: CryptoLine, port = 7000): string => {
    const { id, suite, config } = line ? writeCrypto(line) : {};
    const crypto = line ? `a=crypto:${String(id)} ${String(suite)} ${String(config)}\r\n` : '';
    return `${RawPeer.sdp.replace('7000 RTP/AVP', `${String(port)} ${profile}`)}${crypto}`;
  };
  const keyIn = (text: string): CryptoLine =>
    readSdp(text.slice(text.indexOf('\r\n\r\n') + 4), 'require')?.cryptos.find(({ key }) => key.suite === AES) ??
    assert.fail(`no key in ${text}`);
  const portIn = (text: string): number => Number(/m=audio (\d+)/.exec(text)?.[1]);

  it('call again without keys if the answer refuses the stream, after its BYE', async () => {
    const { leg, invite: first } = await stage.call({ srtp: 'prefer' });
    assert.match(first, /RTP\/SAVP/);
    far.respond(first, 200, { body: described('RTP/SAVP', undefined, 0) });
    far.respond(await far.last('BYE'), 200);
    await until(() => far.all('INVITE').length === 2);
    const second = await far.last('INVITE');
    assert.match(second, /m=audio \d+ RTP\/AVP 0 8 101/);
    assert.doesNotMatch(second, /crypto/);
    far.respond(second, 200, { body: described('RTP/AVP', undefined, 0), toTag: 'two' });
    await until(() => leg.state === 'ended');
    assert.equal(leg.ended?.kind, 'noCommonCodec');
    assert.equal(far.all('INVITE').length, 2, 'only once more');
    await clock.finish(caller.close());
  });

  for (const [what, srtp, profile, line, outcome] of [
    ['plain audio', 'prefer', 'RTP/AVP', undefined, 'answered'],
    ['plain audio', 'require', 'RTP/AVP', undefined, 'noSrtp'],
    ['no key', 'prefer', 'RTP/SAVP', undefined, 'setup'],
    ['a short key', 'require', 'RTP/SAVP', { tag: 1, key: { suite: AES, material: new Uint8Array(29) } }, 'noSrtp'],
  ] as const)
    it(`with ${srtp}, answered with ${what}: ${outcome}`, async () => {
      const { leg, invite } = await stage.call({ srtp });
      far.respond(invite, 200, { body: described(profile, line) });
      await clock.run(() => far.all('BYE').length > 0 || leg.state === 'answered', 1000);
      assert.deepEqual([leg.ended?.kind ?? leg.state, leg.stats().srtp], [outcome, undefined]);
      void caller.close();
      await clock.run(() => leg.state === 'ended', 5000);
    });

  /** Sends ten encrypted packets to the agent, and returns how many more it received. */
  async function hears(leg: CallLeg, sender: SrtpContext, port: number, from: number): Promise<number> {
    const before = leg.stats().received;
    for (let sequence = from; sequence < from + 10; sequence++) {
      const packet = new Uint8Array(RTP_HEADER_BYTES + 160);
      const header = { payloadType: 0, marker: false, timestamp: sequence * 160, ssrc: 7 };
      writeRtpHeader(packet, { ...header, sequence: sequence & 0xffff });
      link.deliver(sender.protect(packet), { host: '10.0.0.3', port: 7000 }, { host: '10.0.0.1', port });
      await stage.pass(20);
    }
    return leg.stats().received - before;
  }

  it("use each answer's key, keep both for a re-INVITE with the same one, and begin again with a new one", async () => {
    const { leg, invite } = await stage.call({ srtp: 'require' });
    const early = newCrypto(1, AES);
    const final = newCrypto(1, AES);
    far.respond(invite, 183, { body: described('RTP/SAVP', early), toTag: 'early' });
    await stage.pass(10);
    const port = portIn(invite);
    assert.equal(await hears(leg, new SrtpContext(early.key), port, 1), 10);
    far.respond(invite, 200, { body: described('RTP/SAVP', final) });
    await far.last('ACK');
    const theirs = new SrtpContext(final.key);
    assert.equal(await hears(leg, theirs, port, 65_530), 10);
    assert.equal(await hears(leg, new SrtpContext(early.key), port, 70), 0);

    const offer = async (sequence: number, line: CryptoLine): Promise<string> => {
      const body = described('RTP/SAVP', { ...line, tag: 4 });
      const answer = await far.within(invite, 'INVITE', sequence, { body });
      await far.within(invite, 'ACK', sequence);
      return answer;
    };
    const own = keyIn(invite);
    const kept = keyIn(await offer(10, final));
    assert.deepEqual([kept.tag, kept.key], [4, own.key]);
    assert.equal(await hears(leg, theirs, port, 65_540), 10, 'after the rollover');
    const changed = newCrypto(1, AES);
    const fresh = keyIn(await offer(11, changed));
    assert.notDeepEqual(fresh.key, own.key);
    assert.equal(await hears(leg, new SrtpContext(changed.key), port, 100), 10, 'without the rollover');
    const { datagram } = onWire.findLast((packet) => packet.to.host === '10.0.0.3') ?? assert.fail();
    const opened = new SrtpContext(fresh.key).unprotect(datagram);
    assert.equal(opened && parseRtp(opened)?.payload.length, 160);
    assert.match(await far.within(invite, 'INVITE', 12, { body: RawPeer.sdp }), /^SIP\/2\.0 488/);
    const closed = caller.close();
    far.respond(await far.last('BYE'), 200);
    await clock.finish(closed);
  });

  it('never use an index of a key again if answers of forks alternate', async () => {
    const { invite } = await stage.call({ srtp: 'require' });
    for (const [toTag, suite] of [
      ['one', AES],
      ['two', 'AES_CM_128_HMAC_SHA1_32'],
      ['one', AES],
    ] as const) {
      far.respond(invite, 183, { body: described('RTP/SAVP', newCrypto(suite === AES ? 1 : 2, suite)), toTag });
      await stage.pass(12_000);
    }
    // Both suites send RTCP with the long tag, which only the right key opens.
    const key = new SrtpContext(keyIn(invite).key);
    const reports = onWire.map(({ datagram }) => datagram).filter((datagram) => isRtcp(datagram));
    const opened = reports.filter((datagram) => key.unprotectRtcp(datagram));
    const repeated = reports.filter((datagram) => new SrtpContext(key.key).unprotectRtcp(datagram));
    assert.ok(repeated.length > 2 && reports.length > repeated.length);
    assert.equal(opened.length, repeated.length);
    const closed = caller.close();
    far.respond(await far.last('CANCEL'), 200);
    far.respond(invite, 487);
    await clock.finish(closed);
  });

  it('offer keys again after a plain announcement and a challenge', async () => {
    const { leg, invite } = await stage.call({ srtp: 'prefer', credentials: { user: 'u', password: 'p' } });
    far.respond(invite, 183, { body: RawPeer.sdp });
    const headers = [['WWW-Authenticate', 'Digest realm="r", nonce="n", qop="auth"']] as const;
    far.respond(invite, 401, { toTag: 'two', headers });
    await until(() => far.all('INVITE').length > 1);
    assert.match(
      far.all('INVITE').at(-1) ?? '',
      /m=audio \d+ RTP\/SAVP [^]*a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:/,
    );
    await clock.finish(leg.hangup());
  });
});
