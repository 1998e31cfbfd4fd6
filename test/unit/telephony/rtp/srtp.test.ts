import assert from 'node:assert/strict';
import { createCipheriv, createHmac } from 'node:crypto';
import { RTP_HEADER_BYTES, writeRtpHeader } from '../../../../src/telephony/rtp/packet.ts';
import { SRTP_SUITES, SrtpContext, type SrtpSuite } from '../../../../src/telephony/rtp/srtp.ts';
import { seededRandom } from '../../../support/telephonyLink.ts';

const bytes = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex.replaceAll(' ', ''), 'hex'));
const hex = (data: Uint8Array | undefined): string | undefined => data && Buffer.from(data).toString('hex');

/** RFC 3711 B.3. */
const master = bytes('E1F97A0D3E018BE0D64FA32C06DE4139 0EC675AD498AFEEBB6960B3AABE6');

function pair(suite: SrtpSuite): { sender: SrtpContext; receiver: SrtpContext } {
  const key = { suite, material: master };
  return { sender: new SrtpContext(key), receiver: new SrtpContext(key) };
}
function packet(sequence: number, ssrc = 7, payloadBytes = 160): Uint8Array {
  const datagram = new Uint8Array(RTP_HEADER_BYTES + payloadBytes).fill(sequence & 0xff, RTP_HEADER_BYTES);
  writeRtpHeader(datagram, { payloadType: 0, marker: false, sequence: sequence & 0xffff, timestamp: 5, ssrc });
  return datagram;
}
const rtcp = (ssrc: number): Uint8Array => Uint8Array.from([0x80, 201, 0, 1, 0, 0, 0, ssrc, 1, 2, 3, 4]);

describe('SRTP', () => {
  it('encrypts and signs with the keys of RFC 3711 B.3, also after a rollover', () => {
    const { sender } = pair('AES_CM_128_HMAC_SHA1_80');
    const plain = packet(0x1_0003, 0x01020304);
    sender.protect(packet(0xfffe));
    const sealed = Buffer.from(sender.protect(plain));
    const iv = bytes('30CBBC08863D8C85D49DB34A9AE1 0000').map(
      (byte, at) => byte ^ (at < 4 ? 0 : (bytes('01020304 000000010003')[at - 4] ?? 0)),
    );
    const cipher = createCipheriv('aes-128-ctr', bytes('C61E7A93744F39EE10734AFE3FF7A087'), iv);
    assert.equal(hex(sealed.subarray(12, 172)), hex(cipher.update(plain.subarray(12))));
    const mac = createHmac('sha1', bytes('CEBE321F6FF7716B6FD4AB49AF256A156D38BAA4'));
    const tag = mac.update(sealed.subarray(0, 172)).update(bytes('00000001')).digest();
    assert.equal(hex(sealed.subarray(172)), hex(tag.subarray(0, 10)));
  });

  it('reads and writes packets of libsrtp, whose short tag is the beginning of the long one', () => {
    const { sender, receiver } = pair('AES_CM_128_HMAC_SHA1_80');
    const short = pair('AES_CM_128_HMAC_SHA1_32');
    const plain = `800f1234decafbadcafebabe${'ab'.repeat(16)}`;
    const sealed = '800f1234decafbadcafebabe4e55dc4ce79978d88ca4d215949d2402b78d6acc99ea179b8dbb';
    assert.equal(hex(sender.protect(bytes(plain))), sealed);
    assert.equal(hex(short.sender.protect(bytes(plain))), sealed.slice(0, -12));
    assert.equal(hex(receiver.unprotect(bytes(sealed))), plain);
    const report = bytes('81c8000bcafebabe7128035be487b9bdbef89041f977a5a880000001993e08cd54d6c1230798');
    for (const one of [receiver, short.receiver])
      assert.equal(hex(one.unprotectRtcp(report)), `81c8000bcafebabe${'ab'.repeat(16)}`);
  });

  for (const suite of SRTP_SUITES)
    describe(suite, () => {
      it('returns each packet once, with loss and reordering around two rollovers', () => {
        const { sender, receiver } = pair(suite);
        const random = seededRandom(3);
        for (let sequence = 0xff00; sequence < 3 * 0x10000;) {
          const isNear = (sequence & 0xffff) > 0xff00 || (sequence & 0xffff) < 0x100;
          const burst = Array.from({ length: isNear ? 20 : 1 }, (_, index) => sequence + index);
          const sealed = burst.map((one) => [one, sender.protect(packet(one))] as const);
          for (const [one, data] of sealed.filter(() => random() > 0.3).sort(() => random() - 0.5)) {
            assert.equal(hex(receiver.unprotect(data)), hex(packet(one)), String(one));
            assert.equal(receiver.unprotect(data), undefined, 'again');
          }
          sequence += isNear ? 20 : 97;
        }
      });

      it('finds the rollover that all packets before it hide', () => {
        const { sender, receiver } = pair(suite);
        const [lost, first, second] = [0xffff, 0x10000, 0x10001].map((sequence) => sender.protect(packet(sequence)));
        assert.ok(lost && first && second);
        assert.equal(hex(receiver.unprotect(first)), hex(packet(0)));
        assert.equal(hex(receiver.unprotect(lost)), hex(packet(0xffff)));
        assert.equal(hex(receiver.unprotect(second)), hex(packet(1)));
      });

      it('drops packets with a changed bit, cut ones and old ones, and nothing changes', () => {
        const { sender, receiver } = pair(suite);
        const old = sender.protect(packet(1));
        assert.ok(receiver.unprotect(old));
        const sealed = sender.protect(packet(2));
        for (let bit = 0; bit < sealed.length * 8; bit += 3)
          assert.equal(
            receiver.unprotect(sealed.map((byte, at) => (at === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte))),
            undefined,
            String(bit),
          );
        for (let length = 0; length < sealed.length; length++)
          assert.equal(receiver.unprotect(sealed.subarray(0, length)), undefined, String(length));
        assert.equal(hex(receiver.unprotect(sealed)), hex(packet(2)));
        for (let sequence = 3; sequence < 200; sequence++)
          assert.ok(receiver.unprotect(sender.protect(packet(sequence))));
        assert.equal(receiver.unprotect(old), undefined);
      });

      it('keeps up to 64 senders, and none without a right tag', () => {
        const { sender, receiver } = pair(suite);
        const wrong = pair(suite).sender.protect(packet(9, 5)).fill(0, 20);
        for (let ssrc = 1000; ssrc < 1200; ssrc++)
          assert.equal(receiver.unprotect(Uint8Array.from(wrong).fill(ssrc & 0xff, 8, 12)), undefined);
        const heard = Array.from({ length: 80 }, (_, ssrc) => new SrtpContext(sender.key).protect(packet(1, ssrc)))
          .map((data) => receiver.unprotect(data))
          .filter(Boolean);
        assert.equal(heard.length, 64);
      });

      it('encrypts RTCP with its own keys, and drops repeated and changed reports', () => {
        const { sender, receiver } = pair(suite);
        for (let round = 0; round < 3; round++) {
          const sealed = sender.protectRtcp(rtcp(9));
          assert.notEqual(hex(sealed.subarray(8, 12)), '01020304');
          for (let at = 0; at < sealed.length; at++)
            assert.equal(
              receiver.unprotectRtcp(sealed.map((byte, index) => (index === at ? byte ^ 1 : byte))),
              undefined,
            );
          assert.equal(receiver.unprotectRtcp(sealed.subarray(0, 20)), undefined);
          assert.equal(hex(receiver.unprotectRtcp(sealed)), hex(rtcp(9)));
          assert.equal(receiver.unprotectRtcp(sealed), undefined);
        }
      });
    });
});
