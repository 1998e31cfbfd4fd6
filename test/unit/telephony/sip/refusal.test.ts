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
    assert.match(refused(503), /^The call was refused \(SIP 503\)\. Try/);
    assert.match(refused(486, ['Allow', 'INVITE'], ['Contact', 'nonsense']), /^The number was busy \(SIP 486\)\. Try/);
  });

  it('takes little time for 60 kB of quotes', function () {
    this.timeout(1000);
    assert.match(refused(403, ['Warning', `${'"'.repeat(60_000)}x`]), /it warns: "{200}\)/);
  });

  it('has a way out for each status and each Q.850 cause that networks give', () => {
    const after = (text: string): string | undefined => /\)\. (.{25,})$/.exec(text)?.[1];
    for (const status of [401, 403, 404, 407, 480, 484, 486, 488, 500, 503, 603, 607, 608])
      assert.ok(after(refused(status)), `${String(status)}: ${refused(status)}`);
    for (const cause of [1, 3, 17, 18, 19, 20, 21, 27, 28, 31, 34, 38, 41, 42, 47, 50, 57, 58, 79, 88, 127]) {
      const sentence = refused(500, ['Reason', `Q.850;cause=${String(cause)}`]);
      assert.match(sentence, new RegExp(`cause ${String(cause)}, [a-z ]+`));
      assert.ok(after(sentence), sentence);
    }
  });

  it('distinguishes a block by the network (603+) from a decline', () => {
    const analytics = 'Q.850;cause=21;text="v=analytics1;url=https://block.example.com"';
    assert.match(refused(603, ['Reason', analytics]), /block\.example\.com.*blocked the call as unwanted \(603\+\)/);
    assert.match(refused(603, ['Reason', 'Q.850;cause=21']), /accepts calls from this caller ID\.$/);
    assert.match(
      refused(608, ['Call-Info', '<https://x.example>;purpose=jcard']),
      /for disputes: <https:\/\/x\.example>/,
    );
  });
});
