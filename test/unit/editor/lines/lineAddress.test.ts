import assert from 'node:assert/strict';
import { lineNameSchema } from '../../../../src/contract/lines.ts';
import { freeLineName, readLineAddress } from '../../../../src/editor/lines/lineAddress.ts';

describe('the address of a line', () => {
  for (const [typed, address, transport] of [
    ['trunk.example.com', 'trunk.example.com', 'udp'],
    ['10.0.0.5:5080', '10.0.0.5:5080', 'udp'],
    ['[2001:db8::1]:5060', '[2001:db8::1]:5060', 'udp'],
    ['sip:trunk.example.com', 'trunk.example.com', 'udp'],
    ['sip:trunk.example.com:5061;transport=tls', 'trunk.example.com:5061', 'tls'],
    ['sip:trunk.example.com:5061\\;transport=tls', 'trunk.example.com:5061', 'tls'],
    ['SIPS:trunk.example.com', 'trunk.example.com', 'tls'],
    ['sips:trunk.example.com;transport=tcp', 'trunk.example.com', 'tls'],
    ['tls://trunk.example.com:5061', 'trunk.example.com:5061', 'tls'],
    ['tcp:10.0.0.5', '10.0.0.5', 'tcp'],
    ['trunk.example.com;transport=TCP', 'trunk.example.com', 'tcp'],
    ['sip:5060', 'sip:5060', 'udp'],
    ['tls:5061;transport=tls', 'tls:5061', 'tls'],
    ['trunk.example.com;lr', 'trunk.example.com;lr', 'udp'],
    ['', '', 'udp'],
  ] as const)
    it(`reads “${typed}” as a host`, () => assert.deepEqual(readLineAddress(typed, 'trunk'), { address, transport }));

  for (const [typed, address, transport] of [
    ['sip:support@ivr.example.com', 'sip:support@ivr.example.com', 'udp'],
    ['support@ivr.example.com', 'sip:support@ivr.example.com', 'udp'],
    ['sips:support@ivr.example.com:5061', 'sip:support@ivr.example.com:5061', 'tls'],
    ['sip:support@ivr.example.com;transport=tcp', 'sip:support@ivr.example.com', 'tcp'],
    ['', '', 'udp'],
  ] as const)
    it(`reads “${typed}” as one SIP address`, () =>
      assert.deepEqual(readLineAddress(typed, 'uri'), { address, transport }));

  it('gives a line a name that its settings accept, however long the host is', () => {
    for (let length = 1; length <= 63; length += 1)
      for (const taken of [[], [`${'a'.repeat(length)}-b`.slice(0, 36).replace(/-$/, '')]]) {
        const name = freeLineName('pbx', `${'a'.repeat(length)}-b.example`, taken);
        assert.ok(lineNameSchema.safeParse(name).success && !taken.includes(name), name);
      }
  });
});
