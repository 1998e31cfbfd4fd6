import assert from 'node:assert/strict';
import { chooseChallenge, DigestClient, digestResponse, parseDigest } from '../../../../src/telephony/sip/digest.ts';
import { DigestServer } from '../../../../src/telephony/sip/digestServer.ts';
import { SipHeaders } from '../../../../src/telephony/sip/headers.ts';
import type { SipRequest } from '../../../../src/telephony/sip/message.ts';
import { createResponse } from '../../../../src/telephony/sip/response.ts';
import { ManualClock } from '../../../support/telephonyClock.ts';

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

describe('digest', () => {
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

  it('prefers the strongest algorithm it knows, whatever the order', () => {
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

  it('keeps commas and quotes in quoted values', () => {
    assert.equal(parseDigest('Digest realm="a, \\"b\\"", nonce="n"')?.get('realm'), 'a, "b"');
  });

  const clock = new ManualClock();
  const server = (): DigestServer =>
    new DigestServer({ realm: 'lab', passwordOf: (user) => (user === 'bob' ? 'secret' : undefined) }, clock);

  function challenged(digestServer: DigestServer, client: DigestClient, request: SipRequest, stale = false): boolean {
    return client.learn(createResponse(request, 401, { headers: digestServer.challenge(stale) }), request);
  }

  it('server accepts its client, and counts up', () => {
    const digestServer = server(),
      client = new DigestClient({ user: 'bob', password: 'secret' });
    assert.equal(digestServer.verify(invite()), 'missing');
    assert.ok(challenged(digestServer, client, invite()));
    const first = invite(2),
      second = invite(3);
    client.apply(first);
    client.apply(second);
    assert.match(first.headers.get('Authorization') ?? '', /algorithm=SHA-512-256.*nc=00000001/);
    assert.match(second.headers.get('Authorization') ?? '', /nc=00000002/);
    assert.equal(digestServer.verify(first), 'accepted');
    assert.equal(digestServer.verify(first), 'stale', 'a replay');
    assert.equal(digestServer.verify(second), 'accepted');
  });

  it('a wrong password is wrong, and asked for only once', () => {
    const digestServer = server(),
      client = new DigestClient({ user: 'bob', password: 'guess' });
    assert.ok(challenged(digestServer, client, invite()));
    const request = invite(2);
    client.apply(request);
    assert.equal(digestServer.verify(request), 'wrong');
    assert.equal(challenged(digestServer, client, request), false);
  });

  it('an old nonce is stale, and the client tries again', () => {
    const digestServer = server(),
      client = new DigestClient({ user: 'bob', password: 'secret' });
    assert.ok(challenged(digestServer, client, invite()));
    const request = invite(2);
    client.apply(request);
    clock.advance(301_000);
    assert.equal(digestServer.verify(request), 'stale');
    assert.ok(challenged(digestServer, client, request, true));
    const again = invite(3);
    client.apply(again);
    assert.equal(digestServer.verify(again), 'accepted');
  });

  it('credentials for another server are refused', () => {
    const digestServer = server(),
      client = new DigestClient({ user: 'bob', password: 'secret' });
    challenged(digestServer, client, invite());
    const request = invite(2);
    client.apply(request);
    assert.equal(digestServer.verify({ ...request, uri: 'sip:ivr@192.0.2.1' }), 'wrong');
  });
});
