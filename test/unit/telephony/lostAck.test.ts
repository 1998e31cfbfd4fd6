import assert from 'node:assert/strict';
import type { CallLeg } from '../../../src/telephony/call.ts';
import { RawPeer, RawStage } from '../../support/rawPeer.ts';

describe('a callee whose Contact leads elsewhere', () => {
  let stage: RawStage, far: RawPeer, leg: CallLeg, invite: string;
  let elsewhere: string[];
  const repeat = (): void => {
    far.respond(invite, 200, { body: RawPeer.sdp, contact: '<sip:a@10.0.0.9:5070>' });
  };

  beforeEach(async () => {
    stage = new RawStage();
    ({ far } = stage);
    elsewhere = [];
    stage.link.listenAt('10.0.0.9', 5070, (datagram) => {
      elsewhere.push(Buffer.from(datagram).toString().split(' ', 1)[0] ?? '');
    });
    ({ leg, invite } = await stage.call());
    repeat();
    await stage.pass(400);
  });
  afterEach(() => stage.close());

  it('gets ACK and BYE only at its Contact if it does not repeat its answer', async () => {
    void leg.hangup();
    await stage.pass(3000);
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
    assert.ok(await stage.clock.run(() => leg.state === 'ended', 1000));
    assert.deepEqual([leg.ended?.kind, leg.ended?.lostAckTo], ['hangup', undefined]);
  });

  it('counts as one that gets no ACK if it keeps repeating its answer and hangs up', async () => {
    for (let count = 0; count < 3; count++) {
      repeat();
      await stage.pass(500);
    }
    assert.equal(far.all('ACK').length, 3);
    await far.within(invite, 'BYE', 1);
    assert.ok(await stage.clock.run(() => leg.state === 'ended', 1000));
    assert.deepEqual([leg.ended?.by, leg.ended?.lostAckTo], ['remote', '10.0.0.9:5070']);
  });
});
