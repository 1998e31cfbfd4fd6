import assert from 'node:assert/strict';
import type { WebviewPanel } from 'vscode';
import type { PageName } from '../../../../../src/editor/panels/webview/sentMessages.ts';
import { hostOf } from '../../../../../src/editor/panels/webview/webviewHost.ts';
import { bankTree, runOf, snapshotOf } from '../../../../webview/bankTree.ts';
import { endedTest, limitedTest, runningTest, stagedLoad, testedLoad } from '../../../../webview/loadRecords.ts';
import { failedRun, handCall, judgedAgain, missionRun } from '../../../../webview/reportRun.ts';

/** Sends a message through the host that panels use, and returns what reached the page. */
function send(page: PageName, message: unknown): unknown[] {
  const reached: unknown[] = [];
  const panel: unknown = {
    webview: {
      postMessage: (posted: unknown) => {
        reached.push(posted);
        return Promise.resolve(true);
      },
    },
  };
  const host: { post(sent: unknown): void } = hostOf(panel as WebviewPanel, page);
  host.post(message);
  return reached;
}

const tree = snapshotOf(bankTree(), runOf(1, 'running'));
const { test } = endedTest();
const fitting: Readonly<Record<PageName, readonly unknown[]>> = {
  main: [
    tree,
    snapshotOf(null, undefined),
    { ...tree, base: { title: 'Run 1', tree: bankTree() } },
    { ...tree, keepsBase: true },
    { type: 'reveal', stepId: 'a' },
    { type: 'draw', format: 'svg' },
    { type: 'audio', stepId: 'a', wav: new Uint8Array(44) },
    { type: 'audio', stepId: 'a', error: 'gone' },
    { type: 'notice', message: 'x', severity: 'info' },
  ],
  report: [
    failedRun(),
    missionRun(),
    judgedAgain(),
    { type: 'notice', message: 'x', severity: 'error', place: { line: 1, column: 1 } },
    { type: 'editCriterion' },
    { type: 'audio', wav: new Uint8Array(44), from: 0, total: 44 },
    { type: 'sound', pcm: new Int16Array(320) },
  ],
  load: [
    endedTest(),
    limitedTest(),
    testedLoad(),
    stagedLoad(),
    runningTest(0),
    runningTest(7),
    { type: 'notice', message: 'x', severity: 'error' },
  ],
  hand: [handCall(), { type: 'notice', message: 'x', severity: 'error' }, { type: 'sound', error: 'gone' }],
};
const unfit: Readonly<Record<PageName, readonly unknown[]>> = {
  main: [
    undefined,
    'snapshot',
    {},
    { type: 'toString' },
    { type: 'snapshot' },
    { ...tree, job: null },
    { ...tree, runs: [{}] },
    { ...tree, base: {} },
    { ...tree, keepsBase: 1 },
    { ...tree, tree: { jobId: 'x', tree: { stepId: 1 } } },
    { type: 'audio', stepId: 1 },
    { type: 'audio', stepId: 'a', wav: 'RIFF' },
    { type: 'reveal' },
    { type: 'draw', format: 'gif' },
    { type: 'notice', message: 'x', severity: 'loud' },
    { type: 'editCriterion' },
  ],
  report: [
    { ...failedRun(), run: { steps: [] } },
    { ...failedRun(), hasFile: 'yes' },
    { type: 'audio', from: -1 },
    { type: 'notice', message: 'x' },
    { type: 'notice', message: 'x', severity: 'error', place: { line: 0, column: 1 } },
    { type: 'draw', format: 'svg' },
  ],
  load: [
    { type: 'notice', message: 'x' },
    { type: 'snapshot', name: 'x' },
    { ...endedTest(), test: { ...test, stats: { callsPlaced: 1 } } },
    { ...endedTest(), test: { ...test, progress: 5 } },
  ],
  hand: [
    { ...handCall(), answeredMs: -1 },
    { ...handCall(), run: {} },
    { type: 'sound', pcm: [1] },
  ],
};
const pages = ['main', 'report', 'load', 'hand'] as const;

describe('messages from panels to their pages', () => {
  for (const page of pages) {
    it(`reach the page "${page}" unchanged`, () => {
      for (const message of fitting[page]) {
        const [reached] = send(page, message);
        assert.equal(reached, message, JSON.stringify(message));
      }
    });

    it(`fail if they don't fit the page "${page}"`, () => {
      for (const message of unfit[page])
        assert.throws(
          () => send(page, message),
          new RegExp(`^Error: A message to the page "${page}" doesn't fit its schema`),
          JSON.stringify(message),
        );
    });
  }
});
