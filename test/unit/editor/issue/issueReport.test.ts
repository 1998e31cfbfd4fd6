import assert from 'node:assert/strict';
import { describeSettings, writeIssue } from '../../../../src/editor/issue/issueReport.ts';
import type { IssueFacts } from '../../../../src/editor/issue/issueReport.ts';
import { LogTail } from '../../../../src/editor/basics/log/logTail.ts';
import { createLogger } from '../../../../src/editor/basics/log/log.ts';
import { FakeDialogs } from '../fakeDialogs.ts';
import { commandsIn } from '../fakeEditor.ts';
import { FakeClock } from '../fakes.ts';
import { listed } from '../../../support/listed.ts';

const nobody = { folders: [], names: [] };
/** Texts that must not appear in a report, wherever they were planted. */
const secrets = listed(`
  dt_abcd1234_Zz09Zz09Zz09 | Zz09Zz09 | sk-proj-abcdefgh12345678 | +12025550101 | 2025550101 | +49 30 123456 |
  pbx.bank.example | 10.20.30.40 | /home/ann | ann@bank.example | 4711 | hunter2
`);

/** Returns a log in which careless code wrote all of them. */
function carelessLog(): readonly string[] {
  const tail = new LogTail(new FakeClock());
  const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
  const log = createLogger(silent, tail);
  log.info('calling sip:+12025550101@pbx.bank.example (10.20.30.40) and +49 30 123456 with dt_abcd1234_Zz09Zz09Zz09');
  log.warn('sent [keys 4711] for ann@bank.example; password=hunter2');
  log.error('Error: sk-proj-abcdefgh12345678 was refused\n    at open (/home/ann/bank/a.ts:1:1)\n```\nnot the end');
  return tail.lines;
}

const facts = (values: Partial<IssueFacts> = {}): IssueFacts => ({
  environment: [
    ['Extension', '0.1.0'],
    ['Service', 'remote, unreachable: https://pbx.bank.example/v1 does not answer'],
  ],
  settings: [['dialtree.service.mode', 'remote']],
  log: carelessLog(),
  private: { folders: [['/home/ann', '~']], names: ['pbx.bank.example'] },
  ...values,
});

describe('the issue report', () => {
  it('includes the environment, the settings and the log', () => {
    const text = writeIssue(facts(), 'Read this.');
    for (const part of [
      '<!-- Read this. -->',
      '- Extension: 0.1.0',
      '- dialtree.service.mode: remote',
      '- Service: remote, unreachable: https://[redacted] does not answer',
      'at open (~/bank/a.ts:1:1)',
      ' error Error: ',
    ])
      assert.ok(text.includes(part), part);
  });

  it('contains no secret, number, host or personal folder', () => {
    const text = writeIssue(facts(), 'Read this.');
    assert.deepEqual(
      secrets.filter((secret) => text.includes(secret)),
      [],
    );
  });

  it('removes all of those from the log even if nothing is known about the person, except names', () => {
    const text = writeIssue(facts({ private: nobody }), 'Read this.');
    assert.deepEqual(
      secrets.filter((secret) => text.includes(secret)),
      [],
    );
  });

  it("can't be ended by its own content", () => {
    const text = writeIssue(facts(), 'A note --> with <!-- an end');
    assert.match(text, /\n````\n[^]*\n```\nnot the end\n````\n$/);
    assert.equal(text.split('-->').length, 2);
  });

  it('includes the values of choices, and of free texts only whether they are set', () => {
    const properties = {
      'dialtree.service.mode': { enum: ['embedded', 'remote'], default: 'embedded' },
      'dialtree.service.url': { default: '' },
      'dialtree.telephony.routes': { default: {} },
      'dialtree.mapping.maxCalls': { default: 60 },
      'dialtree.mapping.maxDepth': { default: 5 },
      'dialtree.names': { default: [] },
    };
    const values = new Map<string, unknown>([
      ['service.mode', 'remote'],
      ['service.url', 'https://secret.example'],
      ['telephony.routes', { '+49*': 'sip:{number}@pbx.bank.example' }],
      ['mapping.maxCalls', 7],
      ['mapping.maxDepth', 5],
      ['names', ['a', 'b']],
    ]);
    assert.deepEqual(
      describeSettings(properties, { get: (key) => values.get(key) }).map(([, value]) => value),
      ['remote', 'set', '1 entries', '7', 'default', '2 entries'],
    );
  });
});

describe('the end of the log', () => {
  it('keeps the newest lines, each shortened', () => {
    const tail = new LogTail(new FakeClock());
    for (let line = 1; line <= 250; line += 1) tail.add('info', `line ${String(line)} ${'x'.repeat(5_000)}`);
    assert.equal(tail.lines.length, 200);
    assert.match(tail.lines[0] ?? '', /^1970-01-01T00:16:40\.000Z info  line 51 x{1,2000}$/);
    assert.match(tail.lines.at(-1) ?? '', /line 250/);
  });
});

describe('reporting an issue', () => {
  let dialogs: FakeDialogs, opened: string[], saves: number, typed: string | undefined;
  const report = async (answer: string | undefined, page?: string): Promise<void> => {
    dialogs = new FakeDialogs({ press: answer });
    await commandsIn({
      issueFacts: () => Promise.resolve(facts()),
      context: { extension: { packageJSON: page === undefined ? {} : { bugs: { url: page } } } },
      dialogs,
      workbench: {
        openDraft: (text) => {
          opened.push(text);
          return Promise.resolve({ text: () => typed ?? text, save: () => (saves += 1) });
        },
      },
    })['dialtree.issue.report']();
    dialogs.done();
  };
  beforeEach(() => {
    [opened, saves, typed] = [[], 0, undefined];
  });

  it('shows the full text first, and sends nothing', async () => {
    await report(undefined, 'https://issues.example/new');
    assert.equal(opened.length, 1);
    assert.match(dialogs.shown[0] ?? '', /Nothing has been sent/);
    assert.deepEqual([dialogs.copied, dialogs.browsed], [[], []]);
  });

  it('copies the edited text, and opens the issue page if there is one', async () => {
    typed = 'What happened: nothing.';
    await report('Copy and Open Issue Page', 'https://issues.example/new');
    assert.deepEqual([dialogs.copied, dialogs.browsed], [[typed], ['https://issues.example/new']]);
  });

  it('offers to copy and save if there is no such page', async () => {
    await report('Save As…');
    assert.equal(saves, 1);
    await report('Copy');
    assert.deepEqual(dialogs.copied, opened.slice(1));
    assert.doesNotMatch(dialogs.shown[0] ?? '', /Issue Page/);
  });
});
