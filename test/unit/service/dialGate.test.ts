import assert from 'node:assert/strict';
import { HumanError } from '../../../src/contract/errors.ts';
import type { Lines } from '../../../src/contract/lines.ts';
import { leavesMachine, resolveTarget } from '../../../src/service/runs/dialGate.ts';

const routes = { '+12025550101': 'sip:lab@127.0.0.1:5070', '+1*': 'sip:{number}@trunk.example.com;transport=udp' };
const codeOf = (target: string): string | undefined => {
  try {
    resolveTarget(target, routes);
    return undefined;
  } catch (error) {
    return error instanceof HumanError ? error.code : String(error);
  }
};

describe('dial gate', () => {
  it('sends lab numbers to this machine without consent, and others to the trunk with it', () => {
    assert.deepEqual(resolveTarget('+12025550101', routes), { uri: 'sip:lab@127.0.0.1:5070', lab: true });
    assert.deepEqual(resolveTarget('+12125550123', routes), {
      uri: 'sip:+12125550123@trunk.example.com;transport=udp',
      lab: false,
      consentFor: '+12125550123',
    });
    for (const uri of ['sip:x@127.0.0.1', 'sip:x@localhost:5080', 'sip:x@[::1]:5060', 'SIP:911@127.0.0.1'])
      assert.deepEqual(resolveTarget(uri, routes), { uri, lab: true });
  });

  it('lets a SIP address on a trunk carry no number that a plain number could not be', () => {
    assert.deepEqual(resolveTarget('sip:sales@TRUNK.example.com', routes), {
      uri: 'sip:sales@TRUNK.example.com',
      lab: false,
      consentFor: 'sip:sales@trunk.example.com',
    });
    assert.equal(
      resolveTarget('sip:+1-212-555-0123;phone-context=x@trunk.example.com', routes).consentFor,
      '+12125550123',
    );
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
      // What some exchange may read as a number all the same.
      ['sip:*67+12125550123@trunk.example.com', 'not_e164'],
      ['sip:9+12125550123@trunk.example.com', 'not_e164'],
      ['sip:50101;phone-context=+121255@trunk.example.com', 'not_e164'],
      ['sip:1/900/555/1234@trunk.example.com', 'not_e164'],
      // The host that is called is not the one that a prefix such as sip:x@pbx.example.com* names.
      ['sip:x@pbx.example.com@trunk.example.com', 'no_route'],
      ['sip:x@127.0.0.1;@trunk.example.com', 'no_route'],
    ] as const)
      assert.equal(codeOf(target), code, target);
  });

  it('tells the rate of the route, and of an address the dearest one to its host', () => {
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
      ['sip:x@127.0.0.1', undefined],
    ] as const)
      assert.equal(resolveTarget(target, rated).costPerMinute, rate, target);
    assert.deepEqual(resolveTarget('+99912345678', rated), { uri: 'sip:x@127.0.0.1', lab: true, costPerMinute: 1 });
  });

  it('knows an exchange of this machine by all its names, and each by its own first', () => {
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
      assert.equal(resolveTarget(target, {}, lines).line, line, target);
  });

  it('tells an exchange of this machine from an IVR: another extension than that of a line, and where numbers are handed on to', () => {
    const lines: Lines = { echo: { kind: 'uri', uri: 'sip:600@127.0.0.1:5090', numbers: [] } };
    const plan = {
      '+1*': 'sip:{number}@localhost:5060',
      '+12025550102': 'sip:{number}@127.0.0.1:5071',
      '+49*': 'sip:practice@127.0.0.1:5070',
    };
    for (const [target, exchange] of [
      ['sip:601@127.0.0.1:5090', true],
      ['sip:ivr@localhost:5090', true],
      ['sip:600@127.0.0.1', true],
      ['sip:600@[::1]:5060', true],
      ['sip:x@127.0.0.1:5071', undefined],
      ['sip:x@127.0.0.1:5070', undefined],
      ['sip:x@127.0.0.1:5091', undefined],
    ] as const)
      assert.equal(resolveTarget(target, plan, lines).exchange, exchange, target);
  });

  it("asks consent for short codes where a carrier may be, and not for extensions of an exchange of one's own", () => {
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
      const dialling = resolveTarget(target, routes, lines);
      assert.deepEqual([dialling.lab, dialling.consentFor], [false, consentFor], target);
    }
    for (const [target, code] of [
      ['sip:11833@trunk.example.com', 'forbidden_number'],
      ['sip:0900@trunk.example.com', 'forbidden_number'],
      ['sip:09001@carrier.example.com:5080', 'forbidden_number'],
      ['sip:030123@trunk.example.com', 'not_e164'],
      // With what an exchange may take for the way out before it.
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
      assert.throws(() => resolveTarget(target, routes, lines), { code }, target);
  });

  it('takes what is declared a trunk for one, also on this machine, by whatever name and route', () => {
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
    assert.deepEqual(resolveTarget('+12125550123', plan, lines), {
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
      const dialling = resolveTarget(target, plan, lines);
      assert.deepEqual([dialling.lab, dialling.consentFor, dialling.line], [false, consentFor, 'main'], target);
    }
    for (const target of [
      '+12025550101',
      '+12125550199',
      '+4930123456',
      'sip:600@127.0.0.1:5080',
      '+33123456789',
      'sip:600@127.0.0.3',
      'sip:practice@127.0.0.1:5070',
    ]) {
      const { lab, consentFor } = resolveTarget(target, plan, lines);
      assert.deepEqual([lab, consentFor], [true, undefined], target);
    }
    assert.throws(() => resolveTarget('+12025550102', plan, lines), { code: 'no_route', message: /no trunk/ });
  });

  it('takes no letter in a number for leave to call it, and refuses what somebody may read another way', () => {
    const lines: Lines = {
      main: { kind: 'trunk', host: '127.0.0.1:5060', numbers: ['+49*'] },
      own: { kind: 'pbx', host: '10.0.0.5', numbers: [] },
      lab: { kind: 'pbx', host: '127.0.0.1:5080', numbers: [] },
    };
    const told = (user: string, host: string): string => {
      try {
        const { lab, consentFor } = resolveTarget(`sip:${user}@${host}`, {}, lines);
        return lab ? 'lab' : (consentFor ?? 'free');
      } catch (error) {
        assert(error instanceof HumanError);
        return error.reason ?? error.code ?? '';
      }
    };
    // At a trunk, at an exchange of one's own, at one of this machine.
    for (const [user, trunk, own, lab] of [
      ['+4930x123456', 'not_e164', 'not_e164', 'lab'],
      ['+49900x123456', 'premium', 'not_e164', 'lab'],
      ['+1900CALLNOW', 'premium', 'not_e164', 'lab'],
      ['+1800FLOWERS', 'not_e164', 'not_e164', 'lab'],
      ['1900CALLNOW', 'premium', 'not_e164', 'lab'],
      ['n0049900123456', 'premium', 'not_e164', 'lab'],
      ['+88123x45678', 'satellite', 'not_e164', 'lab'],
      ['x11833', 'premium', 'free', 'lab'],
      ['x110', 'emergency', 'emergency', 'emergency'],
      ['w11', 'emergency', 'emergency', 'emergency'],
      ['9x9-1-1', 'emergency', 'emergency', 'emergency'],
      ['xyz', 'emergency', 'free', 'lab'],
      ['tel%3A+4930123456', 'not_e164', 'not_e164', 'lab'],
      ['%25311%25310', 'not_e164', 'not_e164', 'lab'],
      ['%D9%A1%D9%A1%D9%A0', 'not_e164', 'not_e164', 'lab'],
      ['%EF%BC%91%EF%BC%91%EF%BC%90', 'not_e164', 'not_e164', 'emergency'],
      ['+12125550123;rn=+19005551234', 'not_e164', 'not_e164', 'lab'],
      [':110', 'not_e164', 'not_e164', 'lab'],
      [';x=110', 'not_e164', 'not_e164', 'lab'],
      ['+49-30-123456;ext=7', '+4930123456', '+4930123456', 'lab'],
      ['(+49)30.123456', '+4930123456', '+4930123456', 'lab'],
      ['anna.smith', 'sip:anna.smith@127.0.0.1:5060', 'free', 'lab'],
      ['%61nna.smith', 'sip:anna.smith@127.0.0.1:5060', 'free', 'lab'],
      ['ivr2', 'sip:ivr2@127.0.0.1:5060', 'free', 'lab'],
    ] as const)
      assert.deepEqual(
        [told(user, '127.0.0.1:5060'), told(user, '10.0.0.5'), told(user, '127.0.0.1:5080')],
        [trunk, own, lab],
        user,
      );
    assert.throws(
      () => resolveTarget('sip:+4930x123456@127.0.0.1:5060', {}, lines),
      /Write it in figures alone, as \+ country code and number/,
    );
  });

  it('dials no emergency line over a trunk whose gateway is on this machine', () => {
    const lines: Lines = {
      main: { kind: 'trunk', host: '127.0.0.1:5060', numbers: ['+1*'] },
      lab: { kind: 'pbx', host: '127.0.0.1:5080', numbers: [] },
    };
    for (const target of ['sip:911@127.0.0.1', 'sip:%3911@localhost:5060', 'sip:+19005551234@127.0.0.1'])
      assert.throws(() => resolveTarget(target, {}, lines), { code: 'forbidden_number' }, target);
    // Extensions of an exchange often begin there; what any exchange takes for a call for help is dialled at none.
    for (const target of ['sip:112@127.0.0.1:5080', 'sip:9911@localhost:5080'])
      assert.throws(() => resolveTarget(target, {}, lines), { code: 'forbidden_number' }, target);
    assert.throws(() => resolveTarget('sip:911@127.0.0.1:5090', { '+1*': 'sip:{number}@127.0.0.1:5090' }, {}), {
      code: 'forbidden_number',
    });
    assert.deepEqual(resolveTarget('sip:100@127.0.0.1:5080', {}, lines), {
      uri: 'sip:100@127.0.0.1:5080',
      lab: true,
      line: 'lab',
    });
  });

  it('calls the addresses of a line over what it speaks, at the port that this means', () => {
    const lines: Lines = {
      tls: { kind: 'pbx', host: 'pbx.example.com', transport: 'tls', numbers: ['+49*'] },
      tcp: { kind: 'uri', uri: 'sip:ivr@10.0.0.5:5080', transport: 'tcp', numbers: [] },
      lab: { kind: 'pbx', host: '127.0.0.1:5090', transport: 'tcp', numbers: [] },
    };
    const uriOf = (target: string): [string, string | undefined] => {
      const { uri, line } = resolveTarget(target, {}, lines);
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
    // A route to the host of a line goes over what the line speaks, with its login.
    const byRoute = (route: string): [string, string | undefined] => {
      const { uri, line } = resolveTarget('+12125550123', { '+1*': route }, lines);
      return [uri, line];
    };
    assert.deepEqual(byRoute('sip:{number}@pbx.example.com'), [
      'sip:+12125550123@pbx.example.com;transport=tls',
      'tls',
    ]);
    assert.throws(() => byRoute('sip:{number}@pbx.example.com:5061;transport=udp'), /TLS alone/);
    assert.deepEqual(byRoute('sip:{number}@other.example.com;transport=tls'), [
      'sip:+12125550123@other.example.com;transport=tls',
      undefined,
    ]);
    // In the clear to whom the line encrypts for: not without being told.
    for (const target of ['sip:600@pbx.example.com:5061;transport=udp', 'sip:600@pbx.example.com:5061;transport=TCP'])
      assert.throws(() => resolveTarget(target, {}, lines), /TLS alone/);
    assert.throws(() => resolveTarget('sip:600@pbx.example.com:5060', {}, lines), /Only SIP addresses/);
    // What listens at some port of this machine may take words for commands.
    for (const target of [
      'sip:x@127.0.0.1:6379;transport=tcp',
      'sips:x@127.0.0.1:6379',
      'sip:x@127.0.0.1:5090;transport=tls',
      'sip:x@127.0.0.1:5090;transport=ws',
    ])
      assert.throws(() => resolveTarget(target, {}, lines), /alone that are set up for it/, target);
  });

  it('knows whether some call leaves the machine', () => {
    assert.equal(leavesMachine(routes), true);
    assert.equal(leavesMachine({ '+1*': 'sip:{number}@127.0.0.1:5070' }), false);
    assert.equal(leavesMachine({}), false);
  });
});
