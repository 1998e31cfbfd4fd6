import assert from 'node:assert/strict';
import { describeHangUp } from '../../src/engine/call/hangUp.ts';
import { startSipAgent } from '../../src/telephony/agent.ts';
import type { CallEnd, RtpStats, SipAgent, SrtpPolicy } from '../../src/telephony/call.ts';
import { findBaresip, type Baresip } from '../support/baresip.ts';
import { within } from '../support/patience.ts';

const tone = Int16Array.from({ length: 8000 }, (_, i) => 8000 * Math.sin(i / 3));
/** Echoed frames of the tone, of 50. */
const ENOUGH = 25;

describe('SRTP with baresip', () => {
  let agent: SipAgent | undefined;
  let start: ReturnType<typeof findBaresip>;
  let phone: Baresip | undefined;

  before(async function () {
    start = findBaresip();
    if (start === undefined) return this.skip();
    agent = await startSipAgent({ host: '127.0.0.1' });
  });
  afterEach(() => phone?.stop());
  after(() => agent?.close());

  /** Calls, plays a tone, and hangs up once enough of its echo came back. */
  async function call(account: string, srtp: SrtpPolicy): Promise<{ end: CallEnd; stats: RtpStats; trace: string }> {
    assert.ok(agent && start);
    phone = await start(account);
    const leg = agent.call(phone.address, { srtp });
    let loud = 0;
    const ended = new Promise<CallEnd>((resolve) => {
      leg.listen((event) => {
        if (event.type === 'answered') void leg.play(tone);
        else if (event.type === 'ended') resolve(event.end);
        else if (event.type === 'audio' && event.frame.pcm.some((sample) => Math.abs(sample) > 4000))
          if (++loud === ENOUGH) void leg.hangup();
      });
    });
    const end = await within(ended, `the echo with ${account} and ${srtp}`, () => [loud, phone?.output()]);
    const trace = leg.trace().map(({ text }) => text);
    return { end, stats: leg.stats(), trace: trace.join('\n') };
  }

  it('encrypts the audio of both sides if the phone requires it', async () => {
    const { end, stats, trace } = await call('mediaenc=srtp-mand', 'require');
    assert.deepEqual([end.kind, stats.srtp, stats.refusedPackets], ['hangup', 'AES_CM_128_HMAC_SHA1_80', undefined]);
    assert.match(trace, /inline:\[masked\]/);
    assert.doesNotMatch(trace, /inline:[^[]/);
  });

  it('encrypts if the phone can, and calls again without keys if it refuses them', async () => {
    assert.equal((await call('mediaenc=srtp', 'prefer')).stats.srtp, 'AES_CM_128_HMAC_SHA1_80');
    await phone?.stop();
    const { end, stats, trace } = await call('audio_codecs=pcma', 'prefer');
    assert.deepEqual([end.kind, stats.srtp], ['hangup', undefined]);
    assert.match(trace, /RTP\/SAVP[^]* 488 [^]*m=audio \d+ RTP\/AVP/);
  });

  it('ends the call if it must be encrypted and the phone refuses, and says what to do', async () => {
    const { end } = await call('audio_codecs=pcma', 'require');
    assert.deepEqual([end.kind, end.status], ['noSrtp', 488]);
    assert.match(describeHangUp(end).sentence, /encrypted audio \(SRTP\) .*Set the line's srtp to prefer or off/);
  });
});
