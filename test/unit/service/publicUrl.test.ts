import assert from 'node:assert/strict';
import { serverLimits } from '../../../src/contract/limits.ts';
import { RequestGuard } from '../../../src/service/http/guard.ts';
import { clientAddress, isForwarded, isNear, readPublicUrl } from '../../../src/service/http/publicUrl.ts';
import { listed } from '../../support/listed.ts';

const publicUrl = readPublicUrl('https://dialtree.example.com');

describe('a public address', () => {
  it('consists of https and a host, without a path', () => {
    assert.equal(publicUrl?.origin, 'https://dialtree.example.com');
    assert.equal(readPublicUrl('https://Dialtree.example.com:8443/')?.origin, 'https://dialtree.example.com:8443');
    for (const text of listed(`
       | dialtree.example.com | http://dialtree.example.com | https:// | https://a/b | https://a/? | https://a?b |
      https://a/# | https://a#b | https://u@a | https://u:p@a | file:///a
    `)) {
      assert.equal(readPublicUrl(text), undefined, text);
    }
  });

  it('trusts only the last hop of a proxy, and only if the proxy is near', () => {
    const asked = (peer: string, hops?: string): string =>
      clientAddress(new Headers(hops === undefined ? {} : { 'x-forwarded-for': hops }), peer, publicUrl);
    assert.equal(asked('127.0.0.1', '203.0.113.9'), '203.0.113.9');
    assert.equal(asked('127.0.0.1', '198.51.100.1, 203.0.113.9'), '203.0.113.9', 'the others may be made up');
    for (const [hop, address] of [
      ['203.0.113.9:4711', '203.0.113.9'],
      ['[2001:db8::1]:4711', '2001:db8::1'],
      ['2001:db8::1', '2001:db8::1'],
    ] as const)
      assert.equal(asked('::1', hop), address);
    for (const none of ['', 'unknown', '203.0.113', '203.0.113.9,', '_hidden', '<script>'])
      assert.equal(asked('10.0.0.2', none), '10.0.0.2', none);
    assert.equal(asked('10.0.0.2'), '10.0.0.2');
    assert.equal(asked('203.0.113.1', '198.51.100.1'), '203.0.113.1', 'a stranger is no proxy');
    assert.equal(
      clientAddress(new Headers({ 'x-forwarded-for': '203.0.113.9' }), '127.0.0.1', undefined),
      '127.0.0.1',
      'without a public address there is no proxy',
    );
  });

  it('knows which networks are near', () => {
    for (const near of listed(`
      127.0.0.1 ::1 ::ffff:127.0.0.1 10.1.2.3 ::ffff:10.1.2.3 172.16.0.1 172.31.255.255 192.168.1.1 169.254.1.1
      fe80::1%eth0 fd00::1
    `))
      assert.ok(isNear(near), near);
    for (const far of ['203.0.113.9', '::ffff:203.0.113.9', '172.32.0.1', '11.0.0.1', '2001:db8::1', '', 'localhost'])
      assert.ok(!isNear(far), far);
  });

  it('recognises a request that a proxy forwarded', () => {
    assert.ok(!isForwarded(new Headers({ host: 'a' })));
    for (const name of ['x-forwarded-for', 'x-forwarded-host', 'forwarded', 'via'])
      assert.ok(isForwarded(new Headers({ [name]: 'x' })), name);
  });
});

describe('the guard of a service with a public address', () => {
  const answer = (guard: RequestGuard, headers: Record<string, string>): number => {
    try {
      guard.check(new Headers(headers));
    } catch (error) {
      return (error as { status: number }).status;
    }
    return 200;
  };
  const local = 'http://127.0.0.1:8021',
    open = 'https://dialtree.example.com';
  const guard = new RequestGuard('127.0.0.1', 8021, publicUrl);

  it('accepts both addresses as Host, and as Origin over https only', () => {
    for (const host of [
      'dialtree.example.com',
      'Dialtree.Example.com',
      'dialtree.example.com:443',
      '127.0.0.1:8021',
      'localhost:8021',
    ])
      assert.equal(answer(guard, { host }), 200, host);
    for (const host of [
      'dialtree.example.com:8021',
      'dialtree.example.com:80',
      'example.com',
      'x.dialtree.example.com',
      'dialtree.example.com.',
      '',
    ])
      assert.equal(answer(guard, { host }), 421, host);
    for (const [host, origin, status] of [
      ['dialtree.example.com', open, 200],
      ['127.0.0.1:8021', open, 200],
      ['127.0.0.1:8021', local, 200],
      ['dialtree.example.com', 'http://dialtree.example.com', 403],
      ['dialtree.example.com', local, 403],
      ['dialtree.example.com', 'https://evil.example', 403],
      ['dialtree.example.com', 'null', 403],
      ['dialtree.example.com', `${open}:8443`, 403],
      ['127.0.0.1:8021', 'https://127.0.0.1:8021', 403],
    ] as const)
      assert.equal(answer(guard, { host, origin }), status, `${host} ${origin}`);
  });

  it("includes a port that isn't the default one", () => {
    const other = new RequestGuard('127.0.0.1', 8021, readPublicUrl('https://dialtree.example.com:8443'));
    assert.equal(
      answer(other, { host: 'dialtree.example.com:8443', origin: 'https://dialtree.example.com:8443' }),
      200,
    );
    assert.equal(answer(other, { host: 'dialtree.example.com', origin: 'https://dialtree.example.com' }), 421);
  });

  it('rejects a body by its announced length', () => {
    const guard = new RequestGuard('127.0.0.1', 8021);
    assert.equal(answer(guard, { host: '127.0.0.1:8021', 'content-length': String(serverLimits.bodyBytes) }), 200);
    assert.equal(answer(guard, { host: '127.0.0.1:8021', 'content-length': String(serverLimits.bodyBytes + 1) }), 413);
  });

  it('knows no public address if none was given, even on an address that other machines can reach', () => {
    assert.equal(answer(new RequestGuard('127.0.0.1', 8021), { host: 'dialtree.example.com' }), 421);
    assert.equal(answer(new RequestGuard('0.0.0.0', 8021), { host: 'dialtree.example.com', origin: open }), 403);
    const remote = new RequestGuard('0.0.0.0', 8021, publicUrl);
    assert.equal(answer(remote, { host: 'dialtree.example.com', origin: open }), 200);
    assert.equal(answer(remote, { host: 'dialtree.example.com', origin: 'http://dialtree.example.com' }), 403);
    assert.deepEqual(
      [
        remote.isPublic(new Headers({ host: 'dialtree.example.com' })),
        remote.isPublic(new Headers({ host: '10.0.0.1:8021' })),
      ],
      [true, false],
    );
  });
});
