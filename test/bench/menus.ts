import { fileURLToPath } from 'node:url';
import { readMenu } from '../../src/language/menu/readMenu.ts';
import { figuresLine, labelledPrompts, measureReader } from '../unit/language/menu/readings.ts';

const KEY_F1_FLOOR = 0.98;
const files = ['menus.jsonl', 'heldout.jsonl', 'more.jsonl'] as const;
const ROUNDS = 15;

export interface MenusFigure {
  /** The lowest key F1 of the files, and that divided by the floor: 1 or more is within it. */
  readonly keyF1: number;
  readonly floor: number;
  readonly ratio: number;
  readonly files: Readonly<Record<string, number>>;
  readonly microsecondsPerPrompt: number;
  /** Time of the reader, divided by that of a plain regular-expression scan of the same texts in the same run. */
  readonly timesScan: number;
}

/** Measures the accuracy and speed of the menu reader on the labelled prompts. Takes a few seconds. */
export async function measureMenus(): Promise<MenusFigure> {
  const byFile = new Map(files.map((file) => [file, labelledPrompts(file)]));
  const f1: Record<string, number> = {};
  for (const [file, prompts] of byFile) {
    const figures = measureReader(prompts);
    f1[file] = figures.keys.f1;
    console.log(`  ${file}: ${figuresLine(figures)}`);
  }
  const texts = [...byFile.values()].flat().map(({ text }) => text);
  const [reader, scan] = [(text: string) => readMenu(text).options.length, scanned];
  let readerMs = Infinity,
    scanMs = Infinity;
  for (let round = 0; round < ROUNDS; round += 1) {
    readerMs = Math.min(readerMs, timeOf(reader, texts));
    scanMs = Math.min(scanMs, timeOf(scan, texts));
    // Other work of the process continues between the rounds.
    await new Promise<void>((resolve) => {
      setImmediate(resolve);
    });
  }
  const keyF1 = Math.min(...Object.values(f1));
  const figure = {
    keyF1,
    floor: KEY_F1_FLOOR,
    ratio: keyF1 / KEY_F1_FLOOR,
    files: f1,
    microsecondsPerPrompt: (readerMs * 1000) / texts.length,
    timesScan: readerMs / scanMs,
  };
  console.log(
    `menu reader: lowest key F1 ${keyF1.toFixed(4)}, ${figure.ratio.toFixed(3)} of the floor ${String(KEY_F1_FLOOR)}; ${figure.microsecondsPerPrompt.toFixed(0)} µs a prompt, ${figure.timesScan.toFixed(1)} times a regular-expression scan`,
  );
  return figure;
}

/** A program without a reader: finds the keys after their verbs, and little else. */
const scanned = (text: string): number =>
  [
    ...text
      .toLowerCase()
      .matchAll(
        /\b(?:press|dial|select|push|hit|choose|option|touch|enter|say)\s+(?:the\s+|or\s+press\s+)?(zero|one|two|three|four|five|six|seven|eight|nine|star|pound|hash|[0-9*#])\b/g,
      ),
  ].length;

let sink = 0;
function timeOf(work: (text: string) => number, texts: readonly string[]): number {
  const start = performance.now();
  for (const text of texts) sink += work(text);
  return performance.now() - start;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await measureMenus();
  process.exitCode = sink > 0 ? 0 : 1;
}
