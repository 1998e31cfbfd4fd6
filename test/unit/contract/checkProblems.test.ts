import assert from 'node:assert/strict';
import { checkProblems } from '../../../src/contract/checkProblems.ts';
import { checkSchema, checksSchema, type Check } from '../../../src/contract/checks.ts';

const paths = (checks: readonly object[], ...around: unknown[]): string[] =>
  checkProblems(checksSchema.parse(checks), ...(around as [])).map(({ path }) => path.join('.'));
const hello = { kind: 'says', text: 'hello' };
const nested = (depth: number): object => (depth === 1 ? hello : { kind: 'not', check: nested(depth - 1) });

const problems: readonly (readonly [title: string, path: string, ...checks: readonly object[]])[] = [
  ['words without words', '1', hello, { kind: 'says' }],
  ['a place without what', '0', { kind: 'reaches' }],
  ['an unknown step', '0.when.after', { ...hello, when: { after: 'Menu' } }],
  [
    'an unknown step in a group',
    '0.checks.1.when.reached',
    { kind: 'any', checks: [hello, { kind: 'hangsUp', when: { reached: 'Menu' } }] },
  ],
  [
    'an unknown step in a moment',
    '0.when.before.when.after',
    { ...hello, when: { before: { kind: 'offers', when: { after: 'Menu' } } } },
  ],
  ['a regular expression of a stranger', '0.patterns', { kind: 'says', patterns: ['(a+)+$'] }],
  ['menus of no size', '0.atLeast', { kind: 'offers', atLeast: 5, atMost: 4 }],
  ['an amount of no size', '0.atLeast', { kind: 'tells', what: 'amount', atLeast: 5, atMost: 4 }],
  ['two comparisons', '0.equals', { kind: 'tells', what: 'amount', equals: 5, atMost: 4 }],
  ['an answer after something else', '0.when', { kind: 'answersWithin', seconds: 3, when: { after: hello } }],
  ['a time beyond the call', '0.within', { ...hello, within: 500 }],
  ['times of what must not happen', '0.times', { kind: 'neverSays', text: 'hello', times: 2 }],
  ['times of a group', '0.times', { kind: 'any', checks: [hello], times: 2 }],
  ['a moment that nothing marks', '0.when.after', { ...hello, when: { after: { kind: 'not', check: hello } } }],
  ['words that must and must not be said', '1', hello, { ...hello, kind: 'neverSays' }],
  ['a call that must end and stay', '1', { kind: 'hangsUp', within: 5 }, { kind: 'staysOn', within: 5 }],
  ['digits that must and must not be read', '1', { kind: 'readsBack' }, { kind: 'neverReadsBack' }],
  ['checks nested too deep', '0.check.check.check.check', nested(5)],
];

describe('the problems of checks', () => {
  for (const [title, path, ...checks] of problems)
    it(`include ${title}, at its place`, () => assert.deepEqual(paths(checks, { maxSeconds: 300 }), [path]));

  it('include more checks than 100 with those inside, once each', () => {
    const group = (size: number): object => ({ kind: 'all', checks: Array<object>(size).fill(hello) });
    assert.deepEqual(paths([group(19), group(19), group(19), group(19), group(19)]), []);
    assert.deepEqual(paths([group(20), group(19), group(19), group(19), group(19)]), ['4.checks.18']);
    assert.equal(checksSchema.safeParse(Array<object>(51).fill(hello)).success, false);
  });

  it("don't include what is fine", () => {
    const fine: object[] = [
      nested(4),
      { ...hello, when: { after: 'Menu' }, times: 2 },
      { kind: 'neverSays', text: 'hello' },
    ];
    assert.deepEqual(paths(fine, { steps: new Set(['Menu']) }), []);
    assert.deepEqual(paths([{ kind: 'says', patterns: ['a'] }], { isOwn: true }), []);
  });
});

describe('the schema of a check', () => {
  for (const bad of [
    { kind: 'shouts', text: 'hello' },
    { kind: 'says', text: ' *** ' },
    { kind: 'says', text: [] },
    { kind: 'says', text: 'hello', louder: true },
    { kind: 'says', text: 'x'.repeat(501) },
    { kind: 'says', text: 'hello', times: 1 },
    { kind: 'says', text: 'hello', within: -1 },
    { kind: 'says', patterns: ['('] },
    { kind: 'sends', keys: '1a' },
    { kind: 'readsBack', digits: '12 34' },
    { kind: 'any', checks: [] },
    { kind: 'not', check: { kind: 'says', text: ['hello', 7] } },
    null,
    [],
  ])
    it(`refuses ${JSON.stringify(bad).slice(0, 60)}`, () =>
      assert.equal(checkSchema.safeParse(bad as Check).success, false));
});
