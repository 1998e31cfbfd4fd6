import assert from 'node:assert/strict';
import type { CallLeg, IncomingCallLeg } from '../../../src/telephony/call.ts';
import { fieldOf, RawPeer, RawStage } from '../../support/rawPeer.ts';

const numbered = (number: number): { headers: readonly (readonly [string, string])[] } => ({
  headers: [
    ['Require', '100rel'],
    ['RSeq', String(number)],
  ],
});

describe('reliable provisional responses', () => {
  let stage: RawStage, far: RawPeer;
  beforeEach(() => {
    stage = new RawStage();
    ({ far } = stage);
  });
  afterEach(() => stage.close());

  describe('to this caller', () => {
    let leg: CallLeg, invite: string;
    beforeEach(async () => {
      ({ leg, invite } = await stage.call());
    });
    it('get a PRACK in their order, and one for all copies of each', async () => {
      const heard: number[] = [];
      leg.listen((event) => event.type === 'ringing' && heard.push(event.status));
      for (const [status, number] of [
        [180, 7],
        [180, 7],
        [183, 9],
        [183, 8],
        [182, 5],
        [182, 9],
      ] as const) {
        far.respond(invite, status, numbered(number));
        await stage.pass(50);
      }
      const pracks = new Set(far.all('PRACK').map((prack) => fieldOf(prack, 'RAck')));
      assert.deepEqual([...pracks], ['7 1 INVITE', '8 1 INVITE', '9 1 INVITE']);
      assert.deepEqual(heard, [180, 183, 182]);
    });

    it('get no more than 100 PRACKs, wherever its Contact leads', async () => {
      for (let number = 1; number <= 300; number++) far.respond(invite, 183, numbered(number));
      await stage.pass(400);
      assert.equal(new Set(far.all('PRACK').map((prack) => fieldOf(prack, 'RAck'))).size, 100);
    });

    it('must answer the offer before an UPDATE can offer again, and the 200 then doesn’t change it', async () => {
      const update = (sequence: number): Promise<string> =>
        far.within(invite, 'UPDATE', sequence, { body: RawPeer.sdp });
      far.respond(invite, 180, numbered(1));
      await stage.pass(50);
      assert.match(await update(1), /^SIP\/2\.0 491/);
      far.respond(invite, 183, { body: RawPeer.sdp, ...numbered(2) });
      await stage.pass(50);
      assert.match(await update(2), /^SIP\/2\.0 200[^]*m=audio/);
      far.respond(invite, 200, { body: RawPeer.sdp.replace('AVP 0', 'AVP 18') });
      await stage.pass(50);
      assert.equal(leg.state, 'answered');
    });
  });

  describe('from this callee', () => {
    let leg: IncomingCallLeg | undefined;
    beforeEach(() => {
      leg = undefined;
      stage.agent.onCall((one) => {
        leg = one;
      });
    });
    async function take(headers: string, body = RawPeer.sdp): Promise<IncomingCallLeg> {
      far.ask('INVITE', { body, headers });
      assert.ok(await stage.clock.run(() => leg !== undefined, 1000));
      return leg ?? assert.fail();
    }
    /** Acknowledges this response. Returns the response to the PRACK. */
    const acknowledge = (response: string, sequence: number, body = ''): Promise<string> =>
      far.request('PRACK', sequence, {
        to: fieldOf(response, 'To'),
        headers: `RAck: ${fieldOf(response, 'RSeq')} 1 INVITE\r\n`,
        body,
      });

    it('repeat until their PRACK, one at a time, and hold the answer back if they describe the media', async () => {
      const one = await take('Require: 100rel\r\n');
      one.ring();
      one.ring(183);
      await stage.pass(3600);
      // After 0, 0.5, 1.5 and 3.5 s.
      const ringing = far.all('SIP/2.0 180');
      assert.deepEqual([ringing.length, new Set(ringing).size, far.all('SIP/2.0 183')], [4, 1, []]);
      assert.match(await acknowledge((ringing[0] ?? '').replace(/RSeq: \d+/, 'RSeq: 1'), 2), /^SIP\/2\.0 481/);
      assert.match(await acknowledge(ringing[0] ?? '', 3), /^SIP\/2\.0 200/);
      one.ring(183);
      one.answer();
      const described = await far.last('SIP/2.0 183');
      assert.equal(Number(fieldOf(described, 'RSeq')), Number(fieldOf(ringing[0] ?? '', 'RSeq')) + 1);
      assert.match(described, /Require: 100rel[^]*m=audio/);
      assert.equal(one.state, 'setup');
      assert.match(await acknowledge(described, 4), /^SIP\/2\.0 200/);
      await stage.pass(100);
      assert.equal(one.state, 'answered');
      assert.match(await acknowledge(described, 5), /^SIP\/2\.0 481/);
    });

    it('end the call with 504 if no PRACK comes', async () => {
      const one = await take('Supported: 100rel\r\n');
      one.ring(183);
      await stage.pass(33_000);
      await far.last('SIP/2.0 504');
      assert.deepEqual([one.ended?.kind, far.all('SIP/2.0 183').length], ['protocol', 7]);
    });

    it('offer if the INVITE didn’t, and are answered in the PRACK', async () => {
      const one = await take('Require: 100rel\r\n', '');
      one.ring();
      one.answer();
      const ringing = await far.last('SIP/2.0 180');
      assert.match(ringing, /m=audio/);
      assert.match(await acknowledge(ringing, 2, RawPeer.sdp), /^SIP\/2\.0 200 [^]*Content-Length: 0/);
      assert.ok(await stage.clock.run(() => one.stats().sent > 0, 1000));
      assert.match(far.all('SIP/2.0 200').find((text) => /CSeq: 1 INVITE/.test(text)) ?? '', /Content-Length: 0/);
    });

    it('can be followed by offers in a PRACK and an UPDATE, but not preceded', async () => {
      const one = await take('Supported: 100rel\r\n');
      one.ring();
      const parts = { to: fieldOf(await far.last('SIP/2.0 180'), 'To'), body: RawPeer.sdp };
      assert.match(await far.request('UPDATE', 2, parts), /^SIP\/2\.0 500 [^]*Retry-After/);
      one.ring(183);
      const described = await far.last('SIP/2.0 183');
      assert.match(await acknowledge(described, 3, RawPeer.sdp), /^SIP\/2\.0 200 [^]*m=audio/);
      assert.match(await far.request('UPDATE', 4, parts), /^SIP\/2\.0 200 [^]*m=audio/);
      one.answer();
      await stage.pass(100);
      assert.match(far.heard.find((text) => /CSeq: 1 INVITE/.test(text) && / 200 /.test(text)) ?? '', /Length: 0/);
    });
  });
});
