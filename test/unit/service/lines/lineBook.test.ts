import assert from 'node:assert/strict';
import type * as z from 'zod';
import { HumanError } from '../../../../src/contract/errors.ts';
import { linesSchema, type lineSchema } from '../../../../src/contract/lines.ts';
import { defaultCaller } from '../../../../src/contract/profiles.ts';
import type { CallerProfile } from '../../../../src/contract/profiles.ts';
import type { DialOptions, Dialer, ActiveCall } from '../../../../src/engine/call/activeCall.ts';
import { DialError } from '../../../../src/engine/call/activeCall.ts';
import { LineBook } from '../../../../src/service/lines/lineBook.ts';
import type { CallEnd, CallerAccount, CallEvent, CallLeg } from '../../../../src/telephony/call.ts';
import { practiceAt } from '../../../support/practicePlaces.ts';
import { ManualClock, settle } from '../../../support/manualClock.ts';

const trunk = {
  kind: 'trunk' as const,
  host: 'trunk.example.com',
  user: 'acme',
  callerId: '+12025550100',
  numbers: ['+1*', '+49*'],
  costPerMinute: 0.02,
  callsPerSecond: 2,
  concurrentCalls: 10,
} satisfies z.input<typeof lineSchema>;
const given: z.input<typeof linesSchema> = {
  main: trunk,
  second: { kind: 'trunk', host: 'trunk.example.com', user: 'other', numbers: ['+44*'] },
  lab: { kind: 'pbx', host: '10.0.0.5:5080', user: 'dialtree', costPerMinute: 0 },
  desk: { kind: 'pbx', host: '127.0.0.1:5099' },
  support: { kind: 'uri', uri: 'sip:support@ivr.example.com' },
};
const routes = {
  '+12025550101': 'sip:practice@127.0.0.1:5070',
  '+4930*': { uri: 'sip:{number}@berlin.example.com', costPerMinute: 0.5 },
  '+4989*': 'sip:89@10.0.0.5:5080',
};
const practices = practiceAt('127.0.0.1:5070');
/** Returns a book with only these lines. */
const bookOf = (
  lines: z.input<typeof linesSchema>,
  passwords: Record<string, string> = {},
  more: Partial<ConstructorParameters<typeof LineBook>[0]> = {},
): LineBook =>
  new LineBook({
    ...{ routes: {}, lines: linesSchema.parse(lines), passwords, practices, clock: new ManualClock() },
    ...more,
  });
const book = (passwords: Record<string, string> = { main: 'secret1', second: 'secret2', lab: 'secret3' }): LineBook =>
  bookOf(given, passwords, { routes });
const busy: CallEnd = { by: 'remote', kind: 'busy', status: 486, reason: 'Busy Here' };
/** Returns a dialer whose calls are all busy, and the options of its calls. */
function busyDialer(): { opened: Dialer; dialled: (DialOptions | undefined)[] } {
  const dialled: (DialOptions | undefined)[] = [];
  const opened: Dialer = {
    dial: (_target, _signal, options) => {
      dialled.push(options);
      return Promise.reject(new DialError(busy));
    },
  };
  return { opened, dialled };
}
const codeOf = (work: () => unknown): string | undefined => {
  try {
    work();
    return undefined;
  } catch (error) {
    return error instanceof HumanError ? error.code : String(error);
  }
};

describe('the lines of a service', () => {
  it('serve their numbers; a longer key and a route of the dial plan come first', () => {
    assert.deepEqual(book().resolve('+12125550123'), {
      uri: 'sip:+12125550123@trunk.example.com',
      lab: false,
      consentFor: '+12125550123',
      costPerMinute: 0.02,
      line: 'main',
    });
    assert.deepEqual(
      book().resolve('+442071838750'),
      { uri: 'sip:+442071838750@trunk.example.com', lab: false, consentFor: '+442071838750', line: 'second' },
      'without the rate of the other line to that host',
    );
    assert.deepEqual(book().resolve('+12025550101'), { uri: 'sip:practice@127.0.0.1:5070', lab: true });
    assert.deepEqual(book().resolve('+4930123456'), {
      uri: 'sip:+4930123456@berlin.example.com',
      lab: false,
      consentFor: '+4930123456',
      costPerMinute: 0.5,
    });
    assert.deepEqual(
      book().resolve('+4989123456'),
      { uri: 'sip:89@10.0.0.5:5080', lab: false, consentFor: '+4989123456', costPerMinute: 0, line: 'lab' },
      'a route to the host of a line goes over it',
    );
    assert.equal(
      codeOf(() => book().resolve('+33123456789')),
      'no_route',
    );
    assert.equal(
      codeOf(() => book().resolve('+19005550123')),
      'forbidden_number',
    );
  });

  it('serve addresses at their own port; a line of a single address serves only that one', () => {
    assert.deepEqual(book().resolve('sip:600@10.0.0.5:5080'), {
      uri: 'sip:600@10.0.0.5:5080',
      lab: false,
      costPerMinute: 0,
      line: 'lab',
    });
    assert.deepEqual(book().resolve('sip:600@127.0.0.1:5099'), {
      uri: 'sip:600@127.0.0.1:5099',
      lab: false,
      line: 'desk',
    });
    assert.deepEqual(book().resolve('sip:600@127.0.0.1:5098'), {
      uri: 'sip:600@127.0.0.1:5098',
      lab: false,
      consentFor: 'sip:600@127.0.0.1:5098',
    });
    assert.deepEqual(book().resolve('sip:support@IVR.example.com:5060'), {
      uri: 'sip:support@IVR.example.com:5060',
      lab: false,
      line: 'support',
    });
    for (const target of ['sip:x@trunk.example.com:5061', 'sip:sales@ivr.example.com', 'sip:x@elsewhere.example.com'])
      assert.equal(
        codeOf(() => book().resolve(target)),
        'no_route',
        target,
      );
    assert.equal(
      book().resolve('sip:+12125550123@trunk.example.com').consentFor,
      '+12125550123',
      'an address that spells a number is held to the rules for numbers',
    );
  });

  it('place no call while their password is missing, and say how to set it', () => {
    for (const target of ['+12125550123', 'sip:x@trunk.example.com']) {
      assert.throws(
        () => book({}).resolve(target),
        (error: HumanError) =>
          error.code === 'line_password' &&
          error.status === 409 &&
          /Set Line Password….*DIALTREE_LINE_PASSWORD_MAIN/.test(error.message),
      );
    }
    assert.equal(book({}).resolve('sip:600@127.0.0.1:5099').line, 'desk', 'one without a user needs none');
    assert.equal(
      codeOf(() => book({ main: '' }).resolve('+12125550123')),
      'line_password',
    );
    const { kind, host, user, numbers } = trunk;
    const unlucky = bookOf({}, {}, { lines: { constructor: { kind, host, user, numbers } } });
    assert.equal(
      codeOf(() => unlucky.resolve('+12125550123')),
      'line_password',
      'what every object has is no password',
    );
  });

  it('reach their echo number, whatever else serves it', () => {
    assert.deepEqual(book().resolveOn('second', '+12125550123'), {
      uri: 'sip:+12125550123@trunk.example.com',
      lab: false,
      consentFor: '+12125550123',
      line: 'second',
    });
    assert.deepEqual(book().resolveOn('lab', '*43#'), {
      uri: 'sip:*43%23@10.0.0.5:5080',
      lab: false,
      costPerMinute: 0,
      line: 'lab',
    });
    assert.deepEqual(book().resolveOn('desk', '600'), { uri: 'sip:600@127.0.0.1:5099', lab: false, line: 'desk' });
    assert.equal(book().resolveOn('support', undefined).uri, 'sip:support@ivr.example.com');
    for (const [name, number, code] of [
      ['lab', undefined, 'invalid_request'],
      ['support', '600', 'invalid_request'],
      ['lab', '112', 'forbidden_number'],
      ['main', '+19005550123', 'forbidden_number'],
      ['main', '12125550123', 'not_e164'],
      ['none', '600', 'line_unknown'],
    ] as const) {
      assert.equal(
        codeOf(() => book().resolveOn(name, number)),
        code,
        `${name} ${String(number)}`,
      );
    }
    assert.equal(
      codeOf(() => book({}).resolveOn('lab', '600')),
      'line_password',
    );
    assert.equal(book().resolveOn('second', '*43').consentFor, 'sip:*43@trunk.example.com');
    assert.equal(
      codeOf(() => book().resolveOn('main', '11833')),
      'forbidden_number',
    );
  });

  it('carry calls with their login, count them, and enforce their limit', async () => {
    const dialled: (CallerAccount | undefined)[] = [];
    const ends: (() => void)[] = [];
    const dialer: Dialer = {
      dial: (target, _signal, as) => {
        dialled.push(as);
        if (target === 'refused') return Promise.reject(new DialError({ by: 'remote', kind: 'busy', reason: 'busy' }));
        return Promise.resolve({
          ended: undefined,
          listen: (listener: (event: { type: string }) => void) => {
            ends.push(() => listener({ type: 'ended' }));
            return () => undefined;
          },
        } as unknown as ActiveCall);
      },
    };
    const lines = bookOf({ lab: { ...trunk, callsPerSecond: undefined, concurrentCalls: 1 } }, { lab: 'pw' });
    const over = lines.over(dialer, { line: 'lab' }, defaultCaller);
    const { signal } = new AbortController();
    const callsNow = (): number | undefined => lines.states()[0]?.callsNow;
    await assert.rejects(over.dial('refused', signal), { name: 'DialError' });
    assert.equal(callsNow(), 0);
    await over.dial('first', signal);
    void over.dial('second', signal);
    await settle();
    assert.deepEqual([dialled.length, callsNow()], [2, 1]);
    ends[0]?.();
    await settle();
    assert.deepEqual([dialled.length, callsNow()], [3, 1]);
    assert.deepEqual(
      dialled.map((as) => as?.credentials?.password),
      ['pw', 'pw', 'pw'],
    );
    await lines.over(dialer, {}, defaultCaller).dial('other', signal);
    assert.deepEqual(
      [dialled.at(-1)?.credentials, callsNow()],
      [undefined, 1],
      'other calls have no login, and count for no line',
    );
  });

  it('limit what runs and load tests request', () => {
    const main = { line: 'main' };
    assert.deepEqual(book().limitsOf(main), { callsPerSecond: 2, concurrentCalls: 10 });
    assert.deepEqual(book().limitsOf({}), {});
    for (const [concurrency, callsPerSecond, over, fitted] of [
      [10, 50, main, 2],
      [10, 1.5, main, 1.5],
      [1000, 50, { line: 'second' }, 50],
      [1000, 50, {}, 50],
    ] as const)
      assert.deepEqual(book().fitLoad({ concurrency, callsPerSecond }, over, defaultCaller), {
        concurrency,
        callsPerSecond: fitted,
      });
    const stages = [12, 3].map((concurrency) => ({ concurrency, rampSeconds: 0, holdSeconds: 1 }));
    const careful = (concurrency: number): CallerProfile => ({ ...defaultCaller, name: 'Careful', concurrency });
    for (const [load, over, caller, code, message] of [
      [{ concurrency: 11 }, main, defaultCaller, 'line_limit', /up to 10 simultaneous calls, .* needs 11/],
      [{ concurrency: 2, stages }, main, defaultCaller, 'line_limit', /up to 10 simultaneous calls, .* needs 12/],
      [{ concurrency: 2, stages }, {}, careful(11), 'profile_limit', /up to 11 simultaneous calls, .* needs 12/],
      [
        { concurrency: 1, callsPerSecond: 3 },
        main,
        defaultCaller,
        'line_limit',
        /up to 2 calls per second, .* needs 3/,
      ],
      [{ concurrency: 4 }, {}, careful(3), 'profile_limit', /“Careful” allows up to 3 simultaneous .* needs 4/],
    ] as const)
      assert.throws(() => book().fitLoad({ callsPerSecond: 50, ...load }, over, caller), {
        code,
        status: 400,
        message,
      });
  });

  describe('a profile', () => {
    const profile = (more: Partial<CallerProfile>): CallerProfile => ({ ...defaultCaller, name: 'Careful', ...more });
    const passwords = { main: 'a', second: 'b', lab: 'c' };
    const places = { routes, practices: practiceAt('127.0.0.1:5070', '127.0.0.1:5099') };
    const fraud = { code: 'caller_id_not_allowed', status: 403 };

    it('uses the line that it names if that serves the target, and is rejected otherwise', () => {
      const two: z.input<typeof linesSchema> = {
        ...given,
        cheap: { kind: 'trunk', host: 'trunk.example.com', numbers: ['+4420*'], costPerMinute: 0.001 },
        near: { kind: 'pbx', host: '127.0.0.1:5099', numbers: ['+1202555*'] },
      };
      const lines = bookOf(two, passwords, places);
      assert.equal(lines.resolve('+442071838750').line, 'cheap', 'the longer prefix');
      assert.equal(lines.resolve('+442071838750', profile({ line: 'second' })).line, 'second');
      assert.deepEqual(lines.resolve('+12125550123', profile({ line: 'main' })), lines.resolve('+12125550123'));
      assert.deepEqual(lines.resolve('+442071838750', profile({ line: 'cheap' })), {
        uri: 'sip:+442071838750@trunk.example.com',
        lab: false,
        consentFor: '+442071838750',
        costPerMinute: 0.001,
        line: 'cheap',
      });
      assert.deepEqual(
        lines.resolve('sip:600@127.0.0.1:5099', profile({ line: 'near' })),
        { uri: 'sip:600@127.0.0.1:5099', lab: true, line: 'near' },
        'of two at one place',
      );
      assert.deepEqual(
        lines.resolve('+12025550101', profile({ line: 'near' })),
        { uri: 'sip:+12025550101@127.0.0.1:5099', lab: true, line: 'near' },
        'before a route',
      );
      for (const [line, target] of [
        ['cheap', '+12125550123'],
        ['lab', '+12125550123'],
        ['support', '+12125550123'],
        ['near', 'sip:600@10.0.0.5:5080'],
        ['lab', 'sip:practice@127.0.0.1:5070'],
      ] as const) {
        assert.throws(
          () => lines.resolve(target, profile({ line })),
          {
            code: 'line_not_serving',
            status: 400,
            message: /^The line \S+ of the launch or the profile “Careful” doesn't serve /,
          },
          `${line} ${target}`,
        );
      }
      assert.equal(
        codeOf(() => lines.resolve('+12125550123', profile({ line: 'gone' }))),
        'line_unknown',
      );
      assert.equal(
        codeOf(() => lines.resolve('+19005550123', profile({ line: 'main' }))),
        'forbidden_number',
        'no profile leads around the rules for numbers',
      );
      assert.equal(
        codeOf(() => lines.resolve('+12025550150', profile({ line: 'main' }))),
        'no_route',
        'nor to numbers kept for fiction over a trunk',
      );
    });

    it('presents its caller ID if the line lists it, and is rejected otherwise', async () => {
      const lines = bookOf({ ...given, main: { ...trunk, callerIds: ['+12025550111', '600'] } }, passwords, places);
      const other = profile({ callerId: '+12025550111' });
      assert.equal(lines.resolve('+12125550123', other).line, 'main');
      assert.equal(
        lines.resolve('+12125550123', profile({ callerId: '+12025550100' })).line,
        'main',
        'that of the line itself',
      );
      assert.throws(() => lines.resolve('+12125550123', profile({ callerId: '+12025550112' })), {
        ...fraud,
        message: /calls from \+12025550112, which the line main doesn't allow\. Choose another caller ID/,
      });
      assert.throws(() => lines.resolve('+442071838750', other), fraud, 'of another line');
      assert.throws(() => lines.resolve('+4930123456', other), { ...fraud, message: /needs a line/ });
      assert.deepEqual(
        lines.resolve('+12025550101', other),
        lines.resolve('+12025550101'),
        'a practice IVR is called by nobody in particular',
      );
      assert.throws(() => lines.assertPresents(profile({ callerId: '+12025550112' })), fraud);
      assert.throws(() => lines.assertPresents(profile({ callerId: '600', line: 'lab' })), fraud);
      assert.throws(() => lines.assertPresents(profile({ line: 'gone' })), { code: 'line_unknown' });
      lines.assertPresents(profile({ callerId: '600', line: 'main' }));
      lines.assertPresents(other);
      assert.deepEqual(lines.states().find(({ name }) => name === 'main')?.callerIds, ['+12025550111', '600']);

      const { opened, dialled } = busyDialer();
      const caller = profile({ callerId: '600', voice: 'slt', keyToneMs: 250, keyGapMs: 300 });
      const { signal } = new AbortController();
      for (const line of ['main', undefined])
        await assert.rejects(
          lines.over(opened, { line }, caller).dial('sip:x@trunk.example.com', signal, { ringSeconds: 9 }),
        );
      const manner = { voice: 'slt', keys: { toneMs: 250, gapMs: 300 }, ringSeconds: 9 };
      assert.deepEqual(dialled, [
        {
          ...manner,
          from: 'sip:600@trunk.example.com',
          preferredIdentity: 'sip:600@trunk.example.com',
          credentials: { user: 'acme', password: 'a' },
        },
        manner,
      ]);
    });
  });

  it('let calls ring as long as the line says, unless the call says so', async () => {
    const { opened, dialled } = busyDialer();
    const lines = bookOf({
      main: { ...trunk, callsPerSecond: undefined, ringSeconds: 30 },
      lab: { kind: 'pbx', host: '10.0.0.5' },
    });
    const { signal } = new AbortController();
    for (const [line, options] of [
      ['main', {}],
      ['main', { ringSeconds: 9 }],
      ['lab', {}],
    ] as const)
      await assert.rejects(lines.over(opened, { line }, defaultCaller).dial('sip:x@y', signal, options));
    assert.deepEqual(
      dialled.map((options) => options?.ringSeconds),
      [30, 9, undefined],
    );
    assert.deepEqual(
      lines.states().map(({ ringSeconds }) => ringSeconds),
      [30, undefined],
    );
  });

  describe('that serve the same number', () => {
    const numbers = ['+1*'];
    const shared: z.input<typeof linesSchema> = {
      backup: { kind: 'trunk', host: 'b.example.com', numbers, priority: 2, costPerMinute: 0.5, callerId: '600' },
      alpha: { kind: 'trunk', host: 'a.example.com', numbers, user: 'a', priority: 1, costPerMinute: 0.1 },
      beta: { kind: 'trunk', host: 'b.example.com:5070', numbers, priority: 1, concurrentCalls: 1 },
      far: { kind: 'trunk', host: 'far.example.com', numbers: ['+*'] },
      lab: { kind: 'pbx', host: '127.0.0.1:5070', numbers, priority: 3 },
    };
    const clock = new ManualClock();
    const of = (passwords: Record<string, string>): LineBook => bookOf(shared, passwords, { clock });
    const tried = ({ line, others = [] }: ReturnType<LineBook['resolve']>): unknown[] => [
      line,
      ...others.map((other) => other.line),
    ];

    it('come by priority, then by name, as far as their settings allow', () => {
      const all = of({ alpha: 'pw' }).resolve('+12125550123');
      assert.deepEqual(tried(all), ['alpha', 'beta', 'backup'], 'no shorter prefix, and no practice IVR');
      assert.equal(all.costPerMinute, 0.5, 'of the dearest');
      assert.deepEqual(tried(of({}).resolve('+12125550123')), ['beta', 'backup'], 'without a password');
      const presented = of({ alpha: 'pw' }).resolve('+12125550123', { ...defaultCaller, callerId: '600' });
      assert.deepEqual(tried(presented), ['backup'], 'that presents the caller ID');
      assert.deepEqual(tried(of({}).resolve('+12125550123', { ...defaultCaller, line: 'lab' })), ['lab']);
    });

    /** Places a call whose legs end or ring like this, by host. Returns the hosts called, and the error. */
    const place = async (
      ends: Readonly<Record<string, CallEnd & { readonly rings?: boolean }>>,
      lines = of({ alpha: 'pw' }),
    ): Promise<{ called: string[]; error: unknown }> => {
      const called: string[] = [];
      const opened: Dialer = {
        dial: (target, _signal, { onLeg } = {}) => {
          const host = target.replace(/^.*@/, '');
          called.push(host);
          const end = ends[host];
          if (end?.rings === true)
            onLeg?.({
              listen: (listener: (event: CallEvent) => void) => {
                listener({ type: 'ringing', status: 180 });
                return () => undefined;
              },
            } as unknown as CallLeg);
          return end ? Promise.reject(new DialError(end)) : Promise.resolve({ ended: answered } as ActiveCall);
        },
      };
      const dialling = lines.resolve('+12125550123');
      const dialled = lines
        .over(opened, dialling, defaultCaller)
        .dial(dialling.uri, new AbortController().signal)
        .then(
          () => undefined,
          (error: unknown) => error,
        );
      let error: unknown;
      void dialled.then((reason) => (error = reason));
      await clock.finish(dialled);
      return { called, error };
    };
    const answered: CallEnd = { by: 'local', kind: 'hangup', reason: 'hung up' };
    const lost: CallEnd = { by: 'network', kind: 'unreachable', reason: 'no response from 10.0.0.1:5060' };
    const [a, b, c] = ['a.example.com', 'b.example.com:5070', 'b.example.com'];

    it('carry a call if the lines before are unreachable, out of service, or full, and say so', async () => {
      const outOfService: CallEnd = { by: 'remote', kind: 'rejected', status: 503, reason: 'Service Unavailable' };
      assert.deepEqual(await place({ [a]: lost }), { called: [a, b], error: undefined });
      const { called, error } = await place({ [a]: lost, [b]: outOfService, [c]: outOfService });
      assert.deepEqual(called, [a, b, c]);
      assert.match(
        error instanceof DialError ? `${error.end.reason} (${error.end.advice ?? ''})` : '',
        /^Service Unavailable \(called over backup, after trying over alpha: no response from 10\.0\.0\.1:5060; over beta: Service Unavailable\)$/,
      );
      const full = of({ alpha: 'pw' });
      await full.take('beta', new AbortController().signal);
      assert.deepEqual((await place({ [a]: lost }, full)).called, [a, c]);
    });

    it('carry no call that rang or was refused by the called number', async () => {
      assert.deepEqual((await place({ [a]: busy })).called, [a]);
      assert.deepEqual((await place({ [a]: { ...lost, rings: true } })).called, [a]);
    });

    it('carry calls if the registration of a line before fails', async () => {
      const needed: string[] = [];
      const registering = linesSchema.parse({ ...shared, alpha: { ...shared['alpha'], register: true } });
      const lines = bookOf(
        {},
        { alpha: 'pw' },
        {
          lines: registering,
          clock,
          registrations: {
            stateOf: () => ({ state: 'failed', failure: 'wrongLogin', status: 403, until: clock.now() }),
            ready: (name) => {
              needed.push(name);
              return Promise.reject(new HumanError("The line alpha isn't registered.", { code: 'line_unregistered' }));
            },
          },
        },
      );
      assert.deepEqual(await place({}, lines), { called: [b], error: undefined });
      assert.deepEqual(needed, ['alpha']);
      const shown = lines.states().find(({ name }) => name === 'alpha');
      assert.match(shown?.registration?.message ?? '', /rejects the user or password/);
      assert.equal(shown?.callsNow, 0);
      const only = { line: 'alpha', uri: '' };
      const { signal } = new AbortController();
      const { opened, dialled } = busyDialer();
      await assert.rejects(lines.over(opened, only, defaultCaller).dial('sip:1@a.example.com', signal), {
        name: 'DialError',
        sentence: "The line alpha isn't registered.",
      });
      assert.deepEqual(dialled, []);
    });
  });

  it('send keys as slowly as the line or the profile needs, by the way of the profile', async () => {
    const lines = bookOf({ lab: { kind: 'pbx', host: '10.0.0.5', dtmf: 'info', keyToneMs: 300, keyGapMs: 50 } });
    const { opened, dialled } = busyDialer();
    for (const more of [{}, { dtmf: 'inband' as const, keyToneMs: 500 }])
      await assert.rejects(
        lines
          .over(opened, { line: 'lab' }, { ...defaultCaller, ...more })
          .dial('sip:1@10.0.0.5', new AbortController().signal),
      );
    assert.deepEqual(
      dialled.map((options) => ({ ...options?.keys, keysBy: options?.keysBy })),
      [
        { toneMs: 300, gapMs: 100, keysBy: 'info' },
        { toneMs: 500, gapMs: 100, keysBy: 'inband' },
      ],
    );
  });

  it('with an outbound proxy call no practice IVR, wherever their host is', () => {
    const desk = { kind: 'pbx', host: '127.0.0.1:5070' } as const;
    const lab = (line: z.input<typeof lineSchema>): boolean =>
      bookOf({ desk: line }).resolve('sip:600@127.0.0.1:5070').lab;
    assert.deepEqual([lab(desk), lab({ ...desk, outboundProxy: 'edge.example.com' })], [true, false]);
  });

  it('report their state, and never a user or a password', () => {
    const lines = book({ main: 'secret1' });
    const check = { at: '2026-03-01T12:00:00.000Z', state: 'ok', message: 'There.' } as const;
    lines.noteCheck('main', check);
    assert.deepEqual(lines.states()[0], {
      name: 'main',
      kind: 'trunk',
      address: 'trunk.example.com',
      numbers: ['+1*', '+49*'],
      callerId: '+12025550100',
      callsPerSecond: 2,
      concurrentCalls: 10,
      costPerMinute: 0.02,
      login: 'set',
      callsNow: 0,
      lastCheck: check,
    });
    assert.deepEqual(
      lines.states().map(({ login }) => login),
      ['set', 'missing', 'missing', 'none', 'none'],
    );
    assert.doesNotMatch(JSON.stringify(lines.states()), /acme|secret1/);
  });

  it('open the network only if a line leads off this machine', () => {
    assert.equal(book().leavesMachine, true);
    const local = (lines: z.input<typeof linesSchema>): boolean => bookOf(lines).leavesMachine;
    assert.equal(local({ desk: { kind: 'pbx', host: '127.0.0.1:5099' }, v6: { kind: 'pbx', host: '[::1]' } }), false);
    assert.equal(local({ support: { kind: 'uri', uri: 'sip:support@ivr.example.com' } }), true);
  });
});
