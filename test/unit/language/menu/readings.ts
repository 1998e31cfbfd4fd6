import { readFileSync } from 'node:fs';
import { menuReadingSchema, type MenuReading } from '../../../../src/contract/menu.ts';
import { readMenu } from '../../../../src/language/menu/readMenu.ts';

export interface LabelledPrompt {
  readonly id: string;
  readonly text: string;
  readonly expect: MenuReading;
}

/** Returns the labelled prompts of a file in test/fixtures/prompts. */
export function labelledPrompts(file: string): LabelledPrompt[] {
  const lines = readFileSync(new URL(`../../../fixtures/prompts/${file}`, import.meta.url), 'utf8')
    .trimEnd()
    .split('\n');
  return lines.map((line) => {
    const { id, text, expect } = JSON.parse(line) as { id: string; text: string; expect: unknown };
    return { id, text, expect: menuReadingSchema.parse(expect) };
  });
}

export interface ReaderFigures {
  readonly keys: { readonly right: number; readonly wrong: number; readonly missed: number; readonly f1: number };
  /** Shares of 1: of labels among the right keys, the others among the prompts. */
  readonly labels: number;
  readonly speech: number;
  readonly input: number;
  readonly repeatKey: number;
  readonly stayOnLine: number;
  /** "p014 keys: 1, 2 instead of 1" for each misread prompt. */
  readonly mistakes: readonly string[];
}

/** Ignores case, punctuation and double spaces in labels and phrases. */
const plain = (phrase: string): string =>
  phrase
    .toLowerCase()
    .replace(/[^\p{L}\p{N}*#'\s]/gu, '')
    .replace(/\s+/g, ' ')
    .trim();
const phrases = (reading: MenuReading): string => reading.speech.map(plain).sort().join(', ');

export function measureReader(prompts: readonly LabelledPrompt[]): ReaderFigures {
  const mistakes: string[] = [];
  let right = 0,
    wrong = 0,
    missed = 0,
    labels = 0;
  const same = { speech: 0, input: 0, repeatKey: 0, stayOnLine: 0 };
  for (const { id, text, expect } of prompts) {
    const reading = readMenu(text);
    const wanted = new Map(expect.options.map(({ key, label }) => [key, plain(label)]));
    const found = new Map(reading.options.map(({ key, label }) => [key, plain(label)]));
    const differ = [...new Set([...wanted.keys(), ...found.keys()])].filter(
      (key) => wanted.has(key) !== found.has(key),
    );
    if (differ.length > 0)
      mistakes.push(`${id} keys: ${[...found.keys()].join(' ')} instead of ${[...wanted.keys()].join(' ')}`);
    for (const [key, label] of found) {
      if (!wanted.has(key)) {
        wrong += 1;
        continue;
      }
      right += 1;
      if (wanted.get(key) === label) labels += 1;
      else mistakes.push(`${id} label of ${key}: "${label}" instead of "${wanted.get(key) ?? ''}"`);
    }
    missed += [...wanted.keys()].filter((key) => !found.has(key)).length;
    for (const [field, own, other] of [
      ['speech', phrases(reading), phrases(expect)],
      ['input', JSON.stringify(reading.input), JSON.stringify(expect.input)],
      ['repeatKey', String(reading.repeatKey), String(expect.repeatKey)],
      ['stayOnLine', String(reading.stayOnLine), String(expect.stayOnLine)],
    ] as const) {
      if (own === other) same[field] += 1;
      else mistakes.push(`${id} ${field}: ${own} instead of ${other}`);
    }
  }
  const count = prompts.length;
  return {
    keys: { right, wrong, missed, f1: right === 0 ? 0 : (2 * right) / (2 * right + wrong + missed) },
    labels: labels / Math.max(1, right),
    speech: same.speech / count,
    input: same.input / count,
    repeatKey: same.repeatKey / count,
    stayOnLine: same.stayOnLine / count,
    mistakes,
  };
}

export const figuresLine = ({ keys, labels, speech, input, repeatKey, stayOnLine }: ReaderFigures): string =>
  `key F1 ${keys.f1.toFixed(4)} (${String(keys.wrong)} wrong, ${String(keys.missed)} missed)  labels ${labels.toFixed(3)}  speech ${speech.toFixed(3)}  input ${input.toFixed(3)}  repeatKey ${repeatKey.toFixed(3)}  stayOnLine ${stayOnLine.toFixed(3)}`;
