import assert from 'node:assert/strict';
import { Dialog } from '../../../../src/telephony/sip/dialog.ts';
import { SipHeaders } from '../../../../src/telephony/sip/headers.ts';
import type { SipRequest } from '../../../../src/telephony/sip/message.ts';
import { parseReason } from '../../../../src/telephony/sip/reason.ts';
import { createResponse } from '../../../../src/telephony/sip/response.ts';

function invite(extra: readonly (readonly [string, string])[] = []): SipRequest {
  return {
    kind: 'request',
    method: 'INVITE',
    uri: 'sip:b@b.example',
    body: '',
    headers: new SipHeaders([
      ['Via', 'SIP/2.0/UDP 192.0.2.1;branch=z9hG4bK1'],
      ['From', '<sip:a@a.example>;tag=1'],
      ['To', '<sip:b@b.example>'],
      ['Call-ID', 'c'],
      ['CSeq', '5 INVITE'],
      ['Contact', '<sip:a@192.0.2.1:5060>'],
      ...extra,
    ]),
  };
}

describe('dialogs', () => {
  it('route loosely through the reversed Record-Route for a caller', () => {
    const response = createResponse(invite([['Record-Route', '<sip:p2.example;lr>, <sip:p1.example;lr>']]), 200, {
      toTag: '2',
      headers: [['Contact', '<sip:b@192.0.2.2>']],
    });
    const bye = Dialog.ofCaller(invite(), response, '<sip:me>')?.createRequest('BYE');
    assert.equal(bye?.uri, 'sip:b@192.0.2.2');
    assert.deepEqual(bye.headers.list('Route'), ['<sip:p1.example;lr>', '<sip:p2.example;lr>']);
    assert.equal(bye.headers.get('CSeq'), '6 BYE');
    assert.equal(bye.headers.get('To'), '<sip:b@b.example>;tag=2');
  });

  it('send the Request-URI to a strict router, with the target last', () => {
    const dialog = Dialog.ofCallee(
      invite([['Record-Route', '<sip:strict.example>, <sip:p.example;lr>']]),
      '2',
      '<sip:me>',
    );
    const bye = dialog?.createRequest('BYE');
    assert.equal(bye?.uri, 'sip:strict.example');
    assert.deepEqual(bye.headers.list('Route'), ['<sip:p.example;lr>', '<sip:a@192.0.2.1:5060>']);
    assert.equal(dialog?.nextHop, 'sip:strict.example');
  });

  it('keep the INVITE’s number for its ACK, and count on for later requests', () => {
    const dialog = Dialog.ofCaller(invite(), createResponse(invite(), 200, { toTag: '2' }), '<sip:me>');
    assert.equal(dialog?.createRequest('ACK', 5).headers.get('CSeq'), '5 ACK');
    assert.equal(dialog?.createRequest('BYE').headers.get('CSeq'), '6 BYE');
  });

  it('reject older requests and follow a new target', () => {
    const dialog = Dialog.ofCallee(invite(), '2', '<sip:me>');
    const at = (number: number): SipRequest => ({
      ...invite(),
      headers: invite()
        .headers.set('CSeq', `${String(number)} INVITE`)
        .set('Contact', '<sip:a@192.0.2.77>'),
    });
    assert.equal(dialog?.accepts(at(4)), false);
    assert.equal(dialog.accepts(at(6)), true);
    assert.equal(dialog.accepts(at(5)), false);
    dialog.refreshTarget(at(6));
    assert.equal(dialog.nextHop, 'sip:a@192.0.2.77');
  });

  it('need a tag and a Contact', () => {
    assert.equal(Dialog.ofCaller(invite(), createResponse(invite(), 180), '<sip:me>'), undefined);
    const bare = invite();
    bare.headers.delete('Contact');
    assert.equal(Dialog.ofCallee(bare, '2', '<sip:me>'), undefined);
  });

  it('read the Q.850 cause beside a SIP cause', () => {
    assert.deepEqual(parseReason(invite([['Reason', 'SIP;cause=600;text="Busy, all", Q.850;cause=17']])), {
      q850: 17,
      text: 'Busy, all',
    });
    assert.deepEqual(parseReason(invite([['Reason', 'Q.850;cause=999']])), {});
  });
});
