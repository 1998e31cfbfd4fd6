import assert from 'node:assert/strict';
import { HumanError } from '../../../../src/contract/errors.ts';
import { linesSchema } from '../../../../src/contract/lines.ts';
import type { Line, LineCheck, Lines } from '../../../../src/contract/lines.ts';
import type { CommandId } from '../../../../src/editor/basics/commandId.ts';
import { LineList } from '../../../../src/editor/lines/lineList.ts';
import { lineEnvironment, LinePasswords } from '../../../../src/editor/host/linePasswords.ts';
import { fakeSecrets } from '../agents/fakeAgents.ts';
import { FakeDialogs } from '../fakeDialogs.ts';
import type { Answer } from '../fakeDialogs.ts';
import { commandsIn } from '../fakeEditor.ts';
import { FakeClient, FakeClock, recordingLogger } from '../fakes.ts';
import { FakeSteps, more } from '../lines/fakeSteps.ts';
import type { StepAnswer } from '../lines/fakeSteps.ts';

const at = '2026-03-01T12:00:00.000Z';
const ok: LineCheck = { at, state: 'ok', message: 'It is there.' };
const failed: LineCheck = { at, state: 'failed', message: 'Nothing listens.' };

describe('the commands of lines', () => {
  let secrets: Map<string, string>,
    passwords: LinePasswords,
    settings: Record<string, unknown>,
    client: FakeClient,
    dialogs: FakeDialogs,
    steps: FakeSteps,
    opened: string[],
    answered: string[];
  let mode: 'embedded' | 'remote', restarts: boolean, isReadOnly: boolean, applied: number;
  const lines = (): Lines =>
    linesSchema.parse(Object.fromEntries(Object.entries(settings).filter(([, value]) => typeof value === 'object')));

  beforeEach(() => {
    const storage = fakeSecrets();
    secrets = storage.held;
    passwords = new LinePasswords(storage);
    settings = {};
    client = new FakeClient({ checkLine: () => ok, listLines: () => ({ items: [] }) });
    opened = [];
    answered = [];
    [mode, restarts, isReadOnly, applied] = ['embedded', true, false, 0];
  });

  async function run(
    id: CommandId,
    {
      value,
      asked = [],
      said = [],
    }: { readonly value?: unknown; readonly asked?: StepAnswer[]; readonly said?: Answer[] } = {},
  ): Promise<unknown> {
    dialogs = new FakeDialogs(...said);
    steps = new FakeSteps(...asked);
    const nothing = { dispose: () => undefined };
    const list = new LineList({
      connection: {
        call: (name, input) => client.call(name, input),
        state: { kind: 'ready' },
        get mode() {
          return mode;
        },
        onDidChangeState: () => nothing,
        onDidReplace: () => nothing,
      },
      lines,
      wrongLines: () => [],
      passwords,
      practice: { onLine: () => undefined, onDidChange: () => nothing },
      onDidChange: () => nothing,
      clock: new FakeClock(),
      log: recordingLogger(),
    });
    try {
      const result: unknown = await commandsIn({
        client,
        lines: list,
        settings: () => ({ lines: lines() }),
        linePasswords: passwords,
        practice: {
          answerOn: ({ name, password }, file) => {
            answered.push(`${name} ${password} ${file}`);
            return Promise.resolve({ file, name: 'Bank', uri: 'sip:bank@127.0.0.1' });
          },
          endOnLine: (name) => Promise.resolve(void answered.push(`end ${name}`)),
        },
        dialogs,
        steps,
        restart: {
          now: () => {
            applied += 1;
            return Promise.resolve(restarts);
          },
        },
        workbench: {
          lineNames: () => Object.keys(settings),
          saveLines: (changed: Readonly<Record<string, Line | undefined>>) => {
            if (isReadOnly) return Promise.reject(new Error('The settings can not be written.'));
            settings = Object.fromEntries(
              Object.entries({ ...settings, ...changed }).filter(([, line]) => line !== undefined),
            );
            return Promise.resolve();
          },
          openSetting: (setting) => {
            opened.push(setting);
            return Promise.resolve();
          },
        },
      })[id](value);
      dialogs.done();
      steps.done();
      return result;
    } finally {
      list.dispose();
    }
  }
  const trunk: StepAnswer[] = [
    { pick: 'SIP trunk' },
    more,
    { pick: 'Name' },
    'main',
    { pick: 'Done' },
    'trunk.example.com',
    'acme',
    's3cret',
  ];

  it('add a line to the settings, its password to secret storage, both to the service, and then check it', async () => {
    assert.equal(await run('dialtree.line.add', { asked: trunk, said: [{ press: undefined }] }), 'main');
    assert.deepEqual(settings, { main: { kind: 'trunk', host: 'trunk.example.com', numbers: ['+*'], user: 'acme' } });
    assert.deepEqual([...secrets], [['dialtree.linePassword main', 's3cret']]);
    assert.equal(applied, 1);
    assert.deepEqual(
      client.calls.filter(({ name }) => name === 'checkLine').map(({ input }) => input),
      [{ name: 'main' }],
    );
    assert.equal(dialogs.shown.at(-1), 'main: It is there. [Call Echo…] [Edit Line…]');
    assert.ok(!JSON.stringify([settings, client.calls, dialogs.shown, steps.shown]).includes('s3cret'));
    assert.deepEqual(await lineEnvironment(lines(), passwords), {
      DIALTREE_LINE_PASSWORDS: '',
      DIALTREE_LINE_PASSWORD_MAIN: 's3cret',
    });
  });

  it('answer the calls of a line that can register, after confirmation, until stopped', async () => {
    settings = { office: { kind: 'pbx', host: 'pbx.example.com', numbers: [], user: '201', register: true } };
    const value = { name: 'office', file: '/w/bank.ivr.json' };
    await assert.rejects(run('dialtree.line.answer', { value }), { code: 'line_password' });
    secrets.set('dialtree.linePassword office', 'pw');
    await run('dialtree.line.answer', { value, said: [{ agree: false }] });
    assert.deepEqual(answered, []);
    await run('dialtree.line.answer', { value, said: [{ agree: true }] });
    await run('dialtree.line.stopAnswering', { value });
    assert.deepEqual(answered, ['office pw /w/bank.ivr.json', 'end office']);
  });

  it('leave the passwords as they were if the settings can not be written', async () => {
    isReadOnly = true;
    await assert.rejects(run('dialtree.line.add', { asked: trunk }), /settings/);
    assert.deepEqual([...secrets], []);
    secrets.set('dialtree.linePassword main', 'before');
    await assert.rejects(run('dialtree.line.add', { asked: trunk }), /settings/);
    assert.deepEqual([...secrets], [['dialtree.linePassword main', 'before']]);
  });

  it('check the line directly while its service must not be restarted', async () => {
    restarts = false;
    await run('dialtree.line.add', { asked: trunk, said: [{ press: undefined }] });
    assert.deepEqual(client.calls.find(({ name }) => name === 'checkLine')?.input, { line: settings['main'] });
    assert.match(
      dialogs.shown.at(-1) ?? '',
      /any password, take effect when the runs in progress end.* \[Edit Line…\]$/,
    );
  });

  it('check a line that the service does not use yet by its settings', async () => {
    restarts = false;
    await run('dialtree.line.add', { asked: trunk, said: [{ press: undefined }] });
    client.calls.length = 0;
    await run('dialtree.line.check', { said: [{ press: undefined }] });
    assert.deepEqual(client.calls.find(({ name }) => name === 'checkLine')?.input, { line: settings['main'] });
    // Its service would not know the line.
    assert.match(dialogs.shown.at(-1) ?? '', /when the runs in progress end.* \[Edit Line…\]$/);
    assert.doesNotMatch(dialogs.shown.at(-1) ?? '', /Call Echo/);
  });

  it('offer to edit a failing line, and to call an echo over a working one', async () => {
    client.answers.checkLine = () => failed;
    await run('dialtree.line.add', {
      asked: [...trunk, 'keep', 'keep', 'keep', '', undefined],
      said: [{ press: 'Edit Line…' }],
    });
    assert.equal(dialogs.shown.at(-1), 'main: Nothing listens. [Edit Line…]');
    assert.match(steps.shown.at(-1) ?? '', /^Edit Line main \(5 ←\) Which option/);
    client.answers.checkLine = () => ok;
    const used = { kind: 'trunk', address: 'trunk.example.com', login: 'set', callsNow: 0 } as const;
    client.answers.listLines = () => ({ items: [{ name: 'main', numbers: ['+*'], ...used }] });
    client.answers.callLineEcho = () => ({
      outcome: 'heard',
      message: 'Echo heard after 84 ms.',
      soundsSent: 3,
      soundsHeard: 3,
    });
    await run('dialtree.line.check', {
      value: { name: 'main' },
      said: [{ press: 'Call Echo…' }, ' 600 ', { press: undefined }],
    });
    assert.deepEqual(client.calls.find(({ name }) => name === 'callLineEcho')?.input, { name: 'main', number: '600' });
    assert.equal(dialogs.shown.at(-1), 'main: Echo heard after 84 ms.');
  });

  it('change nothing if the person cancels', async () => {
    await run('dialtree.line.add', { asked: [...trunk.slice(0, -1), undefined] });
    assert.deepEqual([settings, secrets.size, applied], [{}, 0, 0]);
    settings = { lab: { kind: 'pbx', host: '10.0.0.5', user: 'ann' } };
    await run('dialtree.line.setPassword', { value: { name: 'lab' }, said: [{ type: undefined }] });
    await run('dialtree.line.remove', { value: { name: 'lab' }, said: [{ agree: false }] });
    assert.deepEqual([Object.keys(settings), secrets.size, applied], [['lab'], 0, 0]);
  });

  it('edit a line under its name or another one, and its password moves along', async () => {
    settings = { broken: 7, lab: { kind: 'pbx', host: '10.0.0.5', user: 'ann' } };
    await passwords.store('lab', 'pw');
    await run('dialtree.line.edit', {
      value: { name: 'lab' },
      asked: [...['keep', '10.0.0.6', 'keep'], more, ...[{ pick: 'Name' }, 'broken', 'office', { pick: 'Done' }, '']],
      said: [{ press: undefined }],
    });
    assert.deepEqual(settings, { broken: 7, office: { kind: 'pbx', host: '10.0.0.6', user: 'ann', numbers: [] } });
    assert.deepEqual([...secrets], [['dialtree.linePassword office', 'pw']]);
    await run('dialtree.line.edit', {
      value: { name: 'office' },
      asked: ['keep', 'keep', ''],
      said: [{ press: undefined }],
    });
    assert.equal(secrets.size, 0, 'a line without a login has no password');
  });

  it('set a password, only for lines that log in', async () => {
    settings = { lab: { kind: 'pbx', host: '10.0.0.5', user: 'ann' }, desk: { kind: 'pbx', host: '10.0.0.6' } };
    await run('dialtree.line.setPassword', { said: ['pw', { press: undefined }] });
    assert.deepEqual([[...secrets], applied], [[['dialtree.linePassword lab', 'pw']], 1]);
    await assert.rejects(run('dialtree.line.setPassword', { value: { name: 'desk' } }), { code: 'line_password' });
    assert.ok(!dialogs.shown.join().includes('pw'));
    settings = { desk: { kind: 'pbx', host: '10.0.0.6' } };
    await assert.rejects(run('dialtree.line.setPassword'), { message: /None of your lines has a user name/ });
    settings = {};
    await assert.rejects(run('dialtree.line.setPassword'), { message: /Add Line…/ });
  });

  it('remove a line with its password, after confirmation', async () => {
    settings = { lab: { kind: 'pbx', host: '10.0.0.5', user: 'ann' }, desk: { kind: 'pbx', host: '10.0.0.6' } };
    await passwords.store('lab', 'pw');
    await run('dialtree.line.remove', { said: [{ pick: 'lab' }, { agree: true }] });
    assert.deepEqual([Object.keys(settings), secrets.size, applied], [['desk'], 0, 1]);
    assert.match(dialogs.shown[1] ?? '', /Remove the line lab\?.*deletes the line, its settings and its password/);
  });

  it('call an echo with consent if it is required, and not without', async () => {
    settings = { main: { kind: 'trunk', host: 'x', numbers: ['+1*'] } };
    let consented = false;
    client.answers.callLineEcho = () => {
      if (!consented)
        throw new HumanError('consent', {
          status: 403,
          code: 'consent_required',
          details: { phoneNumber: '+12125550123' },
        });
      return { outcome: 'silent', message: 'No audio came back.', soundsSent: 8, soundsHeard: 0 };
    };
    client.answers.recordConsent = (input) => {
      consented = true;
      return { ...input, recordedAt: at };
    };
    assert.equal(await run('dialtree.line.echo', { said: ['+12125550123', { agree: false }] }), undefined);
    assert.equal(client.count('recordConsent'), 0);
    await run('dialtree.line.echo', { said: ['+12125550123', { agree: true }, { press: undefined }] });
    assert.deepEqual(client.calls.find(({ name }) => name === 'recordConsent')?.input, {
      phoneNumber: '+12125550123',
      statement: 'I may test this number',
    });
    assert.equal(dialogs.shown.at(-1), 'main: No audio came back. [Edit Line…]');
    settings = { ivr: { kind: 'uri', uri: 'sip:ivr@x' } };
    consented = true;
    await run('dialtree.line.echo', { said: [{ press: undefined }] });
    assert.deepEqual(client.calls.findLast(({ name }) => name === 'callLineEcho')?.input, { name: 'ivr' });
  });

  it('leave the lines of a remote service to its operator, but check them', async () => {
    mode = 'remote';
    client.answers.listLines = () => ({
      items: [{ name: 'theirs', kind: 'trunk', address: 'x', numbers: [], login: 'set', callsNow: 0 }],
    });
    for (const id of ['add', 'edit', 'remove', 'setPassword', 'showInSettings'] as const)
      await assert.rejects(run(`dialtree.line.${id}`), { code: 'lines_remote' });
    await run('dialtree.line.check', { said: [{ press: undefined }] });
    assert.equal(dialogs.shown.at(-1), 'theirs: It is there. [Call Echo…]');
  });

  it('report errors: no lines, an unknown name; and leave an invalid entry as it is', async () => {
    await assert.rejects(run('dialtree.line.check'), { code: 'line_unknown', message: /Add Line…/ });
    settings = { lab: { kind: 'pbx', host: '10.0.0.5' }, main: 7 };
    await assert.rejects(run('dialtree.line.edit', { value: { name: 'none' } }), { code: 'line_unknown' });
    await assert.rejects(run('dialtree.line.edit', { value: 7 }), { code: 'bad_argument' });
    assert.equal(
      await run('dialtree.line.add', {
        asked: [{ pick: 'Office extension' }, 'main', ''],
        said: [{ press: undefined }],
      }),
      'main-2',
    );
    assert.equal(settings['main'], 7);
  });

  it('show the lines in the settings', async () => {
    await run('dialtree.line.showInSettings');
    assert.deepEqual(opened, ['dialtree.telephony.lines']);
  });
});
