import assert from 'node:assert/strict';
import { resolveRoute } from '../../../src/telephony/dialPlan.ts';

describe('dial plan', () => {
  const routes = {
    '+1*': 'sip:{number}@trunk.example.com',
    '+1202*': 'sip:{number}@dc.example.com',
    '+12025550123': 'sip:{number}@127.0.0.1:5070',
    '+44*': 'sip:{number}@[::1]:5060',
    '+49301234567': 'sip:x{number}@localhost',
    '+3312345678': 'trunk without scheme',
  };
  const uri = (number: string): string => {
    const route = resolveRoute(number, routes);
    return 'uri' in route ? `${route.uri}${route.lab ? ' lab' : ''}` : route.refused;
  };

  it('takes the exact number, then the longest prefix', () => {
    assert.equal(uri('+12025550123'), 'sip:+12025550123@127.0.0.1:5070 lab');
    assert.equal(uri('+12024560000'), 'sip:+12024560000@dc.example.com');
    assert.equal(uri('+14155550000'), 'sip:+14155550000@trunk.example.com');
    assert.equal(uri('+442079460000'), 'sip:+442079460000@[::1]:5060 lab');
    assert.equal(uri('+49301234567'), 'sip:x+49301234567@localhost lab');
    assert.equal(uri('+493012345678'), 'noRoute', 'a bare key is exact');
    assert.equal(uri('+3312345678'), 'noRoute', 'not a SIP URI');
    const loopbackName = resolveRoute('+14155550000', { '+1*': 'sip:127.0.0.1@trunk.example.com' });
    assert.ok('lab' in loopbackName && !loopbackName.lab, 'a user part is no host');
  });

  it('keeps fiction on this machine', () => {
    assert.equal(uri('+12025550199'), 'noRoute');
    assert.equal(uri('+12025550200'), 'sip:+12025550200@dc.example.com');
  });

  for (const [kind, numbers] of Object.entries({
    emergency: [
      '911',
      '112',
      '999',
      '988',
      '000',
      '110',
      '118',
      '+1911',
      '+1 988',
      '+44999',
      '+44112',
      '+61000',
      '+49110',
      '+39118',
      '+3315',
      '+44116123',
      '116 111',
    ],
    premium: [
      '+19005550000',
      '+19765550000',
      '+12029765555',
      '+449012345678',
      '+448712345678',
      '+499001234567',
      '+33899123456',
      '+97912345678',
    ],
    satellite: ['+881612345678', '+882161234567', '+883510001234567', '+870773123456', '+878101234567'],
    notE164: [
      '',
      '2025550123',
      '+0123456789',
      '+1202555012345678',
      '0012025550123',
      '+1-202-555-0123',
      'sip:a@b',
      '+12025550123;ext=1',
      '+1202555\r\n0123',
    ],
    noRoute: ['+81312345678'],
  }))
    it(`refuses as ${kind}`, () => {
      for (const number of numbers) {
        const refusal = resolveRoute(number, { '+*': kind === 'noRoute' ? '' : 'sip:{number}@127.0.0.1' });
        assert.ok('refused' in refusal, number);
        assert.equal(refusal.refused, kind, number);
        assert.match(refusal.message, /(?:Choose|Write|Add|Correct) /);
      }
    });
});
