import assert from 'node:assert/strict';
import { newSrtpKey, SRTP_SUITES } from '../../../../src/telephony/rtp/srtp.ts';
import { readSdp, writeAnswer, writeOffer } from '../../../../src/telephony/sip/sdp.ts';

const LOCAL = { host: '10.0.0.1', port: 4000, sessionId: 1, version: 0 };
const KEY = 'A'.repeat(40);
const NAME = 'AES_CM_128_HMAC_SHA1_80';

const described = (profile: string, ...lines: string[]): string =>
  [
    ...['v=0', 'o=- 1 1 IN IP4 10.0.0.2', 's=-', 'c=IN IP4 10.0.0.2', 't=0 0', `m=audio 7000 ${profile} 0`],
    ...lines.map((line) => `a=crypto:${line}`),
    '',
  ].join('\r\n');
const tagsIn = (...lines: string[]): number[] | undefined =>
  readSdp(described('RTP/AVP', ...lines), 'prefer')?.cryptos.map(({ tag }) => tag);

describe('keys in SDP (RFC 4568)', () => {
  it('makes an RTP/SAVP offer, which the other side reads and answers with one key', () => {
    const cryptos = SRTP_SUITES.map((suite, index) => ({ tag: index + 1, key: newSrtpKey(suite) }));
    const offer = writeOffer({ ...LOCAL, cryptos });
    assert.match(offer, /m=audio 4000 RTP\/SAVP 0 8 101/);
    const read = readSdp(offer, 'require') ?? assert.fail(offer);
    assert.deepEqual(read.cryptos, cryptos);
    assert.match(
      writeAnswer({ ...LOCAL, cryptos: cryptos.slice(0, 1) }, read),
      /RTP\/SAVP 0[^]*a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:\S{40}\r\n(?![^]*crypto)/,
    );
  });

  it('accepts a lifetime, and skips what it would misunderstand', () => {
    assert.deepEqual(
      tagsIn(`1 ${NAME} inline:${KEY}`, `2 ${NAME} inline:${KEY}|2^31`, `3 ${NAME} inline:${KEY}|1048576`),
      [1, 2, 3],
    );
    for (const [why, line] of Object.entries({
      'an MKI': `1 ${NAME} inline:${KEY}|1:4`,
      'a lifetime and an MKI': `1 ${NAME} inline:${KEY}|2^20|1:32`,
      'a lifetime of less than six hours': `1 ${NAME} inline:${KEY}|2^19`,
      'two keys': `1 ${NAME} inline:${KEY};inline:${KEY}`,
      'a short key': `1 ${NAME} inline:${'A'.repeat(36)}`,
      'a long key': `1 ${NAME} inline:${'A'.repeat(44)}`,
      'another encoding': `1 ${NAME} inline:${'-'.repeat(40)}`,
      'another suite': `1 AEAD_AES_128_GCM inline:${KEY}`,
      'a name that every object has': `1 constructor inline:${KEY}`,
      'another key method': `1 ${NAME} uri:${KEY}`,
      'a session parameter': `1 ${NAME} inline:${KEY} UNENCRYPTED_SRTP`,
      'no tag': ` ${NAME} inline:${KEY}`,
      'a long tag': `1234567890 ${NAME} inline:${KEY}`,
      'only digits': `1 ${NAME} 1234`,
    }))
      assert.deepEqual(tagsIn(line), [], why);
  });

  it('decides by the policy which streams are usable', () => {
    const line = `1 ${NAME} inline:${KEY}`;
    const usable = (policy: 'off' | 'prefer' | 'require', profile: string, ...lines: string[]): string => {
      const read = readSdp(described(profile, ...lines), policy);
      return read === undefined ? 'no' : read.cryptos.length > 0 ? 'encrypted' : 'plain';
    };
    const row = (profile: string, ...lines: string[]): string[] =>
      (['off', 'prefer', 'require'] as const).map((policy) => usable(policy, profile, ...lines));
    assert.deepEqual(row('RTP/AVP'), ['plain', 'plain', 'no']);
    assert.deepEqual(row('RTP/AVP', line), ['plain', 'encrypted', 'encrypted']);
    assert.deepEqual(row('RTP/SAVP', line), ['no', 'encrypted', 'encrypted']);
    assert.deepEqual(row('RTP/SAVPF', line), ['no', 'encrypted', 'encrypted']);
    assert.deepEqual(row('RTP/SAVP'), ['no', 'no', 'no']);
    assert.deepEqual(row('UDP/TLS/RTP/SAVP', line), ['no', 'no', 'no']);
  });
});
