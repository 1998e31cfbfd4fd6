import assert from 'node:assert/strict';
import { HumanError } from '../../src/contract/errors.ts';
import type { PracticeServer } from '../../src/practice/server.ts';
import { ivr, PracticeLab } from './practiceCalls.ts';

const hold = { main: { prompt: 'Hello.', end: 'dead-air' } };

describe('the practice IVR that answers a call', function () {
  let lab: PracticeLab;
  before(async () => {
    lab = await PracticeLab.open();
  });
  afterEach(() => lab.clear());
  after(() => lab.close());

  /** Returns the name of the IVR that a call reaches, or how it was refused. */
  async function reached(server: PracticeServer, user: string, entered: string[]): Promise<string> {
    const call = lab.call(server, user);
    const refused = call.ended.then(({ kind, status }) => `${kind} ${String(status)}`);
    const answer = await Promise.race([
      call
        .until(() => call.at('answered') !== undefined)
        .then(
          () => 'answered',
          () => 'refused',
        ),
      refused,
    ]);
    if (answer !== 'answered') return refused;
    await call.until(() => call.frames > 0);
    await call.leg.hangup();
    return entered.at(-1) ?? 'nobody';
  }

  it('answers to its number, name, or file name', async () => {
    const entered: string[] = [];
    const server = await lab.serve(
      {
        'first.ivr.json': ivr('Harbour Bank', hold, { number: '+12025550101' }),
        'second.json': ivr('Café №2', hold, { number: '+12025550102' }),
      },
      {
        onEvent: (name, event) => {
          if (event.type === 'entered') entered.push(name);
        },
      },
    );
    for (const [user, expected] of [
      ['+12025550101', 'Harbour Bank'],
      ['+12025550102', 'Café №2'],
      ['harbour-bank', 'Harbour Bank'],
      ['HARBOUR-BANK', 'Harbour Bank'],
      ['Harbour%20Bank', 'Harbour Bank'],
      ['%2B12025550102', 'Café №2'],
      ['+12025550102;phone-context=example.com', 'Café №2'],
      ['first', 'Harbour Bank'],
      ['second', 'Café №2'],
      ['nobody', 'notFound 404'],
      ['+12025550199', 'notFound 404'],
      ['%zz', 'notFound 404'],
      ['harbour-bank', 'Harbour Bank'],
    ] as const)
      assert.equal(await reached(server, user, entered), expected, user);
    assert.deepEqual(
      server.targets.map(({ name, number }) => [name, number]),
      [
        ['Harbour Bank', '+12025550101'],
        ['Café №2', '+12025550102'],
      ],
    );
  });

  it('answers to any name if it is the only one', async () => {
    const entered: string[] = [];
    const server = await lab.serve({ 'only.ivr.json': ivr('Only', hold) }, { onEvent: (name) => entered.push(name) });
    assert.equal(await reached(server, 'whoever', entered), 'Only');
  });

  it('matches by IVR name before file name', async () => {
    const entered: string[] = [];
    const server = await lab.serve(
      { 'bank.ivr.json': ivr('Clinic', hold), 'other.ivr.json': ivr('Bank', hold) },
      { onEvent: (name) => entered.push(name) },
    );
    assert.equal(await reached(server, 'bank', entered), 'Bank');
    assert.equal(await reached(server, 'clinic', entered), 'Clinic');
  });

  it("can't be started if the port is taken, two IVRs are alike, or a voice is unknown", async () => {
    const server = await lab.serve({ 'a.ivr.json': ivr('A', hold) });
    const refused = (starting: Promise<unknown>, code: string, message: RegExp): Promise<void> =>
      assert.rejects(
        starting,
        (error: unknown) => error instanceof HumanError && error.code === code && message.test(error.message),
      );
    await refused(
      lab.serve({ 'b.ivr.json': ivr('B', hold) }, { port: server.port }),
      'port_in_use',
      new RegExp(`Port ${String(server.port)} on 127\\.0\\.0\\.1 is in use`),
    );
    await refused(
      lab.serve({
        'c.ivr.json': ivr('C', hold, { number: '+12025550101' }),
        'd.ivr.json': ivr('D', hold, { number: '+12025550101' }),
      }),
      'ivr_duplicate',
      /d\.ivr\.json and .*c\.ivr\.json/,
    );
    await refused(
      lab.serve({ 'e.ivr.json': ivr('Same name', hold), 'f.ivr.json': ivr('Same  Name!', hold) }),
      'ivr_duplicate',
      /same name or number/,
    );
    await refused(
      lab.serve({ 'g.ivr.json': ivr('G', hold, { voice: 'nobody' }) }),
      'ivr_voice',
      /g\.ivr\.json: the voice "nobody" doesn't exist/,
    );
  });

  it('refuses the given share of calls with the given status, by its seed', async () => {
    const server = await lab.serve({
      'busy.ivr.json': ivr('Busy', hold, { faults: { rejectRate: 1 } }),
      'down.ivr.json': ivr('Down', hold, { faults: { rejectRate: 1, rejectWith: 503 } }),
    });
    const ends = await Promise.all(['busy', 'down'].map((user) => lab.call(server, user).ended));
    assert.deepEqual(
      ends.map(({ by, kind, status }) => [by, kind, status]),
      [
        ['remote', 'busy', 486],
        ['remote', 'rejected', 503],
      ],
    );
    const pattern = async (): Promise<string> => {
      const half = await lab.serve({ 'half.ivr.json': ivr('Half', hold, { faults: { rejectRate: 0.5, seed: 3 } }) });
      let answers = '';
      for (let count = 0; count < 12; count += 1) {
        const call = lab.call(half, 'half');
        const answer = await Promise.race([
          call.ended.then(() => 'r'),
          call
            .until(() => call.at('answered') !== undefined)
            .then(
              () => 'a',
              () => 'r',
            ),
        ]);
        answers += answer;
        if (answer === 'a') await call.leg.hangup();
      }
      return answers;
    };
    const first = await pattern();
    assert.match(first, /a/);
    assert.match(first, /r/);
    assert.equal(await pattern(), first);
  });

  it('rings as long as configured before it answers', async () => {
    const server = await lab.serve({
      'slow.ivr.json': ivr('Slow', hold, { answerAfterMs: 400 }),
      'quick.ivr.json': ivr('Quick', hold),
    });
    const [slow, quick] = [lab.call(server, 'slow'), lab.call(server, 'quick')];
    await Promise.all([slow, quick].map((call) => call.until(() => call.at('answered') !== undefined)));
    assert.ok((slow.at('answered') ?? 0) - (slow.at('ringing') ?? Infinity) > 350, 'it answered too early');
    assert.equal(quick.at('ringing'), undefined, 'it answered at once');
  });

  it('stops ringing if the caller gives up', async () => {
    const events: string[] = [];
    const server = await lab.serve(
      { 'slow.ivr.json': ivr('Slow', hold, { answerAfterMs: 300 }) },
      { onEvent: (_name, event) => events.push(event.type) },
    );
    const call = lab.call(server, 'slow');
    await call.until(() => call.at('ringing') !== undefined);
    await call.leg.hangup();
    assert.equal((await call.ended).kind, 'cancelled');
    const next = lab.call(server, 'slow');
    await next.until(() => next.frames > 0);
    assert.equal(events.filter((type) => type === 'entered').length, 1, 'only the second call heard anything');
  });
});
