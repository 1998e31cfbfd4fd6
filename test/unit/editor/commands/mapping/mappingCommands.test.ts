import assert from 'node:assert/strict';
import type { MappingPlace } from '../../../../../src/editor/basics/commandArguments.ts';
import type { JobSnapshot } from '../../../../../src/editor/store/snapshot.ts';
import { FakeDialogs } from '../../fakeDialogs.ts';
import type { Answer } from '../../fakeDialogs.ts';
import { commandsIn } from '../../fakeEditor.ts';
import { job, mapped, run, uuid } from '../../fakes.ts';

describe('the commands of mappings', () => {
  const bank = mapped(job(1, { name: 'Harbour Bank', currentRun: run() }));
  const clinic: JobSnapshot = {
    job: job(2, { name: 'Clinic', status: 'running', currentRun: run({ status: 'running' }) }),
    runs: [run({ status: 'running' })],
    trees: new Map(),
  };
  let chosen: { profileId?: string } | undefined;
  let picked: { readonly target: string; readonly name?: string };
  let did: unknown[], dialogs: FakeDialogs, jobs: readonly JobSnapshot[], selected: MappingPlace | undefined;
  /** What a read returns, and the store doesn't keep. */
  const read = new Map<string, JobSnapshot>();

  const commands = (...answers: Answer[]): ReturnType<typeof commandsIn> => {
    dialogs = new FakeDialogs(...answers);
    const note =
      (name: string) =>
      (...values: unknown[]): Promise<never> => {
        did.push([name, ...values]);
        return Promise.resolve(undefined as never);
      };
    const find = (id: string): Promise<JobSnapshot> =>
      Promise.resolve(jobs.find((snapshot) => snapshot.job.id === id) ?? assert.fail('no such job'));
    return commandsIn({
      store: {
        listed: true,
        get jobs() {
          return jobs;
        },
        refresh: note('refresh'),
        loadRuns: find,
        loadTree: async (id) => read.get(id) ?? find(id),
      },
      actions: {
        create: note('create'),
        createOrMapAgain: note('create'),
        assertServed: (target) => {
          if (target === '+12025550199') return Promise.reject(new Error('no line'));
          return Promise.resolve();
        },
        start: ({ id }) => note('start')(id),
        cancel: note('cancel'),
        update: note('update'),
        remove: note('remove'),
      },
      panels: { open: note('openTree') },
      transcripts: { open: note('openTranscript') },
      dialogs,
      pickTarget: () => Promise.resolve(picked),
      askHowToCall: () => Promise.resolve(chosen),
      view: {
        get selectedJob() {
          return selected;
        },
      },
    });
  };
  beforeEach(() => {
    did = [];
    jobs = [bank, clinic];
    selected = undefined;
    chosen = {};
    picked = { target: 'sip:x@127.0.0.1', name: 'X' };
    read.clear();
  });
  afterEach(() => dialogs.done());

  it('act on the job of the given row', async () => {
    const all = commands(' Bank ', 'one, two', { agree: true });
    const place = { jobId: uuid(1) };
    await all['dialtree.mapping.start'](place);
    await all['dialtree.mapping.rename'](place);
    await all['dialtree.mapping.tag'](place);
    await all['dialtree.mapping.copyNumber'](place);
    await all['dialtree.mapping.copyId'](place);
    await all['dialtree.mapping.delete'](place);
    await all['dialtree.mapping.openTree'](place);
    await all['dialtree.mapping.openTranscript'](place);
    await all['dialtree.mapping.cancel']({ jobId: uuid(2) });
    await all['dialtree.mapping.refresh']();
    assert.deepEqual(did, [
      ['start', uuid(1)],
      ['update', uuid(1), { name: 'Bank' }],
      ['update', uuid(1), { tags: ['one', 'two'] }],
      ['remove', uuid(1)],
      ['openTree', place],
      ['openTranscript', place],
      ['cancel', uuid(2)],
      ['refresh'],
    ]);
    assert.deepEqual(dialogs.copied, [bank.job.phoneNumber, uuid(1)]);
  });

  it('raise the limit that ended the last run, then map again', async () => {
    const limited = (id: number, limitReason: 'max_calls' | 'max_depth' | 'time'): JobSnapshot => {
      const last = run({ status: 'limited', limitReason });
      return { job: job(id, { name: `Job ${String(id)}`, currentRun: last }), runs: [last], trees: new Map() };
    };
    jobs = [limited(1, 'max_calls'), limited(2, 'max_depth'), limited(3, 'time'), clinic];
    const { config } = jobs[0]?.job ?? assert.fail();
    const raised = config.maxCalls + 5;
    const all = commands(String(raised), { press: undefined }, { pick: 'Job 2' }, { type: undefined });
    await all['dialtree.mapping.raiseLimit']({ jobId: uuid(1) });
    await all['dialtree.mapping.raiseLimit']({ jobId: uuid(3) });
    await all['dialtree.mapping.raiseLimit']();
    assert.doesNotMatch(dialogs.shown.at(-2) ?? '', /Job 3|Clinic/);
    assert.deepEqual(did, [
      ['update', uuid(1), { config: { maxCalls: raised } }],
      ['start', uuid(1)],
    ]);
  });

  it('give a new or existing mapping the chosen profile', async () => {
    const all = commands({ press: undefined });
    const place = { jobId: uuid(1) };
    await all['dialtree.mapping.new']();
    await all['dialtree.mapping.chooseProfile'](place);
    assert.match(dialogs.shown[0] ?? '', /^You have only the default profile\./);
    chosen = { profileId: uuid(9) };
    await all['dialtree.mapping.new']();
    await all['dialtree.mapping.chooseProfile'](place);
    chosen = undefined;
    await all['dialtree.mapping.new']();
    await all['dialtree.mapping.chooseProfile'](place);
    await all['dialtree.mapping.new']({ target: 'sip:y@127.0.0.1', profileId: uuid(8) });
    const target = { target: 'sip:x@127.0.0.1', name: 'X' };
    assert.deepEqual(did, [
      ['create', target],
      ['create', { ...target, profileId: uuid(9) }],
      ['update', uuid(1), { profileId: uuid(9) }],
      ['create', { target: 'sip:y@127.0.0.1', profileId: uuid(8) }],
    ]);
  });

  it('act by keybindings on the job of the selected row, and on nothing for other rows', async () => {
    const all = commands('Bank', { agree: true });
    await all['dialtree.mapping.rename']({ selected: true });
    selected = { jobId: uuid(1) };
    await all['dialtree.mapping.rename']({ selected: true });
    await all['dialtree.mapping.delete']({ selected: true });
    assert.deepEqual(did, [
      ['update', uuid(1), { name: 'Bank' }],
      ['remove', uuid(1)],
    ]);
  });

  it('ask for a job from the palette, among those that apply', async () => {
    await commands({ pick: 'Harbour Bank' })['dialtree.mapping.start']();
    assert.doesNotMatch(dialogs.shown[0] ?? '', /Clinic/);
    await commands({ pick: 'Clinic' })['dialtree.mapping.cancel']();
    assert.deepEqual(did, [
      ['start', uuid(1)],
      ['cancel', uuid(2)],
    ]);
    jobs = [clinic];
    await commands({ press: undefined })['dialtree.mapping.start']();
    assert.deepEqual(dialogs.shown, ["This command doesn't apply to any of your mappings."]);
  });

  it('do nothing if the person cancels', async () => {
    const all = commands({ type: undefined }, { type: undefined }, { agree: false }, { pick: undefined });
    for (const id of ['rename', 'tag', 'delete'] as const) await all[`dialtree.mapping.${id}`]({ jobId: uuid(1) });
    await all['dialtree.mapping.copyNumber']();
    assert.deepEqual([did, dialogs.copied], [[], []]);
  });

  it('make a new mapping of a target, or of the picked one', async () => {
    await commands()['dialtree.mapping.new']({ target: '+12025550101' });
    await commands()['dialtree.mapping.new']();
    assert.deepEqual(did, [
      ['create', { target: '+12025550101' }],
      ['create', { target: 'sip:x@127.0.0.1', name: 'X' }],
    ]);
    await assert.rejects(async () => {
      await commands()['dialtree.mapping.new']({ target: 'nobody' });
    });
  });

  it('ask for the name of a typed target', async () => {
    picked = { target: '+12025550101' };
    const all = commands(' Bank ', '', { type: undefined });
    for (let times = 0; times < 3; times += 1) await all['dialtree.mapping.new']();
    assert.deepEqual(did, [
      ['create', { target: '+12025550101', name: 'Bank' }],
      ['create', { target: '+12025550101' }],
    ]);
  });

  it('refuse a number that no line serves before they ask for its name', async () => {
    picked = { target: '+12025550199' };
    await assert.rejects(async () => commands()['dialtree.mapping.new'](), /no line/);
    assert.deepEqual([did, dialogs.shown], [[], []]);
  });

  it('find a prompt by its words, and show its step', async () => {
    await commands('account number', { pick: 'accounts' })['dialtree.mapping.searchPrompts']();
    assert.deepEqual(did, [['openTree', { jobId: uuid(1), runNumber: 1, stepId: 's2' }]]);
    assert.match(dialogs.shown[0] ?? '', /\n  Prompts found: 1 \| accounts \|/);
    const nothing = 'No prompt in the mapped trees contains these words.';
    await commands({ pick: nothing })['dialtree.mapping.searchPrompts']('unheard of');
    await commands(' ', { pick: undefined })['dialtree.mapping.searchPrompts']();
    assert.doesNotMatch(dialogs.shown[0] ?? '', /\n/);
    assert.equal(did.length, 1);
  });

  it('find a prompt in a tree that is read only for that', async () => {
    jobs = [{ ...bank, trees: new Map() }, clinic];
    read.set(uuid(1), bank);
    await commands('account number', { pick: 'accounts' })['dialtree.mapping.searchPrompts']();
    assert.deepEqual(did, [['openTree', { jobId: uuid(1), runNumber: 1, stepId: 's2' }]]);
  });
});
