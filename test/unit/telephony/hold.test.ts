import assert from 'node:assert/strict';
import type { CallLeg } from '../../../src/telephony/call.ts';
import { fieldOf, RawPeer, RawStage } from '../../support/rawPeer.ts';

describe('a call on hold', () => {
  let stage: RawStage, clock: RawStage['clock'], far: RawPeer, leg: CallLeg, invite: string;
  beforeEach(async () => {
    stage = new RawStage();
    ({ clock, far } = stage);
    ({ leg, invite } = await stage.answered());
    far.heard.length = 0;
  });
  afterEach(() => stage.close());

  /** Returns the next re-INVITE after this number of them. */
  async function next(before: number): Promise<string> {
    const invites = (): string[] => [...new Map(far.all('INVITE').map((one) => [fieldOf(one, 'CSeq'), one])).values()];
    assert.ok(await clock.run(() => invites().length > before, 6000), 'no re-INVITE');
    return invites()[before] ?? '';
  }
  async function sends(): Promise<boolean> {
    const { sent } = leg.stats();
    await stage.pass(200);
    return leg.stats().sent > sent;
  }

  it('sends no audio if the answer says so, and isn’t ended by an offer of the called side', async () => {
    const held = leg.hold(true);
    far.respond(await next(0), 200, { body: `${RawPeer.sdp}a=inactive\r\n` });
    await clock.finish(held);
    assert.deepEqual([await held, await sends()], [true, false]);
    assert.match(await far.within(invite, 'INVITE', 1, { body: RawPeer.sdp }), /a=sendonly/);
    await far.within(invite, 'ACK', 1);
    const resumed = leg.hold(false);
    far.respond(await next(1), 200, { body: RawPeer.sdp });
    await clock.finish(resumed);
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
    const at = clock.now();
    for (let glares = 0; glares < 6; glares++) far.respond(await next(glares), 491);
    // RFC 3261 section 14.1.
    assert.ok(clock.now() - at >= 5 * 2100 && clock.now() - at <= 5 * 4100);
    await clock.finish(held);
    const resumed = leg.hold(false);
    const last = await next(6);
    for (let copy = 0; copy < 3; copy++) far.respond(last, 200, { body: RawPeer.sdp });
    await clock.finish(resumed);
    await stage.pass(50);
    const acks = far
      .all('ACK')
      .filter((ack) => fieldOf(ack, 'CSeq') === fieldOf(last, 'CSeq').replace('INVITE', 'ACK'));
    assert.deepEqual([await held, await resumed, acks.length], [false, true, 3]);
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
      [await waiting, await leg.hold(true), await stage.agent.call('sip:a@10.0.0.3').hold(true)],
      [false, false, false],
    );
    await stage.pass(40_000);
  });
});
