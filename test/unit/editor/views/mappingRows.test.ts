import assert from 'node:assert/strict';
import { parentElement, mappingRowOf } from '../../../../src/editor/views/mappingRows.ts';
import { elementId } from '../../../../src/editor/views/treeElement.ts';
import type { JobSnapshot } from '../../../../src/editor/store/snapshot.ts';
import { bankTree, english, job, mapped, run, stats, uuid } from '../fakes.ts';
import { childrenOf, rows, treeText } from '../treeText.ts';

const withTree = ({ job: of, runs }: Partial<JobSnapshot> & Pick<JobSnapshot, 'job'>, tree = bankTree): JobSnapshot =>
  mapped(of, tree, runs, 1);

describe('the rows of the mappings view', () => {
  it('show a run that was cut short as cancelled or interrupted, in a neutral colour', () => {
    const rowsOf = (endedBy: 'cancel' | 'stop' | undefined): string[] => {
      const current = run({ status: 'failed', ...(endedBy && { endedBy }) });
      const snapshot = withTree({ job: job(1, { currentRun: current }), runs: [current] });
      const { id: jobId } = snapshot.job;
      return (
        [
          { kind: 'job', jobId },
          { kind: 'run', jobId, runNumber: 1 },
        ] as const
      ).map((element) => {
        const row = mappingRowOf(snapshot, element, english);
        return `${row?.icon?.id ?? ''} ${row?.icon?.color ?? ''} ${row?.description ?? ''}`;
      });
    };
    const cutShort = (state: string): string =>
      `circle-slash descriptionForeground ${state} · 1 menu · 2 ends · 3 calls`;
    assert.deepEqual(rowsOf('cancel'), [cutShort('cancelled'), cutShort('cancelled')]);
    assert.deepEqual(rowsOf('stop'), [cutShort('interrupted'), cutShort('interrupted')]);
    assert.match(rowsOf(undefined)[0] ?? '', /^error charts\.red failed/);
  });

  it('call a run uncertain that ended without a limit, because this machine was busy', () => {
    const current = run({ status: 'limited', reason: 'Dialtree itself may be the cause.' });
    const snapshot = withTree({ job: job(1, { currentRun: current }), runs: [current] });
    const row = mappingRowOf(snapshot, { kind: 'job', jobId: snapshot.job.id }, english);
    assert.deepEqual([row?.icon?.id, row?.description], ['question', 'uncertain · 1 menu · 2 ends · 3 calls']);
  });

  it('show a job whose calls are being hung up', () => {
    const current = run({ status: 'running' });
    const snapshot = withTree({ job: job(1, { status: 'running', currentRun: current }), runs: [current] });
    const row = mappingRowOf(snapshot, { kind: 'job', jobId: snapshot.job.id }, english, true);
    assert.deepEqual([row?.icon?.id, row?.description], ['loading~spin', 'cancelling… · 1 menu · 2 ends · 3 calls']);
    const [active, earlier] = [current, run({ runNumber: 2 })].map(
      (one) =>
        mappingRowOf(
          { ...snapshot, runs: [one] },
          { kind: 'run', jobId: snapshot.job.id, runNumber: one.runNumber },
          english,
          true,
        )?.description,
    );
    assert.equal(active, 'cancelling… · 1 menu · 2 ends · 3 calls');
    assert.equal(earlier, 'completed · 1 menu · 2 ends · 3 calls');
  });

  it('count the menus that were heard, and name the options that wait', () => {
    const counts = { nodesDiscovered: 14, menusHeard: 4, terminalNodes: 1, linkedMenus: 0 };
    const descriptionOf = (optionsToExplore: number): string | undefined => {
      const current = run({ status: 'running', stats: stats({ ...counts, optionsToExplore }) });
      const snapshot = withTree({ job: job(1, { status: 'running', currentRun: current }), runs: [current] });
      return mappingRowOf(snapshot, { kind: 'job', jobId: snapshot.job.id }, english)?.description;
    };
    assert.equal(descriptionOf(9), 'running · 4 menus · 9 options to explore · 1 end · 3 calls');
    assert.equal(descriptionOf(1), 'running · 4 menus · 1 option to explore · 1 end · 3 calls');
    assert.equal(descriptionOf(0), 'running · 4 menus · 1 end · 3 calls');
  });

  it('show jobs, their runs newest first, and the menus', () => {
    const bank = withTree({
      job: job(1, {
        name: 'Harbour Bank',
        status: 'running',
        currentRun: run({
          runNumber: 2,
          status: 'running',
          stats: stats({ nodesDiscovered: 1, terminalNodes: 0, linkedMenus: 0, callsPlaced: 1 }),
        }),
      }),
      runs: [
        run({
          runNumber: 2,
          status: 'running',
          stats: stats({ nodesDiscovered: 1, terminalNodes: 0, linkedMenus: 0, callsPlaced: 1 }),
        }),
        run(),
      ],
    });
    const jobs: JobSnapshot[] = [
      {
        ...bank,
        trees: new Map([
          ...bank.trees,
          [
            2,
            {
              response: { jobId: bank.job.id, tree: null, reason: 'no_steps', message: 'The run has begun.' },
              readAt: 0,
            },
          ],
        ]),
      },
      { job: job(2, { name: 'Clinic' }), runs: [], trees: new Map() },
      {
        job: job(3, { name: 'Utility', currentRun: run({ status: 'limited', limitReason: 'max_calls' }) }),
        runs: [],
        trees: new Map(),
      },
    ];
    assert.equal(
      treeText(jobs),
      [
        '(loading~spin) Harbour Bank — running · 1 menu · 0 ends · 1 call',
        '  (loading~spin) Run 2 — running · 1 menu · 0 ends · 1 call',
        '    The run has begun.',
        '  (pass) Run 1 — completed · 1 menu · 2 ends · 3 calls',
        '    (list-tree) Main menu',
        '      (symbol-numeric) 1 · accounts — asks for data',
        '      (call-outgoing) 2 · cards — transfers the call',
        '      (link) 9 · main menu — → Main menu',
        '      (error) 0 — failed · hidden · unsure',
        '(call-outgoing) Clinic — not started',
        '  Not started yet',
        '(warning) Utility — stopped at a limit · 1 menu · 2 ends · 3 calls',
        '  Not started yet',
        '',
      ].join('\n'),
    );
  });

  it('offer to raise a limit if that gets the next run further', () => {
    const words = (status: 'idle' | 'running', limitReason: 'max_calls' | 'time'): string | undefined => {
      const last = run({ status: 'limited', limitReason });
      return mappingRowOf(
        { job: job(1, { status, currentRun: last }), runs: [last], trees: new Map() },
        { kind: 'job', jobId: uuid(1) },
        english,
      )?.contextValue;
    };
    assert.match(words('idle', 'max_calls') ?? '', /\braisable\b/);
    assert.doesNotMatch(`${words('idle', 'time') ?? ''} ${words('running', 'max_calls') ?? ''}`, /raisable/);
  });

  it('have unique IDs, which stay the same in the next snapshot', () => {
    const ids = (jobs: JobSnapshot[]): string[] => rows(jobs).map(({ row }) => row.id);
    const before = [withTree({ job: job(1) }), withTree({ job: job(2) })];
    const after = [withTree({ job: job(1, { name: 'Renamed' }) }), withTree({ job: job(2) })];
    assert.equal(new Set(ids(before)).size, ids(before).length);
    assert.deepEqual(ids(after), ids(before));
    for (const { element, row } of rows(before)) assert.equal(row.id, elementId(element));
  });

  it('know their parents', () => {
    const jobs = [withTree({ job: job(1) })];
    const check = (parent: ReturnType<typeof childrenOf>[number] | undefined): void => {
      for (const child of childrenOf(jobs, parent)) {
        assert.deepEqual(parentElement(jobs[0], child), parent);
        check(child);
      }
    };
    check(undefined);
  });

  it('distinguish menus and actions in words', () => {
    const words = (jobs: JobSnapshot[]): string[] => rows(jobs).map(({ row }) => row.contextValue);
    assert.deepEqual(words([withTree({ job: job(1, { currentRun: run() }) })]), [
      'job idle hasRuns',
      'run completed newest',
      'menu explored audio',
      'menu explored',
      'menu explored',
      'menu linked',
      'menu failed',
    ]);
    assert.deepEqual(words([{ job: job(1, { status: 'running' }), runs: [], trees: new Map() }]), [
      'job running',
      'note',
    ]);
  });

  it('show number, counts and the distance to the minimum in their tooltips', () => {
    const limit = { minimumCalls: 2, minimumWallSeconds: 20, elapsedSeconds: 25, ratio: 1.25 };
    const tooltip =
      rows([
        {
          job: job(1, {
            tags: ['bank', 'a`\n\n![](b)`'],
            currentRun: run({ stats: stats({ limit, callsFailed: 1 }), reason: 'Stopped *early*' }),
          }),
          runs: [],
          trees: new Map(),
        },
      ])[0]?.row.tooltip ?? '';
    assert.ok(tooltip.includes(String.raw`\+12025550101`));
    assert.ok(tooltip.includes('`bank` `a ![](b) `'));
    assert.ok(tooltip.includes('1 menu, 2 ends, 3 calls, 1 failed, 61 s of call time'));
    assert.ok(tooltip.includes('25 s, 1.3× the minimum: with perfect knowledge of this tree, 2 calls would take 20 s'));
    assert.ok(tooltip.includes(String.raw`Stopped \*early\*`));
  });

  it('escape Markdown in what was heard', () => {
    const heard = 'Press [1](command:evil) <img src=x>\n# for `code` | $(bug)';
    const snapshot = withTree({ job: job(1) }, { ...bankTree, transcript: heard });
    const tooltip =
      mappingRowOf(snapshot, { kind: 'menu', jobId: uuid(1), runNumber: 1, stepId: 's1' }, english)?.tooltip ?? '';
    const quoted = tooltip.split('\n').find((line) => line.startsWith('> ')) ?? '';
    assert.ok(quoted.includes('command:evil'));
    // Apart from escaped characters, no Markdown is left.
    assert.match(quoted.replaceAll(/\\./g, ''), /^> [\w\s:=]*$/);
  });

  it('disappear with their objects', () => {
    assert.equal(mappingRowOf(undefined, { kind: 'job', jobId: uuid(1) }, english), undefined);
    assert.equal(
      mappingRowOf(withTree({ job: job(1) }), { kind: 'menu', jobId: uuid(1), runNumber: 1, stepId: 'gone' }, english),
      undefined,
    );
    assert.equal(
      mappingRowOf(withTree({ job: job(1) }), { kind: 'run', jobId: uuid(1), runNumber: 9 }, english),
      undefined,
    );
  });
});
