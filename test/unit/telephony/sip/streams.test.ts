import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { X509Certificate } from 'node:crypto';
import type { AddressInfo, Server, Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { createSipAgent, startSipAgent } from '../../../../src/telephony/agent.ts';
import type { CallEnd, CallLeg, IncomingCallLeg, SipAgent } from '../../../../src/telephony/call.ts';
import { systemClock } from '../../../../src/base/clock.ts';
import { udpMedia } from '../../../../src/telephony/rtp/mediaSocket.ts';
import { systemPacer } from '../../../../src/telephony/rtp/pacer.ts';
import { MessageFramer } from '../../../../src/telephony/sip/messageFramer.ts';
import { StreamTransport } from '../../../../src/telephony/sip/streamTransport.ts';
import type { StreamOptions } from '../../../../src/telephony/sip/streamTransport.ts';
import { endOf, until } from '../../../support/legEvents.ts';
import { selfSigned } from '../../../support/selfSigned.ts';

const host = '127.0.0.1';
/** Lets a server listen, and returns its port. */
async function listen(server: Server): Promise<number> {
  server.listen(0, host);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}
const message = (body: string): string =>
  `MESSAGE sip:a@b SIP/2.0\r\nCall-ID: 1\r\nContent-Length: ${String(Buffer.byteLength(body))}\r\n\r\n${body}`;

describe('a stream of SIP messages', () => {
  const cut = (framer: MessageFramer, text: string): string[] =>
    framer.push(Buffer.from(text)).messages.map((one) => Buffer.from(one).toString());

  it('splits the same way, in any chunks', () => {
    const sent = [message(''), message('hello'), message('größer'), message('x'.repeat(3000))];
    const whole = Buffer.from(`\r\n${sent.join('')}`);
    for (const size of [1, 2, 3, 7, 100, 10_000]) {
      const framer = new MessageFramer();
      const got: string[] = [];
      for (let at = 0; at < whole.length; at += size)
        got.push(...framer.push(whole.subarray(at, at + size)).messages.map((one) => Buffer.from(one).toString()));
      assert.deepEqual(got, sent, `${String(size)} bytes at a time`);
    }
  });

  it('can give its length in the compact form', () =>
    assert.equal(cut(new MessageFramer(), `OPTIONS sip:a SIP/2.0\r\nl : 2\r\n\r\nab${message('')}`).length, 2));

  it('can fold its length over two lines, and pad it with zeros', () =>
    assert.deepEqual(
      cut(new MessageFramer(), `OPTIONS sip:a SIP/2.0\r\nContent-Length:\r\n 000000000002\r\n\r\nab${message('')}`)
        .length,
      2,
    ));

  it('answers keep-alives between messages', () => {
    const framer = new MessageFramer();
    assert.deepEqual(
      [
        framer.push(Buffer.from('\r\n\r\n')).asksForLife,
        framer.push(Buffer.from('\r\n')).asksForLife,
        cut(framer, message('a')).length,
      ],
      [true, false, 1],
    );
  });

  it('breaks if it can never become a message', () => {
    for (const bad of [
      'Call-ID: 1\r\n\r\n',
      'Content-Length: -1\r\n\r\n',
      'Content-Length: 70000\r\n\r\n',
      'Content-Length: 1\r\nl: 2\r\n\r\n',
      'x'.repeat(70_000),
    ]) {
      const { messages, broken } = new MessageFramer().push(
        Buffer.from(`${message('before')}OPTIONS sip:a SIP/2.0\r\n${bad}`),
      );
      assert.equal(messages.length, 1, 'what came before it counts');
      assert.match(broken ?? '', /^a message /, bad.slice(0, 60));
    }
  });
});

describe('an agent with connections', () => {
  const closing: (() => unknown)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });
  const held = (agent: SipAgent): SipAgent => {
    closing.push(() => agent.close());
    return agent;
  };
  const agentOver = (transport: StreamTransport, port = 0): SipAgent =>
    held(
      createSipAgent({
        address: { host, port },
        transports: [transport],
        openMedia: udpMedia(host),
        pacer: systemPacer,
        clock: systemClock,
      }),
    );
  const start = async (listenTcp = false): Promise<SipAgent> =>
    held(await startSipAgent({ host, listenTcp, noResponseTimeoutMs: 60_000 }));
  const at = (port: number, transport = 'tcp', name: string = host): string =>
    `sip:ivr@${name}:${String(port)};transport=${transport}`;

  /** Relays connections, so that a test sees and cuts them. */
  async function relayTo(port: number): Promise<{ readonly port: number; readonly taken: Socket[] }> {
    const taken: Socket[] = [];
    const server: Server = createServer((near) => {
      const far = connect(port, host);
      taken.push(near);
      for (const [one, other] of [
        [near, far],
        [far, near],
      ] as const) {
        one.on('error', () => {
          /* It was cut. */
        });
        one.on('close', () => {
          other.destroy();
        });
        one.pipe(other);
      }
    });
    const relay = await listen(server);
    closing.push(() => {
      for (const socket of taken) socket.destroy();
      server.close();
    });
    return { port: relay, taken };
  }

  it('shares one connection among all calls to a place, and hangs up over it', async () => {
    const caller = await start(),
      callee = await start(true);
    const relay = await relayTo(callee.address.port);
    callee.onCall((leg) => leg.answer());
    const legs = Array.from({ length: 40 }, () => caller.call(at(relay.port)));
    await Promise.all(legs.map((leg) => until(leg, 'answered')));
    assert.equal((await caller.options(at(relay.port))).status, 200);
    const ends = legs.map(endOf);
    await Promise.all(legs.map((leg) => leg.hangup()));
    assert.deepEqual([...new Set((await Promise.all(ends)).map(({ kind }) => kind))], ['hangup']);
    assert.equal(relay.taken.length, 1);
  });

  it('continues a call whose connection was cut, and hangs up over another', async () => {
    const caller = await start(),
      callee = await start(true);
    const relay = await relayTo(callee.address.port);
    const taken = new Promise<CallLeg>((resolve) =>
      callee.onCall((leg) => {
        leg.answer();
        resolve(leg);
      }),
    );
    const leg = caller.call(at(relay.port));
    await until(leg, 'answered');
    const gone = once(relay.taken[0] ?? assert.fail(), 'close');
    relay.taken[0]?.destroy();
    await gone;
    const far = endOf(await taken);
    await leg.hangup();
    assert.equal((await far).by, 'remote');
    assert.equal(relay.taken.length, 2);
  });

  it('immediately ends a call whose connection is cut before an answer', async () => {
    const caller = await start(),
      callee = await start(true);
    const relay = await relayTo(callee.address.port);
    callee.onCall((leg) => leg.ring());
    const leg = caller.call(at(relay.port));
    leg.listen((event) => {
      if (event.type === 'ringing') relay.taken[0]?.destroy();
    });
    const { kind, by } = await endOf(leg);
    assert.deepEqual({ kind, by }, { kind: 'unreachable', by: 'network' });
  });

  it("reports if nothing listens, or if the peer doesn't speak SIP", async () => {
    const caller = await start(),
      gone = await start(true);
    await gone.close();
    const answer = await caller.options(at(gone.address.port));
    assert.deepEqual([answer.status, answer.failure], [503, 'refused']);
    assert.match(answer.reason, /connection refused/);
    const mute = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n');
    });
    const port = await listen(mute);
    closing.push(() => {
      mute.close();
    });
    assert.equal((await caller.options(at(port))).failure, 'network');
  });

  it('drops a connection with invalid data, and keeps the others', async () => {
    const callee = await start(true),
      caller = await start();
    const socket = connect(callee.address.port, host);
    closing.push(() => {
      socket.destroy();
    });
    socket.on('error', () => undefined);
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    socket.resume();
    await once(socket, 'close');
    assert.equal((await caller.options(at(callee.address.port))).status, 200);
  });

  it('retries over another connection if the peer closes after each answer', async () => {
    const callee = held(
      await startSipAgent({ host, listenTcp: true, challenge: { realm: 'lab', passwordOf: () => 'pw' } }),
    );
    callee.onCall((leg) => leg.reject(486));
    // Answers one request per connection, and then closes it.
    const server = createServer((near) => {
      const far = connect(callee.address.port, host);
      for (const socket of [near, far]) socket.on('error', () => undefined);
      near.pipe(far);
      far.on('data', (chunk) => {
        near.write(chunk);
        if (/^SIP\/2\.0 [2-6]/.test(chunk.toString())) {
          near.end();
          far.end();
        }
      });
    });
    const port = await listen(server);
    closing.push(() => {
      server.close();
    });
    const target = at(port);
    const caller = await start();
    const credentials = { user: 'ann', password: 'pw' };
    assert.deepEqual(
      await caller.options(target, { credentials }).then(({ status, authenticated }) => [status, authenticated]),
      [200, true],
    );
    assert.equal((await endOf(caller.call(target, { credentials }))).kind, 'busy');
  });

  it("opens another connection if one doesn't respond", async () => {
    const callee = await start(true);
    const relay = await relayTo(callee.address.port);
    const mute: Socket[] = [];
    let isMute = true;
    const server = createServer((near) => {
      near.on('error', () => undefined);
      if (isMute) {
        mute.push(near);
        near.resume();
        return;
      }
      const far = connect(relay.port, host);
      far.on('error', () => undefined);
      near.pipe(far).pipe(near);
    });
    const port = await listen(server);
    closing.push(() => {
      for (const socket of mute) socket.destroy();
      server.close();
    });
    const target = at(port);
    const caller = agentOver(new StreamTransport({ protocol: 'TCP', host, deafMs: 20 }));
    assert.equal((await caller.options(target, { timeoutMs: 100 })).failure, 'timeout');
    isMute = false;
    assert.equal((await caller.options(target)).status, 200);
    assert.equal(mute.length, 1);
  });

  it('opens no connection because of a peer over UDP', async () => {
    let connections = 0;
    const local = createServer((socket) => {
      connections += 1;
      socket.destroy();
    });
    const port = await listen(local);
    closing.push(() => {
      local.close();
    });
    // An answer whose Contact names a third party's port.
    const callee = createSocket('udp4');
    const heard: string[] = [];
    const bye = new Promise<void>((resolve) => {
      callee.on('message', (datagram, from) => {
        const text = datagram.toString();
        heard.push(text.split(' ', 1)[0] ?? '');
        const answer = (extra: string, body = ''): void => {
          const headers = text
            .split('\r\n')
            .filter((line) => /^(?:Via|From|Call-ID|CSeq):/.test(line))
            .join('\r\n');
          callee.send(
            `SIP/2.0 200 OK\r\n${headers}\r\nTo: <sip:ivr@${host}>;tag=x\r\n${extra}Content-Length: ${String(body.length)}\r\n\r\n${body}`,
            from.port,
            from.address,
          );
        };
        if (text.startsWith('INVITE'))
          answer(
            `Contact: <sip:x@${host}:${String(port)};transport=tcp>\r\nContent-Type: application/sdp\r\n`,
            `v=0\r\no=- 1 1 IN IP4 ${host}\r\ns=-\r\nc=IN IP4 ${host}\r\nt=0 0\r\nm=audio 9 RTP/AVP 0\r\n`,
          );
        if (text.startsWith('BYE')) {
          answer('');
          resolve();
        }
      });
    });
    callee.bind(0, host);
    await once(callee, 'listening');
    closing.push(() => {
      callee.close();
    });
    const caller = await start();
    const leg = caller.call(`sip:ivr@${host}:${String(callee.address().port)}`);
    await until(leg, 'answered');
    await leg.hangup();
    await bye;
    assert.deepEqual([connections, [...new Set(heard)]], [0, ['INVITE', 'ACK', 'BYE']]);
  });

  describe('opened by unknown peers', () => {
    const listening = async (
      visitors: StreamOptions['visitors'],
    ): Promise<{ readonly agent: SipAgent; readonly port: number }> => {
      const transport = new StreamTransport({ protocol: 'TCP', host, ...(visitors && { visitors }) });
      const port = await transport.open({ port: 0 });
      return { port, agent: agentOver(transport, port) };
    };
    async function visit(port: number): Promise<{ readonly socket: Socket; readonly closed: Promise<void> }> {
      const socket = connect(port, host);
      closing.push(() => {
        socket.destroy();
      });
      socket.on('error', () => undefined);
      const closed = new Promise<void>((resolve) => {
        socket.once('close', () => resolve());
      });
      await once(socket, 'connect');
      socket.resume();
      return { socket, closed };
    }
    const options = (id: number): string =>
      `OPTIONS sip:a@${host} SIP/2.0\r\nVia: SIP/2.0/TCP ${host};branch=z9hG4bK${String(id)}\r\nFrom: <sip:a@a>;tag=1\r\nTo: <sip:b@b>\r\nCall-ID: ${String(id)}\r\nCSeq: 1 OPTIONS\r\nContent-Length: 0\r\n\r\n`;

    it('close if no complete message comes, or nothing more', async () => {
      const { port } = await listening({ messageMs: 50, quietMs: 3_600_000 });
      const [mute, slow, quiet] = [
        await visit(port),
        await visit(port),
        await visit((await listening({ messageMs: 3_600_000, quietMs: 100 })).port),
      ];
      slow.socket.write('OPTIONS sip:a@b SIP/2.0\r\n');
      quiet.socket.write(options(1));
      await Promise.all([mute.closed, slow.closed, quiet.closed]);
    });

    it('stay limited in number: the least active one closes, but never one with a call', async () => {
      const { port, agent } = await listening({ most: 2 });
      agent.onCall((leg) => leg.answer());
      const caller = await start();
      const leg = caller.call(at(port));
      await until(leg, 'answered');
      const first = await visit(port);
      first.socket.write(options(1));
      await once(first.socket, 'data');
      const second = await visit(port);
      await first.closed;
      second.socket.write(options(2));
      await once(second.socket, 'data');
      assert.equal(leg.state, 'answered');
      await leg.hangup();
    });

    const invite = (id: number): string => {
      const sdp = `v=0\r\no=- 1 1 IN IP4 ${host}\r\ns=-\r\nc=IN IP4 ${host}\r\nt=0 0\r\nm=audio 9 RTP/AVP 0\r\n`;
      return within(
        'INVITE',
        id,
        '',
        `Content-Type: application/sdp\r\nContent-Length: ${String(sdp.length)}\r\n\r\n${sdp}`,
      );
    };
    const within = (method: string, id: number, toTag: string, rest = 'Content-Length: 0\r\n\r\n'): string =>
      `${method} sip:a@${host} SIP/2.0\r\nVia: SIP/2.0/TCP ${host};branch=z9hG4bK${method === 'BYE' ? 'b' : 'i'}${String(id)}\r\nFrom: <sip:a@a>;tag=1\r\nTo: <sip:b@b>${toTag}\r\nCall-ID: call${String(id)}\r\nCSeq: ${method === 'BYE' ? '2' : '1'} ${method}\r\nContact: <sip:a@${host}>\r\n${rest}`;
    /** Returns the To tag of the first final response. */
    async function tagOfAnswer(socket: Socket): Promise<string> {
      for (;;) {
        const text = String(await once(socket, 'data'));
        const tag = /^SIP\/2\.0 [2-6][^]*?^To: [^;\r]*(;tag=[^\r]*)/m.exec(text)?.[1];
        if (tag !== undefined) return tag;
      }
    }

    for (const [what, take] of [
      ['was refused', (leg) => leg.reject(486)],
      ['only rings', (leg) => leg.ring()],
      ['has ended', (leg) => leg.answer()],
    ] as [string, (leg: IncomingCallLeg) => void][])
      it(`have no place for a call that ${what}`, async () => {
        const { port, agent } = await listening({ most: 4 });
        agent.onCall(take);
        const visits = [];
        for (let id = 1; id <= 4; id++) {
          const one = await visit(port);
          one.socket.write(invite(id));
          if (what === 'only rings') await once(one.socket, 'data');
          else {
            const tag = await tagOfAnswer(one.socket);
            one.socket.write(within('ACK', id, tag));
            if (what === 'has ended') {
              one.socket.write(within('BYE', id, tag));
              await once(one.socket, 'data');
            }
          }
          visits.push(one);
        }
        const next = await visit(port);
        next.socket.write(options(9));
        assert.match(String(await once(next.socket, 'data')), /^SIP\/2\.0 200/);
        await visits[0]?.closed;
      });

    it('keep their place for one call while another over the same connection ends', async () => {
      const { port, agent } = await listening({ most: 1 });
      agent.onCall((leg) => leg.answer());
      const caller = await start();
      const [first, second] = [caller.call(at(port)), caller.call(at(port))];
      await Promise.all([until(first, 'answered'), until(second, 'answered')]);
      await first.hangup();
      await (
        await visit(port)
      ).closed;
      assert.equal(second.state, 'answered');
      await second.hangup();
      const next = await visit(port);
      next.socket.write(options(9));
      assert.match(String(await once(next.socket, 'data')), /^SIP\/2\.0 200/);
    });

    it('stay limited in unread bytes: the one with the most closes', async () => {
      const { port } = await listening({ unreadBytes: 10_000 });
      const [small, large] = [await visit(port), await visit(port)];
      small.socket.write(options(1).slice(0, -2));
      large.socket.write(`OPTIONS sip:a@b SIP/2.0\r\nSubject: ${'x'.repeat(12_000)}`);
      await large.closed;
      small.socket.write('\r\n');
      assert.match(String(await once(small.socket, 'data')), /^SIP\/2\.0 200/);
    });

    it('close if they accept none of our answers', async () => {
      const { port } = await listening({ waitingBytes: 1000 });
      const deaf = await visit(port);
      deaf.socket.pause();
      const flood = (): void => {
        while (!deaf.socket.destroyed && deaf.socket.write(options(1).repeat(100)));
      };
      deaf.socket.on('drain', flood);
      flood();
      await deaf.closed;
    });
  });

  describe('over TLS', () => {
    const agentOn = (options: Omit<StreamOptions, 'protocol' | 'host'>, port = 0): SipAgent => {
      const transport = new StreamTransport({ protocol: 'TLS', host, ...options });
      return agentOver(transport, port);
    };
    async function listening(identity: { key: string; cert: string }): Promise<SipAgent> {
      const transport = new StreamTransport({ protocol: 'TLS', host });
      const port = await transport.open({ port: 0, identity });
      return agentOver(transport, port);
    }

    it('calls peers with a trusted certificate, by name and by address', async () => {
      const identity = selfSigned({ names: ['localhost'], addresses: [host] });
      const callee = await listening(identity),
        caller = agentOn({ authorities: [identity.cert] });
      const far: Promise<CallEnd>[] = [];
      callee.onCall((leg) => {
        far.push(endOf(leg));
        leg.answer();
      });
      for (const name of ['localhost', host]) {
        const leg = caller.call(at(callee.address.port, 'tls', name));
        await until(leg, 'answered');
        assert.match(leg.trace()[0]?.text ?? '', /Via: SIP\/2\.0\/TLS /);
        await leg.hangup();
      }
      assert.deepEqual(
        (await Promise.all(far)).map(({ by }) => by),
        ['remote', 'remote'],
      );
    });

    it('keeps calls over a right name when a wrong name for the same place fails', async () => {
      const identity = selfSigned({ names: ['localhost'] });
      const callee = await listening(identity),
        caller = agentOn({ authorities: [identity.cert] });
      const ringing = new Promise<void>((resolve) =>
        callee.onCall((leg) => {
          leg.ring();
          resolve();
        }),
      );
      const leg = caller.call(at(callee.address.port, 'tls', 'localhost'));
      await ringing;
      assert.equal((await caller.options(at(callee.address.port, 'tls'))).failure, 'network');
      assert.equal(leg.state, 'setup');
      await leg.hangup();
    });

    describe('to a server that asks for a client certificate', () => {
      const server = selfSigned({ addresses: [host] }),
        [ours, other] = [selfSigned({}), selfSigned({})];
      let place: string, shown: string[], close: () => Promise<void>, caller: SipAgent;
      beforeEach(async () => {
        shown = [];
        const demand = { ...server, requestCert: true, rejectUnauthorized: false };
        const listener = createTlsServer(demand, (socket) => {
          shown.push(socket.getPeerCertificate().fingerprint256);
          const framer = new MessageFramer();
          socket.on('error', () => undefined);
          socket.on('data', (chunk: Buffer) => {
            for (const text of framer.push(chunk).messages.map((one) => Buffer.from(one).toString()))
              socket.write(text.replace(/^OPTIONS .*/, 'SIP/2.0 200 OK'));
          });
        });
        place = at(await listen(listener), 'tls');
        close = () => new Promise((resolve) => listener.close(() => resolve()));
        caller = agentOn({ authorities: [server.cert] });
      });
      afterEach(async () => {
        await caller.close();
        await close();
      });

      it('shows the one of the line, and shares its connection with no other line', async () => {
        for (const clientCertificate of [ours, other, ours])
          assert.equal((await caller.options(place, { clientCertificate })).status, 200);
        const fingerprints = [ours, other].map(({ cert }) => new X509Certificate(cert).fingerprint256);
        assert.deepEqual(shown, fingerprints);
      });

      it('says why the line has no connection', async () => {
        for (const [clientCertificate, why] of [
          [{ cert: ours.cert, key: other.key }, /key values mismatch/],
          [{ cert: ours.cert, key: 'secret' }, /no connection to/],
          [selfSigned({ untilMs: -1 }), /the client certificate expired on /],
        ] as const) {
          const { failure, reason } = await caller.options(place, { clientCertificate });
          assert.equal(failure, 'network');
          assert.match(reason, why);
          assert.doesNotMatch(reason, /PRIVATE|secret/);
        }
      });
    });

    it("doesn't call a peer that is untrusted, or that isn't the intended one", async () => {
      const stranger = await listening(selfSigned({ addresses: [host] }));
      const named = selfSigned({ names: ['pbx.example.com'] });
      const other = await listening(named);
      for (const [caller, callee] of [
        [agentOn({}), stranger],
        [agentOn({ authorities: [named.cert] }), other],
      ] as const) {
        callee.onCall(() => {
          assert.fail('a call came through');
        });
        const { kind, reason } = await endOf(caller.call(at(callee.address.port, 'tls')));
        assert.equal(kind, 'unreachable');
        assert.match(reason, /certificate of .* isn't trusted/);
      }
    });
  });
});
