import assert from 'node:assert/strict';
import type { CallLeg, SipAgent } from '../../../src/telephony/call.ts';
import { ManualClock } from '../../support/manualClock.ts';
import { fieldOf, RawPeer } from '../../support/rawPeer.ts';
import { TelephonyLink } from '../../support/telephonyLink.ts';

describe('a call on hold', () => {
  let clock: ManualClock, agent: SipAgent, far: RawPeer, leg: CallLeg, invite: string;
  beforeEach(async () => {
    clock = new ManualClock();
    const link = new TelephonyLink(clock);
    agent = link.agent('10.0.0.1');
    far = new RawPeer(link, clock);
    leg = agent.call('sip:a@10.0.0.3');
    invite = await far.last('INVITE');
    far.respond(invite, 200, { body: RawPeer.sdp });
    await far.last('ACK');
    far.heard.length = 0;
  });
  afterEach(async () => {
    await clock.finish(agent.close());
    assert.equal(clock.pending, 0);
  });

  const pass = (ms: number): Promise<unknown> => clock.run(() => false, ms);
  /** Returns the next re-INVITE after this number of them. */
  async function next(before: number): Promise<string> {
    const invites = (): string[] => [...new Map(far.all('INVITE').map((one) => [fieldOf(one, 'CSeq'), one])).values()];
    assert.ok(await clock.run(() => invites().length > before, 6000), 'no re-INVITE');
    return invites()[before] ?? '';
  }
  async function sends(): Promise<boolean> {
    const { sent } = leg.stats();
    await pass(200);
    return leg.stats().sent > sent;
  }

  it('offers sendonly, obeys the answer, and offers sendrecv to resume', async () => {
    const held = leg.hold(true);
    const offer = await next(0);
    assert.match(offer, /\r\no=- (\d+) 1 [^]*a=sendonly/);
    far.respond(offer, 200, { body: `${RawPeer.sdp}a=inactive\r\n` });
    await clock.finish(held);
    assert.deepEqual([await held, await sends()], [true, false]);
    const answer = await far.within(invite, 'INVITE', 1, { body: RawPeer.sdp });
    assert.match(answer, /a=sendonly/, 'an offer of the called side does not end it');
    await far.within(invite, 'ACK', 1);
    const resumed = leg.hold(false);
    far.respond(await next(1), 200, { body: RawPeer.sdp });
    await clock.finish(resumed);
    assert.match(await next(1), /a=sendrecv/);
    assert.deepEqual([await resumed, await sends()], [true, true]);
  });

  it('continues as before if it is refused or gets no response', async () => {
    const held = leg.hold(true);
    far.respond(await next(0), 488);
    await clock.finish(held);
    assert.deepEqual([await held, await sends(), leg.state], [false, true, 'answered']);
    const again = leg.hold(true);
    await clock.finish(again, 40_000);
    assert.deepEqual([await again, await sends(), leg.state], [false, true, 'answered']);
  });

  it('repeats its ACK, and offers again some time after a 491, but not forever', async () => {
    const held = leg.hold(true);
    const first = await next(0);
    far.respond(first, 491);
    const at = clock.now();
    const second = await next(1);
    // RFC 3261 section 14.1.
    assert.ok(clock.now() - at >= 2100 && clock.now() - at <= 4100);
    for (let copy = 0; copy < 3; copy++) far.respond(second, 200, { body: RawPeer.sdp });
    await clock.finish(held);
    await pass(50);
    const acks = far
      .all('ACK')
      .filter((ack) => fieldOf(ack, 'CSeq') === fieldOf(second, 'CSeq').replace('INVITE', 'ACK'));
    assert.deepEqual([await held, acks.length], [true, 3]);
    const resumed = leg.hold(false);
    for (let glares = 2; glares < 8; glares++) far.respond(await next(glares), 491);
    await clock.finish(resumed);
    assert.equal(await resumed, false);
  });

  it('refuses an offer of the called side with 491 while its own waits', async () => {
    const held = leg.hold(true);
    const offer = await next(0);
    for (const [sequence, method] of ['INVITE', 'UPDATE'].entries())
      assert.match(await far.within(invite, method, sequence + 1, { body: RawPeer.sdp }), /^SIP\/2\.0 491/);
    far.respond(offer, 200, { body: RawPeer.sdp });
    await clock.finish(held);
    assert.equal(await held, true);
  });

  it('ends while an offer waits, and can’t begin before the answer or after the end', async () => {
    const waiting = leg.hold(true);
    await next(0);
    void leg.hangup();
    far.respond(await far.last('BYE'), 200);
    await clock.finish(waiting);
    assert.deepEqual(
      [await waiting, await leg.hold(true), await agent.call('sip:a@10.0.0.3').hold(true)],
      [false, false, false],
    );
    await pass(40_000);
  });
});
