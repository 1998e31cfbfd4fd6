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

  for (const [host, good] of [
    ['10.0.0.5', true],
    ['trunk.example.com:5080', true],
    ['[2001:db8::1]:5080', true],
    ['localhost', true],
    ['', false],
    ['a b', false],
    ['x@y', false],
    ['x;maddr=y', false],
    ['x:0', false],
    ['x:65536', false],
    ['sip:x', false],
    ['x\r\nVia: y', false],
    ['-x', false],
  ] as const) {
    it(`${good ? 'takes' : 'refuses'} ${JSON.stringify(host)} as a host`, () => {
      assert.equal(takes({ a: { kind: 'pbx', host } }), good);
    });
  }
  for (const [user, good] of [
    ['acme', true],
    ['acme-1.x+y', true],
    ['a b', false],
    ['a"b', false],
    ['a:b', false],
    ['a@b', false],
    ['a\nb', false],
    ['', false],
  ] as const) {
    it(`${good ? 'takes' : 'refuses'} ${JSON.stringify(user)} as a user`, () => {
      assert.equal(takes({ a: { ...pbx, user } }), good);
    });
  }
  for (const [callerId, good] of [
    ['+12025550100', true],
    ['600', true],
    ['front.desk', true],
    ['a b', false],
    ['x@y', false],
    ['x>', false],
    ['+', false],
  ] as const) {
    it(`${good ? 'takes' : 'refuses'} ${JSON.stringify(callerId)} as a caller id`, () => {
      assert.equal(takes({ a: { ...pbx, callerId } }), good);
    });
  }
  for (const [uri, good] of [
    ['sip:support@ivr.example.com:5080', true],
    ['sip:ivr.example.com', false],
    ['sip:a:b@c', false],
    ['sip:a@b?x=y', false],
    ['sip:a@b;maddr=c', false],
    ['sips:a@b', false],
    ['a@b', false],
  ] as const) {
    it(`${good ? 'takes' : 'refuses'} ${uri} as an address`, () => {
      assert.equal(takes({ a: { kind: 'uri', uri } }), good);
    });
  }
  for (const [number, good] of [
    ['+12025550100', true],
    ['600', true],
    ['*43', true],
    ['#1', true],
    ['echo', true],
    ['', false],
    ['a b', false],
    ['x@y', false],
    ['x;y', false],
  ] as const) {
    it(`${good ? 'takes' : 'refuses'} ${JSON.stringify(number)} as an echo number`, () => {
      assert.equal(callLineEchoSchema.safeParse({ name: 'a', number }).success, good);
    });
  }

  it('are called over their transport', () => {
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

  it("can't serve a number twice", () => {
    const twice = { a: { ...pbx, numbers: ['+49*', '+49*'] }, b: { ...pbx, numbers: ['+1*', '+49*'] } };
    assert.equal(why(twice), 'b.numbers: The line a already serves +49*. Remove the number from one of the two lines.');
    assert.ok(takes({ a: { ...pbx, numbers: ['+49*'] }, b: { ...pbx, numbers: ['+4930*'] } }));
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
        '+4420*': { uri: 'sip:ivr@x', line: 'ivr' },
      },
    );
    assert.deepEqual(
      Object.values(lines).map((line) => [templateOf(line), pingAddressOf(line)]),
      [
        ['sip:{number}@[2001:db8::1]', 'sip:[2001:db8::1]'],
        ['sip:ivr@x', 'sip:ivr@x'],
      ],
    );
    assert.equal(passwordVariable('main-trunk-2'), 'DIALTREE_LINE_PASSWORD_MAIN_TRUNK_2');
  });
});
