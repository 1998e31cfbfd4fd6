import assert from 'node:assert/strict';
import { figuresLine, labelledPrompts, measureReader } from './readings.ts';

describe('reading labelled menu prompts', () => {
  for (const { file, count, floors } of [
    {
      file: 'menus.jsonl',
      count: 240,
      floors: { labels: 0.965, speech: 0.99, input: 0.985, repeatKey: 0.99, stayOnLine: 0.99 },
    },
    {
      file: 'heldout.jsonl',
      count: 80,
      floors: { labels: 0.9, speech: 0.98, input: 0.98, repeatKey: 0.98, stayOnLine: 0.99 },
    },
    {
      file: 'more.jsonl',
      count: 1158,
      floors: { labels: 0.99, speech: 0.98, input: 0.98, repeatKey: 0.98, stayOnLine: 0.98 },
    },
    {
      file: 'lists.jsonl',
      count: 384,
      floors: { labels: 0.98, speech: 0.99, input: 0.99, repeatKey: 0.99, stayOnLine: 0.99 },
    },
  ]) {
    it(`${file}: keys and other parts reach their floors`, () => {
      const prompts = labelledPrompts(file);
      assert.ok(prompts.length >= count, 'prompts are missing');
      const figures = measureReader(prompts);
      console.log(`      ${file}: ${figuresLine(figures)}`);
      const why = figures.mistakes.join('\n');
      assert.ok(figures.keys.f1 >= 0.98, why);
      for (const [field, floor] of Object.entries(floors) as [keyof typeof floors, number][])
        assert.ok(figures[field] >= floor, `${field} is ${figures[field].toFixed(3)}, below ${String(floor)}\n${why}`);
    });
  }
});
