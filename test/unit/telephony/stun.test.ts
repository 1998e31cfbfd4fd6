import assert from 'node:assert/strict';
import type { Place } from '../../../src/telephony/stun.ts';
import { isStun, readMappedAddress, StunClient } from '../../../src/telephony/stun.ts';
import { ManualClock, settle } from '../../support/manualClock.ts';

const bytes = (hex: string): Buffer => Buffer.from(hex.replaceAll(/\s/g, ''), 'hex');
/** RFC 5769 sections 2.2 and 2.3. */
const overIpv4 = bytes(`0101003c 2112a442 b7e7a701bc34d686fa87dfae 8022000b 7465737420766563746f7220
  00200008 0001a147e112a643 00080014 2b91f599fd9e90c38c7489f92af9ba53f06be7d7 80280004 c07d4c96`);
const overIpv6 = bytes(`01010048 2112a442 b7e7a701bc34d686fa87dfae 8022000b 7465737420766563746f7220
  00200014 0002a1470113a9faa5d3f179bc25f4b5bed2b9d9 00080014 a382954e4be67bf11784c97c8292c275bfe3ed41 80280004 c8fb0b4c`);

describe('a STUN response', () => {
  it('contains the address of RFC 5769, also among other attributes', () => {
    assert.deepEqual(readMappedAddress(overIpv4), { host: '192.0.2.1', port: 32_853 });
    assert.deepEqual(readMappedAddress(overIpv6), { host: '2001:db8:1234:5678:11:2233:4455:6677', port: 32_853 });
  });

  it('has no address if it is cut off, or if a length in it is wrong', () => {
    for (let size = 0; size < overIpv4.length; size++)
      assert.equal(readMappedAddress(overIpv4.subarray(0, size)), undefined, String(size));
    for (const at of [2, 3, 23, 22, 39, 41]) {
      const broken = Buffer.from(overIpv4);
      broken[at] = (broken[at] ?? 0) + 3;
      assert.equal(readMappedAddress(broken), undefined, String(at));
    }
  });

  it('differs from SIP, RTP and keep-alives in its first bytes', () => {
    for (const other of ['SIP/2.0 200 OK\r\nVia: SIP/2.0/UDP', '\r\n\r\n', `\u0080${'\0'.repeat(30)}`])
      assert.ok(!isStun(Buffer.from(other, 'latin1')));
    assert.ok(isStun(overIpv4));
  });
});

describe('a STUN client', () => {
  const server = { host: '203.0.113.9', port: 3478 };
  let clock: ManualClock, sent: Uint8Array[], client: StunClient;
  beforeEach(() => {
    clock = new ManualClock();
    sent = [];
    client = new StunClient(clock, (request) => sent.push(request));
  });
  afterEach(() => assert.equal(clock.pending, 0, 'no timer is left behind'));

  /** The response to the last request, with this address: two bytes for the family, two for the port. */
  const response = (address: string, type = '0101'): Buffer => {
    const header = Buffer.from(sent.at(-1) ?? []);
    const value = bytes(address).map((byte, at) => byte ^ (at < 2 ? 0 : (header[at < 4 ? at + 2 : at] ?? 0)));
    bytes(type).copy(header);
    header.writeUInt16BE(value.length + 4, 2);
    return Buffer.concat([header, bytes(`0020 ${value.length.toString(16).padStart(4, '0')}`), value]);
  };
  const asked = (from = server): Promise<Place | string> =>
    client.ask(from).catch((error: unknown) => (error instanceof Error ? error.message : ''));

  it('accepts only the response of its server to its own request', async () => {
    let result: Place | string | undefined;
    void asked().then((place) => (result = place));
    const right = response('000113c4cb007105');
    const stranger = Buffer.from(right);
    stranger.writeUInt32BE(1, 8);
    assert.ok(client.receive(stranger, server.host, server.port));
    assert.ok(client.receive(right, '203.0.113.8', server.port));
    assert.ok(client.receive(right, server.host, 9));
    await settle();
    assert.equal(result, undefined);
    assert.ok(client.receive(right, server.host, server.port));
    await settle();
    assert.deepEqual(result, { host: '203.0.113.5', port: 5060 });
    assert.ok(client.receive(right, server.host, server.port), 'a repeated response is dropped');
    assert.ok(!client.receive(Buffer.from('OPTIONS sip:a SIP/2.0\r\n\r\n'), server.host, server.port));
  });

  it('asks three times, then says that the server is silent', async () => {
    const result = asked();
    clock.advance(1999);
    assert.deepEqual([sent.length, new Set(sent.map((one) => Buffer.from(one).toString('hex'))).size], [3, 1]);
    clock.advance(1);
    assert.equal(await result, "the STUN server 203.0.113.9:3478 didn't respond");
  });

  it("doesn't believe an address that the server can't see", async () => {
    for (const [value, why] of [
      ['000113c40a000001', 'private'],
      ['000113c47f000001', 'this machine'],
      ['000113c400000000', 'unspecified'],
      ['000113c4e0000001', 'multicast'],
      ['00010000cb007105', 'port 0'],
      ['000213c420010db8000000000000000000000001', 'another family'],
    ] as const) {
      const result = asked();
      client.receive(response(value), server.host, server.port);
      assert.match(String(await result), /which can't be right$/, why);
    }
    for (const [value, type] of [
      ['000313c4cb007105', '0101'],
      ['000113c4cb007105', '0111'],
    ] as const) {
      const result = asked();
      client.receive(response(value, type), server.host, server.port);
      assert.match(String(await result), /reports no address$/);
    }
  });

  it('believes a private address that a server on the same network reports', async () => {
    const near = { host: '192.168.1.1', port: 3478 };
    const result = asked(near);
    client.receive(response('000113c4c0a80102'), near.host, near.port);
    assert.deepEqual(await result, { host: '192.168.1.2', port: 5060 });
  });
});
