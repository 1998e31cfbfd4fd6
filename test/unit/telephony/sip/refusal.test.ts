import assert from 'node:assert/strict';
import { describeHangUp } from '../../../../src/engine/call/hangUp.ts';
import { SipHeaders } from '../../../../src/telephony/sip/headers.ts';
import { refusalEnd } from '../../../../src/telephony/sip/refusal.ts';

const refused = (status: number, ...fields: (readonly [string, string])[]): string =>
  describeHangUp(refusalEnd({ kind: 'response', status, reason: 'Refused', headers: new SipHeaders(fields), body: '' }))
    .sentence;

describe('the sentence for a refused call', () => {
  for (const [status, field, value, words] of [
    [488, 'Warning', '305 pbx.example.com "Incompatible media format"', 'it warns: Incompatible media format'],
    [503, 'Retry-After', '120 (maintenance)', 'retry after (s): 120 (maintenance)'],
    [403, 'Reason', 'SIP;cause=403;text="Blocked by policy"', 'its reason: Blocked by policy'],
    [405, 'Allow', 'OPTIONS, REGISTER', 'it allows only: OPTIONS, REGISTER'],
    [415, 'Accept', 'application/sdp', 'it accepts: application/sdp'],
    [420, 'Unsupported', '100rel', "it doesn't support: 100rel"],
    [421, 'Require', 'timer', 'it requires: timer'],
    [422, 'Min-SE', '90', 'its minimum session timer (s): 90'],
    [302, 'Contact', '"New" <sip:new:secret@10.0.0.9>', 'it has moved to: sip:new:[masked]@10.0.0.9'],
    [407, 'Proxy-Authenticate', 'Digest realm="pbx", nonce="n1"', 'it asks for a login for: pbx'],
  ] as const)
    it(`says of ${String(status)} what ${field} says`, () => {
      const sentence = refused(status, [field, value]);
      assert.ok(sentence.includes(`(SIP ${String(status)}; ${words})`), sentence);
    });

  it('says several things, each within limits, and nothing without header fields', () => {
    const both = refused(503, ['Retry-After', '5'], ['Warning', `399 x "${'w'.repeat(5000)}"`]);
    assert.match(both, /it warns: w{200}; retry after \(s\): 5\)/);
    assert.equal(refused(503), 'The call was refused (SIP 503).');
    assert.equal(refused(486, ['Allow', 'INVITE'], ['Contact', 'nonsense']), 'The number was busy (SIP 486).');
  });
});
