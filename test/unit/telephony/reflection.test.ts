import assert from 'node:assert/strict';
import type { CallLeg, IncomingCallLeg } from '../../../src/telephony/call.ts';
import { fieldOf, RawPeer, RawStage } from '../../support/rawPeer.ts';

describe('an agent that answers a caller with a possibly forged address', () => {
  let stage: RawStage, clock: RawStage['clock'], far: RawPeer, legs: IncomingCallLeg[];
  /** RTP packets that reached a host, by "host:port". */
  let media: Map<string, number>;

  beforeEach(() => {
    stage = new RawStage();
    ({ clock, far } = stage);
    legs = [];
    media = new Map();
    const { link } = stage;
    const deliver = link.deliver.bind(link);
    link.deliver = (datagram, from, to) => {
      const place = `${to.host}:${String(to.port)}`;
      if ((datagram[0] ?? 0) === 0x80) media.set(place, (media.get(place) ?? 0) + 1);
      deliver(datagram, from, to);
    };
  });

  async function invited(take: (leg: IncomingCallLeg) => void, body = RawPeer.sdp): Promise<CallLeg> {
    stage.agent.onCall((leg) => {
      legs.push(leg);
      take(leg);
    });
    far.ask('INVITE', { body });
    assert.ok(await clock.run(() => legs.length > 0, 1000));
    return legs[0] ?? assert.fail();
  }
  function acknowledge(answer: string, body = ''): void {
    far.ask('ACK', { to: fieldOf(answer, 'To'), body });
  }
  afterEach(() => stage.close());

  it('sends no audio before the ACK, and then all of it', async () => {
    let played: string | undefined;
    const leg = await invited((one) => {
      one.answer();
      void one.play(new Int16Array(160 * 50)).then((outcome) => {
        played = outcome;
      });
      void one.sendDigits('1');
    });
    await clock.run(() => false, 10_000);
    assert.deepEqual([media.size, leg.stats().sent, played], [0, 0, undefined]);
    acknowledge(await far.last('SIP/2.0 200'));
    assert.ok(await clock.run(() => played === 'played', 3000));
    assert.ok((media.get('10.0.0.3:7000') ?? 0) >= 50);
  });

  it('sends no early media either, and ends a call that is never acknowledged', async () => {
    const leg = await invited((one) => {
      one.ring(183);
      clock.setTimeout(() => one.answer(), 2000);
    });
    assert.ok(await clock.run(() => leg.state === 'ended', 60_000, 50));
    assert.deepEqual([media.size, leg.stats().sent], [0, 0]);
  });

  it("ignores an ACK that doesn't know the answer's tag", async () => {
    await invited((one) => one.answer());
    await far.last('SIP/2.0 200');
    for (const to of ['<sip:x@10.0.0.1>', '<sip:x@10.0.0.1>;tag=guessed']) far.ask('ACK', { to });
    await clock.run(() => false, 2000);
    assert.equal(media.size, 0);
  });

  it('sends early media only one packet for each received one', async () => {
    const leg = await invited((one) => one.ring(183));
    const port = Number(/m=audio (\d+)/.exec(await far.last('SIP/2.0 183'))?.[1]);
    for (let sequence = 0; sequence < 10; sequence++) {
      const rtp = Buffer.alloc(172);
      rtp.set([0x80, 0, 0, sequence]);
      stage.link.deliver(rtp, { host: '10.0.0.3', port: 7000 }, { host: '10.0.0.1', port });
    }
    await clock.run(() => false, 2000);
    assert.equal(leg.stats().sent, 10);
  });

  it('sends after the ACK that answers its own offer', async () => {
    const leg = await invited((one) => one.answer(), '');
    acknowledge(await far.last('SIP/2.0 200'), RawPeer.sdp);
    assert.ok(await clock.run(() => leg.stats().sent > 5, 1000));
  });

  it('sends immediately to its own machine', async () => {
    const leg = await invited((one) => one.answer(), RawPeer.sdp.replaceAll('10.0.0.3', '127.0.0.1'));
    assert.ok(await clock.run(() => leg.stats().sent > 5, 1000));
  });
});
