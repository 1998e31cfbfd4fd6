import assert from 'node:assert/strict';
import { chooseChallenge, DigestClient, digestResponse, parseDigest } from '../../../../src/telephony/sip/digest.ts';
import { DigestServer } from '../../../../src/telephony/sip/digestServer.ts';
import { SipHeaders } from '../../../../src/telephony/sip/headers.ts';
import type { SipRequest } from '../../../../src/telephony/sip/message.ts';
import { createResponse } from '../../../../src/telephony/sip/response.ts';
import { ManualClock } from '../../../support/manualClock.ts';

const invite = (sequence = 1): SipRequest => ({
  kind: 'request',
  method: 'INVITE',
  uri: 'sip:ivr@127.0.0.1',
  body: '',
  headers: new SipHeaders([
    ['Via', 'SIP/2.0/UDP 127.0.0.1;branch=z9hG4bK1'],
    ['From', '<sip:a@a>;tag=1'],
    ['To', '<sip:b@b>'],
    ['Call-ID', 'c'],
    ['CSeq', `${String(sequence)} INVITE`],
  ]),
});

const peer = { host: '192.0.2.1', port: 5060 };

describe('digest authentication', () => {
  // RFC 7616 section 3.9.1.
  const example = {
    user: 'Mufasa',
    realm: 'http-auth@example.org',
    password: 'Circle of Life',
    method: 'GET',
    uri: '/dir/index.html',
    nonce: '7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v',
    nc: '00000001',
    cnonce: 'f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ',
  } as const;

  it('computes the vectors of RFC 7616', () => {
    assert.equal(digestResponse({ ...example, algorithm: 'MD5' }), '8ca523f5e9506fed4657c9700eebdbec');
    assert.equal(
      digestResponse({ ...example, algorithm: 'SHA-256' }),
      '753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1',
    );
  });

  it('computes RFC 2069 without qop, and SHA-512-256', () => {
    assert.equal(
      digestResponse({
        algorithm: 'MD5',
        user: 'Mufasa',
        realm: 'testrealm@host.com',
        password: 'CircleOfLife',
        method: 'GET',
        uri: '/dir/index.html',
        nonce: 'dcd98b7102dd2f0e8b11d0f600bfb0c093',
      }),
      '1949323746fe6a43ef61f9606e7febea',
    );
    assert.match(digestResponse({ ...example, algorithm: 'SHA-512-256' }), /^[0-9a-f]{64}$/);
  });

  it('prefers the strongest known algorithm, in any order', () => {
    const of = (algorithm: string): string =>
      `Digest realm="r", nonce="n-${algorithm}", qop="auth,auth-int", algorithm=${algorithm}`;
    assert.equal(chooseChallenge([of('MD5'), of('SHA-256'), of('FUTURE-1')])?.algorithm, 'SHA-256');
    assert.equal(chooseChallenge([of('SHA-512-256'), of('MD5')])?.algorithm, 'SHA-512-256');
    assert.equal(chooseChallenge(['Digest realm="r", nonce="n"'])?.algorithm, 'MD5');
    assert.equal(
      chooseChallenge(['Basic realm="r"', of('MD5-sess'), 'Digest realm="r", nonce="n", qop="auth-int"']),
      undefined,
    );
  });

  it('keeps commas and quotes in quoted values', () =>
    assert.equal(parseDigest('Digest realm="a, \\"b\\"", nonce="n"')?.get('realm'), 'a, "b"'));

  const clock = new ManualClock();
  const server = (): DigestServer =>
    new DigestServer({ realm: 'lab', passwordOf: (user) => (user === 'bob' ? 'secret' : undefined) }, clock);

  function challenged(digestServer: DigestServer, client: DigestClient, request: SipRequest, stale = false): boolean {
    return client.learn(
      createResponse(request, 401, { headers: digestServer.challenge(request, stale) }),
      request,
      peer,
    );
  }

  const nonceOf = (digestServer: DigestServer, request: SipRequest): string =>
    /nonce="([^"]*)"/.exec(digestServer.challenge(request, false)[0]?.[1] ?? '')?.[1] ?? '';
  /** A request that answers the server's challenge. */
  function answered(password = 'secret'): { digestServer: DigestServer; client: DigestClient; request: SipRequest } {
    const digestServer = server(),
      client = new DigestClient({ user: 'bob', password });
    assert.ok(challenged(digestServer, client, invite()));
    const request = invite(2);
    client.apply(request, peer);
    return { digestServer, client, request };
  }

  it('works between our client and our server, with counting', () => {
    const digestServer = server(),
      client = new DigestClient({ user: 'bob', password: 'secret' });
    assert.equal(digestServer.verify(invite()), 'missing');
    assert.ok(challenged(digestServer, client, invite()));
    const first = invite(2),
      second = invite(3);
    client.apply(first, peer);
    client.apply(second, peer);
    assert.match(first.headers.get('Authorization') ?? '', /algorithm=SHA-512-256.*nc=00000001/);
    assert.match(second.headers.get('Authorization') ?? '', /nc=00000002/);
    assert.equal(digestServer.verify(first), 'accepted');
    assert.equal(digestServer.verify(first), 'stale', 'a replay');
    assert.equal(digestServer.verify(second), 'accepted');
  });

  it('follows a registrar to another address, but never to another realm', () => {
    const { digestServer, client } = answered();
    const moved = { host: '192.0.2.2', port: 5060 };
    const ask = (header: [string, string]): boolean =>
      client.learn(createResponse(invite(3), 401, { headers: [header] }), invite(3), moved);
    const [own] = digestServer.challenge(invite(3), false);
    assert.ok(own);
    assert.equal(ask([...own]), false, 'before a new exchange');
    client.renew(moved);
    assert.equal(
      ask(['WWW-Authenticate', 'Digest realm="other", nonce="n", qop="auth", algorithm=SHA-512-256']),
      false,
    );
    assert.equal(ask(['WWW-Authenticate', 'Digest realm="lab", nonce="n", qop="auth"']), false, 'weaker');
    assert.equal(ask([...own]), true);
  });

  describe('of a server', () => {
    const legacy = (nonce: string, extra = '', uri = invite().uri): SipRequest => {
      const request = invite(2);
      const challenge = { realm: 'lab', nonce, algorithm: 'MD5', opaque: undefined, qop: false, stale: false } as const;
      const value = new DigestClient({ user: 'bob', password: 'secret' }).authorize(challenge, 'INVITE', uri);
      request.headers.set('Authorization', value + extra);
      return request;
    };

    it('accepts a response without qop once per nonce', () => {
      const digestServer = server();
      const nonce = nonceOf(digestServer, invite());
      assert.equal(digestServer.verify(legacy(nonce)), 'accepted');
      assert.equal(digestServer.verify(legacy(nonce)), 'stale', 'a replay');
      for (const count of ['00000002', 'ffffffff', 'ffffffffffffffffffff'])
        assert.equal(digestServer.verify(legacy(nonce, `, nc=${count}`)), 'stale', 'a count that nothing seals');
      assert.equal(digestServer.verify(legacy(nonceOf(digestServer, invite(3)))), 'accepted');
    });

    it('accepts no response without qop for a nonce that is in use', () => {
      const { digestServer, request: counted } = answered();
      assert.equal(digestServer.verify(counted), 'accepted');
      assert.equal(digestServer.verify(legacy(nonceOf(digestServer, invite()))), 'stale');
    });

    it('accepts no replayed response whose nonce it had to forget', () => {
      const digestServer = server();
      const first = legacy(nonceOf(digestServer, invite()));
      assert.equal(digestServer.verify(first), 'accepted');
      clock.advance(20_000);
      for (let n = 0; n < 10_000; n++)
        assert.equal(digestServer.verify(legacy(nonceOf(digestServer, invite(10 + n)))), 'accepted');
      assert.equal(digestServer.verify(first), 'stale');
      assert.equal(digestServer.verify(legacy(nonceOf(digestServer, invite(5)))), 'accepted', 'newer ones count');
    });
  });

  it('reports a wrong password, and challenges only once', () => {
    const { digestServer, client, request } = answered('guess');
    assert.equal(digestServer.verify(request), 'wrong');
    assert.equal(challenged(digestServer, client, request), false);
  });

  it('reports an old nonce as stale, and the client tries again', () => {
    const { digestServer, client, request } = answered();
    clock.advance(301_000);
    assert.equal(digestServer.verify(request), 'stale');
    assert.ok(challenged(digestServer, client, request, true));
    const again = invite(3);
    client.apply(again, peer);
    assert.equal(digestServer.verify(again), 'accepted');
  });

  it('challenges again for credentials of another realm', () => {
    const request = invite(2);
    request.headers.add(
      'Authorization',
      new DigestClient({ user: 'bob', password: 'secret' }).authorize(
        { realm: 'other', nonce: 'n', algorithm: 'SHA-256', opaque: undefined, qop: true, stale: false },
        'INVITE',
        request.uri,
      ),
    );
    assert.equal(server().verify(request), 'missing');
  });

  it('rejects credentials for another server', () => {
    const { digestServer, request } = answered();
    assert.equal(digestServer.verify({ ...request, uri: 'sip:ivr@192.0.2.1' }), 'wrong');
  });

  it('keeps the nonce for a repeated request, and counts it only for clients that know a password', () => {
    const digestServer = server();
    const nonce = (request: SipRequest): string => nonceOf(digestServer, request);
    assert.equal(nonce(invite()), nonce(invite()));
    assert.notEqual(nonce(invite()), nonce(invite(2)));
    const client = new DigestClient({ user: 'bob', password: 'secret' });
    const challenge = {
      realm: 'lab',
      nonce: `${nonce(invite()).slice(0, -1)}x`,
      algorithm: 'SHA-256',
      opaque: undefined,
      qop: true,
      stale: false,
    } as const;
    const forged = invite(2);
    forged.headers.add('Authorization', client.authorize(challenge, 'INVITE', forged.uri));
    assert.equal(digestServer.verify(forged), 'stale', 'a nonce of somebody else');
  });

  describe('of a call, after its first challenge', () => {
    const bye = (): SipRequest => ({
      ...invite(),
      method: 'BYE',
      headers: invite().headers.set('To', '<sip:b@b>;tag=2').set('CSeq', '3 BYE'),
    });
    const challenge = ({
      realm = 'lab',
      algorithm = 'SHA-256',
      qop = true,
      nonce = 'n2',
    }: { realm?: string; algorithm?: string; qop?: boolean; nonce?: string } = {}): [string, string] => [
      'Proxy-Authenticate',
      `Digest realm="${realm}", nonce="${nonce}", algorithm=${algorithm}${qop ? ', qop="auth"' : ''}`,
    ];
    const asked = (first = challenge({ nonce: 'n1' }), from = peer): DigestClient => {
      const client = new DigestClient({ user: 'bob', password: 'secret' });
      assert.ok(client.learn(createResponse(invite(), 407, { headers: [first] }), invite(), from));
      return client;
    };
    const learns = (client: DigestClient, header: [string, string], status = 407, from = peer): boolean =>
      client.learn(createResponse(bye(), status, { headers: [header] }), bye(), from);

    it('answers the same realm again, with an equally strong algorithm', () => {
      for (const algorithm of ['SHA-256', 'SHA-512-256']) {
        const client = asked();
        assert.ok(learns(client, challenge({ algorithm })));
        const request = bye();
        client.apply(request, peer);
        assert.match(
          request.headers.get('Proxy-Authorization') ?? '',
          new RegExp(`nonce="n2".*algorithm=${algorithm}, qop=auth, nc=00000001`),
        );
      }
    });

    for (const [what, header, status, from] of [
      ['another realm', challenge({ realm: 'evil' })],
      ['a weaker algorithm', challenge({ algorithm: 'MD5' })],
      ['a challenge without qop', challenge({ qop: false })],
      ['another place', challenge(), 407, { host: '192.0.2.66', port: 5060 }],
      ['another port', challenge(), 407, { host: peer.host, port: 5070 }],
      ['a user agent where a proxy asked', ['WWW-Authenticate', challenge()[1]], 401],
    ] as [string, [string, string], number?, typeof peer?][])
      it(`doesn't answer ${what}`, () => {
        const client = asked();
        assert.equal(learns(client, header, status, from), false);
        const request = bye();
        client.apply(request, from ?? peer);
        assert.doesNotMatch(request.headers.get('Proxy-Authorization') ?? '', /nonce="n2"/);
        assert.equal(request.headers.has('Authorization'), false);
      });

    it("answers no challenge in a response that isn't a refusal, and no endless series of them", () => {
      const client = new DigestClient({ user: 'bob', password: 'secret' });
      const stale = (status: number, header: string): boolean =>
        client.learn(
          createResponse(invite(), status, { headers: [[header, `${challenge()[1]}, stale=TRUE`]] }),
          invite(),
          peer,
        );
      for (const header of ['WWW-Authenticate', 'Proxy-Authenticate'])
        for (const status of [180, 200, 403]) assert.equal(stale(status, header), false, String(status));
      let answered = 0;
      while (answered < 100 && stale(401, 'WWW-Authenticate')) answered += 1;
      assert.equal(answered, 8);
    });

    it('selects an answerable challenge among several', () => {
      const client = asked(challenge({ algorithm: 'MD5' }));
      assert.ok(
        client.learn(
          createResponse(bye(), 407, {
            headers: [
              challenge({ realm: 'evil', algorithm: 'SHA-512-256' }),
              challenge({ algorithm: 'MD5', nonce: 'n3' }),
            ],
          }),
          bye(),
          peer,
        ),
      );
      const request = bye();
      client.apply(request, peer);
      assert.match(request.headers.get('Proxy-Authorization') ?? '', /realm="lab", nonce="n3"/);
    });

    it('answers no challenge within a dialog if the call was set up without one', () => {
      const client = new DigestClient({ user: 'bob', password: 'secret' });
      assert.equal(learns(client, challenge()), false);
    });

    it('answers a first challenge without qop, and sends credentials nowhere else', () => {
      const client = asked(challenge({ qop: false, algorithm: 'MD5' }));
      const [there, elsewhere] = [invite(2), invite(2)];
      client.apply(there, { ...peer });
      client.apply(elsewhere, { host: '192.0.2.66', port: 5060 });
      assert.match(there.headers.get('Proxy-Authorization') ?? '', /algorithm=MD5$/);
      assert.equal(elsewhere.headers.has('Proxy-Authorization'), false);
    });
  });
});
