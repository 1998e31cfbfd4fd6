import assert from 'node:assert/strict';
import type { Turn } from '../../../../src/contract/testRuns.ts';
import { callCompliance } from '../../../../src/language/judge/callCompliance.ts';
import { judgeByRules } from '../../../../src/language/judge/judgeByRules.ts';
import { call } from './labelledCalls.ts';

const shown = (...lines: string[]): string[] =>
  callCompliance(call(...lines), false).map(
    ({ check, verdict, evidence }) => `${verdict}: ${check}${evidence ? ` (${evidence.quote})` : ''}`,
  );

describe('legal announcements found in a call', () => {
  it('are what was said and offered, with its words', () => {
    assert.deepEqual(
      shown('< This is an automated line. This call is recorded. For an agent, press 0.', '< Goodbye.'),
      [
        'pass: Says that it is automated (This is an automated line.)',
        'pass: Does not claim to be a person (This is an automated line.)',
        'pass: Says that the call is recorded (This call is recorded.)',
        'pass: Offers a person (This is an automated line. This call is recorded. For an agent, press 0.)',
      ],
    );
  });

  it("include contradictions, and nothing that wasn't heard", () => {
    assert.deepEqual(
      shown('< Hello, I am a real person. How can I help?', '< Goodbye.').filter((line) =>
        line.includes('Does not claim'),
      ),
      ['fail: Does not claim to be a person (Hello, I am a real person.)'],
    );
    assert.deepEqual(shown('< For sales, press 1.', '< Goodbye.'), ['pass: Does not claim to be a person']);
  });

  it('are empty if nothing was heard', () => {
    assert.deepEqual(shown('> Hello?'), []);
  });

  it('are found in linear time, and in little more time than one criterion', () => {
    const said = (part: string, length: number): Turn[] => [
      { speaker: 'them', text: part.repeat(Math.ceil(length / part.length)) },
    ];
    /** CPU time, which other processes don't lengthen. */
    const fastest = (work: () => unknown): number =>
      Math.min(
        ...[1, 2, 3, 4, 5].map(() => {
          const before = process.cpuUsage();
          work();
          const { user, system } = process.cpuUsage(before);
          return Math.max(500, user + system);
        }),
      );
    for (const part of ['recorded. ', 'press 1. ']) {
      const long = said(part, 16_000);
      const all = fastest(() => callCompliance(long, false));
      const ratio = all / fastest(() => callCompliance(said(part, 4000), false));
      assert.ok(ratio < 8, `${part}: ${String(ratio)} times as long for four times the text`);
      const one = fastest(() => judgeByRules(long, 'It never claims to be human.'));
      assert.ok(all < one * 3, `${part}: ${String(all / one)} times as long as one criterion`);
    }
  }).timeout(30_000);
});
