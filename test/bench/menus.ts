import { readMenu } from '../../src/language/menu/readMenu.ts';
import { figuresLine, labelledPrompts, measureReader } from '../unit/language/menu/readings.ts';

const KEY_F1_FLOOR = 0.98;
const files = ['menus.jsonl', 'heldout.jsonl', 'more.jsonl'] as const;
const ROUNDS = 15;

/** Measures the accuracy and speed of the menu reader on the labelled prompts. Takes a few seconds. */
export async function measureMenus(): Promise<void> {
  const byFile = new Map(files.map((file) => [file, labelledPrompts(file)]));
  let keyF1 = 1;
  for (const [file, prompts] of byFile) {
    const figures = measureReader(prompts);
    keyF1 = Math.min(keyF1, figures.keys.f1);
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
  console.log(
    `menu reader: lowest key F1 ${keyF1.toFixed(4)}, ${(keyF1 / KEY_F1_FLOOR).toFixed(3)} of the floor ${String(KEY_F1_FLOOR)}; ${((readerMs * 1000) / texts.length).toFixed(0)} µs a prompt, ${(readerMs / scanMs).toFixed(1)} times a regular-expression scan`,
  );
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

function timeOf(work: (text: string) => number, texts: readonly string[]): number {
  const start = performance.now();
  let found = 0;
  for (const text of texts) found += work(text);
  if (found === 0) throw new Error('The prompts have no keys.');
  return performance.now() - start;
}
