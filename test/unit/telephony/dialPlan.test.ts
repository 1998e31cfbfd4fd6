import assert from 'node:assert/strict';
import { resolveRoute } from '../../../src/telephony/dialPlan.ts';

describe('the dial plan', () => {
  const routes = {
    '+1*': 'sip:{number}@trunk.example.com',
    '+1202*': 'sip:{number}@dc.example.com',
    '+12025550123': 'sip:{number}@127.0.0.1:5070',
    '+44*': { uri: 'sip:{number}@[::1]:5060', costPerMinute: 0.1, line: 'uk' },
    '+49301234567': 'sip:x{number}@localhost',
  };
  const uri = (number: string): string | undefined => resolveRoute(number, routes)?.uri;

  it('uses the exact number, then the longest prefix', () => {
    assert.equal(uri('+12025550123'), 'sip:+12025550123@127.0.0.1:5070');
    assert.equal(uri('+12024560000'), 'sip:+12024560000@dc.example.com');
    assert.equal(uri('+14155550000'), 'sip:+14155550000@trunk.example.com');
    assert.deepEqual(resolveRoute('+442079460000', routes), {
      uri: 'sip:+442079460000@[::1]:5060',
      costPerMinute: 0.1,
      line: 'uk',
    });
    assert.equal(uri('+49301234567'), 'sip:x+49301234567@localhost');
    assert.equal(uri('+493012345678'), undefined, 'a bare key is exact');
    assert.equal(uri('+81312345678'), undefined);
  });
});
