import assert from 'node:assert/strict';
import { askLoadSize } from '../../../src/editor/commands/tests/loadForm.ts';
import { askProfile } from '../../../src/editor/profiles/profileForm.ts';
import { exportTree } from '../../../src/editor/trees/exportTree.ts';
import { fakeAgents } from './agents/fakeAgents.ts';
import { FakeDialogs } from './fakeDialogs.ts';
import type { Answer } from './fakeDialogs.ts';
import { commandsIn, fakeEditor } from './fakeEditor.ts';
import { FakeTreeFiles } from './fakeTreeFiles.ts';
import { bankTree, english, inEnglish, fakeStore, job, mapped, run } from './fakes.ts';
import { FakeSteps } from './lines/fakeSteps.ts';
import type { StepAnswer } from './lines/fakeSteps.ts';
import { memento } from './testing/fakeRuns.ts';

/** Fills in a form, and returns what it left behind: files, calls, keys, copied texts. */
type Fill = (dialogs: FakeDialogs) => Promise<readonly unknown[]>;

const newFile =
  (id: 'dialtree.file.newMission' | 'dialtree.file.newTest' | 'dialtree.file.newIvr'): Fill =>
  async (dialogs) => {
    const made: unknown[] = [];
    await commandsIn({
      dialogs,
      files: { template: () => Promise.resolve('{ "name": "", "phoneNumber": "+12025550101" }') },
      index: { ready: () => Promise.resolve([]) },
      workbench: {
        folderFor: () => Promise.resolve({ uri: 'file:///w', names: new Set<string>() }),
        showNew: (file) => {
          made.push(file);
          return Promise.resolve();
        },
      },
    })[id](undefined);
    return made;
  };

const newMapping: Fill = async (dialogs) => {
  const did: unknown[] = [];
  const note = (...values: unknown[]): Promise<never> => {
    did.push(values);
    return Promise.resolve(undefined as never);
  };
  await commandsIn({
    actions: { createOrMapAgain: note, assertServed: () => Promise.resolve() },
    dialogs,
    pickTarget: async () => {
      const target = await dialogs.ask({ title: '', prompt: '' });
      return target === undefined ? undefined : { target };
    },
    askHowToCall: () => Promise.resolve({}),
  })['dialtree.mapping.new']();
  return did;
};

const exportMapped: Fill = async (dialogs) => {
  const files = new FakeTreeFiles({});
  files.chosen = 'file:///project/out';
  await exportTree(undefined, {
    files,
    dialogs,
    ...inEnglish,
    active: () => ({ jobId: job(1).id, runNumber: 1 }),
    draw: () => Promise.reject(new Error('nothing to draw')),
    open: () => Promise.reject(new Error('nothing to open')),
    store: fakeStore((runNumber) => mapped(job(1), bankTree, [run()], runNumber)),
  });
  return files.names;
};

/** The key of the editor's own agents exists whenever they can use Dialtree, and is not a result. */
const connectAgent: Fill = async (dialogs) => {
  const { access, key, at, ring } = fakeAgents();
  try {
    await commandsIn({
      agents: { access, key },
      mcpCommand: { command: 'node', args: [], env: {} },
      dialogs,
      settings: () => ({ agents: { enabled: at.enabled }, service: at.settings }),
      clock: { now: () => Date.parse('2026-03-01T12:00:00Z') },
    })['dialtree.agent.copyConfig']();
    return [...dialogs.copied, ...ring.keys.filter(({ name }) => name !== "Editor's agent")];
  } finally {
    access.dispose();
  }
};

const forms: readonly { readonly name: string; readonly fill: Fill; readonly answers: readonly Answer[] }[] = [
  { name: 'New Mapping…', fill: newMapping, answers: ['+12025550101', 'Bank'] },
  {
    name: 'New Test…',
    fill: newFile('dialtree.file.newTest'),
    answers: [{ pick: 'Enter a number or SIP address…' }, '+12025550144', 'Balance'],
  },
  { name: 'New Mission…', fill: newFile('dialtree.file.newMission'), answers: [{ pick: 'Decide later' }, 'Balance'] },
  { name: 'New Practice IVR…', fill: newFile('dialtree.file.newIvr'), answers: ['Bank'] },
  { name: 'Export…', fill: exportMapped, answers: [{ pick: 'CSV' }] },
  {
    name: 'Connect an Agent…',
    fill: connectAgent,
    answers: [{ pick: 'Claude Code' }, { pick: 'With a new key' }, { pickSome: 'offered' }],
  },
];

/** Escape in place of an answer. */
const left = (answer: Answer): Answer =>
  typeof answer === 'string'
    ? { type: undefined }
    : (Object.fromEntries(Object.keys(answer).map((name) => [name, undefined])) as Answer);

describe('a form that the user leaves', () => {
  for (const { name, fill, answers } of forms)
    it(`leaves nothing behind and shows nothing more, at each question of ${name}`, async () => {
      const filled = new FakeDialogs(...answers, { press: undefined });
      assert.ok((await fill(filled)).length > 0, 'all answers together have a result');
      for (const [at, answer] of answers.entries()) {
        const dialogs = new FakeDialogs(...answers.slice(0, at), left(answer));
        assert.deepEqual(await fill(dialogs), [], `question ${String(at + 1)}`);
        dialogs.done();
        assert.equal(dialogs.shown.length, at + 1, 'no message');
      }
    });

  it('leaves no profile and starts no load test, at each of their questions', async () => {
    const workspaceState = memento();
    const forms: [StepAnswer[], (steps: FakeSteps) => Promise<unknown>][] = [
      [
        ['Careful', { pick: 'slt' }, '250', '300', '2.5', '3'],
        (dialogs) => askProfile({ dialogs, l10n: english, lines: [] }),
      ],
      [['5', '1', '10'], (steps) => askLoadSize(fakeEditor({ steps, context: { workspaceState } }))],
    ];
    for (const [answers, fill] of forms)
      for (const at of answers.keys()) {
        const steps = new FakeSteps(...answers.slice(0, at), undefined);
        assert.equal(await fill(steps), undefined);
        steps.done();
      }
  });
});
