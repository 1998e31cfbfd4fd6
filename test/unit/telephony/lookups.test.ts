import assert from 'node:assert/strict';
import type { CallLeg, SipAgent } from '../../../src/telephony/call.ts';
import type { SipPeer } from '../../../src/telephony/sip/transport.ts';
import { ManualClock } from '../../support/manualClock.ts';
import { fieldOf, RawPeer } from '../../support/rawPeer.ts';
import { TelephonyLink } from '../../support/telephonyLink.ts';

const FAR = { host: '10.0.0.3', port: 5060 };

describe("host names in a peer's addresses", () => {
  let clock: ManualClock, agent: SipAgent, far: RawPeer, leg: CallLeg, invite: string;
  /** Names that were looked up, and callbacks that end each lookup. */
  let asked: string[], pending: ((peer: SipPeer) => void)[];

  beforeEach(async () => {
    clock = new ManualClock();
    const link = new TelephonyLink(clock);
    [asked, pending] = [[], []];
    const transport = link.transport.bind(link);
    link.transport = (...place) => ({
      ...transport(...place),
      resolve: (host, port = 5060) => {
        if (/^[\d.]+$/.test(host)) return Promise.resolve([{ host, port }]);
        asked.push(host);
        return new Promise((resolve) => pending.push((peer) => resolve([peer])));
      },
    });
    agent = link.agent('10.0.0.1');
    far = new RawPeer(link, clock);
    leg = agent.call('sip:a@10.0.0.3');
    invite = await far.last('INVITE');
  });
  afterEach(async () => {
    await clock.finish(agent.close());
    clock.advance(100);
    assert.equal(clock.pending, 0, 'no timer is left behind');
  });

  const pass = (ms: number): Promise<boolean> => clock.run(() => false, ms);
  const answer = (toTag: string, host: string): void => {
    far.respond(invite, 200, { toTag, body: RawPeer.sdp, contact: `<sip:raw@${host}>` });
  };

  it('need one lookup per dialog, however often an answer is repeated', async () => {
    for (let repeat = 0; repeat < 40; repeat++) answer('one', 'pbx.example.com');
    await pass(100);
    assert.deepEqual(asked, ['pbx.example.com']);
    pending[0]?.(FAR);
    await pass(100);
    assert.equal(far.all('ACK').length, 40);
    void leg.hangup();
    await far.last('BYE');
    assert.equal(asked.length, 1, 'for the BYE too');
  });

  it('need another lookup when something is sent after a re-INVITE changed them', async () => {
    answer('one', 'pbx.example.com');
    await pass(100);
    pending[0]?.(FAR);
    await pass(100);
    for (let sequence = 1; sequence <= 5; sequence++) {
      const dialog = { from: `${fieldOf(invite, 'To')};tag=one`, to: fieldOf(invite, 'From'), sequence };
      const callId = fieldOf(invite, 'Call-ID');
      far.ask('INVITE', {
        ...dialog,
        callId,
        body: RawPeer.sdp,
        contact: `<sip:raw@b${String(sequence)}.example.com>`,
      });
      await pass(50);
      far.ask('ACK', { ...dialog, callId });
      await pass(50);
    }
    void leg.hangup();
    await pass(100);
    assert.deepEqual(asked, ['pbx.example.com', 'b5.example.com']);
  });

  it("delay the ACK for 1 s, and then it goes to the INVITE's destination", async () => {
    answer('one', 'slow.example.com');
    await pass(900);
    assert.equal(far.all('ACK').length, 0);
    await pass(200);
    assert.equal(far.all('ACK').length, 1);
    void leg.hangup();
    assert.ok(await clock.run(() => far.all('BYE').length > 0, 1500), 'the BYE leaves too');
    assert.equal(asked.length, 1);
  });

  it('share two lookups at a time, and each fork is still acknowledged and ended', async () => {
    const forks = Array.from({ length: 200 }, (_, fork) => `fork${String(fork)}`);
    for (const fork of forks) answer(fork, `${fork}.example.com`);
    await pass(100);
    assert.deepEqual(asked, ['fork0.example.com', 'fork1.example.com']);
    await pass(2500);
    const tags = (method: string): number => new Set(far.all(method).map((text) => fieldOf(text, 'To'))).size;
    assert.deepEqual([tags('ACK'), tags('BYE')], [200, 199]);
    assert.equal(asked.length, 2, 'names that waited too long are not looked up any more');
    for (const end of pending) end(FAR);
  });

  it('share one lookup for simultaneous dialogs', async () => {
    for (let fork = 0; fork < 20; fork++) answer(`fork${String(fork)}`, 'pbx.example.com');
    await pass(100);
    assert.deepEqual(asked, ['pbx.example.com']);
    pending[0]?.(FAR);
    await pass(100);
    assert.equal(far.all('ACK').length, 20);
  });

  it('free their place for others once they are found', async () => {
    for (let fork = 0; fork < 5; fork++) answer(`fork${String(fork)}`, `f${String(fork)}.example.com`);
    for (let found = 0; found < 5; found++) {
      await pass(20);
      assert.equal(asked.length, Math.min(5, found + 2));
      pending[found]?.(FAR);
    }
    await pass(100);
    assert.equal(far.all('ACK').length, 5);
  });

  it("don't delay IP addresses, but names in maddr count as names", async () => {
    for (const fork of ['a', 'b', 'c']) answer(fork, `${fork}.example.com`);
    answer('d', '10.0.0.3');
    answer('e', '10.0.0.3;maddr=e.example.com');
    await pass(100);
    assert.deepEqual(
      far.all('ACK').map((text) => /tag=(.*)$/.exec(fieldOf(text, 'To'))?.[1]),
      ['d'],
    );
    assert.deepEqual(asked, ['a.example.com', 'b.example.com']);
    await pass(1500);
  });
});
