import assert from 'node:assert/strict';
import type { CallEnd, CallLeg } from '../../../src/telephony/call.ts';
import { fieldOf, RawPeer, RawStage } from '../../support/rawPeer.ts';

describe('a callee that transfers the call with REFER', () => {
  let stage: RawStage, far: RawPeer, leg: CallLeg, invite: string;
  let end: CallEnd | undefined;
  let transfers: string[], reachedTarget: number;

  beforeEach(async () => {
    stage = new RawStage();
    ({ far } = stage);
    reachedTarget = 0;
    stage.link.listenAt('10.0.0.9', 5060, () => reachedTarget++);
    ({ leg, invite } = await stage.answered());
    end = undefined;
    transfers = [];
    leg.listen((event) => {
      if (event.type === 'ended') end = event.end;
      if (event.type === 'transfer') transfers.push(event.target);
    });
  });
  afterEach(async () => {
    await stage.close();
    assert.equal(reachedTarget, 0, 'no packet reaches the target of the transfer');
  });

  const within = async (method: string, sequence: number, headers = ''): Promise<string | undefined> =>
    (await far.within(invite, method, sequence, { headers })).split('\r\n', 1)[0];

  it('gets a 603, and the call continues', async () => {
    assert.match(fieldOf(invite, 'Allow'), /\bREFER\b/);
    assert.equal(await within('REFER', 1, 'Refer-To: <sip:agents@10.0.0.9>\r\n'), 'SIP/2.0 603 Decline');
    assert.deepEqual([transfers, leg.state], [['sip:agents@10.0.0.9'], 'answered']);
  });

  it('passes its target to the end of a call that it hangs up', async () => {
    await within('REFER', 1, 'Refer-To: "Agents" <sip:agents@10.0.0.9;method=INVITE>\r\n');
    await within('BYE', 2);
    assert.deepEqual([end?.by, end?.kind, end?.transferTo], ['remote', 'hangup', 'sip:agents@10.0.0.9;method=INVITE']);
  });

  it('passes its target to the end of a call that Dialtree hangs up', async () => {
    await within('REFER', 1, 'r: tel:+12025550100\r\n');
    void leg.hangup();
    far.respond(await far.last('BYE'), 200);
    assert.ok(await stage.clock.run(() => leg.state === 'ended', 3000));
    assert.deepEqual([end?.by, end?.transferTo], ['local', 'tel:+12025550100']);
  });

  it("can't pass on the password and the header fields of its target", async () => {
    await within('REFER', 1, 'Refer-To: <sip:agents:secret@10.0.0.9?Replaces=a%40b>\r\n');
    await within('REFER', 2, `Refer-To: <sip:${'a'.repeat(3000)}@10.0.0.9>\r\n`);
    assert.equal(transfers[0], 'sip:agents:[masked]@10.0.0.9');
    assert.equal(transfers[1]?.length, 200);
  });

  it('gets a 400 unless it names exactly one target', async () => {
    const one = 'Refer-To: <sip:agents@10.0.0.9>\r\n';
    for (const [index, headers] of ['', one + one, 'Refer-To: nonsense\r\n'].entries())
      assert.equal(await within('REFER', index + 1, headers), 'SIP/2.0 400 Bad Request');
    assert.deepEqual([transfers, leg.state], [[], 'answered']);
  });

  it('gets a 603 outside of a call, without any effect', async () => {
    far.ask('REFER', { headers: 'Refer-To: <sip:agents@10.0.0.9>\r\n' });
    assert.match(await far.last('SIP/2.0'), /^SIP\/2\.0 603/);
    assert.deepEqual(transfers, []);
  });
});
