import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type * as z from 'zod';
import { toHandSchema } from '../../src/contract/handPanel.ts';
import { toLoadSchema } from '../../src/contract/loadPanel.ts';
import { toWebviewSchema } from '../../src/contract/panel.ts';
import { toReportSchema } from '../../src/contract/reportPanel.ts';
import { markTree } from '../../src/model/tests/pathCoverage.ts';
import { themeNames } from '../support/themes.ts';
import { findings } from './accessibility.ts';
import { bankTree, comparedBank, runOf, snapshotOf, wideTree } from './bankTree.ts';
import { endedTest, limitedTest, runningTest, stagedLoad, testedLoad } from './loadRecords.ts';
import { longRun, longTranscript } from './longRun.ts';
import { readGerman } from './readGerman.ts';
import { failedRun, handCall, judgedAgain, missionRun, ringingCall, runningRun } from './reportRun.ts';
import { withWebview, type WebviewPage } from './webviewPage.ts';

type Message = Parameters<WebviewPage['post']>[0];
type Data = Record<string, unknown>;

const isData = (value: unknown): value is Data => typeof value === 'object' && value !== null;

/** Returns a copy in which each member has the value that `change` returns; undefined omits it. */
const changed = (value: unknown, change: (name: string, value: unknown) => unknown): unknown =>
  Array.isArray(value)
    ? value.map((entry) => changed(entry, change))
    : isData(value)
      ? Object.fromEntries(Object.entries(value).map(([name, member]) => [name, change(name, changed(member, change))]))
      : value;

/** Removes every member that the contract doesn't require, as an older service or a run without a call does. */
function bare(schema: z.ZodType, message: object): Message {
  const whole = structuredClone(message);
  const strip = (value: unknown): void => {
    if (!isData(value)) return;
    for (const [name, member] of Object.entries(value)) {
      if (Array.isArray(value)) continue;
      Reflect.deleteProperty(value, name);
      if (schema.safeParse(whole).success) continue;
      value[name] = Array.isArray(member) ? [] : member;
      if (!schema.safeParse(whole).success) value[name] = member;
      strip(member);
    }
  };
  strip(whole);
  return whole as Message;
}

/** Members with a fixed set of values. A newer service could send others. */
const kinds = /^(?:status|outcome|verdict|runType|speaker|by|endedBy|stepType|end|probeMode|mappingMode|limitReason)$/;

const fixed = /^(?:type|id|.*Id|.*At|linksTo|hidden)$/;
const markup =
  '<img src=x onerror="window.broken=1"><script>window.broken=1</script><a href="javascript:window.broken=1">a</a>';
/** Markup, characters that control the direction of text or a terminal, and 100 kB without a space. */
const hostile = `${markup} \u202E\u2066\u0000\u0007\u001B[31m ${'W'.repeat(100_000)}`;
const hostileTexts = (message: object): Message =>
  changed(message, (name, value) =>
    typeof value === 'string' && !fixed.test(name) && !kinds.test(name) ? hostile : value,
  ) as Message;
const unknownKinds = (message: object): Message =>
  changed(message, (name, value) => (typeof value === 'string' && kinds.test(name) ? 'paused' : value)) as Message;

const cut: Parameters<typeof failedRun>[0] = {
  outcome: 'ERROR',
  endedBy: 'cancel',
  reason: 'You cancelled it.',
  steps: [],
  transcript: [],
};

const running = snapshotOf(bankTree(), runOf(3, 'running'));
const pages = [
  {
    entry: 'tree',
    schema: toWebviewSchema,
    typical: comparedBank(),
    situations: {
      'a running mapping': running,
      'no runs': snapshotOf(null, undefined),
      'a cancelled mapping without a tree': snapshotOf(
        null,
        runOf(1, 'failed', { endedBy: 'cancel', reason: 'Cancelled.' }),
      ),
      'a covered tree': { ...running, coverage: markTree(bankTree(), [[{ key: '1' }, { key: '3' }]]) },
      'an interrupted mapping': snapshotOf(bankTree(), runOf(1, 'failed', { endedBy: 'crash', reason: 'It stopped.' })),
      '10,000 steps': snapshotOf(wideTree(10_000), runOf(1, 'completed')),
    },
  },
  {
    entry: 'report',
    schema: toReportSchema,
    typical: failedRun(),
    situations: {
      'a running test': { ...runningRun(), plan: { names: failedRun().run.steps.map(({ name }) => name) } },
      'a mission': missionRun(),
      'a second judgement': judgedAgain(),
      'a test without steps and words': failedRun({ steps: [], transcript: [] }),
      'a test that was cancelled before the first word': failedRun(cut),
      'an interrupted test': failedRun({ ...cut, endedBy: 'crash' }),
      '10,000 steps': longRun(10_000, 10_000),
    },
  },
  {
    entry: 'load',
    schema: toLoadSchema,
    typical: testedLoad(),
    situations: {
      'a running test': runningTest(5),
      'a test without calls': runningTest(0),
      'an ended test': endedTest(),
      'a caller that was the bottleneck': limitedTest(),
      'a test that was cancelled': endedTest({ status: 'aborted', endedBy: 'cancel' }),
      'an interrupted test': endedTest({ status: 'failed', endedBy: 'crash' }),
      stages: stagedLoad(),
    },
  },
  {
    entry: 'hand',
    schema: toHandSchema,
    typical: handCall({
      trouble: "Couldn't send this: Keys 9. This key is forbidden.",
      run: { ...handCall().run, hearing: 'We are sorry, all of our lines are busy.' },
    }),
    situations: {
      'a call that rings': ringingCall(),
      'a call that is over': handCall({ run: failedRun().run }),
      'a call that was cancelled before the first word': handCall({ run: failedRun(cut).run }),
      '10,000 turns': handCall({ run: { ...handCall().run, transcript: longTranscript(10_000) } }),
    },
  },
] as const;

/** Returns what is wrong with the page as it is seen. Long lists repeat what their first entries show. */
const faults = (webview: WebviewPage): Promise<string[]> =>
  webview.page.evaluate(`(() => {
    const app = document.querySelector('#app');
    const width = document.documentElement.clientWidth;
    // These scroll by themselves, or belong to no place of the page.
    const free = '[role=tree], .scrolled, .scrolled-x, .call-marks, .tip, .unseen, svg';
    const faults = [];
    for (const part of [document.body, ...[...app.querySelectorAll('*')].slice(0, 1000)]) {
      if (!part.checkVisibility({ visibilityProperty: true }) || part.closest(free)) continue;
      const label = (part.ariaLabel ?? part.textContent).trim();
      const name = part.tagName + '.' + part.className + ' ' + label.slice(0, 40);
      const { left, right } = part.getBoundingClientRect();
      if (right > left && (left < -1 || right > width + 1)) faults.push('outside the page: ' + name);
      if (/auto|scroll/.test(getComputedStyle(part).overflowX) && part.scrollWidth > part.clientWidth + 1)
        faults.push('scrolls sideways: ' + name);
      if (part.tagName === 'VSCODE-BUTTON' && label === '') faults.push('has no name: ' + name);
      const below = [...part.parentElement.children].slice([...part.parentElement.children].indexOf(part) + 1);
      if (part.matches('h2') && !below.some((other) => other.getBoundingClientRect().height > 0)) faults.push('has nothing below it: ' + name);
    }
    faults.push(...(app.textContent.match(/.{0,20}(?:undefined|NaN|Infinity|\\[object|__).{0,20}/g) ?? []));
    if (app.querySelector('img, script, a[href^="javascript:"]') || window.broken) faults.push('runs what it shows');
    return faults;
  })()`);

/** The third is 1280 pixels at 200 %. */
const sizes = [
  { width: 1900, height: 900 },
  { width: 1280, height: 800 },
  { width: 640, height: 400 },
  { width: 300, height: 640 },
] as const;

for (const { entry, schema, typical, situations } of pages)
  describe(`a page of the kind "${entry}" fits at every size, in every theme and in German, with`, () => {
    const all: Readonly<Record<string, Message>> = {
      'typical data': typical,
      ...situations,
      'required members only': {
        ...bare(schema, typical),
        ...(entry === 'tree' && { tree: { jobId: 'bank.calltree.json', tree: {} } }),
      },
      'unknown kinds': unknownKinds(typical),
      'hostile texts': hostileTexts(typical),
    };
    for (const [situation, message] of Object.entries(all))
      for (const language of [undefined, 'de'] as const)
        it(language ? `${situation}, in German` : situation, async () => {
          const wrong: string[] = [];
          await withWebview(
            async (webview) => {
              const name = `page-${entry}-${situation.replaceAll(/\W+/g, '-')}`;
              await webview.post(message);
              if (message === all['unknown kinds'] && webview.problems.length > 0) {
                webview.problems.length = 0;
                assert.equal(await webview.page.locator('#app > .standby').getByRole('button').count(), 1);
              }
              // axe takes minutes for 10,000 steps, which look like ten.
              for (const theme of language || situation.startsWith('10,000') ? [] : themeNames) {
                await webview.wear(theme);
                wrong.push(...(await findings(webview)).map((finding) => `${theme}: ${finding}`));
                await webview.screenshot(`${name}-${theme}`);
              }
              for (const size of sizes) {
                await webview.page.setViewportSize(size);
                await webview.painted();
                wrong.push(...(await faults(webview)).map((fault) => `${String(size.width)}: ${fault}`));
              }
              if (language) await readGerman(webview, situation);
              await webview.screenshot(`${name}-narrow${language ? `-${language}` : ''}`);
            },
            { entry, ...(language && { language }) },
          );
          assert.deepEqual(wrong, []);
        });
  });
