import assert from 'node:assert/strict';
import type { CallEnd, CallLeg, SipAgent } from '../../../src/telephony/call.ts';
import { ManualClock } from '../../support/manualClock.ts';
import { fieldOf, RawPeer } from '../../support/rawPeer.ts';
import { TelephonyLink } from '../../support/telephonyLink.ts';

describe('a callee whose Contact leads elsewhere', () => {
  let clock: ManualClock, agent: SipAgent, far: RawPeer, leg: CallLeg, invite: string;
  let end: CallEnd | undefined;
  let elsewhere: string[];
  const repeat = (): void => {
    far.respond(invite, 200, { body: RawPeer.sdp, contact: '<sip:a@10.0.0.9:5070>' });
  };
  const pass = (ms: number): Promise<boolean> => clock.run(() => false, ms);

  beforeEach(async () => {
    clock = new ManualClock();
    const link = new TelephonyLink(clock);
    agent = link.agent('10.0.0.1');
    far = new RawPeer(link, clock);
    elsewhere = [];
    link.listenAt('10.0.0.9', 5070, (datagram) => {
      elsewhere.push(Buffer.from(datagram).toString().split(' ', 1)[0] ?? '');
    });
    leg = agent.call('sip:a@10.0.0.3');
    end = undefined;
    leg.listen((event) => {
      if (event.type === 'ended') end = event.end;
    });
    invite = await far.last('INVITE');
    repeat();
    await pass(400);
  });
  afterEach(async () => {
    await clock.finish(agent.close());
  });

  it('gets ACK and BYE only at its Contact if it does not repeat its answer', async () => {
    void leg.hangup();
    await pass(3000);
    assert.deepEqual([elsewhere[0], elsewhere.includes('BYE'), far.all('ACK').length], ['ACK', true, 0]);
    assert.equal(far.all('BYE').length, 0);
  });

  it('gets ACK and BYE at the address that the INVITE went to once it repeats its answer', async () => {
    repeat();
    const ack = await far.last('ACK');
    assert.match(ack, /^ACK sip:a@10\.0\.0\.9:5070 /);
    assert.equal(leg.state, 'answered');
    void leg.hangup();
    far.respond(await far.last('BYE'), 200);
    assert.ok(await clock.run(() => leg.state === 'ended', 1000));
    assert.deepEqual([end?.kind, end?.lostAckTo], ['hangup', undefined]);
  });

  it('counts as one that gets no ACK if it keeps repeating its answer and hangs up', async () => {
    for (let count = 0; count < 3; count++) {
      repeat();
      await pass(500);
    }
    assert.equal(far.all('ACK').length, 3);
    far.ask('BYE', {
      from: `${fieldOf(invite, 'To')};tag=one`,
      to: fieldOf(invite, 'From'),
      callId: fieldOf(invite, 'Call-ID'),
    });
    assert.ok(await clock.run(() => leg.state === 'ended', 1000));
    assert.deepEqual([end?.by, end?.lostAckTo], ['remote', '10.0.0.9:5070']);
  });
});
