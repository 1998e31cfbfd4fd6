import assert from 'node:assert/strict';
import fc from 'fast-check';
import { judgeByRules } from '../../../../src/language/judge/judgeByRules.ts';
import { call, labelledCalls } from './labelledCalls.ts';

describe('judging by rules', () => {
  it(`makes no mistake on ${labelledCalls.length} labelled calls, and decides at least 60 %`, () => {
    const results = labelledCalls.map((one) => ({ ...one, ...judgeByRules(one.transcript, one.acceptance) }));
    const wrong = results.filter(({ verdict: given, label }) => given !== 'inconclusive' && given !== label);
    assert.deepEqual(
      wrong.map(({ acceptance, reasoning }) => `${acceptance} → ${String(reasoning)}`),
      [],
    );
    const decided = results.filter(({ verdict: given }) => given !== 'inconclusive').length / results.length;
    assert.ok(
      decided >= 0.6,
      `decides ${(decided * 100).toFixed(0)} %; not: ${results
        .filter(({ verdict: given }) => given === 'inconclusive')
        .map(({ acceptance }) => acceptance)
        .join(' | ')}`,
    );
  });

  it('quotes its evidence, with times', () => {
    const { evidence } = judgeByRules(
      call('< Welcome.', '< Your balance is ten dollars, thank you.'),
      'Says "balance is ten dollars"',
    );
    assert.deepEqual(
      evidence.map(({ quote }) => quote),
      ['balance is ten dollars'],
    );
    const [one] = evidence;
    assert.ok(one?.startMs !== undefined && one.startMs > 5000 && (one.endMs ?? 0) < 9000);
  });

  it('recommends quotation marks only for a criterion that has none', () => {
    const advice = (acceptance: string): string => String(judgeByRules(call('< Welcome.'), acceptance).reasoning);
    assert.match(advice('The voice is friendly.'), /in quotation marks/);
    for (const quoted of [
      'Says "welcome" like a friend would.',
      'The voice sounds “friendly”.',
      "It sounds like 'no thanks'.",
    ]) {
      assert.match(advice(quoted), /Set up a language model/);
      assert.doesNotMatch(advice(quoted), /quotation marks/);
    }
    assert.match(advice('Says "welcome" like a friend would. The voice is friendly.'), /in quotation marks/);
  });

  it('says how to get a verdict if it gives none', () => {
    const { verdict: given, reasoning } = judgeByRules(call('< Welcome.'), 'The voice is friendly.');
    assert.equal(given, 'inconclusive');
    assert.match(String(reasoning), /The voice is friendly.*Set up a language model/);
  });

  it('judges nothing if nothing was heard', () => {
    for (const acceptance of ['must not say "error"', 'says "welcome"']) {
      const judged = judgeByRules(call('> hello?', '<  ', '< ...'), acceptance);
      assert.deepEqual([judged.verdict, judged.nothingHeard], ['inconclusive', true]);
    }
  });

  it("never throws, and never passes on words that weren't said, for any texts", () =>
    fc.assert(
      fc.property(
        fc.string({ maxLength: 200 }),
        fc.array(fc.string({ maxLength: 80 }), { maxLength: 4 }),
        (acceptance, texts) => {
          judgeByRules(
            texts.map((text) => ({ speaker: 'them' as const, text })),
            acceptance,
          );
          const judged = judgeByRules(
            [{ speaker: 'them', text: `Welcome. ${texts.join(' ').replaceAll(/zebra/gi, '')}` }],
            'The IVR says "zebra crossing zebra crossing"',
          );
          assert.notEqual(judged.verdict, 'pass');
        },
      ),
      { numRuns: 300 },
    ));
});
