import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { CalltreeNode } from '../../../../src/contract/calltreeFile.ts';
import { createTestConfigSchema } from '../../../../src/contract/testConfigs.ts';
import { findColumnProblems } from '../../../../src/model/tests/columnUse.ts';
import { testsFromTree } from '../../../../src/model/tests/testsFromTree.ts';

const menu = (stepId: string, digit: string, label: string, rest: Partial<CalltreeNode> = {}): CalltreeNode => ({
  stepId,
  digit,
  label,
  status: 'explored',
  transcript: `This is ${label}.`,
  ...rest,
});
const root: CalltreeNode = {
  stepId: 'root',
  status: 'explored',
  transcript: 'Welcome to the bank. For accounts, press 1. For cards, press 2.',
  options: [
    { key: '1', label: 'accounts' },
    { key: '2', label: 'cards' },
  ],
  children: [
    menu('accounts', '1', 'accounts', {
      children: [
        menu('balance', '1', 'your balance', {
          transcript: 'Your balance is two hundred dollars. Goodbye.',
          isTerminal: true,
          end: 'hangup',
        }),
        { stepId: 'back', digit: '*', label: 'main menu', status: 'linked', linksTo: 'root', transcript: '' },
        { stepId: 'pay', digit: '2', label: 'pay a bill', status: 'skipped', reason: 'This key may pay.' },
        {
          stepId: 'number',
          digit: '3',
          label: '',
          status: 'explored',
          end: 'input',
          transcript: 'Please enter your number.',
        },
      ],
    }),
    {
      stepId: 'cards',
      spokenResponse: 'cards',
      label: 'cards',
      stepType: 'voice',
      status: 'explored',
      transcript: 'All agents are busy.',
      end: 'hold-music',
    },
    menu('lost', '3', '', { status: 'failed', reason: 'The call broke off.', transcript: '' }),
  ],
};

describe('model: tests from a tree', () => {
  it("include one for every path to an end, a link or an input, with the words on the way and the call's end", () => {
    const { tests } = testsFromTree(root, 'Bank');
    assert.deepEqual(
      tests.map(({ stepId, path, name, slug }) => [stepId, path, name, slug]),
      [
        ['cards', 'cards', 'Bank: cards', 'cards'],
        ['balance', '1 > 1', 'Bank: 1 accounts > 1 your balance', '1-1-your-balance'],
        ['back', '1 > *', 'Bank: 1 accounts > * main menu', '1-star-main-menu'],
        ['number', '1 > 3', 'Bank: 1 accounts > 3', '1-3'],
      ],
    );
    assert.deepEqual(tests.find(({ stepId }) => stepId === 'balance')?.steps, [
      { name: 'Greeting', action: { type: 'dial' }, passThreshold: 0.8, expectedTranscript: root.transcript },
      {
        name: 'Key 1: accounts',
        action: { type: 'press', keys: '1' },
        passThreshold: 0.8,
        expectedTranscript: 'This is accounts.',
      },
      {
        name: 'Key 1: your balance',
        action: { type: 'press', keys: '1' },
        passThreshold: 0.8,
        expectedTranscript: 'Your balance is *. Goodbye.',
        expectedEnd: 'hangup',
      },
    ]);
    assert.deepEqual(tests[0]?.steps.at(-1), {
      name: 'Say “cards”',
      action: { type: 'say', text: 'cards' },
      passThreshold: 0.8,
      expectedTranscript: 'All agents are busy.',
      expectedEnd: 'hold-music',
    });
    const last = (stepId: string) => tests.find((test) => test.stepId === stepId)?.steps.at(-1);
    assert.equal(
      last('back')?.expectedTranscript,
      root.transcript,
      'a link is followed to the words of its menu, and no further',
    );
    assert.equal(last('number')?.expectedEnd, undefined);
    for (const { name, steps } of tests) createTestConfigSchema.parse({ name, steps, phoneNumber: '+12025550101' });
  });

  it('come with the reasons why a path has none', () => {
    assert.deepEqual(testsFromTree(root, 'Bank').skipped, [
      { stepId: 'lost', path: '3', reason: 'It could not be explored: The call broke off.' },
      { stepId: 'pay', path: '1 > 2', reason: 'It was left out: This key may pay.' },
    ]);
    const { tests, skipped } = testsFromTree(root, 'Bank', ['accounts', 'gone', 'accounts', 'root']);
    assert.deepEqual(
      tests.map(({ slug, steps }) => [slug, steps.length]),
      [
        ['1-accounts', 2],
        ['greeting', 1],
      ],
    );
    assert.deepEqual(skipped, [{ stepId: 'gone', path: '', reason: 'The tree has no step with this id.' }]);
  });

  it('leave out paths that may not exist, unless they are named', () => {
    const unsure = {
      ...root,
      children: root.children?.map((child) => ({ ...child, unsure: child.stepId === 'accounts' })),
    };
    const { tests, skipped } = testsFromTree(unsure, 'Bank');
    assert.ok(tests.every(({ path }) => !path.startsWith('1')));
    assert.match(
      skipped.find(({ path }) => path === '1 > 1')?.reason ?? '',
      /^This machine was busy when it mapped this path/,
    );
    const { stepId = '' } = skipped.find(({ path }) => path === '1 > 1') ?? {};
    assert.deepEqual(
      testsFromTree(unsure, 'Bank', [stepId]).tests.map(({ path }) => path),
      ['1 > 1'],
    );
  });

  it('never mistake a word for a column, and press no impossible key', () => {
    const spoken: CalltreeNode = {
      status: 'explored',
      transcript: 'For {sales}, press 1. Or say {help}.',
      children: [
        menu('sales', '1', '{sales}', { transcript: 'Press {key} now.' }),
        menu('a', 'A', 'a'),
        menu('column', '{key}', 'c'),
        menu('none', '', 'd'),
        {
          stepId: 'help',
          spokenResponse: '{help} me',
          label: '{help}',
          status: 'explored',
          transcript: 'How can we help?',
          end: 'human',
        },
        { stepId: 'silent', spokenResponse: '{}', status: 'explored' },
      ],
    };
    const { tests, skipped } = testsFromTree(spoken, 'Bank {city}');
    for (const { name, steps } of tests) {
      createTestConfigSchema.parse({ name, steps, phoneNumber: '+12025550101' });
      assert.deepEqual(findColumnProblems(steps, undefined), []);
    }
    assert.deepEqual(
      tests.map(({ steps }) => steps.map(({ expectedTranscript }) => expectedTranscript)),
      [
        ['For sales, press 1. Or say help.', 'Press key now.'],
        ['For sales, press 1. Or say help.', 'How can we help?'],
      ],
    );
    assert.deepEqual(tests[1]?.steps[1]?.action, { type: 'say', text: 'help me' });
    assert.deepEqual(
      skipped.map(({ stepId, reason }) => [stepId, reason.split('.')[0]]),
      [
        ['a', "“A” isn't a key (0-9, * or #)"],
        ['column', "“{key}” isn't a key (0-9, * or #)"],
        ['none', "“” isn't a key (0-9, * or #)"],
        ['silent', 'The tree has neither a key nor a phrase that leads to “”'],
      ],
    );
  });

  it('writes valid tests for any tree', () => {
    const text = fc.oneof(fc.string(), fc.constantFrom('{a}', 'For {b}, press 1.', '*', '', '1', '#', ' '));
    const { node } = fc.letrec<{ node: CalltreeNode }>((tie) => ({
      node: fc.record({
        status: fc.constant('explored' as const),
        label: text,
        transcript: text,
        digit: fc.option(text, { nil: undefined }),
        spokenResponse: fc.option(text, { nil: undefined }),
        children: fc.oneof(
          { depthSize: 'small' },
          fc.constant<CalltreeNode[]>([]),
          fc.array(tie('node'), { maxLength: 3 }),
        ),
      }),
    }));
    fc.assert(
      fc.property(node, (tree) => {
        for (const { name, steps } of testsFromTree(tree, 'Bank').tests) {
          createTestConfigSchema.parse({ name, steps, phoneNumber: '+12025550101' });
          assert.deepEqual(findColumnProblems(steps, undefined), []);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('have distinct slugs, and names and texts within the bounds of a test', () => {
    const long = 'word '.repeat(120).trim();
    const children = [1, 2].map((number): CalltreeNode => ({
      stepId: `voice-${String(number)}`,
      spokenResponse: long,
      label: long,
      status: 'explored',
      transcript: `${long}.`,
    }));
    const { tests } = testsFromTree({ ...root, children }, 'Bank '.repeat(38).trim());
    assert.equal(new Set(tests.map(({ slug }) => slug)).size, 2);
    for (const { name, steps } of tests) createTestConfigSchema.parse({ name, steps, phoneNumber: '+12025550101' });
  });
});
