import assert from 'node:assert/strict';
import { HumanError } from '../../../../src/contract/errors.ts';
import { linesSchema, type Lines } from '../../../../src/contract/lines.ts';
import type { Routes } from '../../../../src/contract/dialPlan.ts';
import { leavesMachine, resolveTarget } from '../../../../src/service/numbers/dialGate.ts';
import type { Dialling } from '../../../../src/service/numbers/dialGate.ts';
import { practiceAt } from '../../../support/practicePlaces.ts';
import { listed } from '../../../support/listed.ts';

const routes = { '+12025550101': 'sip:lab@127.0.0.1:5070', '+1*': 'sip:{number}@trunk.example.com;transport=udp' };
const practices = practiceAt('127.0.0.1:5070');
const resolve = (target: string, plan: Routes, lines: Lines = {}): Dialling =>
  resolveTarget(target, { routes: plan, lines, practices });
const codeOf = (target: string): string | undefined => {
  try {
    resolve(target, routes);
    return undefined;
  } catch (error) {
    return error instanceof HumanError ? error.code : String(error);
  }
};

describe('the dial gate', () => {
  it('sends numbers of practice IVRs to them without consent, and others to the trunk with it', () => {
    assert.deepEqual(resolve('+12025550101', routes), { uri: 'sip:lab@127.0.0.1:5070', lab: true });
    assert.deepEqual(resolve('+12125550123', routes), {
      uri: 'sip:+12125550123@trunk.example.com;transport=udp',
      lab: false,
      consentFor: '+12125550123',
    });
    for (const uri of [
      'sip:x@127.0.0.1:5070',
      'sip:600@127.0.0.1:5070;transport=udp',
      'SIP:911@127.0.0.1:5070',
      'sip:+19005551234@127.0.0.1:5070',
    ])
      assert.deepEqual(resolve(uri, routes), { uri, lab: true });
  });

  it('allows in a SIP address on a trunk only what is allowed as a plain number', () => {
    assert.deepEqual(resolve('sip:sales@TRUNK.example.com', routes), {
      uri: 'sip:sales@TRUNK.example.com',
      lab: false,
      consentFor: 'sip:sales@trunk.example.com',
    });
    assert.equal(resolve('sip:+1-212-555-0123;phone-context=x@trunk.example.com', routes).consentFor, '+12125550123');
    for (const [target, code] of [
      ['sip:112@trunk.example.com', 'forbidden_number'],
      ['sip:%2B1900%35551234@trunk.example.com', 'forbidden_number'],
      ['sip:+881612345678@trunk.example.com', 'forbidden_number'],
      ['sip:19005551234@trunk.example.com', 'not_e164'],
      ['sip:x@other.example.com', 'no_route'],
      ['sip:x@127.0.0.1.evil.com', 'no_route'],
      ['sip:x@127.0.0.1?Route=%3Csip:evil%3E', 'no_route'],
      ['sip:x@127.0.0.1;MADDR=evil.com', 'no_route'],
      ['sip:', 'no_route'],
      ['+442071838750', 'no_route'],
      // Some exchanges read these as numbers.
      ['sip:*67+12125550123@trunk.example.com', 'not_e164'],
      ['sip:9+12125550123@trunk.example.com', 'not_e164'],
      ['sip:50101;phone-context=+121255@trunk.example.com', 'not_e164'],
      ['sip:1/900/555/1234@trunk.example.com', 'not_e164'],
      // The called host differs from the one that a prefix such as sip:x@pbx.example.com* names.
      ['sip:x@pbx.example.com@trunk.example.com', 'no_route'],
      ['sip:x@127.0.0.1;@trunk.example.com', 'no_route'],
    ] as const)
      assert.equal(codeOf(target), code, target);
  });

  it('rejects every spelling of an address that could lead elsewhere, also at a practice IVR', () => {
    for (const host of ['trunk.example.com', '127.0.0.1:5070', '127.0.0.1:5999'])
      for (const added of [
        ';maddr=10.0.0.1',
        ';MAddr=10.0.0.1',
        ';maddr',
        ';m%61ddr=10.0.0.1',
        ';%6D%61%64%64%72=10.0.0.1',
        ';M%41DDR=10.0.0.1',
        ';maddr%20=10.0.0.1',
        ';maddr%00=10.0.0.1',
        ';m%2561ddr=10.0.0.1',
        ';x=y;ro%75te=sip:10.0.0.1',
        ';%72oute',
        ';tr%61nsport=tcp',
        ';%zz=1',
        ';m\u0430ddr=10.0.0.1',
        ';x%3Bmaddr=10.0.0.1',
        '?Route=%3Csip:10.0.0.1%3E',
        '?%52oute=%3Csip:10.0.0.1%3E',
        ';x=y?r%6Fute=sip:10.0.0.1',
        ' ;maddr=10.0.0.1',
        ';\tmaddr=10.0.0.1',
        '%3Bmaddr=10.0.0.1',
        '%40evil.com',
        '\u00a0',
        ';\u00a0maddr=10.0.0.1',
        ';transport=tcp;transport=udp',
        ';Transport=udp;transport=udp',
        ';x;X=1',
      ])
        assert.throws(() => resolve(`sip:1129@${host}${added}`, routes), { code: 'no_route' }, `${host}${added}`);
    for (const added of ['', ';transport=udp', ';x=y%20z', ';user=phone', ';lr', ';x-dialtree.1_a=%61'])
      assert.equal(resolve(`sip:1129@127.0.0.1:5070${added}`, routes).lab, true, added);
    const { lab } = resolve('+12125550123', { '+1*': 'sip:x@127.0.0.1:5070;m%61ddr=203.0.113.5' });
    assert.equal(lab, false, 'a route that leads elsewhere');
  });

  it('reports the rate of the route, and for an address the highest one to its host', () => {
    const rated = {
      ...routes,
      '+49*': { uri: 'sip:{number}@TRUNK.example.com', costPerMinute: 0.02 },
      '+491*': { uri: 'sip:{number}@trunk.example.com', costPerMinute: 0.18 },
      '+44*': { uri: 'sip:{number}@other.example.com', costPerMinute: 0 },
      '+999*': { uri: 'sip:x@127.0.0.1', costPerMinute: 1 },
    };
    for (const [target, rate] of [
      ['+4930123456', 0.02],
      ['+491701234567', 0.18],
      ['+12125550123', undefined],
      ['+442071838750', 0],
      ['sip:+12125550123@trunk.example.com', 0.18],
      ['sip:sales@other.example.com', 0],
      ['sip:x@127.0.0.1', 1],
      ['sip:x@127.0.0.1:5070', undefined],
    ] as const)
      assert.equal(resolve(target, rated).costPerMinute, rate, target);
    assert.deepEqual(resolve('+99912345678', rated), {
      uri: 'sip:x@127.0.0.1',
      lab: false,
      consentFor: '+99912345678',
      costPerMinute: 1,
    });
  });

  it('recognises an exchange of this machine by all its names, each by its own first', () => {
    const lines: Lines = {
      lab: { kind: 'pbx', host: '127.0.0.1:5060', numbers: [] },
      other: { kind: 'pbx', host: '127.0.0.3', numbers: [] },
      echo: { kind: 'uri', uri: 'sip:600@127.0.0.1:5090', numbers: [] },
    };
    for (const [target, line] of [
      ['sip:600@127.0.0.1:5060', 'lab'],
      ['sip:600@localhost', 'lab'],
      ['sip:600@127.0.0.2:5060', 'lab'],
      ['sip:600@[::1]', 'lab'],
      ['sip:600@127.0.0.3', 'other'],
      ['sip:%3600@localhost:5090', 'echo'],
      ['sip:601@127.0.0.1:5090', undefined],
      ['sip:600@127.0.0.1:5070', undefined],
    ] as const)
      assert.equal(resolve(target, {}, lines).line, line, target);
  });

  it("applies all rules to local targets that aren't our practice IVRs", () => {
    const plan = {
      '+49*': 'sip:{number}@127.0.0.1:5999',
      '+12025550102': 'sip:practice@127.0.0.1:5071',
      '+33123456789': 'sip:911@127.0.0.1:5999',
      '+33123456780': 'sip:+19005551234@trunk.example.com',
    };
    for (const [target, consentFor] of [
      ['sip:600@127.0.0.1:5999', 'sip:600@127.0.0.1:5999'],
      ['sip:sales@localhost', 'sip:sales@localhost'],
      ['sip:sales@[::1]:5070', 'sip:sales@[::1]:5070'],
      ['sip:x@127.0.0.2:5070', 'sip:x@127.0.0.2:5070'],
      ['sip:+4930123456@127.0.0.1:5999', '+4930123456'],
      ['+4930123456', '+4930123456'],
      ['sip:127.0.0.1:5999', 'sip:127.0.0.1:5999'],
    ] as const) {
      const dialling = resolve(target, plan);
      assert.deepEqual([dialling.lab, dialling.consentFor], [false, consentFor], target);
    }
    for (const user of listed(`
      911 112 988 +19005551234 +1900CALLNOW +881612345678 91911 911%232 112!5 9,112 *6~7061 118 11833 09001 x110
      +18002738255
    `)) {
      for (const host of ['127.0.0.1:5999', 'localhost', '[::1]:5070', '127.9.9.9'])
        assert.throws(() => resolve(`sip:${user}@${host}`, plan), { code: 'forbidden_number' }, user);
    }
    for (const target of [
      'sip:%D9%A1%D9%A1%D9%A0@127.0.0.1:5999',
      'sip:%EF%BC%91%EF%BC%91%EF%BC%90@127.0.0.1:5999',
      'sip:600;x=911@127.0.0.1:5999',
      'sip:030123@localhost',
    ])
      assert.throws(() => resolve(target, plan), { code: 'not_e164' }, target);
    for (const target of ['+33123456789', '+33123456780'])
      assert.throws(() => resolve(target, plan), { code: 'forbidden_number' }, 'a route names it');
  });

  it('says how to try Dialtree without a line if nothing serves a number', () =>
    assert.throws(() => resolve('+442071838750', routes), { code: 'no_route', message: /dialtree practice/ }));

  it('follows a practice IVR to its new address, and refuses its old one while it is stopped', () => {
    let uri: string | undefined;
    const old = 'sip:bank@127.0.0.1:5071';
    const movedFrom = (from: string) => (from === old ? { name: 'Bank', file: '/w/bank.ivr.json', uri } : undefined);
    const called = (target: string, lines = {}): Dialling =>
      resolveTarget(target, { routes: { '+4930*': old }, lines, practices: { ...practices, movedFrom } });
    for (const target of [old, '+493098765432']) {
      uri = undefined;
      assert.throws(() => called(target), { code: 'practice_stopped', status: 400, details: undefined }, target);
      uri = 'sip:bank@127.0.0.1:5070';
      assert.deepEqual(called(target), { uri, lab: true }, target);
    }
    const trunk = linesSchema.parse({ carrier: { kind: 'trunk', host: '127.0.0.1:5070', numbers: ['+1*'] } });
    assert.throws(() => called(old, trunk), { code: 'practice_stopped' }, 'it never becomes a live call');
    const pbx = linesSchema.parse({ desk: { kind: 'pbx', host: '127.0.0.1:5071' } });
    assert.equal(called(old, pbx).line, 'desk', 'a line has the old address');
  });

  it('calls fictitious numbers only at practice IVRs, and says how to start one', () => {
    const plan = {
      '+12025550102': 'sip:practice@127.0.0.1:5071',
      '+12025550103': 'sip:{number}@trunk.example.com',
      '+12025550104': 'sip:x@127.0.0.1:5070;maddr=203.0.113.5',
    };
    for (const target of ['+12025550102', 'sip:+12025550102@127.0.0.1:5071'])
      assert.throws(() => resolve(target, plan), {
        code: 'no_route',
        message: /none is running at 127\.0\.0\.1:5071\. Start the practice IVR/,
      });
    assert.throws(() => resolve('+12025550103', plan), {
      code: 'no_route',
      message: /Start one, and add a route to it/,
    });
    assert.throws(() => resolve('+12025550104', plan), { code: 'no_route' }, 'maddr leads elsewhere');
    assert.deepEqual(resolve('sip:+12025550102@127.0.0.1:5070', plan), {
      uri: 'sip:+12025550102@127.0.0.1:5070',
      lab: true,
    });
  });

  it('requires consent for short codes if a carrier can be involved, but not for extensions of a private exchange', () => {
    const lines: Lines = {
      main: { kind: 'trunk', host: 'carrier.example.com:5080', numbers: ['+44*'] },
      lab: { kind: 'pbx', host: '10.0.0.5', numbers: [] },
      both: { kind: 'pbx', host: 'Carrier.example.com:5080', numbers: [] },
      desk: { kind: 'uri', uri: 'sip:700@desk.example.com', numbers: [] },
    };
    for (const [target, consentFor] of [
      ['sip:1001@trunk.example.com', 'sip:1001@trunk.example.com'],
      ['sip:*%343@CARRIER.example.com:5080;x=y', 'sip:*43@carrier.example.com:5080'],
      ['sip:700@desk.example.com', 'sip:700@desk.example.com'],
      ['sip:600@10.0.0.5', undefined],
      ['sip:11833@10.0.0.5', undefined],
      ['sip:echo@10.0.0.5', undefined],
      ['sip:echo@trunk.example.com', 'sip:echo@trunk.example.com'],
    ] as const) {
      const dialling = resolve(target, routes, lines);
      assert.deepEqual([dialling.lab, dialling.consentFor], [false, consentFor], target);
    }
    for (const [target, code] of [
      ['sip:11833@trunk.example.com', 'forbidden_number'],
      ['sip:0900@trunk.example.com', 'forbidden_number'],
      ['sip:09001@carrier.example.com:5080', 'forbidden_number'],
      ['sip:030123@trunk.example.com', 'not_e164'],
      // With prefixes that an exchange might accept for an outside line.
      ...[
        'sip:112@10.0.0.5',
        'sip:9911@10.0.0.5',
        'sip:0112@trunk.example.com',
        'sip:*67911@10.0.0.5',
        'sip:%23112@10.0.0.5',
        'sip:*82%39%399@carrier.example.com:5080',
        'sip:911%23@desk.example.com',
      ].map((one) => [one, one.includes('desk') ? 'no_route' : 'forbidden_number'] as const),
    ] as const)
      assert.throws(() => resolve(target, routes, lines), { code }, target);
  });

  it('treats a declared trunk as one, even on this machine, with any name and route', () => {
    const lines: Lines = {
      main: { kind: 'trunk', host: '127.0.0.1:5060', numbers: ['+1*'], costPerMinute: 0.1 },
      lab: { kind: 'pbx', host: '127.0.0.1:5080', numbers: ['+49*'] },
      own: { kind: 'pbx', host: '127.0.0.3', numbers: ['+33*'] },
    };
    const plan = {
      '+44*': 'sip:{number}@localhost',
      '+12025550101': 'sip:practice@127.0.0.1:5070',
      '+12125550199': 'sip:x@127.0.0.1:5070',
    };
    assert.deepEqual(resolve('+12125550123', plan, lines), {
      uri: 'sip:+12125550123@127.0.0.1:5060',
      lab: false,
      consentFor: '+12125550123',
      costPerMinute: 0.1,
      line: 'main',
    });
    for (const [target, consentFor] of [
      ['+442071838750', '+442071838750'],
      ['sip:+442071838750@127.0.0.1', '+442071838750'],
      ['sip:+442071838750@[::1]:5060', '+442071838750'],
      ['sip:600@localhost', 'sip:600@localhost'],
      ['sip:sales@127.0.0.1:5060', 'sip:sales@127.0.0.1:5060'],
      ['sip:127.0.0.1:5060', 'sip:127.0.0.1:5060'],
    ] as const) {
      const dialling = resolve(target, plan, lines);
      assert.deepEqual([dialling.lab, dialling.consentFor, dialling.line], [false, consentFor, 'main'], target);
    }
    for (const [target, lab, consentFor] of [
      ['+12025550101', true, undefined],
      ['+12125550199', true, undefined],
      ['sip:practice@127.0.0.1:5070', true, undefined],
      ['+4930123456', false, '+4930123456'],
      ['sip:600@127.0.0.1:5080', false, undefined],
      ['+33123456789', false, '+33123456789'],
      ['sip:600@127.0.0.3', false, undefined],
    ] as const) {
      const dialling = resolve(target, plan, lines);
      assert.deepEqual([dialling.lab, dialling.consentFor], [lab, consentFor], target);
    }
    assert.throws(() => resolve('+12025550102', plan, lines), { code: 'no_route' });
  });

  it('gives no letter in a number a special meaning, and rejects ambiguous ones', () => {
    const lines: Lines = {
      main: { kind: 'trunk', host: '127.0.0.1:5060', numbers: ['+49*'] },
      own: { kind: 'pbx', host: '10.0.0.5', numbers: [] },
      lab: { kind: 'pbx', host: '127.0.0.1:5080', numbers: [] },
    };
    const told = (user: string, host: string): string => {
      try {
        const { lab, consentFor } = resolve(`sip:${user}@${host}`, {}, lines);
        return lab ? 'lab' : (consentFor ?? 'free');
      } catch (error) {
        assert(error instanceof HumanError);
        return error.reason ?? error.code ?? '';
      }
    };
    // At a trunk, at a private exchange, at one of this machine, and at a practice IVR.
    for (const [user, trunk, own] of [
      ['+4930x123456', 'not_e164', 'not_e164'],
      ['+49900x123456', 'premium', 'not_e164'],
      ['+1900CALLNOW', 'premium', 'not_e164'],
      ['+1800FLOWERS', 'not_e164', 'not_e164'],
      ['1900CALLNOW', 'premium', 'not_e164'],
      ['n0049900123456', 'premium', 'not_e164'],
      ['+88123x45678', 'satellite', 'not_e164'],
      ['x11833', 'premium', 'free'],
      ['x110', 'emergency', 'emergency'],
      ['w11', 'emergency', 'emergency'],
      ['9x9-1-1', 'emergency', 'emergency'],
      ['xyz', 'emergency', 'free'],
      ['tel%3A+4930123456', 'not_e164', 'not_e164'],
      ['%25311%25310', 'not_e164', 'not_e164'],
      ['%D9%A1%D9%A1%D9%A0', 'not_e164', 'not_e164'],
      ['%EF%BC%91%EF%BC%91%EF%BC%90', 'not_e164', 'not_e164'],
      ['+12125550123;rn=+19005551234', 'not_e164', 'not_e164'],
      [':110', 'not_e164', 'not_e164'],
      [';x=110', 'not_e164', 'not_e164'],
      ['+49-30-123456;ext=7', '+4930123456', '+4930123456'],
      ['(+49)30.123456', '+4930123456', '+4930123456'],
      ['anna.smith', 'sip:anna.smith@127.0.0.1:5060', 'free'],
      ['%61nna.smith', 'sip:anna.smith@127.0.0.1:5060', 'free'],
      ['ivr2', 'sip:ivr2@127.0.0.1:5060', 'free'],
    ] as const)
      assert.deepEqual(
        [
          told(user, '127.0.0.1:5060'),
          told(user, '10.0.0.5'),
          told(user, '127.0.0.1:5080'),
          told(user, '127.0.0.1:5070'),
        ],
        [trunk, own, own, 'lab'],
        user,
      );
    assert.throws(
      () => resolve('sip:+4930x123456@127.0.0.1:5060', {}, lines),
      /Use only digits: a plus sign, the country code and the number/,
    );
  });

  it('rejects forbidden numbers whatever address their route leads to', () => {
    const plan = { '+*': 'sip:desk@trunk.example.com', '+33*': 'sip:practice@127.0.0.1:5070' };
    for (const [number, code] of [
      ['+19005551234', 'forbidden_number'],
      ['+881612345678', 'forbidden_number'],
      ['+33899123456', 'forbidden_number'],
      ['+12', 'not_e164'],
    ] as const)
      assert.throws(() => resolve(number, plan), { code }, number);
    assert.equal(resolve('+12125550123', plan).consentFor, '+12125550123');
  });

  it("doesn't treat a target as a practice IVR if a trunk is declared there, or the call uses another transport", () => {
    const trunk: Lines = { main: { kind: 'trunk', host: '127.0.0.1:5070', numbers: ['+49*'] } };
    for (const target of ['+4930123456', '+12125550123', 'sip:+12125550123@127.0.0.1:5070']) {
      const { lab, consentFor } = resolve(target, { '+1*': 'sip:practice@127.0.0.1:5070' }, trunk);
      assert.deepEqual([lab, consentFor], [false, target.replace(/^sip:|@.*$/g, '')], target);
    }
    const { lab, consentFor } = resolve('+12125550123', { '+1*': 'sip:practice@127.0.0.1:5070;transport=tls' });
    assert.deepEqual([lab, consentFor], [false, '+12125550123']);
  });

  it('dials no emergency line over a trunk whose gateway is on this machine', () => {
    const lines: Lines = {
      main: { kind: 'trunk', host: '127.0.0.1:5060', numbers: ['+1*'] },
      lab: { kind: 'pbx', host: '127.0.0.1:5080', numbers: [] },
    };
    for (const target of ['sip:911@127.0.0.1', 'sip:%3911@localhost:5060', 'sip:+19005551234@127.0.0.1'])
      assert.throws(() => resolve(target, {}, lines), { code: 'forbidden_number' }, target);
    for (const target of ['sip:112@127.0.0.1:5080', 'sip:9911@localhost:5080', 'sip:100@127.0.0.1:5080'])
      assert.throws(() => resolve(target, {}, lines), { code: 'forbidden_number' }, target);
    assert.throws(() => resolve('sip:911@127.0.0.1:5090', { '+1*': 'sip:{number}@127.0.0.1:5090' }, {}), {
      code: 'forbidden_number',
    });
    assert.deepEqual(resolve('sip:600@127.0.0.1:5080', {}, lines), {
      uri: 'sip:600@127.0.0.1:5080',
      lab: false,
      line: 'lab',
    });
  });

  it('calls the addresses of a line over its transport, at the port that this implies', () => {
    const lines: Lines = {
      tls: { kind: 'pbx', host: 'pbx.example.com', transport: 'tls', numbers: ['+49*'] },
      tcp: { kind: 'uri', uri: 'sip:ivr@10.0.0.5:5080', transport: 'tcp', numbers: [] },
      lab: { kind: 'pbx', host: '127.0.0.1:5090', transport: 'tcp', numbers: [] },
    };
    const uriOf = (target: string): [string, string | undefined] => {
      const { uri, line } = resolve(target, {}, lines);
      return [uri, line];
    };
    assert.deepEqual(uriOf('+4930123456'), ['sip:+4930123456@pbx.example.com;transport=tls', 'tls']);
    assert.deepEqual(
      [
        'sip:600@pbx.example.com',
        'sip:600@pbx.example.com:5061',
        'sip:600@pbx.example.com;transport=tls',
        'sips:600@pbx.example.com',
      ].map(uriOf),
      [
        ['sip:600@pbx.example.com;transport=tls', 'tls'],
        ['sip:600@pbx.example.com:5061;transport=tls', 'tls'],
        ['sip:600@pbx.example.com;transport=tls', 'tls'],
        ['sips:600@pbx.example.com', 'tls'],
      ],
    );
    assert.deepEqual(
      [uriOf('sip:ivr@10.0.0.5:5080'), uriOf('sip:x@127.0.0.1:5090'), uriOf('sip:x@127.0.0.1:5090;transport=udp')],
      [
        ['sip:ivr@10.0.0.5:5080;transport=tcp', 'tcp'],
        ['sip:x@127.0.0.1:5090;transport=tcp', 'lab'],
        ['sip:x@127.0.0.1:5090;transport=udp', 'lab'],
      ],
    );
    // A route to a line's host uses the line's transport, with its login.
    const byRoute = (route: string): [string, string | undefined] => {
      const { uri, line } = resolve('+12125550123', { '+1*': route }, lines);
      return [uri, line];
    };
    assert.deepEqual(byRoute('sip:{number}@pbx.example.com'), [
      'sip:+12125550123@pbx.example.com;transport=tls',
      'tls',
    ]);
    assert.throws(() => byRoute('sip:{number}@pbx.example.com:5061;transport=udp'), /only SIP over TLS/);
    assert.deepEqual(byRoute('sip:{number}@other.example.com;transport=tls'), [
      'sip:+12125550123@other.example.com;transport=tls',
      undefined,
    ]);
    // Unencrypted to a party that the line encrypts for: only if stated explicitly.
    for (const target of ['sip:600@pbx.example.com:5061;transport=udp', 'sip:600@pbx.example.com:5061;transport=TCP'])
      assert.throws(() => resolve(target, {}, lines), /only SIP over TLS/);
    assert.throws(() => resolve('sip:600@pbx.example.com:5060', {}, lines), /calls SIP addresses only/);
    // A program at some port of this machine could interpret words as commands.
    for (const target of [
      'sip:x@127.0.0.1:6379;transport=tcp',
      'sips:x@127.0.0.1:6379',
      'sip:x@127.0.0.1:5090;transport=tls',
      'sip:x@127.0.0.1:5090;transport=ws',
    ])
      assert.throws(() => resolve(target, {}, lines), /needs a line with that transport/, target);
  });

  it('knows if a call leaves the machine', () => {
    assert.equal(leavesMachine(routes), true);
    assert.equal(leavesMachine({ '+1*': 'sip:{number}@127.0.0.1:5070' }), false);
    assert.equal(leavesMachine({}), false);
  });
});
