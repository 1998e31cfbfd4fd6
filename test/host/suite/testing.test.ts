import assert from 'node:assert/strict';
import path from 'node:path';
import * as vscode from 'vscode';
import type { RunResults } from '../../../src/contract/testRuns.ts';
import type { Dialogs } from '../../../src/editor/basics/dialogs/dialogs.ts';
import type { DialtreeTestApi } from '../../../src/editor/testApi.ts';
import { acceptedWords, offerEdits } from '../../../src/editor/testing/explorer/acceptHeard.ts';
import { TestTree } from '../../../src/editor/testing/explorer/testTree.ts';
import { testIdOf } from '../../../src/runner/testId.ts';
import { workspaceFile } from '../../../src/editor/folders/workspaceFile.ts';
import { unlessBusy } from '../../support/unlessBusy.ts';
import { dialtree, eventually, filesOf, ticking, writeShortBank } from './support.ts';

describe('calls as tests', function () {
  let api: DialtreeTestApi;
  const { at, write, read, remove } = filesOf('calls');
  const item = (name: string): vscode.TestItem | undefined =>
    api.explorer.items.find(({ id }) => id === at(name).toString());
  const listed = (name: string, wanted: (found: vscode.TestItem) => boolean = () => true): Promise<vscode.TestItem> =>
    eventually(`${name} is listed`, ticking, () => {
      const found = item(name);
      return found && wanted(found) ? found : undefined;
    });
  const children = (of: vscode.TestItem | undefined): string[] =>
    [...(of?.children ?? [])].map(([, child]) => child.label);
  const newestRun = async (of: vscode.TestItem): Promise<RunResults> => {
    const runId = await api.explorer.runOf(of);
    if (runId === undefined) assert.fail(`${of.label} was not run: ${await read(path.basename(of.uri?.path ?? ''))}`);
    return api.connection.call('getRunResults', { runId });
  };

  const balance = (wanted: string): string => `{
  // The first account of a new customer.
  "name": "Balance by keypad",
  "ivr": "bank.ivr.json",
  "steps": [
    { "name": "Greeting", "action": { "type": "dial" }, "expectedTranscript": "Welcome to Harbour Bank. For accounts, press 1. For cards, press 2." },
    { "name": "Accounts", "action": { "type": "press", "keys": "1" }, "expectedTranscript": "${wanted}" },
    { "name": "End", "action": { "type": "hangUp" } }
  ]
}
`;

  const branches = ['1 · key: 1, pin: •••', '2 · key: 2, pin: •••'];

  before(async () => {
    api = await dialtree();
    await writeShortBank(at('bank.ivr.json'));
    await write('balance.calltest.json', balance('You have reached accounts. For your balance, press 1.'));
    await write(
      'rows.calltest.json',
      JSON.stringify(
        {
          name: 'Branches',
          ivr: 'bank.ivr.json',
          tags: ['branches'],
          rows: [
            { key: '1', pin: '4711' },
            { key: '2', pin: '4712' },
          ],
          steps: [
            { name: 'Greeting', action: { type: 'dial' } },
            { name: 'Branch', action: { type: 'press', keys: '{key}' } },
            { name: 'Pin', action: { type: 'press', keys: '{pin}' }, secret: true },
          ],
        },
        undefined,
        2,
      ),
    );
    await write('broken.calltest.json', '{\n  "name": "Broken",\n  "ivr": "bank.ivr.json",\n  "step": []\n}\n');
    await write(
      'balance.mission.json',
      JSON.stringify({
        name: 'Find the balance',
        ivr: 'bank.ivr.json',
        mission:
          'You are a customer of Harbour Bank. Your account number is 12345678. Find out the balance of your account, then hang up.',
        acceptance: 'The bank says "you have two hundred dollars in your account".',
      }),
    );
    await api.explorer.discover();
  });

  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    for (const ivr of api.practice.running) await api.practice.stop(ivr.file);
    await remove();
  });

  it("doesn't read files that aren't expanded", async () => {
    // The Test Explorer requests the content of files that it draws; here nothing requests it.
    const controller = vscode.tests.createTestController('dialtree.unasked', 'Nobody asks');
    try {
      const tree = new TestTree(controller);
      const file = tree.addFile(at('rows.calltest.json'));
      await tree.readFile(at('broken.calltest.json'));
      await tree.readFile(at('balance.mission.json'));
      assert.deepEqual(
        [file.canResolveChildren, file.children.size, tree.isRead(at('rows.calltest.json'))],
        [true, 0, false],
      );
      await tree.readFile(at('rows.calltest.json'));
      assert.deepEqual([children(file), tree.isRead(at('rows.calltest.json'))], [branches, true]);
    } finally {
      controller.dispose();
    }
  });

  it('lists files immediately, and the content of an open one', async () => {
    for (const name of ['balance.calltest.json', 'rows.calltest.json', 'broken.calltest.json', 'balance.mission.json'])
      await listed(name);
    await vscode.window.showTextDocument(at('rows.calltest.json'));
    const rows = await listed('rows.calltest.json', ({ children: { size } }) => size > 0);
    assert.equal(rows.label, 'Branches');
    assert.deepEqual(
      rows.tags.map(({ id }) => id),
      ['branches'],
    );
    assert.deepEqual(children(rows), branches);
  });

  it('runs no other row again if the file no longer contains the row of a run', async () => {
    const configId = await testIdOf(undefined, workspaceFile(at('rows.calltest.json')).path);
    const again = api.explorer.runAgain({ configId, row: { key: '9', pin: '•••' } }, () => assert.fail('a call'));
    assert.equal(await again, false);
  });

  it("shows the problem of a file that isn't open at its line, and removes it when it is fixed", async () => {
    const broken = await listed('broken.calltest.json', ({ error }) => error !== undefined);
    assert.match((broken.error as vscode.MarkdownString).value, /#L4[^)]*\): .*Did you mean/);
    assert.equal(broken.range?.start.line, 3);
    await write('broken.calltest.json', balance('Anything').replace('Balance by keypad', 'Mended'));
    const mended = await listed('broken.calltest.json', ({ error }) => error === undefined);
    assert.deepEqual([mended.label, mended.range?.start.line, children(mended)], ['Mended', 2, []]);
  });

  it('lists a test as one row with its name, before its file is read', async () => {
    for (const [name, what] of [
      ['one', 'Harbour Bank: cards'],
      ['two', 'Harbour Bank: transfers'],
    ] as const)
      await write(`named/${name}.calltest.json`, balance('Anything').replace('Balance by keypad', what));
    const one = await listed('named/one.calltest.json', ({ label }) => label === 'cards');
    assert.deepEqual(
      [one.description, one.canResolveChildren, one.children.size],
      ['calls/named/one.calltest.json · Harbour Bank: cards', false, 0],
    );
    await vscode.workspace.fs.delete(at('named/two.calltest.json'));
    await listed('named/one.calltest.json', ({ label }) => label === 'Harbour Bank: cards');
    await vscode.workspace.fs.delete(at('named'), { recursive: true });
  });

  it('lists a test with a single row as one row, and keeps its run when a row is added or removed', async () => {
    const rows = (...keys: string[]): string =>
      JSON.stringify({
        name: 'Single',
        ivr: 'bank.ivr.json',
        rows: keys.map((key) => ({ key })),
        steps: [
          { name: 'Greeting before {key}', action: { type: 'dial' } },
          { name: 'End', action: { type: 'hangUp' } },
        ],
      });
    await write('single.calltest.json', rows('1'));
    await vscode.commands.executeCommand('dialtree.test.run', { file: at('single.calltest.json').fsPath });
    const single = await listed('single.calltest.json');
    assert.deepEqual([single.label, single.children.size], ['Single', 0]);
    const { id } = await newestRun(single);
    await write('single.calltest.json', rows('2', '1'));
    const several = await listed('single.calltest.json', ({ children: { size } }) => size === 2);
    assert.equal(several, single);
    const [, second] = [...several.children].map(([, row]) => row);
    assert.ok(second);
    assert.equal(await api.explorer.runOf(second), id);
    await write('single.calltest.json', rows('1'));
    await listed('single.calltest.json', ({ children: { size } }) => size === 0);
    assert.equal(await api.explorer.runOf(single), id);
    await vscode.workspace.fs.delete(at('single.calltest.json'));
  });

  it('follows added and deleted files', async () => {
    await write('later.calltest.json', balance('Anything'));
    await listed('later.calltest.json');
    await vscode.workspace.fs.delete(at('later.calltest.json'));
    await eventually('the file is gone', ticking, () => (item('later.calltest.json') ? undefined : true));
  });

  it('drops the tests of a deleted folder, and finds those of a new one', async () => {
    await write('sub/one.calltest.json', balance('Anything'));
    await listed('sub/one.calltest.json');
    await vscode.workspace.fs.rename(at('sub'), at('moved'));
    await listed('moved/one.calltest.json');
    await eventually('the old folder is gone', ticking, () => (item('sub/one.calltest.json') ? undefined : true));
    await vscode.workspace.fs.delete(at('moved'), { recursive: true });
    await eventually('the folder is gone', ticking, () => (item('moved/one.calltest.json') ? undefined : true));
  });

  it('restores the tests of a file that was deleted and created again while it is open', async () => {
    await write('again.calltest.json', balance('Anything'));
    await vscode.window.showTextDocument(at('again.calltest.json'));
    await listed('again.calltest.json', ({ range }) => range !== undefined);
    await vscode.workspace.fs.delete(at('again.calltest.json'));
    await eventually('the file is gone', ticking, () => (item('again.calltest.json') ? undefined : true));
    await write('again.calltest.json', balance('Anything'));
    await listed('again.calltest.json', ({ range }) => range !== undefined);
    await vscode.workspace.fs.delete(at('again.calltest.json'));
  });

  it('shows the rows of a CSV at their lines, and keeps each test if others are inserted before it', async () => {
    await write('branches.csv', 'key,city\n1,Berlin\n2,Oslo\n');
    await write(
      'csv.calltest.json',
      JSON.stringify({
        name: 'From CSV',
        ivr: 'bank.ivr.json',
        rowsFile: 'branches.csv',
        steps: [
          { name: 'Greeting', action: { type: 'dial' } },
          { name: '{city}', action: { type: 'press', keys: '{key}' } },
        ],
      }),
    );
    await vscode.window.showTextDocument(at('csv.calltest.json'));
    const rowsOf = (file: vscode.TestItem): vscode.TestItem[] => [...file.children].map(([, row]) => row);
    const rows = rowsOf(await listed('csv.calltest.json', (file) => rowsOf(file).length === 2));
    assert.deepEqual(
      rows.map(({ uri, range }) => [uri?.toString(), range?.start.line]),
      [
        [at('branches.csv').toString(), 1],
        [at('branches.csv').toString(), 2],
      ],
    );
    await write('branches.csv', 'key,city\n3,Rome\n1,Berlin\n2,Oslo\n');
    const more = rowsOf(await listed('csv.calltest.json', (file) => rowsOf(file).length === 3));
    const lineOf = (id: string | undefined): number | undefined => more.find((row) => row.id === id)?.range?.start.line;
    assert.deepEqual(
      rows.map(({ id }) => lineOf(id)),
      [2, 3],
    );
    await vscode.workspace.fs.delete(at('csv.calltest.json'));
  });

  it("runs a file by a real call, and doesn't change it", async function () {
    const text = balance('You have reached accounts. For your balance, press 1.').replace(
      '"name"',
      '"id": "8f0b6a52-3c1d-4e7a-9b55-0d4c2a7e6f31",\n  "name"',
    );
    await write('balance.calltest.json', text);
    const results = await unlessBusy(this, async () => {
      await vscode.commands.executeCommand('dialtree.test.run', { file: at('balance.calltest.json').fsPath });
      return newestRun(await listed('balance.calltest.json'));
    });
    assert.equal(await read('balance.calltest.json'), text);
    assert.equal(results.outcome, 'PASS', JSON.stringify(results, undefined, 2));
    assert.deepEqual(
      results.steps.map(({ outcome }) => outcome),
      ['PASS', 'PASS', 'PASS'],
    );
    await vscode.workspace.fs.rename(at('balance.calltest.json'), at('renamed.calltest.json'));
    assert.equal(
      await api.explorer.runOf(await listed('renamed.calltest.json')),
      results.id,
      'its run is lost with its name',
    );
    await vscode.workspace.fs.rename(at('renamed.calltest.json'), at('balance.calltest.json'));
    await listed('balance.calltest.json');
  });

  it('reports the problem of an unreadable file', async () => {
    await vscode.workspace.fs.writeFile(at('latin.calltest.json'), Uint8Array.from([0x7b, 0xe4, 0x7d]));
    const latin = workspaceFile(at('latin.calltest.json'));
    await assert.rejects(latin.read(), {
      name: 'HumanError',
      message: "calls/latin.calltest.json isn't encoded in UTF-8. Save the file as UTF-8.",
    });
    await vscode.workspace.fs.delete(at('latin.calltest.json'));
    await assert.rejects(latin.read(), { name: 'HumanError', code: 'no_file' });
    await vscode.workspace.fs.createDirectory(at('latin.calltest.json'));
    await assert.rejects(latin.read(), { name: 'HumanError', message: /is a folder/ });
    await vscode.workspace.fs.delete(at('latin.calltest.json'), { recursive: true });
  });

  it('shows the run in its view, and its report', async () => {
    await vscode.commands.executeCommand('dialtree.runs.focus');
    await eventually(
      'the run is listed',
      (look) => api.runs.onDidChange(look),
      () => (api.runs.rows.length > 0 ? true : undefined),
    );
    const [row] = api.runsView.getChildren();
    assert.ok(row?.kind === 'run');
    const shown = api.runsView.getTreeItem(row);
    assert.equal(shown.label, 'Balance by keypad');
    assert.match(String(shown.description), /^passed · /);
    await vscode.commands.executeCommand('dialtree.test.openReport', row);
    const snapshot = await eventually('the report is shown', ticking, () => api.reports.find(row.runId)?.lastSnapshot);
    assert.equal(snapshot.name, 'Balance by keypad');
    assert.equal(snapshot.hasFile, true);
    assert.ok((snapshot.run.transcript ?? []).length > 0);
    assert.ok(snapshot.run.audioUrl, 'the call has no recording');
    const wav = await api.connection.fetchAudio(snapshot.run.audioUrl);
    assert.equal(new TextDecoder().decode(wav.subarray(0, 4)), 'RIFF');
    const isListed = (): boolean =>
      api.runsView.getChildren().some((listedRow) => listedRow.kind === 'run' && listedRow.runId === row.runId);
    await vscode.commands.executeCommand('dialtree.runs.filter', { outcome: 'FAIL' });
    assert.equal(isListed(), false);
    await vscode.commands.executeCommand('dialtree.runs.clearFilter');
    assert.equal(isListed(), true);
    await vscode.commands.executeCommand('dialtree.runs.filter', {
      within: 'today',
      phoneNumber: snapshot.run.phoneNumber,
      configId: snapshot.run.configId,
    });
    assert.equal(isListed(), true);
    await vscode.commands.executeCommand('dialtree.runs.filter', { phoneNumber: '+12025550199' });
    assert.equal(isListed(), false);
    await vscode.commands.executeCommand('dialtree.runs.clearFilter');
  });

  it('shows what was heard if that is another text than expected', async function () {
    await write(
      'broken.calltest.json',
      balance('Your call may be recorded for training purposes.').replace('Balance by keypad', 'Wrong text'),
    );
    const { outcome, reason, steps } = await unlessBusy(this, async () => {
      await vscode.commands.executeCommand('dialtree.test.run', { file: at('broken.calltest.json').fsPath });
      return newestRun(await listed('broken.calltest.json'));
    });
    assert.equal(outcome, 'FAIL', reason);
    assert.equal(steps[1]?.outcome, 'FAIL');
    assert.ok((steps[1]?.similarity ?? 1) < 0.8);
  });

  it('offers to replace the expected words by what was heard', async () => {
    // VS Code has not read this file before, so nothing of it can be older than the file, which VS Code wouldn't save.
    const uri = at('accepted.calltest.json');
    const expected = 'Your call may be recorded for training purposes.';
    const found = { step: 1, expected, heard: 'You have reached accounts.' };
    await write('accepted.calltest.json', balance(expected));
    await vscode.commands.executeCommand('dialtree.test.acceptHeard');
    const labels = (): string[] => vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.map(({ label }) => label));
    const asking = { title: 'Accept What Was Heard', placeHolder: '' };
    const accepts: Pick<Dialogs, 'pick'> = {
      async pick(choices) {
        // The window can be behind the command.
        await eventually(
          'the comparison is shown',
          (look) => vscode.window.tabGroups.onDidChangeTabs(look),
          () => labels().includes(asking.title) || undefined,
        );
        return choices[0]?.value;
      },
    };
    const others = acceptedWords({ ...found, expected: 'Other words.' }, found.heard);
    assert.equal(await offerEdits(uri, others, asking, accepts), false);
    assert.equal(await offerEdits(uri, acceptedWords(found, found.heard), asking, accepts), true);
    assert.equal(await read('accepted.calltest.json'), balance(found.heard));
    assert.ok(!labels().includes(asking.title), 'the comparison is closed');
  });

  it('runs only the tests again that failed', async () => {
    const broken = await listed('broken.calltest.json');
    const before = await api.explorer.runOf(broken);
    await vscode.commands.executeCommand('dialtree.test.runFailed', broken);
    assert.notEqual(await api.explorer.runOf(broken), before);
    assert.equal(await api.explorer.runFailed([await listed('rows.calltest.json')]), false);
  });

  it('hangs up on request', async () => {
    await write(
      'balance.calltest.json',
      balance('You have reached accounts.')
        .replace('"dial" }', '"dial" }, "timing": { "silenceAtMostSeconds": 60 }')
        .replace(
          '{ "name": "End"',
          '{ "name": "Wait", "action": { "type": "wait", "seconds": 60 } },\n    { "name": "End"',
        ),
    );
    const running = vscode.commands.executeCommand('dialtree.test.run', { file: at('balance.calltest.json').fsPath });
    await vscode.commands.executeCommand('dialtree.runs.focus');
    const run = await eventually(
      'the run goes on',
      (look) => api.runs.onDidChange(look),
      () => api.runs.rows.find(({ status }) => status === 'running'),
    );
    // A row that was never requested isn't redrawn.
    assert.ok(api.runsView.getChildren().some((element) => element.kind === 'run' && element.runId === run.id));
    const drawn: unknown[] = [];
    const drawing = api.runsView.onDidChangeTreeData((elements) => {
      drawn.push(elements?.map((element) => (element.kind === 'run' ? element.runId : element.kind)));
    });
    await vscode.commands.executeCommand('dialtree.test.cancel', { runId: run.id });
    await running;
    await eventually(
      'the row tells of the end',
      (look) => api.runs.onDidChange(look),
      () => api.runs.row(run.id)?.status === 'completed' || undefined,
    );
    drawing.dispose();
    assert.deepEqual(drawn.at(-1), [run.id], 'no other row is drawn again');
    const results = await api.connection.call('getRunResults', { runId: run.id });
    assert.equal(results.status, 'completed');
    assert.notEqual(results.outcome, 'PASS');
  });

  it('runs a mission, and shows its verdict with the transcript @full', async function () {
    const run = await unlessBusy(this, async () => {
      await vscode.commands.executeCommand('dialtree.test.runMission', { file: at('balance.mission.json').fsPath });
      return newestRun(await listed('balance.mission.json'));
    });
    assert.equal(run.outcome, 'PASS', JSON.stringify(run, undefined, 2));
    await vscode.commands.executeCommand('dialtree.test.openReport', { runId: run.id });
    const { mission } = await eventually('the report is shown', ticking, () => api.reports.find(run.id)?.lastSnapshot);
    assert.match(mission?.passEvidence?.[0]?.quote ?? '', /two hundred dollars/i);
    await vscode.commands.executeCommand('dialtree.test.judgeAgain', { runId: run.id });
    assert.equal(
      api.reports.find(run.id)?.lastSnapshot?.acceptance,
      'The bank says "you have two hundred dollars in your account".',
    );
  });

  it('ends the practice IVR of tests that have ended, unless the user starts it', async () => {
    assert.equal(api.practice.running.length, 0);
    const file = at('bank.ivr.json').fsPath;
    await vscode.commands.executeCommand('dialtree.practice.start', { file });
    await vscode.commands.executeCommand('dialtree.test.run', { file: at('balance.calltest.json').fsPath });
    assert.deepEqual(
      api.practice.running.map((ivr) => path.basename(ivr.file)),
      ['bank.ivr.json'],
    );
  });

  it('places the calls of a load test, and shows its report and its row', async () => {
    const [bank] = api.practice.running;
    assert.ok(bank);
    const id: unknown = await vscode.commands.executeCommand('dialtree.load.start', {
      phoneNumber: bank.uri,
      concurrency: 5,
      holdSeconds: 1,
    });
    assert.ok(typeof id === 'string');
    const { test } = await eventually('the load test has ended', ticking, () => {
      const shown = api.loads.find(id)?.lastSnapshot;
      return shown?.test.status === 'running' ? undefined : shown;
    });
    assert.deepEqual([test.status, test.stats?.callsPlaced, test.stats?.callsAnswered], ['completed', 5, 5]);
    await vscode.commands.executeCommand('dialtree.runs.focus');
    await eventually(
      'the load test is listed',
      (look) => api.runs.onDidChange(look),
      () => {
        const found = api.runs.row(id);
        return (found?.kind === 'load' && found.status === 'completed') || undefined;
      },
    );
    await vscode.commands.executeCommand('dialtree.runs.filter', { runType: 'load' });
    assert.deepEqual(
      api.runsView.getChildren().map((element) => element.kind === 'run' && element.runId),
      [id],
    );
    await vscode.commands.executeCommand('dialtree.runs.clearFilter');
  });

  it('groups, pins and copies runs in their view', async () => {
    await vscode.commands.executeCommand('dialtree.runs.group', { by: 'outcome' });
    const [group] = api.runsView.getChildren();
    assert.ok(group?.kind === 'group');
    const [row] = api.runsView.getChildren(group);
    assert.ok(row && row.kind !== 'group');
    await vscode.commands.executeCommand('dialtree.run.pin', row, [row]);
    const [pinned] = api.runsView.getChildren();
    assert.deepEqual(pinned, row);
    assert.match(String(api.runsView.getTreeItem(row).description), /^pinned · /);
    await vscode.commands.executeCommand('dialtree.run.copyId', row);
    assert.match(await vscode.env.clipboard.readText(), /^[0-9a-f-]{36}$/);
    await vscode.commands.executeCommand('dialtree.run.unpin', row);
    await vscode.commands.executeCommand('dialtree.runs.group', { by: 'none' });
  });

  it('runs a probe, and shows its checks @full', async () => {
    const [bank] = api.practice.running;
    assert.ok(bank);
    const runId: unknown = await vscode.commands.executeCommand('dialtree.compliance.run', {
      phoneNumber: bank.uri,
      catalogueTestId: 'ai-disclose-start',
    });
    assert.ok(typeof runId === 'string');
    const { run } = await eventually('the probe has ended', ticking, () => {
      const shown = api.reports.find(runId)?.lastSnapshot;
      return shown?.run.status === 'completed' ? shown : undefined;
    });
    assert.ok(run.outcome === 'FAIL' || run.outcome === 'INCONCLUSIVE', run.reason);
    assert.ok(run.steps.length > 0);
  });
});
