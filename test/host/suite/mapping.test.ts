import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { PracticeIvr } from '../../../src/editor/host/practiceNotes.ts';
import type { DialtreeTestApi } from '../../../src/editor/testApi.ts';
import { patienceMs } from '../../support/patience.ts';
import { dialtree, ended, eventually, filesOf, jobThat, ticking, viewText } from './support.ts';

describe('mapping the practice bank', function () {
  // How long a mapping takes depends on the machine; `jobThat` ends one that makes no progress.
  this.timeout(4 * patienceMs);
  let api: DialtreeTestApi, ivr: PracticeIvr;
  const made: string[] = [];

  const start = async (config: object, { uri } = ivr): Promise<string> => {
    const jobId = await vscode.commands.executeCommand<string | undefined>('dialtree.mapping.new', {
      target: uri,
      name: 'Harbour Bank',
      config,
    });
    assert.ok(jobId, 'the command started no mapping');
    made.push(jobId);
    return jobId;
  };

  before(async () => {
    api = await dialtree();
    const started = await vscode.commands.executeCommand<PracticeIvr | undefined>('dialtree.practice.start', {
      sample: 'bank',
    });
    assert.ok(started, 'the practice bank did not start');
    ivr = started;
    await vscode.commands.executeCommand('dialtree.mappings.focus');
  });

  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    for (const id of made) {
      await api.connection.call('cancelMapping', { id });
      await jobThat(api, id, 'the run ends before its job is deleted', ({ job }) => job.status === 'idle');
      await api.connection.call('deleteMapping', { id });
    }
    await vscode.commands.executeCommand('dialtree.practice.stop', ivr);
    assert.deepEqual(api.practice.running, []);
  });

  it('shows the tree in view, panel and transcript while it grows and afterwards', async () => {
    const jobId = await start({ maxDepth: 1, concurrency: 4 });
    assert.ok((await viewText(api)).startsWith('Harbour Bank — running'));
    await vscode.commands.executeCommand('dialtree.mapping.openTree', { jobId });
    const panel = api.panels.find(jobId);
    assert.ok(panel);

    const done = await jobThat(api, jobId, 'the run ends', ended);
    assert.ok(
      ['completed', 'limited'].includes(done.job.currentRun?.status ?? ''),
      `the run ended as ${done.job.currentRun?.status ?? 'none'}: ${done.job.currentRun?.reason ?? ''}`,
    );

    const tree = await api.store.loadTree(jobId, 1, { fresh: true });
    const root = tree.trees.get(1)?.response.tree;
    assert.match(root?.transcript ?? '', /harbou?r bank/i);
    const keys = (root?.children ?? []).map(({ digit }) => digit);
    for (const key of ['1', '2', '3']) assert.ok(keys.includes(key), `the bank offers ${key}; found ${keys.join(' ')}`);

    const text = await viewText(api);
    console.log(text.replaceAll(/^/gm, '      '));
    assert.match(
      text,
      /^Harbour Bank — (completed|stopped at a limit|uncertain) · \d+ menus · \d+ ends? · \d+ calls\n {2}Run 1 — .*\n {4}/,
    );
    assert.match(text, /^ {6}1 · /m);

    const shown = await eventually('the webview shows the ended run', ticking, () =>
      panel.lastSnapshot?.job?.status === 'idle' && panel.lastSnapshot.tree.tree ? panel.lastSnapshot : undefined,
    );
    assert.equal(shown.version, 1);
    assert.equal(shown.runs.length, 1);

    await vscode.commands.executeCommand('dialtree.mapping.openTranscript', { jobId });
    const document = vscode.window.activeTextEditor?.document;
    assert.equal(document?.uri.scheme, 'dialtree');
    assert.match(document.getText(), /^Harbour Bank {2}sip:/);
    assert.match(document.getText(), /› 1 · /);
  });

  it('reveals a job in the view', async () => {
    const jobId = made[0];
    assert.ok(jobId);
    await api.view.reveal(jobId);
  });

  it('cancels an active run, and keeps what it found', async () => {
    const jobId = await start({ maxDepth: 5, concurrency: 1 });
    await jobThat(api, jobId, 'a menu is found', ({ job }) => (job.stats?.nodesDiscovered ?? 0) > 0);
    await vscode.commands.executeCommand('dialtree.mapping.cancel', { jobId });
    const { job } = await jobThat(api, jobId, 'the run ends', ended);
    assert.equal(job.inFlightCount ?? 0, 0);
    assert.ok((job.currentRun?.stats.nodesDiscovered ?? 0) > 0);
  });

  it('ends as interrupted with its practice IVR, which Map Again starts for a second run of the same mapping', async () => {
    const { at, write, remove } = filesOf('mapped');
    const clinic = {
      name: 'Maple Clinic',
      start: 'main',
      states: {
        main: { prompt: 'Welcome to Maple Clinic. For opening hours, press 1.', keys: { 1: 'hours' } },
        hours: { prompt: 'We are open from nine to five.', end: 'hangup' },
      },
    };
    await write('clinic.ivr.json', JSON.stringify(clinic));
    try {
      const file = at('clinic.ivr.json').fsPath;
      const jobId = await start({}, await vscode.commands.executeCommand('dialtree.practice.start', { file }));
      await jobThat(api, jobId, 'a menu is found', ({ job }) => (job.stats?.nodesDiscovered ?? 0) > 0);
      const before = api.practice.find(file);
      assert.ok(before);
      await vscode.commands.executeCommand('dialtree.practice.stop', before);
      assert.equal(api.practice.find(file), undefined);
      const { job } = await jobThat(api, jobId, 'the run ends', ended);
      assert.deepEqual([job.currentRun?.status, job.currentRun?.endedBy], ['failed', 'stop']);
      assert.match(await viewText(api), /^Harbour Bank — interrupted/m);

      await vscode.commands.executeCommand('dialtree.mapping.start', { jobId });
      assert.equal(api.practice.find(file)?.uri, before.uri);
      const again = await jobThat(
        api,
        jobId,
        'the second run ends',
        (one) => ended(one) && one.job.currentRun?.runNumber === 2,
      );
      assert.equal(again.job.currentRun?.status, 'completed', again.job.currentRun?.reason);
    } finally {
      await api.practice.stop(at('clinic.ivr.json').fsPath);
      await remove();
    }
  });
});
