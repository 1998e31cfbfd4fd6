import assert from 'node:assert/strict';
import { judgeByRules } from '../../../../src/language/judge/judgeByRules.ts';
import { call } from './labelledCalls.ts';
import { unsaidThings } from './unsaidThings.ts';

describe('judging calls that nearly match a criterion', () => {
  for (const [criterion, ...calls] of unsaidThings) {
    describe(criterion, () => {
      for (const [allowed, ...lines] of calls) {
        it(`${allowed}: ${lines.join(' ')}`, () => {
          const judged = judgeByRules(call(...lines), criterion);
          assert.ok(allowed.split('|').includes(judged.verdict), `${judged.verdict}: ${judged.reasoning}`);
        });
      }
    });
  }
});
