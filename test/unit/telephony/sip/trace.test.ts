import assert from 'node:assert/strict';
import { maskMessage } from '../../../../src/telephony/sip/trace.ts';

describe('SIP trace', () => {
  it('masks responses of credentials, also in folded headers', () => {
    const text = maskMessage(
      'INVITE sip:b@b SIP/2.0\r\nAuthorization: Digest username="u",\r\n response="c0ffee", uri="x"\r\nProxy-Authorization : Digest response=dead\r\nX: response="kept"\r\n\r\nbody',
      'INVITE',
    );
    assert.equal(
      text,
      'INVITE sip:b@b SIP/2.0\r\nAuthorization: Digest username="u",\r\n response="[masked]", uri="x"\r\nProxy-Authorization : Digest response="[masked]"\r\nX: response="kept"\r\n\r\nbody',
    );
  });

  it('masks whole credentials of other schemes, and passwords in URIs', () => {
    assert.equal(
      maskMessage('INVITE sip:bob:pw@b SIP/2.0\r\nAuthorization: Basic Ym9iOnB3\r\n\r\n', 'INVITE'),
      'INVITE sip:bob:[masked]@b SIP/2.0\r\nAuthorization: [masked]\r\n\r\n',
    );
  });

  it('masks digits in INFO', () => {
    assert.equal(
      maskMessage('INFO sip:b@b SIP/2.0\r\nCSeq: 2 INFO\r\n\r\nSignal=5\r\nDuration=160', 'INFO'),
      'INFO sip:b@b SIP/2.0\r\nCSeq: 2 INFO\r\n\r\n[masked]',
    );
  });
});
