import assert from 'node:assert/strict';
import type { CallLeg } from '../../../src/telephony/call.ts';
import { fieldOf, RawPeer, RawStage } from '../../support/rawPeer.ts';

describe('a session timer', () => {
  let stage: RawStage, far: RawPeer, leg: CallLeg, invite: string;

  beforeEach(() => {
    stage = new RawStage();
    ({ far } = stage);
  });
  afterEach(() => stage.close());

  const pass = (seconds: number): Promise<unknown> => stage.pass(seconds * 1000, 100);
  async function callIt(expires: string, allow = 'INVITE, ACK, BYE, UPDATE'): Promise<void> {
    const headers = Object.entries({ Allow: allow, 'Session-Expires': expires });
    ({ leg, invite } = await stage.answered({ headers }));
    far.heard.length = 0;
  }

  it('refreshes by UPDATE at half of an interval that the called side sets on its own', async () => {
    await callIt('90;refresher=uac');
    assert.deepEqual(
      [fieldOf(invite, 'Supported'), fieldOf(invite, 'Session-Expires'), fieldOf(invite, 'Min-SE')],
      ['100rel, timer', '1800', ''],
    );
    for (let refreshes = 1; refreshes <= 3; refreshes++) {
      await pass(44);
      assert.equal(far.all('UPDATE').length, refreshes - 1);
      await pass(1.2);
      const update = far.all('UPDATE')[refreshes - 1] ?? assert.fail('no refresh');
      assert.match(update, /Session-Expires: 90;refresher=uac\r\n[^]*\r\n\r\n$/);
      far.respond(update, 200, { headers: refreshes === 2 ? [] : [['Session-Expires', '90;refresher=uac']] });
    }
    assert.equal(leg.state, 'answered');
  });

  it('refreshes by re-INVITE if an UPDATE gets a 501', async () => {
    await callIt('90;refresher=uac');
    await pass(45.5);
    far.respond(await far.last('UPDATE'), 501);
    const again = await far.last('INVITE');
    assert.match(again, /Session-Expires: 90;refresher=uac[^]*m=audio/);
    far.respond(again, 200, { body: RawPeer.sdp, headers: [['Session-Expires', '90;refresher=uac']] });
    assert.equal(fieldOf(await far.last('ACK'), 'CSeq').split(' ')[0], fieldOf(again, 'CSeq').split(' ')[0]);
    await pass(30);
    assert.equal(leg.state, 'answered');
  });

  for (const [what, seconds, respond] of [
    ['gets a 481', 46, (update: string) => far.respond(update, 481)],
    ['gets no response', 60, () => undefined],
    ['gets a 500 each time', 60, (update: string) => far.respond(update, 500)],
  ] as const)
    it(`ends the call with BYE if the refresh ${what}`, async () => {
      await callIt('90;refresher=uac');
      for (let at = 0; at < seconds; at++) {
        const before = far.all('UPDATE').length;
        await pass(1);
        if (far.all('UPDATE').length > before) respond(far.all('UPDATE').at(-1) ?? '');
      }
      await far.last('BYE');
      assert.deepEqual(
        [leg.ended?.by, leg.ended?.kind, leg.ended?.sessionTimer],
        ['local', 'protocol', 'Session-Expires: 90'],
      );
      assert.ok(far.all('UPDATE').length <= 8);
    });

  it('ends with the call, even if a request that was on its way is accepted later', async () => {
    await callIt('90;refresher=uac');
    const held = leg.hold(true);
    const reinvite = await far.last('INVITE');
    const ended = leg.hangup();
    await pass(3);
    await ended;
    far.respond(reinvite, 200, { body: RawPeer.sdp, headers: [['Session-Expires', '90;refresher=uac']] });
    await held;
    far.heard.length = 0;
    await pass(120);
    assert.deepEqual([...far.all('UPDATE'), ...far.all('INVITE')], []);
  });

  it('leaves the refreshes to the called side, and refreshes only if they stay out', async () => {
    await callIt('90;refresher=uas');
    for (let sequence = 1; sequence <= 3; sequence++) {
      await pass(45);
      const headers = 'Supported: timer\r\nSession-Expires: 90;refresher=uac\r\n';
      const response = await far.within(invite, 'UPDATE', sequence, { headers });
      assert.match(response, /^SIP\/2\.0 200 [^]*Session-Expires: 90;refresher=uac\r\nRequire: timer/);
    }
    assert.deepEqual(far.all('UPDATE'), []);
    await pass(51);
    far.respond(await far.last('UPDATE'), 200, { headers: [['Session-Expires', '90;refresher=uas']] });
    assert.match(far.all('UPDATE')[0] ?? '', /Session-Expires: 90;refresher=uas/);
    await pass(40);
    assert.equal(leg.state, 'answered');
  });

  for (const seconds of ['0', '1', '89', '2147483648', '99999999999', '-5', 'x;refresher'])
    it(`stays calm with an interval of ${seconds}`, async () => {
      await callIt(`${seconds};refresher=uac`);
      for (let at = 0; at < 60; at++) {
        const before = far.all('UPDATE').length;
        await pass(1);
        const update = far.all('UPDATE').slice(before);
        assert.ok(new Set(update.map((one) => fieldOf(one, 'CSeq'))).size <= 1);
        const headers = [['Session-Expires', `${seconds};refresher=uac`]] as const;
        for (const one of update) far.respond(one, 200, { headers });
      }
      assert.ok(far.all('UPDATE').length <= 24);
      assert.equal(leg.state, 'answered');
    });

  it('asks for a longer one after a 422, and gives up after a few', async () => {
    ({ leg } = await stage.call());
    for (const [index, seconds] of ['2000', '2400', '3000', '4000'].entries()) {
      assert.ok(
        await stage.clock.run(() => new Set(far.all('INVITE').map((one) => fieldOf(one, 'CSeq'))).size > index, 1000),
      );
      far.respond(far.all('INVITE').at(-1) ?? '', 422, { headers: [['Min-SE', seconds]] });
    }
    assert.ok(await stage.clock.run(() => leg.state === 'ended', 1000));
    const asked = new Map(far.all('INVITE').map((one) => [fieldOf(one, 'Session-Expires'), fieldOf(one, 'Min-SE')]));
    assert.deepEqual([...asked].flat(), ['1800', '', '2000', '2000', '2400', '2400', '3000', '3000']);
    assert.equal(leg.ended?.status, 422);
  });

  for (const [title, refreshAt, byeAt, reason, found] of [
    ['a BYE at the end of the interval', 0, 89, '', 'Session-Expires: 90'],
    ['a BYE after a refresh', 46, 89, '', undefined],
    ['an earlier BYE', 0, 40, '', undefined],
    ['a BYE with the reason', 0, 20, 'Reason: SIP;cause=408;text="Session timer expired"\r\n', 'Reason'],
    ['a BYE with another reason', 0, 20, 'Reason: SIP;text="Session ended"\r\n', undefined],
  ] as const)
    it(`explains ${title}: ${found ?? 'no'}`, async () => {
      await callIt('90;refresher=uac', 'INVITE');
      await pass(refreshAt);
      if (refreshAt > 0) far.respond(await far.last('INVITE'), 200, { headers: [['Session-Expires', '90']] });
      await pass(Math.min(byeAt, 59) - refreshAt);
      await far.within(invite, 'BYE', 10, { headers: reason });
      assert.equal(leg.ended?.sessionTimer, found);
    });

  it('of a caller begins with the answer, which names who refreshes', async () => {
    stage.agent.onCall((one) => one.answer());
    far.ask('INVITE', { body: RawPeer.sdp, headers: 'Supported: timer\r\nSession-Expires: 30\r\n' });
    assert.equal(fieldOf(await far.last('SIP/2.0 422'), 'Min-SE'), '90');
    far.ask('INVITE', {
      sequence: 2,
      body: RawPeer.sdp,
      headers: 'Supported: timer\r\nAllow: UPDATE\r\nSession-Expires: 90;refresher=uas\r\n',
    });
    const answer = await far.last('SIP/2.0 200');
    assert.equal(fieldOf(answer, 'Session-Expires'), '90;refresher=uas');
    far.ask('ACK', { sequence: 2, to: fieldOf(answer, 'To') });
    await pass(46);
    assert.match(await far.last('UPDATE'), /Session-Expires: 90;refresher=uac/);
  });
});
