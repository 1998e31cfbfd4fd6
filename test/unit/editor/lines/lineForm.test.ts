import assert from 'node:assert/strict';
import { linesSchema } from '../../../../src/contract/lines.ts';
import { askLine } from '../../../../src/editor/lines/lineForm.ts';
import type { LineAnswers, LineBefore } from '../../../../src/editor/lines/lineForm.ts';
import { back } from '../../../../src/editor/basics/dialogs/stepDialogs.ts';
import { english } from '../fakes.ts';
import { FakeSteps, more } from './fakeSteps.ts';
import type { StepAnswer } from './fakeSteps.ts';

const officeLine = { kind: 'pbx' as const, host: '10.0.0.5', numbers: [], user: '201', register: true };

describe('the form of a line', () => {
  let steps: FakeSteps;
  const fill = async (before: LineBefore | undefined, ...answers: StepAnswer[]): Promise<LineAnswers | undefined> => {
    steps = new FakeSteps(...answers);
    const answered = await askLine({ dialogs: steps, l10n: english, taken: ['example', 'pbx'] }, before);
    steps.done();
    return answered;
  };

  it('asks for the kind, the address, the user and the password, and for nothing else', async () => {
    const answers = await fill(undefined, { pick: 'SIP trunk' }, ' sip.carrier.example ', 'acme', ' s3cret ');
    assert.deepEqual(answers, {
      name: 'carrier',
      password: ' s3cret ',
      line: { kind: 'trunk', host: 'sip.carrier.example', numbers: ['+*'], user: 'acme' },
    });
    assert.deepEqual(
      steps.shown.map((line) => line.slice(0, 36)),
      [
        'Add Line (1 More options…) What do y',
        'Add Line (2 ← More options…) Host na',
        'Add Line (3 ← More options…) User na',
        'Add Line (4 ← More options…) Login p',
      ],
    );
    assert.doesNotMatch(steps.shown.join('\n'), /s3cret/);
  });

  it('registers an office extension with a user, unless an option says otherwise', async () => {
    const extension = { name: 'pbx-2', password: 'pw', line: officeLine };
    assert.deepEqual(await fill(undefined, { pick: 'Office extension' }, '10.0.0.5', '201', 'pw'), extension);
    const before = { name: 'pbx-2', line: officeLine, hasPassword: true };
    assert.deepEqual((await fill(before, { pick: 'Office extension' }, 'keep', 'keep', ''))?.line, officeLine);
    assert.match(steps.shown[0] ?? '', /\[Office extension\]$/);
    const { register: _, ...unregistered } = officeLine;
    const off: StepAnswer[] = [more, { pick: 'Registration' }, { pick: 'No' }, { pick: 'Done' }];
    assert.deepEqual((await fill(before, 'keep', 'keep', 'keep', ...off, ''))?.line, unregistered);
    assert.deepEqual((await fill({ ...before, line: unregistered }, 'keep', 'keep', 'keep', ''))?.line, unregistered);
  });

  it('offers what carriers ask of a line among the options, and checks it', async () => {
    const set = (option: string, ...answers: StepAnswer[]): StepAnswer[] => [{ pick: option }, ...answers];
    const answers = await fill(
      undefined,
      { pick: 'SIP trunk' },
      'tls:sip.carrier.example',
      'acme',
      more,
      ...set('Registration', { pick: 'Yes' }),
      ...set('Audio encryption', { pick: 'Always' }),
      ...set('Outbound proxy', 'sip:x@y', 'sbc.example.com:5070'),
      ...set('Public address', 'a b', '203.0.113.7'),
      ...set('STUN server', 'stun.example.com'),
      ...set('Client certificate', '/a.pem', '/a b.pem | /a.key'),
      ...set('Display name', 'QA Lab'),
      ...set('Withhold caller ID', { pick: 'Yes' }),
      ...set('Header fields', 'Via: x', 'X-Tenant: 7 |', 'X-Tenant: 7 | Diversion: <sip:1@x>;reason=no-answer'),
      ...set('Keys', { pick: 'INFO' }),
      ...set('Length of a key', '20', '150'),
      ...set('Order', '1'),
      { pick: 'Done' },
      'pw',
    );
    assert.deepEqual(
      steps.refusals.map((text) => text.slice(0, 22)),
      [
        'Enter a host name or a',
        'Enter a host name or a',
        'Enter the paths of two',
        'Enter up to 16 header ',
        'Enter up to 16 header ',
        'Enter a whole number f',
      ],
    );
    assert.deepEqual(answers?.line, {
      kind: 'trunk',
      host: 'sip.carrier.example',
      transport: 'tls',
      numbers: ['+*'],
      user: 'acme',
      register: true,
      srtp: 'require',
      outboundProxy: 'sbc.example.com:5070',
      publicAddress: '203.0.113.7',
      stunServer: 'stun.example.com',
      clientCertificate: { cert: '/a b.pem', key: '/a.key' },
      displayName: 'QA Lab',
      privacy: true,
      headers: { 'X-Tenant': '7', Diversion: '<sip:1@x>;reason=no-answer' },
      dtmf: 'info',
      keyToneMs: 150,
      priority: 1,
    });
  });

  it('drops options that later answers made impossible', async () => {
    const line = linesSchema.parse({
      x: { ...officeLine, transport: 'tls', clientCertificate: { cert: '/a', key: '/b' } },
    })['x']!;
    const before = { name: 'x', line, hasPassword: false };
    const answers = await fill(before, { pick: 'SIP trunk' }, '10.0.0.5', 'keep', 'pw');
    assert.deepEqual(answers?.line, { kind: 'trunk', host: '10.0.0.5', numbers: ['+*'], user: '201' });
  });

  it('takes the transport from the address, and asks for no password if there is no user name', async () => {
    const answers = await fill(undefined, { pick: 'SIP trunk' }, 'sips:sip.carrier.example', '');
    assert.deepEqual(answers?.line, {
      kind: 'trunk',
      host: 'sip.carrier.example',
      transport: 'tls',
      numbers: ['+*'],
    });
    const other = await fill(undefined, { pick: 'One SIP address' }, 'support@ivr.example.com;transport=tcp', '');
    assert.deepEqual(other, {
      name: 'example-2',
      password: undefined,
      line: { kind: 'uri', uri: 'sip:support@ivr.example.com', transport: 'tcp', numbers: [] },
    });
  });

  it('shows the transport in the address, where it can be changed', async () => {
    const answers = await fill(
      undefined,
      { pick: 'Office extension' },
      'tls:10.0.0.5',
      back,
      'keep',
      back,
      '10.0.0.5',
      '',
    );
    assert.deepEqual(answers?.line, { kind: 'pbx', host: '10.0.0.5', numbers: [] });
    assert.deepEqual(
      steps.shown.slice(1, 6).map((text) => /\[(.*)\]$/.exec(text)?.[1]),
      ['', '', '10.0.0.5;transport=tls', '', '10.0.0.5;transport=tls'],
    );
  });

  it('keeps the transport that was chosen among the options while the address was asked', async () => {
    const chooses = (transport: string): StepAnswer[] => [
      more,
      { pick: 'Transport' },
      { pick: transport },
      { pick: 'Done' },
    ];
    assert.equal(
      (await fill(undefined, { pick: 'Office extension' }, ...chooses('TLS'), 'a', ''))?.line.transport,
      'tls',
    );
    const before = { name: 'pbx', line: linesSchema.parse({ x: { kind: 'pbx', host: 'a', transport: 'tls' } })['x']! };
    const answers = await fill({ ...before, hasPassword: false }, 'keep', ...chooses('UDP'), 'a;transport=tls', 'keep');
    assert.equal(answers?.line.transport, undefined);
  });

  it('opens the options from each question, and then asks the same question again', async () => {
    const answers = await fill(
      undefined,
      more,
      { pick: 'Calls per second' },
      '1',
      back,
      { pick: 'SIP trunk' },
      more,
      { pick: 'Simultaneous calls' },
      '10',
      undefined,
      'sip.carrier.example',
      more,
      { pick: 'Caller ID' },
      'x@y',
      '+12025550100',
      { pick: 'Other caller IDs' },
      '+12025550111 601',
      { pick: 'Name' },
      undefined,
      { pick: 'Numbers' },
      back,
      'keep',
      'acme',
      more,
      { pick: 'Ringing time' },
      '90',
      { pick: 'Cost per minute' },
      '0.01',
      { pick: 'Done' },
      'pw',
    );
    assert.deepEqual(steps.refusals, ['Enter a number such as +12025550100, or an extension such as 600.']);
    assert.deepEqual(answers, {
      name: 'carrier',
      password: 'pw',
      line: {
        kind: 'trunk',
        host: 'sip.carrier.example',
        numbers: ['+*'],
        user: 'acme',
        callerId: '+12025550100',
        callerIds: ['+12025550111', '601'],
        callsPerSecond: 1,
        concurrentCalls: 10,
        ringSeconds: 90,
        costPerMinute: 0.01,
      },
    });
    assert.equal(
      steps.shown.at(-1),
      'Add Line (←) Which option do you want to change?, Name: carrier, Transport: UDP, Caller ID: +12025550100, Other caller IDs: +12025550111, 601, Numbers: +*, Calls per second: 1, Simultaneous calls: 10, Ringing time: 90, Cost per minute: 0.01, Registration: No, Audio encryption: Automatic, Outbound proxy: not set, Public address: not set, STUN server: not set, Display name: not set, Withhold caller ID: No, Header fields: not set, Keys: Automatic, Length of a key: not set, Pause after a key: not set, Order: not set [Done]',
    );
  });

  it('checks each answer as it is typed', async () => {
    await fill(
      undefined,
      { pick: 'SIP trunk' },
      '',
      'sip:x@y',
      'trunk.example.com;lr',
      'trunk.example.com',
      'a b',
      'acme',
      '',
      more,
      ...[{ pick: 'Name' }, 'Main', 'pbx', 'main'],
      ...[{ pick: 'Caller ID' }, 'x@y', ''],
      ...[{ pick: 'Numbers' }, '', 'nine', '+49*, +1*'],
      ...[{ pick: 'Calls per second' }, '0', '0.5'],
      ...[{ pick: 'Simultaneous calls' }, '1.5', '2'],
      ...[{ pick: 'Cost per minute' }, '-1', ''],
      { pick: 'Done' },
      'pw',
    );
    assert.deepEqual(
      steps.refusals.map((text) => text.slice(0, 22)),
      [
        'Enter a host name or a',
        'Enter a host name or a',
        'Enter a host name or a',
        "Don't use spaces, quot",
        'Enter the password. Th',
        'Use lower-case letters',
        'A line called pbx alre',
        'Enter a number such as',
        'Enter up to 200 number',
        'Enter up to 200 number',
        'Enter a number from 0.',
        'Enter a whole number f',
        'Enter a number from 0 ',
      ],
    );
  });

  it('goes back to any earlier step with its answer', async () => {
    const answers = await fill(
      undefined,
      { pick: 'SIP trunk' },
      'a.example.com',
      back,
      back,
      { pick: 'Office extension' },
      'keep',
      'acme',
      back,
      '',
    );
    assert.deepEqual(answers, {
      name: 'example-2',
      line: { kind: 'pbx', host: 'a.example.com', numbers: [] },
      password: undefined,
    });
  });

  it('drops an address that no longer fits when the kind changes', async () => {
    await fill(undefined, { pick: 'SIP trunk' }, 'a.example.com', back, back, { pick: 'One SIP address' }, undefined);
    assert.match(steps.shown.at(-1) ?? '', /SIP address.*\[\]$/);
  });

  it('shows the current values when editing, and keeps a stored password', async () => {
    const line = {
      kind: 'trunk' as const,
      host: 'x.example.com',
      transport: 'tcp' as const,
      numbers: ['+44*'],
      user: 'acme',
      callerId: '600',
      callerIds: ['601'],
      dtmf: 'info' as const,
      concurrentCalls: 5,
    };
    const before = { name: 'main', line, hasPassword: true };
    assert.deepEqual(await fill(before, 'keep', 'keep', 'keep', ''), { name: 'main', line, password: undefined });
    assert.deepEqual(
      steps.shown.map((text) => /\[(.*)\]$/.exec(text)?.[1]),
      ['SIP trunk', 'x.example.com;transport=tcp', 'acme', ''],
    );
    assert.match(steps.shown[0] ?? '', /^Edit Line main \(1 /);
    assert.match(steps.shown[3] ?? '', /Leave empty to keep the stored password/);
    const changed = await fill(
      { ...before, showsOptions: true },
      { pick: 'Office extension' },
      'x.example.com',
      '',
      ...[{ pick: 'Name' }, 'lab', { pick: 'Other caller IDs' }, '', { pick: 'Numbers' }, ''],
      ...[{ pick: 'Simultaneous calls' }, '', { pick: 'Save and Check' }],
    );
    assert.match(
      steps.shown[3] ?? '',
      /^Edit Line main \(4 ←\) .* Name: main, Transport: UDP, Caller ID: 600, .* \[Save and Check\]$/,
    );
    assert.deepEqual(changed, {
      name: 'lab',
      line: { kind: 'pbx', host: 'x.example.com', numbers: [], callerId: '600', dtmf: 'info' },
      password: undefined,
    });
  });
});
