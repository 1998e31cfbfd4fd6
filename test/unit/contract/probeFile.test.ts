import assert from 'node:assert/strict';
import { probeOf, probeFileSchema } from '../../../src/contract/probeFile.ts';
import { findFileProblems } from '../../../src/model/files/findFileProblems.ts';

type Step = Record<string, unknown>;
const reach: Step = {
  do: 'reach',
  id: 'way',
  towards: ['complaint', 'complain'],
  until: { says: 'about your * order' },
};
const check = { kind: 'discloses', notice: 'recording', name: 'It discloses that the call is recorded' };
const file = (more: object = {}): Record<string, unknown> => ({
  name: 'Complaints',
  phoneNumber: '+12025550101',
  steps: [reach],
  checks: [check],
  ...more,
});
const problemsOf = async (more: object): Promise<string[]> =>
  (await findFileProblems(JSON.stringify(file(more), null, 1), 'a.probe.json', () => Promise.reject(new Error()))).map(
    ({ line, message }) => `${String(line)} ${message}`,
  );

describe('a probe file', () => {
  it('takes the steps and checks of a probe in plain words', async () => {
    assert.deepEqual(await problemsOf({}), []);
  });

  it('refuses regular expressions at their line, in steps and in checks', async () => {
    for (const towards of ['(a+)+$', 'a.*', 'pay|refund', String.raw`\bhelp`, '[a-z]', 'a{2}', '(?:x)'])
      assert.match(
        (await problemsOf({ steps: [{ ...reach, towards }] })).join('\n'),
        /^8 steps\.1\.towards: .*regular expression/,
        towards,
      );
    assert.match(
      (await problemsOf({ checks: [{ ...check, kind: 'says', notice: undefined, patterns: ['(a+)+$'] }] })).join('\n'),
      /^\d+ checks\.1\.patterns: Only the probes of Dialtree have regular expressions\. Use text\.$/,
    );
    const hidden = { kind: 'not', name: 'x', check: { kind: 'offers', only: ['(a+)+$'] } };
    assert.match((await problemsOf({ checks: [hidden] })).join('\n'), /Only the probes of Dialtree/);
    const appliesIf = { check: { kind: 'neverSays', text: 'a', unless: ['(a+)+$'] }, why: 'none' };
    assert.match((await problemsOf({ appliesIf })).join('\n'), /appliesIf\.check\.unless: Only the probes/);
  });

  it('refuses a wildcard for an option, because it would allow more options on a live number', async () => {
    assert.match((await problemsOf({ steps: [{ ...reach, towards: 'card *' }] })).join('\n'), /can't stand for other/);
  });

  it('refuses what is too large, names no step, or contains a real card number', async () => {
    const say = { do: 'say', id: 'say', text: 'Hello.' };
    const many = (count: number): Step[] =>
      Array.from({ length: count }, (_, index) => ({ ...say, id: `s${String(index)}` }));
    for (const [more, wrong] of [
      [{ steps: many(31) }, /maximum is 30 entries/],
      [{ steps: [{ ...reach, towards: 'a '.repeat(150) }] }, /maximum is 200 characters/],
      [{ steps: [{ ...reach, towards: Array.from({ length: 21 }, () => 'a') }] }, /maximum is 20 entries/],
      [{ steps: [{ ...reach, until: { says: 'a * b * c * d * e' } }] }, /at most 3 times/],
      [{ steps: [say, say] }, /same id/],
      [{ steps: [{ ...say, text: 'It is 4532 7597 3454 5858.' }] }, /published test card number/],
      [{ checks: [{ ...check, when: { after: 'nowhere' } }] }, /no step with the name “nowhere”/],
      [{ checks: [{ ...check, name: undefined }] }, /Give the name of this check/],
      [{ ivr: 'a.ivr.json' }, /either phoneNumber or ivr/],
    ] as const)
      assert.match((await problemsOf(more)).join('\n'), wrong);
  });
});

describe('the words of a user’s probe', () => {
  const patternsOf = (says: string | string[]): RegExp => {
    const read = probeFileSchema.parse(file({ steps: [{ ...reach, until: { says } }] }));
    const [step] = probeOf(read).dialogue.steps;
    assert.ok(step?.do === 'reach' && typeof step.until === 'object');
    const [pattern = assert.fail()] = step.until.says ?? [];
    return new RegExp(pattern, 'u');
  };

  it('match whole words in this order, and * matches up to five words', () => {
    const order = patternsOf(['Your * order', 'we don’t know']);
    for (const [sentence, matches] of [
      ['about your order, sir', true],
      ['your very last big blue new order.', true],
      ['your a b c d e f order', false],
      ['our order', false],
      ['your orders', false],
      ["well, we don't know that", true],
      ['know we', false],
    ] as const)
      assert.equal(order.test(sentence), matches, sentence);
    assert.ok(patternsOf('costs $5 (net)').test('that costs $5 (net) a day'));
  });

  it('take a bounded time on a hostile sentence', () => {
    const hostile = patternsOf(Array.from({ length: 20 }, () => 'a * a * a * b'));
    const begun = process.cpuUsage();
    assert.ok(!hostile.test('a '.repeat(2_000)));
    assert.ok(process.cpuUsage(begun).user < 5_000_000);
  });
});
