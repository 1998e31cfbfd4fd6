import assert from 'node:assert/strict';
import type { CallEvent, CallLeg, PingAnswer, SipAgent } from '../../../src/telephony/call.ts';
import { RTP_HEADER_BYTES, writeRtpHeader } from '../../../src/telephony/rtp/packet.ts';
import { ManualClock } from '../../support/manualClock.ts';
import { RawPeer } from '../../support/rawPeer.ts';
import { TelephonyLink } from '../../support/telephonyLink.ts';

/** Returns the events of a leg, without the audio. */
function story(leg: CallLeg): string[] {
  const lines: string[] = [];
  leg.listen((event) => {
    if (event.type !== 'audio') lines.push(tell(event));
  });
  return lines;
}

function tell(event: CallEvent): string {
  switch (event.type) {
    case 'ringing':
      return `ringing ${String(event.status)}`;
    case 'digit':
      return `digit ${event.digit} ${event.via}`;
    case 'ended':
      return `ended ${event.end.by} ${event.end.kind}${event.end.status === undefined ? '' : ` ${String(event.end.status)}`}${event.end.q850 === undefined ? '' : ` q850=${String(event.end.q850)}`}`;
    default:
      return event.type;
  }
}

const CALLEE = 'sip:ivr@10.0.0.2';

describe('two agents on a link', () => {
  let clock: ManualClock, link: TelephonyLink, caller: SipAgent, callee: SipAgent;

  function start(
    faults: ConstructorParameters<typeof TelephonyLink>[1] = {},
    calleeOptions: Parameters<TelephonyLink['agent']>[1] = {},
  ): void {
    clock = new ManualClock();
    link = new TelephonyLink(clock, faults);
    caller = link.agent('10.0.0.1');
    callee = link.agent('10.0.0.2', calleeOptions);
  }
  const ended =
    (...legs: CallLeg[]) =>
    (): boolean =>
      legs.every((leg) => leg.state === 'ended');
  async function close(): Promise<void> {
    await clock.finish(Promise.all([caller.close(), callee.close()]));
    assert.equal(clock.pending, 0, 'no timer is left behind');
  }

  it('complete 40 of 40 calls at 20 % loss and reordering, with each digit once', async function () {
    start({ loss: 0.2, minDelayMs: 2, maxDelayMs: 40, seed: 7 });
    const digits: string[] = [];
    callee.onCall((leg) => {
      leg.ring();
      clock.setTimeout(() => leg.answer(), 300);
      const at = digits.push('') - 1;
      leg.listen((event) => {
        if (event.type === 'digit') digits[at] = `${digits[at] ?? ''}${event.digit}`;
      });
    });
    const legs = Array.from({ length: 40 }, () => caller.call(CALLEE, { answerTimeoutMs: 60_000 }));
    const stories = legs.map((leg) => {
      leg.listen((event) => {
        if (event.type === 'answered') void leg.sendDigits('42').then(() => leg.hangup());
      });
      return story(leg);
    });
    assert.ok(await clock.run(ended(...legs), 120_000, 20));
    assert.deepEqual(
      stories.filter((lines) => !lines.includes('answered') || lines.at(-1) !== 'ended local hangup'),
      [],
    );
    // An event of 7 packets is lost completely once in 80,000 times.
    assert.deepEqual(digits, new Array<string>(40).fill('42'));
    await close();
  });

  it('report refusals by their status', async () => {
    start();
    for (const [status, end] of Object.entries({
      486: 'busy',
      600: 'busy',
      404: 'notFound',
      403: 'rejected',
      480: 'noAnswer',
      401: 'unauthorized',
      407: 'unauthorized',
      503: 'rejected',
      603: 'rejected',
    })) {
      callee.onCall((leg) => leg.reject(Number(status)));
      const leg = caller.call(CALLEE, { credentials: { user: 'a', password: 'b' } });
      const heard = story(leg);
      assert.ok(await clock.run(ended(leg), 5000));
      assert.deepEqual(heard, [`ended remote ${end} ${status}`]);
    }
    await close();
  });

  it('authenticate with digest: without credentials, with wrong and right ones', async () => {
    start({}, { challenge: { realm: 'lab', passwordOf: (user) => (user === 'bob' ? 'secret' : undefined) } });
    callee.onCall((leg) => leg.answer());
    const outcomes: string[] = [];
    for (const credentials of [undefined, { user: 'bob', password: 'guess' }, { user: 'bob', password: 'secret' }]) {
      const leg = caller.call(CALLEE, credentials ? { credentials } : {});
      const heard = story(leg);
      leg.listen((event) => {
        if (event.type === 'answered') void leg.hangup();
      });
      assert.ok(await clock.run(ended(leg), 5000));
      outcomes.push(heard.join(', '));
      assert.doesNotMatch(
        leg
          .trace()
          .map(({ text }) => text)
          .join('\n'),
        /response="[0-9a-f]/,
      );
    }
    assert.deepEqual(outcomes, [
      'ended remote unauthorized 401',
      'ended remote unauthorized 401',
      'answered, ended local hangup',
    ]);
    await close();
  });

  it('abort before dialling, and while ringing', async () => {
    start();
    callee.onCall((leg) => leg.ring());
    assert.deepEqual(await outcome({ signal: AbortSignal.abort() }), ['ended local cancelled']);
    const controller = new AbortController();
    clock.setTimeout(() => controller.abort(), 300);
    assert.deepEqual(await outcome({ signal: controller.signal }), ['ringing 180', 'ended local cancelled']);
    await close();
  });

  async function outcome(options: Parameters<SipAgent['call']>[1], uri = CALLEE, limit = 60_000): Promise<string[]> {
    const leg = caller.call(uri, options);
    const heard = story(leg);
    assert.ok(await clock.run(ended(leg), limit));
    return heard;
  }

  it('report an unanswered call', async () => {
    start();
    let told: string[] = [];
    callee.onCall((leg) => {
      told = story(leg);
      leg.ring();
    });
    assert.deepEqual(await outcome({ answerTimeoutMs: 5000 }), ['ringing 180', 'ended local noAnswer']);
    assert.deepEqual(told, ['ended remote cancelled']);
    await close();
  });

  it('report an unreachable address after 10 s', async () => {
    start();
    const before = clock.now();
    assert.deepEqual(await outcome({}, 'sip:a@10.9.9.9'), ['ended network unreachable']);
    assert.ok(clock.now() - before >= 10_000 && clock.now() - before < 10_100);
    await close();
  });

  it("reject addresses that can't be dialled", async () => {
    start();
    for (const uri of ['', 'tel:+1', 'sip:', 'nonsense\r\nX: y'])
      assert.deepEqual(await outcome({}, uri), ['ended local protocol'], uri);
    for (const uri of ['sips:a@10.0.0.2', 'sip:a@10.0.0.2;transport=tcp'])
      assert.deepEqual(await outcome({}, uri), ['ended local unreachable'], uri);
    await close();
  });

  it('detect a vanished remote side: media time-out after 20 s and a probe', async () => {
    start();
    callee.onCall((leg) => leg.answer());
    const leg = caller.call(CALLEE);
    const heard = story(leg);
    assert.ok(await clock.run(() => leg.state === 'answered' && leg.stats().received > 0, 5000));
    const deaf = new TelephonyLink(clock);
    link.deliver = deaf.deliver.bind(deaf);
    const before = clock.now();
    assert.ok(await clock.run(ended(leg), 40_000, 50));
    assert.deepEqual(heard, ['answered', 'ended network mediaTimeout']);
    assert.ok(clock.now() - before >= 20_000 && clock.now() - before < 25_000);
    await close();
  });

  it('stay connected to a silent but living remote side', async () => {
    start();
    callee.onCall((leg) => leg.answer({ impairRtp: () => undefined }));
    const leg = caller.call(CALLEE);
    assert.ok(!(await clock.run(ended(leg), 70_000, 50)));
    await close();
    assert.equal(leg.state, 'ended');
  });

  const pinged = async (...asked: Parameters<SipAgent['options']>): Promise<PingAnswer> => {
    const answers: PingAnswer[] = [];
    void caller.options(...asked).then((answer) => answers.push(answer));
    assert.ok(await clock.run(() => answers.length === 1, 10_000));
    return answers[0] ?? assert.fail();
  };

  it('ping, and report why nothing came back', async () => {
    start({ minDelayMs: 7 });
    assert.deepEqual(await pinged(CALLEE), { status: 200, reason: 'OK', roundTripMs: 14 });
    assert.deepEqual(await pinged('sip:10.9.9.9', { timeoutMs: 1000 }), {
      status: 408,
      reason: 'no response',
      failure: 'timeout',
    });
    const unusable = await pinged('nonsense');
    assert.deepEqual([unusable.status, unusable.failure], [503, 'unusable']);
    assert.equal(
      (await pinged('sips:10.0.0.2')).failure,
      'unusable',
      'nothing is sent in the clear that shall be secret',
    );
    await close();
  });

  it('ping with credentials on request, and try wrong ones once', async () => {
    start({}, { challenge: { realm: 'lab', passwordOf: (user) => (user === 'ann' ? 'right' : undefined) } });
    assert.deepEqual(await pinged(CALLEE), { status: 401, reason: 'Unauthorized', roundTripMs: 2 });
    assert.deepEqual(
      await pinged(CALLEE, { from: 'sip:ann@lab.example.com', credentials: { user: 'ann', password: 'right' } }),
      { status: 200, reason: 'OK', roundTripMs: 2, authenticated: true },
    );
    assert.deepEqual(await pinged(CALLEE, { credentials: { user: 'ann', password: 'wrong' } }), {
      status: 401,
      reason: 'Unauthorized',
      roundTripMs: 2,
      authenticated: true,
    });
    await close();
  });

  describe('against a peer with hand-written messages', () => {
    const invited = async (options?: Parameters<SipAgent['call']>[1]) => {
      start();
      const far = new RawPeer(link, clock);
      const leg = caller.call('sip:a@10.0.0.3', options);
      return { far, leg, heard: story(leg), invite: await far.last('INVITE') };
    };

    describe('that challenges', () => {
      const challenge = (realm: string, nonce: string, algorithm = 'SHA-256'): [string, string] => [
        'Proxy-Authenticate',
        `Digest realm="${realm}", nonce="${nonce}", qop="auth", algorithm=${algorithm}`,
      ];
      /**
       * Returns a call that the line's own proxy challenged, answered with these header fields; undefined if it didn't
       * challenge.
       */
      async function answered(
        realm: string | undefined,
        answer: [string, string][] = [],
      ): Promise<{ far: RawPeer; leg: CallLeg }> {
        const { far, leg, invite } = await invited({ credentials: { user: 'bob', password: 'secret' } });
        if (realm !== undefined) {
          far.respond(invite, 407, { toTag: 'zero', headers: [challenge(realm, 'n1')] });
          await clock.run(() => far.all('INVITE').length === 2, 100);
          assert.match(await far.last('INVITE'), /Proxy-Authorization: Digest username="bob".*nonce="n1".*nc=00000001/);
        }
        far.respond(await far.last('INVITE'), 200, { headers: answer, body: RawPeer.sdp });
        await clock.run(() => leg.state === 'answered', 100);
        await clock.run(() => false, 20);
        return { far, leg };
      }
      async function hungUp(leg: CallLeg): Promise<void> {
        assert.ok(await clock.run(ended(leg), 5000));
        await close();
      }

      it('answer as for a proxy, in the dialog too, for its realm', async () => {
        const { far, leg } = await answered('p', [['Record-Route', '<sip:10.0.0.3;lr>']]);
        assert.match(
          await far.last('ACK'),
          /Proxy-Authorization: .*nonce="n1".*nc=00000001/,
          'an ACK repeats what its INVITE has',
        );
        void leg.hangup();
        const bye = await far.last('BYE');
        assert.match(bye, /Proxy-Authorization: .*nonce="n1".*nc=00000002/);
        far.respond(bye, 407, { headers: [challenge('p', 'n2', 'SHA-512-256')] });
        await clock.run(() => far.all('BYE').length === 2, 300);
        assert.match(
          await far.last('BYE'),
          /CSeq: 4 BYE[^]*Proxy-Authorization: Digest username="bob", realm="p", nonce="n2".*algorithm=SHA-512-256, qop=auth, nc=00000001/,
        );
        far.respond(await far.last('BYE'), 200);
        await hungUp(leg);
      });

      for (const [what, realm, header] of [
        ['with another realm and MD5', 'p', ['Proxy-Authenticate', 'Digest realm="x", nonce="n2", algorithm=MD5']],
        ['with a weaker algorithm', 'p', challenge('p', 'n2', 'MD5')],
        ['as a user agent', 'p', ['WWW-Authenticate', challenge('p', 'n2')[1]]],
        ['though the call was set up without', undefined, challenge('p', 'n2')],
      ] as [string, string | undefined, [string, string]][])
        it(`don't answer a challenge to a BYE ${what}`, async () => {
          const { far, leg } = await answered(realm);
          void leg.hangup();
          far.respond(await far.last('BYE'), header[0] === 'WWW-Authenticate' ? 401 : 407, { headers: [header] });
          await hungUp(leg);
          assert.equal(far.all('BYE').length, 1);
          assert.doesNotMatch(far.heard.join('\n'), /nonce="n2"/);
        });

      it("don't answer a challenge to an OPTIONS probe of a silent call for another realm", async () => {
        const { far, leg } = await answered('p');
        await clock.run(() => false, 60_000, 50);
        assert.deepEqual(far.all('OPTIONS'), [], 'a call that never had audio is left alone');
        const packet = new Uint8Array(RTP_HEADER_BYTES + 160);
        writeRtpHeader(packet, { payloadType: 0, marker: false, sequence: 1, timestamp: 1, ssrc: 7 });
        const port = Number(/m=audio (\d+)/.exec(await far.last('INVITE'))?.[1]);
        link.deliver(packet, { host: '10.0.0.3', port: 7000 }, { host: '10.0.0.1', port });
        assert.ok(await clock.run(() => far.all('OPTIONS').length > 0, 50_000, 50));
        const other = ['WWW-Authenticate', 'Digest realm="x", nonce="n2", algorithm=MD5'] as const;
        far.respond(await far.last('OPTIONS'), 401, { headers: [other] });
        await clock.run(() => false, 1000);
        assert.equal(far.all('OPTIONS').length, 1);
        assert.doesNotMatch(far.heard.join('\n'), /nonce="n2"/);
        void leg.hangup();
        far.respond(await far.last('BYE'), 200);
        await hungUp(leg);
      });

      it('send no credentials to a Contact at another address', async () => {
        const { far, leg } = await answered('p', [['Record-Route', '<sip:10.0.0.4;lr>']]);
        const elsewhere = new RawPeer(link, clock, '10.0.0.4');
        // The first ACK was sent before the peer listened there; its repetition is acknowledged again.
        far.respond(await far.last('INVITE'), 200, {
          headers: [['Record-Route', '<sip:10.0.0.4;lr>']],
          body: RawPeer.sdp,
        });
        await elsewhere.last('ACK');
        void leg.hangup();
        elsewhere.respond(await elsewhere.last('BYE'), 407, { headers: [challenge('p', 'n2')] });
        await hungUp(leg);
        assert.deepEqual(
          elsewhere.heard.map((text) => text.split(' ')[0]),
          ['ACK', 'BYE'],
          'the ACK of the answer that was sent again, and one BYE',
        );
        assert.doesNotMatch(elsewhere.heard.join('\n'), /Authorization/);
      });
    });

    it("handle hold, move and resume by re-INVITE, refuse an old CSeq, answer UPDATE and OPTIONS, and report a BYE's cause", async () => {
      const { far, leg, heard, invite } = await invited();
      far.respond(invite, 200, { body: RawPeer.sdp });
      await far.last('ACK');
      const ask = (method: string, sequence: number, body = '', headers = ''): Promise<string> =>
        far.within(invite, method, sequence, { body, headers });
      const ack = (cseq: number): Promise<string> => ask('ACK', cseq);

      const held = await ask('INVITE', 10, `${RawPeer.sdp}a=sendonly\r\n`);
      assert.match(held, /^SIP\/2\.0 200[^]*a=recvonly/);
      await ack(10);
      const before = leg.stats().sent;
      await clock.run(() => false, 500);
      assert.equal(leg.stats().sent, before, 'on hold nothing is sent');
      const moved = await ask('INVITE', 11, RawPeer.sdp.replace('7000', '7100'));
      assert.match(moved, /^SIP\/2\.0 200[^]*a=sendrecv/);
      await ack(11);
      await clock.run(() => leg.stats().sent > before, 500);
      const offerless = await ask('INVITE', 12);
      assert.match(offerless, /^SIP\/2\.0 200[^]*m=audio/);
      assert.match(
        await ask('INVITE', 13, RawPeer.sdp),
        /^SIP\/2\.0 500[^]*Retry-After/,
        'the last one still waits for its ACK',
      );
      await ask('ACK', 12, RawPeer.sdp);
      assert.match(await ask('INVITE', 5, RawPeer.sdp), /^SIP\/2\.0 500/);
      assert.match(await ask('INVITE', 14, RawPeer.sdp.replace('AVP 0', 'AVP 18')), /^SIP\/2\.0 488/);
      assert.match(await ask('UPDATE', 15, RawPeer.sdp), /^SIP\/2\.0 200[^]*m=audio/);
      assert.match(await ask('OPTIONS', 16), /^SIP\/2\.0 200/);
      assert.match(await ask('INFO', 17, 'Signal=5'), /^SIP\/2\.0 415/);
      assert.doesNotMatch(JSON.stringify(leg.trace()), /Signal=5/);
      assert.match(await ask('REFER', 18), /^SIP\/2\.0 400/);
      assert.match(await ask('FROB', 19), /^SIP\/2\.0 501/);
      // A Contact that can't be read matters only where a call begins.
      const ending = 'Reason: Q.850;cause=16;text="Normal"\r\nm: "Joe" <sip:joe@192.0.2.15>;,;\r\n';
      assert.match(await ask('BYE', 20, '', ending), /^SIP\/2\.0 200/);
      assert.equal(heard.at(-1), 'ended remote hangup q850=16');
      assert.match(await ask('BYE', 21), /^SIP\/2\.0 481/);
      await close();
    });

    it("send BYE before closing, even to a caller that hasn't acknowledged the answer", async () => {
      start();
      const far = new RawPeer(link, clock);
      caller.onCall((leg) => leg.answer());
      far.ask('INVITE', { body: RawPeer.sdp });
      await far.last('SIP/2.0 200');
      await clock.finish(caller.close());
      assert.equal(far.all('BYE').length, 1);
      await close();
    });
  });
});
