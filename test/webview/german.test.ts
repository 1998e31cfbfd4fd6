import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { because, join, sentence } from '../../src/base/sentences.ts';
import { translated } from '../../src/editor/host/serviceClient.ts';
import { german } from '../support/german.ts';
import { LoadJudge } from '../../src/engine/load/loadJudge.ts';
import { judge } from '../../src/language/judge/judge.ts';
import { raiseMaxDepth } from '../../src/model/tree/limitAdvice.ts';
import { bankTree, runOf, snapshotOf } from './bankTree.ts';
import { bankStats, endedTest } from './loadRecords.ts';
import { readGerman } from './readGerman.ts';
import { failedRun, missionRun } from './reportRun.ts';
import { withShown } from './webviewPage.ts';

const includes = (text: string, parts: readonly string[]): void => {
  for (const part of parts) assert.ok(text.includes(part), part);
};

describe('the pages in German', () => {
  it('draw a tree, with its steps and their words', async () => {
    await withShown(
      snapshotOf(null, undefined),
      async (webview) => {
        const doubted = because(
          sentence`Every option of the first menu leads to the same end. The called side may reject all keys, or be closed at this time. Map again at another time.`,
        );
        await webview.post(translated(snapshotOf(bankTree(), runOf(2, 'completed', doubted)), german));
        includes(await readGerman(webview, 'a run whose tree may be wrong'), ['führt zum selben Ende']);
        const limited = {
          limitReason: 'max_depth',
          ...because(join(raiseMaxDepth, sentence`The called side hung up once.`)),
        } as const;
        await webview.post(translated(snapshotOf(bankTree(), runOf(2, 'limited', limited)), german));
        includes(await readGerman(webview, 'a run with doubts after its limit'), ['hat einmal aufgelegt']);
        await webview.post(snapshotOf(bankTree(), runOf(3, 'limited', { limitReason: 'max_calls' })));
        await webview.card('step-0').click();
        await webview.page.getByRole('button', { name: 'Wartezeit (L)' }).click();
        await webview.painted();
        const shown = await readGerman(webview, 'a run that ended at a limit');
        includes(shown, ['An einer Grenze beendet', 'Nicht der ganze Baum', 'Einzelheiten']);
      },
      { language: 'de' },
    );
  });

  it("report a run, with German number formats, and leave the service's texts unchanged", async () => {
    await withShown(
      failedRun(),
      async (webview) => {
        includes(await readGerman(webview, 'a failed run'), [
          'Skripttest · +12025550101',
          'Fehlgeschlagen, freiwillig',
          '42 % gehört, 80 % nötig',
          'angenommen nach 0,9 s',
          '21.11.2026',
          'The called side hung up after “Good bye.”',
        ]);
        const unmet = because(sentence`Nothing was said within ${2.5} s.`);
        await webview.post(
          translated(
            failedRun({
              ...because(join(sentence`Step “${'Menu'}”:`, sentence`Nothing was said within ${2.5} s.`)),
              steps: [
                { name: 'Menu', outcome: 'FAIL', ...unmet },
                { name: 'Goodbye', outcome: 'INCONCLUSIVE', ...because(sentence`Not reached.`) },
              ],
            }),
            german,
          ),
        );
        const reasons = await readGerman(webview, 'a run whose reasons have parts');
        includes(reasons, ['Innerhalb von 2,5 s wurde nichts gesagt.', 'Nicht erreicht']);
        assert.doesNotMatch(reasons, /Nicht erreicht\./, 'the reason says no more than the state');
        const asked = join(sentence`Not reached:`, sentence`It wasn't asked for.`);
        const probe = failedRun({
          runType: 'compliance',
          ...because(join(sentence`“${'A reply within 2 s'}” wasn't observed:`, asked)),
          steps: [{ name: 'A reply within 2 s', outcome: 'INCONCLUSIVE', ...because(asked) }],
        });
        await webview.post(translated(probe, german));
        includes(await readGerman(webview, 'a probe'), ['Nicht erreicht: Es wurde nicht danach gefragt.']);
        const { judgeReasoning, judgeReasoningParts } = await judge(
          { turns: [{ speaker: 'them', text: 'Goodbye.' }] },
          { acceptance: 'says "ten dollars". The voice is friendly.' },
        );
        const { mission, ...rest } = missionRun();
        const judged = { ...rest, mission: mission && { ...mission, judgeReasoning, judgeReasoningParts } };
        await webview.post(translated(judged, german));
        includes(await readGerman(webview, 'a mission that rules judged'), [
          "Nicht erfüllt. „says 'ten dollars'“: „ten dollars“ war nicht zu hören.",
        ]);
      },
      { entry: 'report', language: 'de' },
    );
  });

  it('report a load test', async () => {
    await withShown(
      endedTest(),
      async (webview) => {
        includes(await readGerman(webview, 'an ended test'), [
          '98,6',
          '493 von 500 angenommen',
          '494.120',
          '0,097 s',
          'Von der angerufenen Seite, Q.850 31 (normal, unspecified)',
          'höchstens 493 zugleich aktiv',
          '4,38',
        ]);
        const judge = new LoadJudge({ minSetupSuccess: 0.9912, maxResponseP95Seconds: 2 });
        const stats = {
          ...bankStats,
          setupSuccess: 0.9909,
          verdict: judge.judge(32, { ...bankStats, setupSuccess: 0.9909 }),
        };
        await webview.post(translated(endedTest({ stats }), german));
        includes(await readGerman(webview, 'a test that broke a criterion'), [
          'Der Anteil zustande gekommener Anrufe beträgt 99,09 %. Verlangt: ≥ 99,12 %. Es ist seit Sekunde 32 verletzt.',
          'Die Antwortzeit des langsamsten Schritts (p95) wurde nicht gemessen',
        ]);
      },
      { entry: 'load', language: 'de' },
    );
  });
});
