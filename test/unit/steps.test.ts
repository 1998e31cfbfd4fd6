import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { planOf, tags, titlesOf } from '../steps.ts';
import type { Tier } from '../steps.ts';

const root = path.resolve(import.meta.dirname, '../..');
const testFiles = globSync('test/**/*.test.ts', { cwd: root, exclude: ['**/node_modules/**', 'test/bench/**'] });
const stepsOf = (tier: Tier) => {
  const { build, beside, realTime, last } = planOf(tier);
  return [build, ...beside, ...realTime, ...last];
};

describe('the steps of npm test', () => {
  it('run each test file in the full tier', () => {
    const run = new Set(
      stepsOf('full').flatMap(({ files }) => (files === undefined ? [] : globSync(files, { cwd: root }))),
    );
    assert.deepEqual(
      testFiles.filter((file) => !run.has(file)),
      [],
    );
  });

  it('know each tag in a title', () => {
    const known = new Set<string>(Object.values(tags));
    const unknown = testFiles.flatMap((file) =>
      [...readFileSync(path.join(root, file), 'utf8').matchAll(/\b(?:it|describe)\(\s*(['"`])(.*?)\1,/g)]
        .flatMap(([, , title = '']) => title.match(/(?<=\s)@\w+\b/g) ?? [])
        .filter((tag) => !known.has(tag))
        .map((tag) => `${file}: ${tag}`),
    );
    assert.deepEqual(unknown, []);
  });

  it('leave out a tagged test in the quick tier only', () => {
    const cases: readonly [title: string, tier: Tier, tag: string | undefined, runs: boolean][] = [
      ['a call ends', 'quick', undefined, true],
      ['a call ends @full', 'quick', undefined, false],
      ['a call ends @full', 'full', undefined, true],
      ['the queue @engine keeps order', 'quick', tags.engine, true],
      ['the queue keeps order', 'quick', tags.engine, false],
      ['the queue @engine keeps order @full', 'quick', tags.engine, false],
    ];
    for (const [title, tier, tag, runs] of cases)
      assert.equal(new RegExp(titlesOf(tier, tag)).test(title), runs, `${title} in ${tier}`);
  });
});
