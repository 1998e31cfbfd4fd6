import assert from 'node:assert/strict';
import { maskMessage, Trace } from '../../../../src/telephony/sip/trace.ts';
import { ManualClock } from '../../../support/manualClock.ts';

describe('the SIP trace', () => {
  it('masks credential responses, also in folded headers', () => {
    const text = maskMessage(
      'INVITE sip:b@b SIP/2.0\r\nAuthorization: Digest username="u",\r\n response="c0ffee", uri="x"\r\nProxy-Authorization : Digest response=dead\r\nX: response="kept"\r\n\r\nbody',
      'INVITE',
    );
    assert.equal(
      text,
      'INVITE sip:b@b SIP/2.0\r\nAuthorization: Digest username="u",\r\n response="[masked]", uri="x"\r\nProxy-Authorization : Digest response="[masked]"\r\nX: response="kept"\r\n\r\nbody',
    );
  });

  it('masks whole credentials of other schemes, and passwords in URIs', () =>
    assert.equal(
      maskMessage(
        'INVITE sip:bob:pw@b SIP/2.0\r\nAuthorization: Basic Ym9iOnB3\r\nAuthentication-Info: rspauth="c0ffee"\r\n\r\n',
        'INVITE',
      ),
      'INVITE sip:bob:[masked]@b SIP/2.0\r\nAuthorization: [masked]\r\nAuthentication-Info: [masked]\r\n\r\n',
    ));

  it('masks digits in INFO', () =>
    assert.equal(
      maskMessage('INFO sip:b@b SIP/2.0\r\nCSeq: 2 INFO\r\n\r\nSignal=5\r\nDuration=160', 'INFO'),
      'INFO sip:b@b SIP/2.0\r\nCSeq: 2 INFO\r\n\r\n[masked]',
    ));

  it('keeps 16 kB of a message, and 128 kB or 500 messages of a call', () => {
    const lengths = (bytes: number): readonly number[] => {
      const trace = new Trace(new ManualClock());
      for (let message = 0; message < 1000; message += 1)
        trace.record('received', { host: '10.0.0.3', port: 5060 }, Buffer.alloc(bytes, 'x'), 'OPTIONS');
      return trace.entries().map(({ text }) => text.length);
    };
    assert.deepEqual(lengths(60_000), new Array<number>(8).fill(16 * 1024));
    assert.equal(lengths(10).length, 500);
  });
});
