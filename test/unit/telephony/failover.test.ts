import assert from 'node:assert/strict';
import type { CallLeg, PingAnswer, RegistrationState, SipAgent } from '../../../src/telephony/call.ts';
import { parseMessage, serialiseMessage } from '../../../src/telephony/sip/message.ts';
import { createResponse } from '../../../src/telephony/sip/response.ts';
import { endOf } from '../../support/legEvents.ts';
import { ManualClock } from '../../support/manualClock.ts';
import { fieldOf } from '../../support/rawPeer.ts';
import { TelephonyLink } from '../../support/telephonyLink.ts';

const servers = ['10.0.0.3', '10.0.0.4', '10.0.0.5'];

describe('several servers of a domain', () => {
  let clock: ManualClock, link: TelephonyLink, agent: SipAgent;
  /** The requests that each server received, by its host: method and status of the response that it gave. */
  let heard: string[];

  beforeEach(() => {
    clock = new ManualClock();
    link = new TelephonyLink(clock);
    heard = [];
    const transport = link.transport.bind(link);
    link.transport = (...place) => ({
      ...transport(...place),
      resolve: (name) =>
        Promise.resolve((name === 'example.com' ? servers : [name]).map((host) => ({ host, port: 5060 }))),
    });
    agent = link.agent('10.0.0.1');
  });
  afterEach(() => clock.finish(agent.close()));

  /** What a server responds to a request; 0 is nothing. */
  const serve = (host: string, statusOf: (method: string) => number): void => {
    link.listenAt(host, 5060, (datagram) => {
      const request = parseMessage(datagram);
      if (request?.kind !== 'request') return;
      heard.push(`${host.slice(-1)} ${request.method}`);
      const status = request.method === 'ACK' ? 0 : statusOf(request.method);
      if (status > 0) respond(host, datagram, status);
    });
  };
  const respond = (
    host: string,
    request: Uint8Array,
    status: number,
    more: readonly (readonly [string, string])[] = [],
  ): void => {
    const parsed = parseMessage(request);
    assert.ok(parsed?.kind === 'request');
    const isAnswer = parsed.method === 'INVITE' && status === 200;
    const body = `v=0\r\no=- 1 1 IN IP4 ${host}\r\ns=-\r\nc=IN IP4 ${host}\r\nt=0 0\r\nm=audio 7000 RTP/AVP 0\r\n`;
    const response = createResponse(parsed, status, {
      toTag: host,
      headers: [
        ['Contact', `<sip:ivr@${host}>`],
        ...more,
        ...(isAnswer ? [['Content-Type', 'application/sdp'] as const] : []),
      ],
      body: isAnswer ? body : '',
    });
    link.deliver(serialiseMessage(response), { host, port: 5060 }, { host: '10.0.0.1', port: 5060 });
  };
  const methods = (): string[] => heard.filter((line, i) => line !== heard[i - 1]);
  const answered = async (leg: CallLeg): Promise<boolean> => {
    await clock.run(() => leg.state !== 'setup', 20_000);
    await clock.run(() => false, 50);
    return leg.state === 'answered';
  };
  const up = (): number => 200;

  it('take over a call from one that is silent, and from one that says 503', async () => {
    serve('10.0.0.3', () => 0);
    serve('10.0.0.4', () => 503);
    serve('10.0.0.5', up);
    const started = clock.now();
    const leg = agent.call('sip:ivr@example.com');
    assert.ok(await answered(leg));
    assert.ok(clock.now() - started < 3000, String(clock.now() - started));
    assert.deepEqual(methods(), ['3 INVITE', '4 INVITE', '4 ACK', '5 INVITE', '5 ACK']);
    await clock.finish(leg.hangup());
    heard = [];
    const next = agent.call('sip:ivr@example.com');
    assert.ok(await answered(next));
    assert.deepEqual(methods(), ['5 INVITE', '5 ACK'], 'the next call begins with the one that is alive');
    await clock.finish(next.hangup());
    clock.advance(61_000);
    heard = [];
    assert.ok(await answered(agent.call('sip:ivr@example.com')));
    assert.equal(methods()[0], '3 INVITE', 'and a later call with the first one');
  });

  it('each ask for the login', async () => {
    for (const [host, status] of [
      ['10.0.0.3', 503],
      ['10.0.0.4', 486],
    ] as const)
      link.listenAt(host, 5060, (datagram) => {
        const text = Buffer.from(datagram).toString();
        const hasLogin = text.includes('Authorization: ');
        if (text.startsWith('INVITE'))
          respond(host, datagram, hasLogin ? status : 401, [['WWW-Authenticate', 'Digest realm="r", nonce="n"']]);
      });
    const leg = agent.call('sip:ivr@example.com', { credentials: { user: 'u', password: 'p' } });
    await answered(leg);
    assert.equal(leg.ended?.kind, 'busy');
  });

  it('end a call as before if all of them fail', async () => {
    for (const host of servers) serve(host, () => 0);
    const silent = agent.call('sip:ivr@example.com');
    const end = endOf(silent);
    assert.ok(await clock.run(() => silent.state === 'ended', 20_000));
    assert.equal((await end).reason, 'no response from 10.0.0.5:5060');
    for (const host of servers) serve(host, () => 503);
    const refused = agent.call('sip:ivr@example.com');
    await clock.run(() => refused.state === 'ended', 20_000);
    assert.deepEqual([refused.ended?.kind, refused.ended?.status], ['rejected', 503]);
  });

  it("don't take over after another refusal, nor from one that rings", async () => {
    serve('10.0.0.3', () => 486);
    serve('10.0.0.4', up);
    const busy = agent.call('sip:ivr@example.com');
    await answered(busy);
    assert.equal(busy.ended?.kind, 'busy');
    serve('10.0.0.3', (method) => (method === 'INVITE' ? 180 : 200));
    const ringing = agent.call('sip:ivr@example.com', { answerTimeoutMs: 8000 });
    await answered(ringing);
    assert.equal(ringing.ended?.kind, 'noAnswer');
    assert.ok(!heard.some((line) => line.startsWith('4')));
  });

  it('hang up the late answer, and cancel the late ringing, of one that was given up', async () => {
    for (const status of [200, 180]) {
      heard = [];
      let late: Uint8Array | undefined;
      link.listenAt('10.0.0.3', 5060, (datagram) => {
        const text = Buffer.from(datagram).toString();
        heard.push(`3 ${text.split(' ', 1)[0] ?? ''}`);
        if (text.startsWith('INVITE')) late = Uint8Array.from(datagram);
      });
      serve('10.0.0.4', up);
      const leg = agent.call('sip:ivr@example.com');
      assert.ok(await answered(leg));
      respond('10.0.0.3', late ?? new Uint8Array(), status);
      await clock.run(() => false, 200);
      assert.ok(heard.includes(status === 200 ? '3 BYE' : '3 CANCEL'), heard.join());
      assert.equal(leg.state, 'answered');
      assert.equal(fieldOf(leg.trace()[0]?.text ?? '', 'CSeq'), '1 INVITE');
      await clock.finish(leg.hangup());
      clock.advance(61_000);
    }
  });

  /** Sends a request outside a call; returns the status, and why there was no response. */
  async function standalone(method: string): Promise<RegistrationState | PingAnswer> {
    let result: RegistrationState | PingAnswer | undefined;
    if (method === 'OPTIONS') void agent.options('sip:example.com').then((answer) => (result = answer));
    else agent.register('office', { registrar: 'sip:example.com', user: '600' }, (state) => (result ??= state));
    assert.ok(await clock.run(() => result !== undefined, 10_000));
    await clock.run(() => false, 4000);
    return result ?? assert.fail();
  }

  for (const method of ['OPTIONS', 'REGISTER'])
    it(`take over ${method} too, and nothing more is sent to those that were given up`, async () => {
      serve('10.0.0.3', () => 0);
      serve('10.0.0.4', () => 0);
      serve('10.0.0.5', () => 481);
      assert.equal((await standalone(method)).status, 481);
      assert.deepEqual(heard, [
        ...Array<string>(3).fill(`3 ${method}`),
        ...Array<string>(3).fill(`4 ${method}`),
        `5 ${method}`,
      ]);
      for (const host of servers) serve(host, () => 503);
      clock.advance(61_000);
      const { status, failure } = await standalone(method);
      assert.deepEqual([status, failure], [503, method === 'OPTIONS' ? undefined : 'unavailable']);
    });

  it('publish the public host of a line, and nothing else does', async () => {
    serve('10.0.0.3', up);
    for (const nat of [{ publicHost: '203.0.113.7', stunServer: 'stun.example.com' }, undefined]) {
      const leg = agent.call('sip:ivr@example.com', nat && { nat });
      assert.ok(await answered(leg));
      const invite = leg.trace()[0]?.text ?? '';
      const host = nat ? '203.0.113.7' : '10.0.0.1';
      assert.ok(invite.includes(`Contact: <sip:dialtree@${host}:5060>`) && invite.includes(`c=IN IP4 ${host}`), invite);
      await clock.finish(leg.hangup());
    }
  });
});
