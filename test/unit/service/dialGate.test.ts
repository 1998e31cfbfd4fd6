import assert from 'node:assert/strict';
import { HumanError } from '../../../src/contract/errors.ts';
import { leavesMachine, resolveTarget } from '../../../src/service/runs/dialGate.ts';

const routes = { '+12025550101': 'sip:lab@127.0.0.1:5070', '+1*': 'sip:{number}@trunk.example.com;transport=udp' };
const codeOf = (target: string): string | undefined => {
  try { resolveTarget(target, routes); return undefined; } catch (error) { return error instanceof HumanError ? error.code : String(error); }
};

describe('dial gate', () => {
  it('sends lab numbers to this machine without consent, and others to the trunk with it', () => {
    assert.deepEqual(resolveTarget('+12025550101', routes), { uri: 'sip:lab@127.0.0.1:5070' });
    assert.deepEqual(resolveTarget('+12125550123', routes), { uri: 'sip:+12125550123@trunk.example.com;transport=udp', consentFor: '+12125550123' });
    for (const uri of ['sip:x@127.0.0.1', 'sip:x@localhost:5080', 'sip:x@[::1]:5060', 'SIP:911@127.0.0.1']) assert.deepEqual(resolveTarget(uri, routes), { uri });
  });

  it('lets a SIP address on a trunk carry no number that a plain number could not be', () => {
    assert.deepEqual(resolveTarget('sip:sales@TRUNK.example.com', routes), { uri: 'sip:sales@TRUNK.example.com' });
    assert.deepEqual(resolveTarget('sip:1001@trunk.example.com', routes), { uri: 'sip:1001@trunk.example.com' });
    assert.equal(resolveTarget('sip:+1-212-555-0123;phone-context=x@trunk.example.com', routes).consentFor, '+12125550123');
    for (const [target, code] of [
      ['sip:112@trunk.example.com', 'forbidden_number'], ['sip:%2B1900%35551234@trunk.example.com', 'forbidden_number'], ['sip:+881612345678@trunk.example.com', 'forbidden_number'],
      ['sip:19005551234@trunk.example.com', 'not_e164'], ['sip:x@other.example.com', 'no_route'], ['sip:x@127.0.0.1.evil.com', 'no_route'],
      ['sip:x@127.0.0.1?Route=%3Csip:evil%3E', 'no_route'], ['sip:x@127.0.0.1;MADDR=evil.com', 'no_route'], ['sip:', 'no_route'], ['+442071838750', 'no_route'],
    ] as const) assert.equal(codeOf(target), code, target);
  });

  it('knows whether some call leaves the machine', () => {
    assert.equal(leavesMachine(routes), true);
    assert.equal(leavesMachine({ '+1*': 'sip:{number}@127.0.0.1:5070' }), false);
    assert.equal(leavesMachine({}), false);
  });
});
