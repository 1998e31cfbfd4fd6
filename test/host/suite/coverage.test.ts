import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { DialtreeTestApi } from '../../../src/editor/testApi.ts';
import { dialtree, filesOf, writeShortBank } from './support.ts';

/** A call of a test shows which branches of a mapped tree it took. */
describe('coverage of mapped trees', function () {
  let api: DialtreeTestApi;
  const { at, write, remove } = filesOf('covered');

  before(async () => {
    api = await dialtree();
    await writeShortBank(at('bank.ivr.json'));
    // As it is mapped while the practice IVR plays, on any port.
    await write(
      'bank.calltree.json',
      JSON.stringify(
        {
          name: 'Harbour Bank',
          phoneNumber: 'sip:harbour-bank@127.0.0.1:40112',
          tree: {
            stepId: 'root',
            status: 'explored',
            transcript: 'Welcome to Harbour Bank. For accounts, press 1. For cards, press 2.',
            children: [
              {
                stepId: 'a',
                digit: '1',
                label: 'accounts',
                status: 'explored',
                transcript: 'You have reached accounts. For your balance, press 1.',
                children: [],
              },
              {
                stepId: 'c',
                digit: '2',
                label: 'cards',
                status: 'explored',
                transcript: 'For a lost or stolen card, press 1.',
                children: [],
              },
            ],
          },
        },
        undefined,
        2,
      ),
    );
    await write(
      'elsewhere.calltree.json',
      JSON.stringify({
        name: 'Another',
        phoneNumber: '+12025550199',
        tree: { status: 'explored', transcript: 'Hello.' },
      }),
    );
    await write(
      'accounts.calltest.json',
      JSON.stringify(
        {
          name: 'Accounts',
          ivr: 'bank.ivr.json',
          steps: [
            { name: 'Greeting', action: { type: 'dial' }, expectedTranscript: 'Welcome to Harbour Bank.' },
            {
              name: 'Accounts',
              action: { type: 'press', keys: '1' },
              expectedTranscript: 'You have reached accounts.',
            },
          ],
        },
        undefined,
        2,
      ),
    );
    await api.explorer.discover();
    // The editor knows tests slightly later than the extension host lists them, and runs only those it knows.
    const known = async (): Promise<boolean> =>
      (
        await vscode.commands.executeCommand<readonly unknown[]>(
          'vscode.testing.getTestsInFile',
          at('accounts.calltest.json'),
        )
      ).length > 0;
    while (!(await known()));
  });

  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    for (const ivr of api.practice.running) await api.practice.stop(ivr.file);
    await remove();
  });

  it('counts the steps and keys that a real call went through, in the tree of the called IVR @full', async () => {
    await vscode.commands.executeCommand('testing.coverage.uri', at('accounts.calltest.json'));
    const [coverage, ...others] = api.explorer.lastCoverage;
    assert.ok(coverage, 'the run told of no coverage');
    assert.deepEqual(others, []);
    assert.equal(coverage.uri.toString(), at('bank.calltree.json').toString());
    const { statementCoverage, branchCoverage, includesTests } = coverage;
    assert.deepEqual(
      [statementCoverage.covered, statementCoverage.total, branchCoverage?.covered, branchCoverage?.total],
      [2, 3, 1, 2],
    );
    assert.deepEqual(
      includesTests?.map(({ label }) => label),
      ['Accounts'],
    );

    const drawn = await api.panels.open({ uri: at('bank.calltree.json').toString() });
    assert.ok(drawn);
    await drawn.draw('svg');
    assert.deepEqual(drawn.lastSnapshot?.coverage, {
      steps: { covered: 2, total: 3 },
      ways: { covered: 1, total: 2 },
      marks: ['covered', 'covered', 'uncovered'],
    });
  });
});
