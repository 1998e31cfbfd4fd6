import assert from 'node:assert/strict';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { IncomingCallLeg } from '../../../src/telephony/call.ts';
import type { Answering } from '../../../src/telephony/sip/transactionLayer.ts';
import { TransactionLayer } from '../../../src/telephony/sip/transactionLayer.ts';
import { ManualClock, settle } from '../../support/manualClock.ts';
import { TelephonyLink } from '../../support/telephonyLink.ts';

const US = { host: '10.0.0.1', port: 5060 },
  THEM = { host: '10.0.0.3', port: 5060 };
const SDP = 'v=0\r\no=- 1 1 IN IP4 10.0.0.3\r\ns=-\r\nc=IN IP4 10.0.0.3\r\nt=0 0\r\nm=audio 7000 RTP/AVP 0\r\n';

function request(method: string, id: number, parts: { body?: string; extra?: string; tag?: string } = {}): Buffer {
  const { body = '', extra = '', tag } = parts;
  return Buffer.from(
    `${method} sip:x@10.0.0.1 SIP/2.0\r\nVia: SIP/2.0/UDP 10.0.0.3;branch=z9hG4bKf${String(id)}\r\nFrom: <sip:r@10.0.0.3>;tag=f\r\nTo: <sip:x@10.0.0.1>${tag === undefined ? '' : `;tag=${tag}`}\r\nCall-ID: flood-${String(id)}\r\nCSeq: 1 ${method}\r\nContact: <sip:r@10.0.0.3>\r\n${extra}Content-Length: ${String(body.length)}\r\n\r\n${body}`,
  );
}

/** The answers of an agent at 10.0.0.1 to messages from 10.0.0.3. */
class Flood {
  readonly clock = new ManualClock();
  readonly link = new TelephonyLink(this.clock);
  readonly answers: string[] = [];
  readonly #far = this.link.transport(THEM.host, THEM.port);

  constructor() {
    this.#far.listen({
      onMessage: (datagram) => this.answers.push(Buffer.from(datagram).toString()),
      onFailure: () => undefined,
    });
  }

  send(datagram: Uint8Array): void {
    this.#far.send(datagram, US);
  }
  async pass(ms = 10): Promise<void> {
    this.clock.advance(ms);
    await settle();
    this.clock.advance(ms);
  }
  /** Returns how often each status was answered. */
  tally(): Record<string, number> {
    const tally: Record<string, number> = {};
    for (const text of this.answers) {
      const status = text.slice(8, 11);
      tally[status] = (tally[status] ?? 0) + 1;
    }
    return tally;
  }
}

describe('a SIP flood', () => {
  it("leaves no transactions after 3,000 requests of 60 kB that aren't calls", async () => {
    const flood = new Flood();
    const agent = flood.link.agent(US.host);
    const methods = ['OPTIONS', 'FROB', 'SUBSCRIBE', 'BYE', 'CANCEL', 'INVITE'];
    for (let n = 0; n < 3000; n++)
      flood.send(request(methods[n % methods.length] ?? '', n, { body: 'x'.repeat(60_000) }));
    await flood.pass();
    assert.deepEqual(flood.tally(), { 200: 500, 501: 500, 405: 500, 481: 1000, 480: 500 });
    assert.equal(flood.clock.pending, 0, 'nothing waits');
    await agent.close();
  });

  it('gets the same stateless answer for a repeated request', async () => {
    const flood = new Flood();
    const agent = flood.link.agent(US.host, { challenge: { realm: 'lab', passwordOf: () => 'secret' } });
    agent.onCall((leg) => leg.answer());
    for (const method of ['OPTIONS', 'INVITE', 'FROB']) {
      flood.answers.length = 0;
      flood.send(request(method, 1, { body: method === 'INVITE' ? SDP : '' }));
      flood.send(request(method, 1, { body: method === 'INVITE' ? SDP : '' }));
      await flood.pass();
      assert.equal(flood.answers.length, 2);
      assert.match(flood.answers[0] ?? '', /^To: .*;tag=[0-9a-f]{16}\r$/m);
      assert.equal(flood.answers[0], flood.answers[1]);
    }
    // Another request gets another tag.
    flood.send(request('OPTIONS', 2));
    await flood.pass();
    const tags = flood.answers.map((text) => /^To: .*;tag=(.*)\r$/m.exec(text)?.[1]);
    assert.notEqual(tags.at(-1), tags[0]);
    assert.equal(flood.clock.pending, 0);
    await agent.close();
  });

  describe('that must be remembered', () => {
    function layered(keep: boolean): { flood: Flood; layer: TransactionLayer } {
      const flood = new Flood();
      const layer = new TransactionLayer(flood.link.transport(US.host, US.port), flood.clock, {
        onRequest: (_request, _from, answering: Answering | undefined) => {
          if (keep) answering?.begin()?.respond(183);
        },
        onWire: () => undefined,
        onFault: (error) => {
          throw error;
        },
      });
      return { flood, layer };
    }

    it('reaches a limit in number and size: 503 beyond that, with room left for calls', async () => {
      const { flood, layer } = layered(true);
      for (let n = 0; n < 3000; n++) {
        flood.send(request('INVITE', n, { extra: `Record-Route: <sip:p@10.0.0.3;x=${'y'.repeat(30_000)}>\r\n` }));
        await flood.pass(2);
      }
      const { transactions, characters } = layer.held;
      assert.ok(transactions > 200 && transactions < 1000, String(transactions));
      assert.ok(characters < 18 * 1024 * 1024, String(characters));
      assert.equal(flood.tally()[183], transactions);
      assert.equal(flood.tally()[503], 3000 - transactions);
      assert.match(flood.answers.at(-1) ?? '', /^SIP\/2\.0 503[^]*\r\nRetry-After: \d+\r\n/);
      flood.send(request('BYE', 9999, { tag: 'ours' }));
      await flood.pass();
      assert.equal(layer.held.transactions, transactions + 1, 'a request within a dialog');
      layer.close();
      assert.deepEqual(layer.held, { transactions: 0, characters: 0 });
    });

    it("keeps no bodies and no header fields that a response doesn't need", async () => {
      setFlagsFromString('--expose-gc');
      const collect = runInNewContext('gc') as () => void;
      const { flood, layer } = layered(true);
      const held = (): number => {
        collect();
        // Buffers from the first collection are freed beside it, and counted by the second.
        collect();
        const { heapUsed, external } = process.memoryUsage();
        return heapUsed + external;
      };
      const before = held();
      for (let n = 0; n < 3000; n++) {
        flood.send(request('INVITE', n, { extra: `Subject: ${'x'.repeat(30_000)}\r\n`, body: 'x'.repeat(20_000) }));
        await flood.pass(2);
        flood.answers.length = 0;
      }
      assert.ok(layer.held.transactions > 900);
      // They were 150 MB.
      assert.ok(held() - before < 20_000_000, `${String(Math.round((held() - before) / 1e6))} MB`);
      layer.close();
    });
  });

  it('of invitations is rejected if they are too large, and answered 503 if there are too many', async function () {
    const flood = new Flood();
    const agent = flood.link.agent(US.host);
    const legs: IncomingCallLeg[] = [];
    agent.onCall((leg) => {
      legs.push(leg);
      leg.ring();
    });
    for (let n = 0; n < 300; n++)
      flood.send(request('INVITE', n, { extra: `Subject: ${'x'.repeat(60_000)}\r\n`, body: SDP }));
    await flood.pass();
    assert.deepEqual([flood.tally(), legs.length, flood.clock.pending], [{ 513: 300 }, 0, 0]);
    for (let n = 0; n < 4500; n++) flood.send(request('INVITE', 1000 + n, { body: SDP }));
    await flood.pass();
    await flood.pass();
    assert.deepEqual([legs.length, flood.tally()[503]], [4000, 500]);
    // Ended calls make room.
    for (const leg of legs.slice(0, 10)) leg.reject(486);
    for (let n = 0; n < 10; n++) flood.send(request('INVITE', 9000 + n, { body: SDP }));
    await flood.pass();
    await flood.pass();
    assert.equal(legs.length, 4010);
    for (const leg of legs) leg.reject(486);
    await agent.close();
    flood.clock.advance(10);
    assert.equal(flood.clock.pending, 0);
  });
});
