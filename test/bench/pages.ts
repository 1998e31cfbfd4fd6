import { Timeline } from '../../src/engine/load/timeline.ts';
import { endedTest } from '../webview/loadRecords.ts';
import { hourOfSound, longRun, longTranscript } from '../webview/longRun.ts';
import { failedRun } from '../webview/reportRun.ts';
import { withWebview } from '../webview/webviewPage.ts';
import { afterPaint, framesOf, paintOf, printFrames } from './frames.ts';
import { median } from './median.ts';

const turns = 2_000;
const steps = 200;
const budgetMs = 300;
const rounds = 5;

/**
 * Measures the report of an hour-long call, with 2,000 turns and 200 steps, and that of an hour-long load test, in a
 * browser. Medians.
 */
export async function measurePages(): Promise<void> {
  await measureReport();
  await measureLoadPage();
}

const printPaint = (what: string, ms: number): void => {
  console.log(
    `${what}: first paint ${ms.toFixed(0)} ms, ${(ms / budgetMs).toFixed(2)} of the budget of ${budgetMs} ms`,
  );
};

async function measureReport(): Promise<void> {
  await withWebview(
    async (webview) => {
      const paints: number[] = [];
      const wholes: number[] = [];
      const shorts: number[] = [];
      const waves: number[] = [];
      for (let round = 0; round < rounds; round += 1) {
        shorts.push(await paintOf(webview, failedRun()));
        paints.push(await paintOf(webview, longRun(turns, steps)));
        await webview.until(`document.querySelectorAll('.turn').length === ${turns}`);
        wholes.push(await webview.page.evaluate<number>('performance.now() - arrivedAt'));
        await webview.page.getByRole('button', { name: 'Play' }).click();
        waves.push(
          await webview.page.evaluate<number>(`(async () => { ${afterPaint} ${hourOfSound}
        const wav = hourOfSound();
        await afterPaint();
        const start = performance.now();
        dispatchEvent(new MessageEvent('message', { data: { type: 'audio', wav } }));
        return await afterPaint() - start; })()`),
        );
        await webview.page.getByRole('button', { name: 'Pause' }).click();
      }
      const { elements, laidOut } = await webview.page.evaluate<{ elements: number; laidOut: number }>(
        "(() => { const all = [...document.querySelectorAll('#app *')]; return { elements: all.length, laidOut: all.filter((part) => part.checkVisibility({ contentVisibilityAuto: true })).length }; })()",
      );
      const scrolling = await framesOf(webview, 60, "document.querySelector('section.column').scrollTop += 400");
      const run = longRun(turns, steps);
      const grown = { ...run, run: { ...run.run, transcript: longTranscript(turns + 20) } };
      const growing = await framesOf(
        webview,
        20,
        `globalThis.grown ??= ${JSON.stringify(grown)}; dispatchEvent(new MessageEvent('message', { data: { ...grown, run: { ...grown.run, transcript: grown.run.transcript.slice(0, ${turns} + 1 + frame) } } }))`,
      );
      printPaint(`report of ${turns} turns and ${steps} steps`, median(paints));
      console.log(
        `${(median(paints) / median(shorts)).toFixed(1)} × that of a run of four steps (${median(shorts).toFixed(0)} ms); all of it after ${median(wholes).toFixed(0)} ms; ${laidOut} of ${elements} elements laid out`,
      );
      console.log(`waveform of an hour: ${median(waves).toFixed(0)} ms`);
      printFrames({ 'while scrolling a transcript': scrolling, 'in which a turn comes': growing });
    },
    { entry: 'report' },
  );
}

async function measureLoadPage(): Promise<void> {
  const timeline = new Timeline();
  for (let second = 1; second <= 3600; second += 1)
    timeline.add({
      second,
      placed: second * 2,
      answered: second * 2 - 1,
      active: Math.min(500, second),
      failed: Math.floor(second / 100),
    });
  const ended = endedTest();
  const { stats, ...test } = ended.test;
  if (!stats) throw new Error('The record has no figures.');
  await withWebview(
    async (webview) => {
      const paints: number[] = [];
      for (let round = 0; round < rounds; round += 1)
        paints.push(
          await paintOf(webview, {
            ...ended,
            test: { ...test, holdSeconds: 3580, stats: { ...stats, timeline: timeline.points() } },
          }),
        );
      const pointing = await framesOf(
        webview,
        60,
        "document.querySelector('.timeline-slider').dispatchEvent(new PointerEvent('pointermove', { clientX: 100 + frame * 10, clientY: 300, bubbles: true }))",
      );
      printPaint('load report of an hour', median(paints));
      printFrames({ 'in which the cursor of a timeline moves': pointing });
    },
    { entry: 'load' },
  );
}
