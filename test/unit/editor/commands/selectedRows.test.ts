import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { HumanError } from '../../../../src/contract/errors.ts';
import { handlersIn } from '../fakeEditor.ts';
import { uuid } from '../fakes.ts';

const root = path.resolve(import.meta.dirname, '../../../..');
const jobRows = [
  { kind: 'job', jobId: uuid(1) },
  { kind: 'run', jobId: uuid(1), runNumber: 2 },
  { kind: 'menu', jobId: uuid(1), runNumber: 2, stepId: 's' },
  { kind: 'note', jobId: uuid(1), runNumber: undefined, text: 'Not started yet' },
];
const practiceRow = { file: '/bank.ivr.json', name: 'Bank', number: undefined, uri: 'sip:bank@127.0.0.1:5070' };
/** What the views give the editor as their rows. */
const rows: Readonly<Record<string, readonly object[]>> = {
  'dialtree.mappings': jobRows,
  'dialtree.lines': [
    { name: 'main', state: {}, isOwn: true, isBusy: false, waits: false },
    { name: 'x', problem: 'y' },
  ],
  'dialtree.practice': [practiceRow],
  'dialtree.runs': [{ kind: 'run', runId: uuid(1) }, { kind: 'group', groupId: 'g', label: 'Today' }, { kind: 'more' }],
};
/** These never read an argument. */
const without =
  /^dialtree\.(?:mapping\.refresh|runs\.refresh|service|workspace|agent|issue|profile|model|tree|line\.(?:add|showInSettings)|call)\b/;

interface Menu {
  readonly command: string;
  readonly when: string;
}

/** Whatever a command asks for after it has read its argument. */
class Asked extends Error {}
const asking: object = new Proxy(() => undefined, {
  get: (_target, name) => (name === 'then' ? undefined : asking),
  apply: () => {
    throw new Asked();
  },
});

describe('commands in the menus of the views', () => {
  let started: number;
  let menus: Readonly<Record<'view/title' | 'view/item/context', readonly Menu[]>>;
  const own = {
    isTrusted: () => true,
    practice: { running: [practiceRow], find: () => undefined, stop: () => Promise.resolve() },
    startPractice() {
      started += 1;
      return Promise.resolve();
    },
    assertCallsFromHere: () => undefined,
  };
  const handlers: Readonly<Record<string, ((...values: unknown[]) => unknown) | undefined>> = handlersIn(
    new Proxy(own, { get: (target, name) => Reflect.get(target, name) ?? asking }) as never,
  );

  before(async () => {
    const manifest = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')) as {
      contributes: { menus: typeof menus };
    };
    menus = manifest.contributes.menus;
  });
  beforeEach(() => (started = 0));

  /** Returns what was wrong with the arguments. */
  const refusals = async (place: keyof typeof menus): Promise<string[]> => {
    const wrong: string[] = [];
    for (const { command, when } of menus[place]) {
      if (without.test(command)) continue;
      const of = rows[/view == ([\w.]+)/.exec(when)?.[1] ?? ''];
      assert.ok(of, when);
      const run = handlers[command] ?? assert.fail(`${command} isn't in this test`);
      for (const row of of)
        for (const values of [[row], [row, of]])
          try {
            await run(...values);
          } catch (error) {
            if (error instanceof HumanError && error.code === 'bad_argument')
              wrong.push(`${command} ${JSON.stringify(row)}: ${error.message}`);
          }
    }
    return [...new Set(wrong)];
  };

  it('accept the selected rows of their view in its title', async () => {
    assert.deepEqual(await refusals('view/title'), []);
  });

  it('accept the rows that they are offered on', async () => {
    assert.deepEqual(await refusals('view/item/context'), []);
  });

  it('start another practice IVR from the title, not the selected one', async () => {
    await assert.rejects(async () => handlers['dialtree.practice.start']?.(practiceRow), Asked);
    assert.equal(started, 0);
  });
});
