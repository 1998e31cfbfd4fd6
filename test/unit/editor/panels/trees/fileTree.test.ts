import assert from 'node:assert/strict';
import type { CalltreeFile } from '../../../../../src/contract/calltreeFile.ts';
import { HumanError } from '../../../../../src/contract/errors.ts';
import type { PanelSnapshot } from '../../../../../src/contract/panel.ts';
import { Emitter } from '../../../../../src/editor/basics/emitter.ts';
import { FileTree, type TreeText } from '../../../../../src/editor/panels/trees/fileTree.ts';
import { DrawnCoverage } from '../../../../../src/editor/testing/coverage/drawnCoverage.ts';
import type { Walk } from '../../../../../src/model/tests/pathCoverage.ts';
import { FakePage } from '../../fakePage.ts';
import { english, FakeCancels, FakeClock, recordingLogger } from '../../fakes.ts';

const bank: CalltreeFile = {
  name: 'Bank',
  phoneNumber: '+12025550101',
  tree: {
    stepId: 'root',
    status: 'explored',
    transcript: 'Welcome.',
    children: [{ stepId: '1', digit: '1', status: 'explored' }],
  },
};
const walks: Walk[] = [[{ key: '1', heard: 'You have reached accounts.' }], [{ phrase: 'cards' }]];

describe('FileTree', () => {
  let clock: FakeClock, host: FakePage<'main'>, panel: FileTree, covered: DrawnCoverage, typed: Emitter<void>;
  let text = '',
    generated = 0,
    refusal: Error | undefined,
    opened: { line: number; column: number }[] = [];

  beforeEach(async () => {
    clock = new FakeClock();
    host = new FakePage('main');
    covered = new DrawnCoverage();
    typed = new Emitter();
    text = JSON.stringify(bank);
    generated = 0;
    refusal = undefined;
    opened = [];
    panel = open(host);
    await host.say({ type: 'ready' });
  });
  afterEach(() => panel.dispose());

  const open = (page: FakePage<'main'>): FileTree => {
    const file: TreeText = {
      file: 'bank.calltree.json',
      read: () => text,
      onDidChange: typed.listen,
      generateTests: () => {
        generated += 1;
        if (refusal) throw refusal;
      },
      openText: ({ line, column }) => {
        opened.push({ line, column });
      },
    };
    const parts = { clock, covered, connection: new FakeCancels(), log: recordingLogger(), l10n: english };
    return new FileTree(page, file, parts);
  };
  const shown = (): PanelSnapshot => {
    const snapshot = host.of('snapshot').at(-1);
    assert.ok(snapshot);
    return snapshot;
  };
  const wait = async (): Promise<void> => {
    await clock.pass(1_000);
  };
  /** Ends a run with coverage whose calls went to this number. */
  const cover = async (number: string): Promise<void> => {
    covered.keep({
      through: ({ phoneNumber }) => (phoneNumber === number ? walks.map((walk) => ({ item: undefined, walk })) : []),
    });
    await wait();
  };

  it('shows the tree from the text, and reports if it contains none', async () => {
    assert.deepEqual(shown().tree, { jobId: 'bank.calltree.json', tree: bank.tree });
    text = JSON.stringify({ ...bank, name: 'Harbour Bank' });
    typed.fire();
    await wait();
    assert.equal(shown().name, 'Harbour Bank');
    text = '{ "name": ';
    typed.fire();
    await wait();
    assert.deepEqual(host.of('notice').at(-1)?.place, { line: 1, column: 11 });
    await host.say({ type: 'openText', line: 1, column: 11 });
    assert.deepEqual(opened, [{ line: 1, column: 11 }]);
  });

  it('shows the coverage of the last run until the user hides it', async () => {
    assert.equal(shown().coverage, undefined);
    await cover('+12025550101');
    assert.deepEqual(shown().coverage, {
      steps: { covered: 2, total: 2 },
      ways: { covered: 1, total: 1 },
      marks: ['covered', 'covered'],
    });
    text = JSON.stringify({
      ...bank,
      tree: {
        ...bank.tree,
        children: [...(bank.tree.children ?? []), { stepId: '2', digit: '2', status: 'explored' }],
      },
    });
    typed.fire();
    await wait();
    assert.deepEqual(shown().coverage?.marks, ['covered', 'covered', 'uncovered']);
    await host.say({ type: 'hideCoverage' });
    await wait();
    assert.equal(shown().coverage, undefined);
    text = JSON.stringify(bank);
    typed.fire();
    await wait();
    assert.equal(shown().coverage, undefined, 'hidden while somebody types');
    await cover('+12025550101');
    assert.deepEqual(shown().coverage?.marks, ['covered', 'covered'], 'of another run');
    await cover('+12025550199');
    assert.equal(shown().coverage, undefined, 'of a run that called somebody else');
  });

  it('hides the marks in each editor of the file, without reporting the pressed keys to any page', async () => {
    await cover('+12025550101');
    const other = new FakePage('main');
    const second = open(other);
    await other.say({ type: 'ready' });
    assert.ok(other.of('snapshot').at(-1)?.coverage);
    await host.say({ type: 'hideCoverage' });
    await wait();
    assert.equal(other.of('snapshot').at(-1)?.coverage, undefined);
    second.dispose();
    assert.ok(!JSON.stringify([host.posted, other.posted]).includes('You have reached accounts.'));
  });

  it("generates tests for uncovered paths, and says why it can't", async () => {
    await host.say({ type: 'generateTests' });
    assert.equal(generated, 1);
    refusal = new HumanError('This tree has no paths.', { status: 404, code: 'no_paths' });
    await host.say({ type: 'generateTests' });
    assert.equal(host.of('notice').at(-1)?.message, 'This tree has no paths.');
  });

  it('follows nothing once it is closed', async () => {
    panel.dispose();
    const before = host.posted.length;
    await cover('+12025550101');
    assert.equal(host.posted.length, before);
  });
});
