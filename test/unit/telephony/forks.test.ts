import assert from 'node:assert/strict';
import type { CallLeg } from '../../../src/telephony/call.ts';
import { fieldOf, RawPeer, RawStage } from '../../support/rawPeer.ts';

describe('a call to a hand-written callee', () => {
  let stage: RawStage, clock: RawStage['clock'], far: RawPeer, leg: CallLeg, invite: string;

  beforeEach(async () => {
    stage = new RawStage();
    ({ clock, far } = stage);
    ({ leg, invite } = await stage.call({ answerTimeoutMs: 120_000 }));
  });
  afterEach(() => stage.close());

  const tags = (method: string): string[] => [
    ...new Set(far.all(method).map((text) => /;tag=(.*)$/.exec(fieldOf(text, 'To'))?.[1] ?? '')),
  ];
  /** Sends a request of the callee within its early dialog. */
  const within = (method: string, sequence = 1, body = ''): void => {
    far.ask(method, {
      from: `${fieldOf(invite, 'To')};tag=one`,
      to: fieldOf(invite, 'From'),
      callId: fieldOf(invite, 'Call-ID'),
      sequence,
      body,
    });
  };

  describe('that rings', () => {
    beforeEach(async () => {
      far.respond(invite, 180);
      await stage.pass(100);
    });

    it('ends with CANCEL if the callee sends BYE', async () => {
      within('BYE');
      await far.last('CANCEL');
      assert.equal(far.all('SIP/2.0 200').length, 1, 'the BYE is answered');
      far.respond(invite, 487);
      assert.ok(await clock.run(() => leg.state === 'ended', 1000));
      assert.deepEqual([leg.ended?.by, leg.ended?.kind], ['remote', 'hangup']);
      assert.equal(far.all('BYE').length, 0);
    });

    it('hangs up an answer that crosses the CANCEL after a BYE', async () => {
      within('BYE');
      far.respond(invite, 200, { body: RawPeer.sdp });
      await far.last('BYE');
      assert.deepEqual([tags('ACK'), tags('BYE'), leg.ended?.by], [['one'], ['one'], 'remote']);
    });

    it('ends with CANCEL, not BYE, if we hang up, even after a BYE', async () => {
      within('BYE');
      const hungUp = leg.hangup();
      assert.ok(await clock.run(() => leg.state === 'ended', 3000));
      await hungUp;
      assert.deepEqual([far.all('CANCEL').length > 0, far.all('BYE').length], [true, 0]);
    });

    it('ends with CANCEL if an early re-INVITE is never acknowledged', async () => {
      within('INVITE', 1, RawPeer.sdp);
      assert.ok(await clock.run(() => leg.state === 'ended', 60_000, 50));
      assert.ok(far.all('CANCEL').length > 0);
    });

    it('ends with CANCEL if our early offer is answered without audio', async () => {
      within('INVITE');
      const answer = await far.last('SIP/2.0 200');
      far.ask('ACK', {
        from: fieldOf(answer, 'From'),
        to: fieldOf(answer, 'To'),
        callId: fieldOf(answer, 'Call-ID'),
        body: 'v=0\r\n',
      });
      assert.ok(await clock.run(() => leg.state === 'ended', 10_000));
      assert.ok(far.all('CANCEL').length > 0);
      assert.equal(leg.ended?.kind, 'protocol');
    });
  });

  it('ends with CANCEL once the callee responds, however late, if we hung up before', async () => {
    const hungUp = leg.hangup();
    assert.ok(await clock.run(() => leg.state === 'ended', 3000));
    await hungUp;
    assert.equal(far.all('CANCEL').length, 0, 'RFC 3261 section 9.1');
    far.respond(invite, 180);
    await far.last('CANCEL');
  });

  it('acknowledges and ends every fork that answers, for any number of forks', async () => {
    const forks = Array.from({ length: 1000 }, (_, fork) => `fork${String(fork)}`);
    for (const toTag of forks) far.respond(invite, 200, { toTag, body: RawPeer.sdp });
    await stage.pass(490);
    assert.deepEqual(tags('ACK'), forks);
    assert.deepEqual(tags('BYE').sort(), forks.slice(1).sort());
    assert.equal(leg.state, 'answered');
    // Three timers for each of 32 forks, and some for the call itself.
    assert.ok(clock.pending < 120, `${String(clock.pending)} timers`);
  });

  it('acknowledges and ends a fork again if its answer is repeated', async () => {
    const forks = Array.from({ length: 40 }, (_, fork) => `fork${String(fork)}`);
    for (const toTag of forks) far.respond(invite, 200, { toTag, body: RawPeer.sdp });
    await stage.pass(100);
    far.heard.length = 0;
    far.respond(invite, 200, { toTag: 'fork39', body: RawPeer.sdp });
    await stage.pass(100);
    assert.deepEqual([tags('ACK'), tags('BYE').includes('fork39')], [['fork39'], true]);
  });

  it('can be answered by any fork while 32 others ring', async () => {
    for (let fork = 0; fork < 40; fork++) far.respond(invite, 180, { toTag: `fork${String(fork)}` });
    far.respond(invite, 200, { toTag: 'fork39', body: RawPeer.sdp });
    assert.ok(await clock.run(() => leg.state === 'answered', 1000));
    await stage.pass(100);
    assert.deepEqual([tags('ACK'), tags('BYE')], [['fork39'], []]);
  });

  it('acknowledges and ends every fork if it is cancelled', async () => {
    far.respond(invite, 180, { toTag: 'fork0' });
    await stage.pass(100);
    void leg.hangup();
    const forks = Array.from({ length: 40 }, (_, fork) => `fork${String(fork)}`);
    for (const toTag of forks) far.respond(invite, 200, { toTag, body: RawPeer.sdp });
    await stage.pass(500);
    assert.deepEqual([tags('ACK'), tags('BYE').sort()], [forks, forks.slice().sort()]);
  });
});
