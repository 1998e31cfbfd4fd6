import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'jsonc-parser';
import type { Turn } from '../../../../src/contract/testRuns.ts';
import { readCriteria, unjudgedParts } from '../../../../src/language/judge/criteria.ts';
import { judgeByRules } from '../../../../src/language/judge/judgeByRules.ts';
import { call } from './labelledCalls.ts';
import { left, misread, ordinary, unsaid, written } from './judgedCalls.ts';

describe('judging criteria as people write them', () => {
  for (const { criterion, allowed, lines, turns } of [...written, ...misread, ...ordinary, ...unsaid])
    it(`${criterion} → ${allowed.join(' or ')}: ${lines.join(' ')}`, () => {
      const judged = judgeByRules(turns, criterion);
      assert.ok(allowed.includes(judged.verdict), `${judged.verdict}: ${String(judged.reasoning)}`);
    });

  for (const { criterion, allowed, lines, turns } of left)
    it(`${criterion} → ${allowed.join(' or ')} if our caller left: ${lines.join(' ')}`, () =>
      assert.deepEqual([judgeByRules(turns, criterion, { gaveUp: true }).verdict], allowed));

  it('names what decided each part', () => {
    const { reasoning } = judgeByRules(
      call('< The fee is ten dollars.', '> no', '< We are closed. Goodbye.'),
      'The fee is named. The caller reaches an adviser.',
    );
    assert.match(String(reasoning), /“The caller reaches an adviser”: The call ended without a person/i);
  });
});

describe('the parts that rules leave to a model', () => {
  for (const [criterion, parts] of [
    ['The clinic says "we are open".', []],
    ['The agent is polite. The caller is told "goodbye".', ['The agent is polite']],
    ['The caller is told the time (within "two" rings).', ['within “two” rings']],
    ['It is fine if the line is busy.', ['It is fine if the line is busy.']],
  ] as const)
    it(`of “${criterion}” are ${JSON.stringify(parts)}`, () => assert.deepEqual(unjudgedParts(criterion), parts));

  it("don't exist in the missions that ship", () => {
    const media = path.resolve(import.meta.dirname, '../../../../media');
    const files = globSync(['samples/*.mission.json', 'templates/mission.jsonc'], { cwd: media });
    assert.ok(files.length > 3);
    for (const file of files) {
      const { acceptance } = parse(readFileSync(path.join(media, file), 'utf8')) as { acceptance: string };
      assert.deepEqual(unjudgedParts(acceptance), [], file);
    }
  });
});

/** A call that counts how often the words of its turns are read. */
function counted(turns: readonly Turn[]): { readonly turns: readonly Turn[]; readonly reads: () => number } {
  let reads = 0;
  return {
    turns: turns.map(({ speaker, text }) => ({
      speaker,
      get text() {
        reads += 1;
        return text;
      },
    })),
    reads: () => reads,
  };
}

describe('reading long texts', () => {
  const criterion =
    'The caller reaches a human in the card team without being asked for a PIN. The line says that the order is cancelled. The balance is told before the menu. The call must not be transferred. No claim is made that it is human.';

  it('reads each turn equally often in a call of twice the length', () => {
    const once = call(
      '< Your balance is ten dollars. For sales, press 1.',
      '> [keys 1]',
      '< Please hold while I transfer you.',
      '> hello?',
    );
    const reads = [100, 200].map((times) => {
      const { turns, reads: count } = counted(Array.from({ length: times }, () => once).flat());
      judgeByRules(turns, criterion);
      return count();
    });
    assert.ok((reads[1] ?? 0) <= (reads[0] ?? 0) * 2.2, reads.join(', '));
  });

  for (const unit of [
    'The caller is told the balance and ',
    'if the caller ',
    '(((',
    'must not ',
    ', the line says, ',
    '"a" and ',
    'before ',
    'without being ',
    '1) the fee is named ',
    'that ',
    'more than once ',
    '- the fee is told\n',
    'within 2 minutes ',
    'a',
    ' ',
  ]) {
    it(`ends with a criterion of 8,000 characters of ${JSON.stringify(unit)}, and reads no more parts than it has`, () => {
      const [short, long] = [4000, 8000].map((length) => {
        const { criteria, unread } = readCriteria(unit.repeat(Math.ceil(length / unit.length)).slice(0, length));
        return criteria.length + unread.length;
      });
      assert.ok((long ?? 0) <= (short ?? 0) * 2 + 2, `${short}, ${long}`);
    });
  }
});
