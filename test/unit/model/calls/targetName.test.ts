import assert from 'node:assert/strict';
import { targetName } from '../../../../src/model/calls/targetName.ts';

describe('the name of a target', () => {
  it('leaves out what only a SIP client needs', () => {
    for (const [target, name] of [
      ['+12025550101', '+12025550101'],
      ['1000', '1000'],
      ['sip:harbour-bank@127.0.0.1:40112', 'Harbour Bank'],
      ['sip:harbour-bank@pbx.example.com', 'harbour-bank'],
      ['sip:1000@127.0.0.1', '1000'],
      ['sips:+12025550101:secret@pbx.example.com;transport=tls', '+12025550101'],
      ['SIP:ivr@[::1]:5060?X=1', 'Ivr'],
      ['sip:pbx.example.com:5060', 'pbx.example.com'],
      ['sip:[::1]:5060', '[::1]'],
      ['sip:', 'sip:'],
      ['A test', 'A test'],
    ] as const)
      assert.equal(targetName(target), name);
  });
});
