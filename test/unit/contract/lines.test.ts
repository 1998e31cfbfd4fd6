import assert from 'node:assert/strict';
import { limits } from '../../../src/contract/limits.ts';
import { callLineEchoSchema, linesSchema } from '../../../src/contract/lines.ts';
import { dialPlanOf, passwordVariable, pingAddressOf, templateOf } from '../../../src/model/calls/linePlan.ts';

const pbx = { kind: 'pbx', host: '10.0.0.5' };
const takes = (lines: unknown): boolean => linesSchema.safeParse(lines).success;
const why = (lines: unknown): string =>
  linesSchema
    .safeParse(lines)
    .error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
    .join('; ') ?? '';

describe('the lines of the contract', () => {
  it('include trunks, exchanges and single addresses', () => {
    assert.deepEqual(
      linesSchema.parse({
        a: { kind: 'trunk', host: 'trunk.example.com', numbers: ['+*'], transport: 'udp' },
        b: pbx,
        c: { kind: 'uri', uri: 'sip:ivr@[::1]:5070' },
      }),
      {
        a: { kind: 'trunk', host: 'trunk.example.com', numbers: ['+*'], transport: 'udp' },
        b: { kind: 'pbx', host: '10.0.0.5', numbers: [] },
        c: { kind: 'uri', uri: 'sip:ivr@[::1]:5070', numbers: [] },
      },
    );
    assert.match(why({ a: { kind: 'trunk', host: 'x', numbers: [] } }), /at least one number/);
    assert.match(why({ a: { kind: 'modem', host: 'x' } }), /kind must be trunk, pbx or uri/);
    assert.match(why({ a: { ...pbx, transport: 'ws' } }), /transport must be udp, tcp or tls/);
    assert.match(why({ a: { ...pbx, dtmf: 'sms' } }), /dtmf must be/);
    assert.ok(!takes({ a: { ...pbx, password: 'x' } }), 'a password has no place in settings');
  });

  it('have bounded names, numbers, pace and simultaneous calls', () => {
    const { lines: bounds } = limits;
    for (const [name, good] of [
      ['a', true],
      ['main-trunk-2', true],
      ['x'.repeat(bounds.name), true],
      ['x'.repeat(bounds.name + 1), false],
      ['', false],
      ['Main', false],
      ['a_b', false],
      ['a--b', false],
      ['-a', false],
      ['ä', false],
    ] as const)
      assert.equal(takes({ [name]: pbx }), good, name);
    const numbers = (count: number): string[] => Array.from({ length: count }, (_, index) => `+49${String(index)}*`);
    assert.deepEqual(
      [
        takes({ a: { ...pbx, numbers: numbers(bounds.numbers) } }),
        takes({ a: { ...pbx, numbers: numbers(bounds.numbers + 1) } }),
      ],
      [true, false],
    );
    for (const [member, { min, max }] of Object.entries({
      callsPerSecond: bounds.callsPerSecond,
      concurrentCalls: bounds.concurrentCalls,
      ringSeconds: limits.ringSeconds,
      costPerMinute: limits.costPerMinute,
    })) {
      assert.deepEqual(
        [min, max, min - 0.01, max + 1].map((value) => takes({ a: { ...pbx, [member]: value } })),
        [true, true, false, false],
        member,
      );
    }
    assert.ok(!takes({ a: { ...pbx, concurrentCalls: 1.5 } }));
    const many = (count: number): object =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`l${String(index)}`, pbx]));
    assert.deepEqual([takes(many(bounds.most)), takes(many(bounds.most + 1))], [true, false]);
  });

  for (const [what, isTaken, good, bad] of [
    [
      'host',
      (host: string) => takes({ a: { kind: 'pbx', host } }),
      ['10.0.0.5', 'trunk.example.com:5080', '[2001:db8::1]:5080', 'localhost'],
      ['', 'a b', 'x@y', 'x;maddr=y', 'x:0', 'x:65536', 'sip:x', 'x\r\nVia: y', '-x'],
    ],
    [
      'user',
      (user: string) => takes({ a: { ...pbx, user } }),
      ['acme', 'acme-1.x+y'],
      ['a b', 'a"b', 'a:b', 'a@b', 'a\nb', ''],
    ],
    [
      'caller id',
      (callerId: string) => takes({ a: { ...pbx, callerId } }),
      ['+12025550100', '600', 'front.desk'],
      ['a b', 'x@y', 'x>', '+'],
    ],
    [
      'address',
      (uri: string) => takes({ a: { kind: 'uri', uri } }),
      ['sip:support@ivr.example.com:5080'],
      ['sip:ivr.example.com', 'sip:a:b@c', 'sip:a@b?x=y', 'sip:a@b;maddr=c', 'sips:a@b', 'a@b'],
    ],
    [
      'echo number',
      (number: string) => callLineEchoSchema.safeParse({ name: 'a', number }).success,
      ['+12025550100', '600', '*43', '#1', 'echo'],
      ['', 'a b', 'x@y', 'x;y'],
    ],
  ] as const) {
    for (const text of [...good, ...bad]) {
      const isGood = good.some((one) => one === text);
      it(`${isGood ? 'take' : 'refuse'} ${JSON.stringify(text)} as ${what}`, () => assert.equal(isTaken(text), isGood));
    }
  }

  it('use their transport', () => {
    const lines = linesSchema.parse({
      main: { kind: 'trunk', host: 'trunk.example.com', transport: 'tls', numbers: ['+1*'] },
      ivr: { kind: 'uri', uri: 'sip:ivr@x', transport: 'tcp' },
      lab: { ...pbx, transport: 'udp' },
    });
    assert.deepEqual(Object.values(lines).map(templateOf), [
      'sip:{number}@trunk.example.com;transport=tls',
      'sip:ivr@x;transport=tcp',
      'sip:{number}@10.0.0.5',
    ]);
    assert.deepEqual(Object.values(lines).map(pingAddressOf), [
      'sip:trunk.example.com;transport=tls',
      'sip:ivr@x;transport=tcp',
      'sip:10.0.0.5',
    ]);
  });

  it('serve the same number in an order', () => {
    const numbers = ['+49*', '+49*'];
    const twice = { b: { ...pbx, numbers }, a: { ...pbx, numbers }, c: { ...pbx, numbers, priority: 1 } };
    assert.ok(takes(twice));
    const { line, otherLines } = dialPlanOf({}, linesSchema.parse(twice))['+49*'] ?? {};
    assert.deepEqual([line, otherLines], ['a', ['b', 'c']]);
  });

  it('form a dial plan together with the routes, and the routes come first', () => {
    const lines = linesSchema.parse({
      main: { kind: 'trunk', host: '[2001:db8::1]', numbers: ['+1*', '+49*'], costPerMinute: 0.1 },
      ivr: { kind: 'uri', uri: 'sip:ivr@x', numbers: ['+4420*'] },
    });
    assert.deepEqual(
      dialPlanOf({ '+49*': 'sip:{number}@other', '+12*': { uri: 'sip:x@y', costPerMinute: 1 } }, lines),
      {
        '+1*': { uri: 'sip:{number}@[2001:db8::1]', line: 'main', costPerMinute: 0.1 },
        '+49*': { uri: 'sip:{number}@other' },
        '+12*': { uri: 'sip:x@y', costPerMinute: 1 },
        '+4420*': { uri: 'sip:ivr@x', line: 'ivr', costPerMinute: undefined },
      },
    );
    assert.equal(passwordVariable('main-trunk-2'), 'DIALTREE_LINE_PASSWORD_MAIN_TRUNK_2');
  });
});
