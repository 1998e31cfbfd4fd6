import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { HmacSha1 } from '../../../../src/telephony/rtp/hmacSha1.ts';
import { RTP_HEADER_BYTES, writeRtpHeader } from '../../../../src/telephony/rtp/packet.ts';
import type { SrtpSuite } from '../../../../src/telephony/rtp/srtp.ts';
import { createTransform, deriveKeys, materialBytes, SrtpContext } from '../../../../src/telephony/rtp/srtp.ts';
import { seededRandom } from '../../../support/telephonyLink.ts';

const bytes = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex.replaceAll(' ', ''), 'hex'));
const hex = (data: Uint8Array | undefined): string | undefined => data && Buffer.from(data).toString('hex');

const SUITES: readonly SrtpSuite[] = ['AES_CM_128_HMAC_SHA1_80', 'AEAD_AES_128_GCM', 'AES_CM_128_HMAC_SHA1_32'];
const master = bytes('E1F97A0D3E018BE0D64FA32C06DE4139 0EC675AD498AFEEBB6960B3AABE6');

function pair(suite: SrtpSuite): { sender: SrtpContext; receiver: SrtpContext } {
  const key = { suite, material: master.subarray(0, materialBytes(suite)) };
  return { sender: new SrtpContext(key), receiver: new SrtpContext(key) };
}
function packet(sequence: number, ssrc = 7, payloadBytes = 160): Uint8Array {
  const datagram = new Uint8Array(RTP_HEADER_BYTES + payloadBytes).fill(sequence & 0xff, RTP_HEADER_BYTES);
  writeRtpHeader(datagram, { payloadType: 0, marker: false, sequence: sequence & 0xffff, timestamp: 5, ssrc });
  return datagram;
}
const rtcp = (ssrc: number): Uint8Array => Uint8Array.from([0x80, 201, 0, 1, 0, 0, 0, ssrc, 1, 2, 3, 4]);

describe('SRTP', () => {
  it('derives the keys of RFC 3711 B.3', () => {
    const keys = deriveKeys({ suite: 'AES_CM_128_HMAC_SHA1_80', material: master }, 'rtp');
    assert.equal(hex(keys.cipher), 'c61e7a93744f39ee10734afe3ff7a087');
    assert.equal(hex(keys.salt), '30cbbc08863d8c85d49db34a9ae1');
    assert.equal(hex(keys.authentication), 'cebe321f6ff7716b6fd4ab49af256a156d38baa4');
  });

  it('encrypts zeros to the key stream of RFC 3711 B.2', () => {
    const cipher = bytes('2B7E151628AED2A6ABF7158809CF4F3C');
    const salt = bytes('F0F1F2F3F4F5F6F7F8F9FAFBFCFD');
    const transform = createTransform(
      'AES_CM_128_HMAC_SHA1_80',
      { cipher, salt, authentication: new Uint8Array(20) },
      10,
    );
    const sealed = transform.seal(new Uint8Array(60), 12, { ssrc: 0, rollovers: 0, sequence: 0 });
    assert.equal(
      hex(sealed.subarray(12, 60)),
      'e03ead0935c95e80e166b16dd92b4eb4d23513162b02d0f72a43a2fe4a5f97ab41e95b3bb0a2e8dd477901e4fca894c0',
    );
  });

  it('encrypts and authenticates the packets of RFC 7714 sections 16.1.1 and 17.1', () => {
    const transform = createTransform(
      'AEAD_AES_128_GCM',
      {
        cipher: bytes('000102030405060708090a0b0c0d0e0f'),
        salt: bytes('517569642070726f2071756f'),
        authentication: new Uint8Array(20),
      },
      16,
    );
    const audio = bytes(
      '8040f17b8041f8d35501a0b2' + Buffer.from('Gallia est omnis divisa in partes tres').toString('hex'),
    );
    const place = { ssrc: 0x5501a0b2, rollovers: 0, sequence: 0xf17b };
    const sealed = transform.seal(audio, 12, place);
    assert.equal(
      hex(sealed),
      '8040f17b8041f8d35501a0b2f24de3a3fb34de6cacba861c9d7e4bcabe633bd50d294e6f42a5f47a51c7d19b36de3adf8833899d7f27beb16a9152cf765ee4390cce',
    );
    assert.equal(hex(transform.open(sealed, 12, place)), hex(audio));
    const report = bytes(
      '81c8000d4d6172734e5450314e545032525450200000042a0000e9304c756e61deadbeefdeadbeefdeadbeefdeadbeefdeadbeef',
    );
    const at = { ssrc: 0x4d617273, rollovers: 0, sequence: 0x5d4, trailer: 0x800005d4 };
    const protectedReport = transform.seal(report, 8, at);
    assert.equal(
      hex(protectedReport),
      '81c8000d4d61727363e94885dcdab67ca727d7662f6b7e997ff5c0f76c06f32dc676a5f1730d6fda4ce09b4686303ded0bb9275bc84aa45896cf4d2fc5abf87245d9eade800005d4',
    );
    assert.equal(hex(transform.open(protectedReport, 8, at)), hex(report));
  });

  it('reads and writes packets of libsrtp', () => {
    const { sender, receiver } = pair('AES_CM_128_HMAC_SHA1_80');
    const plain = `800f1234decafbadcafebabe${'ab'.repeat(16)}`;
    const sealed = '800f1234decafbadcafebabe4e55dc4ce79978d88ca4d215949d2402b78d6acc99ea179b8dbb';
    assert.equal(hex(sender.protect(bytes(plain))), sealed);
    assert.equal(hex(receiver.unprotect(bytes(sealed))), plain);
    const report = bytes('81c8000bcafebabe7128035be487b9bdbef89041f977a5a880000001993e08cd54d6c1230798');
    assert.equal(hex(receiver.unprotectRtcp(report)), `81c8000bcafebabe${'ab'.repeat(16)}`);
  });

  it("has Node's HMAC-SHA1 for each length", () => {
    const key = master.subarray(0, 20);
    const kept = new HmacSha1(key);
    for (let length = 0; length < 200; length++) {
      const data = new Uint8Array(length).map((_, index) => index * 7);
      assert.equal(hex(kept.sign(data)), createHmac('sha1', key).update(data).digest('hex'));
    }
  });

  for (const suite of SUITES)
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
