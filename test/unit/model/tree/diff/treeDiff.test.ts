import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { TreeNode } from '../../../../../src/contract/tree.ts';
import type { TreeChange, TreeChangeKind } from '../../../../../src/contract/treeDiff.ts';
import { flattenTree } from '../../../../../src/model/tree/treeBuild.ts';
import { diffTrees } from '../../../../../src/model/tree/diff/treeDiff.ts';
import {
  copyOf,
  minimalStandard,
  parentOf,
  sketch,
  sketches,
  stepKeys,
  stepsOf,
  treeOfSketch,
  type SketchedStep,
} from '../sketchedIvr.ts';

/** `kind path`, or `kind base path` for a removal. */
const told = (changes: readonly TreeChange[]): string[] =>
  changes.map(({ kind, path, basePath }) => `${kind} ${path ?? basePath ?? ''}`.trim());
const ofKind = (changes: readonly TreeChange[], kind: TreeChangeKind): TreeChange[] =>
  changes.filter((change) => change.kind === kind);
const but = (changes: readonly TreeChange[], kind: TreeChangeKind): string[] =>
  told(changes.filter((change) => change.kind !== kind));

const step = (stepId: string, digit: string, label: string, more: Partial<TreeNode>): TreeNode => ({
  stepId,
  digit,
  label,
  status: 'explored',
  isTerminal: more.end !== undefined,
  options: (more.children ?? []).map((child) => ({ key: child.digit ?? '', label: child.label ?? '' })),
  children: [],
  ...more,
});
const bank = (): TreeNode => {
  const {
    digit: _digit,
    label: _label,
    ...root
  } = step('root', '', '', {
    latencyMs: 500,
    transcript: 'Welcome to Harbour Bank. For accounts, press 1. For cards, press 2. To speak to an agent, press 0.',
    children: [
      step('accounts', '1', 'accounts', {
        latencyMs: 800,
        transcript: 'Accounts. For your balance, press 1. To return to the main menu, press star.',
        children: [
          step('balance', '1', 'your balance', {
            end: 'hangup',
            transcript: 'Your balance is two hundred dollars. Goodbye.',
          }),
          step('back', '*', 'return to the main menu', { status: 'linked', linksTo: 'root' }),
        ],
      }),
      step('cards', '2', 'cards', {
        latencyMs: 700,
        transcript: 'Card services. For a lost or stolen card, press 1. To activate a card, press 2.',
        children: [
          step('lost', '1', 'lost or stolen card', { end: 'transfer-ringback', transcript: 'Please hold.' }),
          step('activate', '2', 'activate a card', {
            end: 'input',
            transcript: 'Enter the sixteen digits of your card.',
          }),
        ],
      }),
      step('agent', '0', 'speak to an agent', { end: 'hold-music', transcript: 'Please hold.' }),
    ],
  });
  return root;
};

type BankEdit = (node: TreeNode, parent: TreeNode) => void;
function bankWith(id: string, edit: BankEdit): TreeNode {
  const tree = bank();
  const visit = (node: TreeNode, parent: TreeNode): void => {
    if (node.stepId === id) edit(node, parent);
    node.children?.slice().forEach((child) => visit(child, node));
  };
  visit(tree, tree);
  return tree;
}
const changesWith = (id: string, edit: BankEdit): readonly TreeChange[] =>
  diffTrees(bank(), bankWith(id, edit)).changes;
const without = (id: string): TreeNode =>
  bankWith(id, (node, parent) => {
    parent.children?.splice(parent.children.indexOf(node), 1);
    parent.options = (parent.options ?? []).filter(({ key }) => key !== node.digit);
  });

describe('the differences of two trees', () => {
  it('contain nothing for a tree and itself, with any IDs', () => {
    const renamed = JSON.parse(
      JSON.stringify(bank()).replaceAll('"root"', '"r"').replaceAll('"cards"', '"c"'),
    ) as TreeNode;
    const { changes, marks, tree } = diffTrees(bank(), renamed);
    assert.deepEqual({ changes, marks }, { changes: [], marks: {} });
    assert.deepEqual(tree, renamed);
  });

  it('list removals step by step, at their former places', () => {
    const { changes, marks, tree } = diffTrees(bank(), without('cards'));
    assert.deepEqual(told(changes), ['removed 2', 'removed 2 > 1', 'removed 2 > 2']);
    assert.deepEqual(
      tree.children?.map(({ stepId }) => stepId),
      ['accounts', 'base:cards', 'agent'],
    );
    assert.deepEqual(marks, { 'base:cards': ['removed'], 'base:lost': ['removed'], 'base:activate': ['removed'] });
    assert.deepEqual(
      { stepId: changes[0]?.stepId, baseStepId: changes[0]?.baseStepId, sentence: changes[0]?.sentence },
      { stepId: undefined, baseStepId: 'cards', sentence: '"cards" is gone from 2.' },
    );
  });

  it('keep the links of restored steps', () => {
    const ghost = diffTrees(bank(), without('accounts')).tree.children?.find(
      ({ stepId }) => stepId === 'base:accounts',
    );
    assert.deepEqual(
      ghost?.children?.map(({ stepId, linksTo }) => ({ stepId, linksTo })),
      [
        { stepId: 'base:balance', linksTo: undefined },
        { stepId: 'base:back', linksTo: 'root' },
      ],
    );
  });

  it('list additions', () =>
    assert.deepEqual(told(diffTrees(without('cards'), bank()).changes), ['added 2', 'added 2 > 1', 'added 2 > 2']));

  it('include a changed number, a "not", and an added or removed clause, but no variation of recognition', () => {
    const says = (transcript: string): string[] =>
      told(changesWith('balance', (node) => (node.transcript = transcript)));
    for (const same of [
      'your balance is 200 dollars, good bye',
      'Um, your balance is two hundred dollars. Goodbye!',
      'YOUR BALANCE IS $200. GOODBYE',
      'Your ballance is two hundred dollars. Goodbye.',
      'Your bell insists two hundred dollars. Goodbye.',
    ])
      assert.deepEqual(says(same), [], same);
    for (const other of [
      'Your balance is three hundred dollars. Goodbye.',
      'Your balance is not two hundred dollars. Goodbye.',
      'Your balance is two hundred dollars. This call may be recorded for training. Goodbye.',
      'The office is closed.',
    ]) {
      assert.deepEqual(says(other), ['reworded 1 > 1'], other);
    }
  });

  it('show only the words that differ', () => {
    const [change] = changesWith(
      'cards',
      (node) => (node.transcript = 'Card services. For a lost or stolen card, press 1. To activate a card, press 3.'),
    );
    assert.equal(
      change?.sentence,
      'The prompt at 2 says something else: "… card, press 2." became "… card, press 3.".',
    );
    assert.equal(change.before, 'Card services. For a lost or stolen card, press 1. To activate a card, press 2.');
  });

  it('report another key for the same option; two swapped options are two changes', () => {
    const swapped = bankWith('cards', (node) => {
      for (const child of node.children ?? []) child.digit = child.digit === '1' ? '2' : '1';
    });
    const { changes } = diffTrees(bank(), swapped);
    assert.deepEqual(
      changes.map(({ kind, stepId, before, after }) => ({ kind, stepId, before, after })),
      [
        { kind: 'renumbered', stepId: 'lost', before: '1', after: '2' },
        { kind: 'renumbered', stepId: 'activate', before: '2', after: '1' },
      ],
    );
    assert.equal(changes[0]?.sentence, '"lost or stolen card" is now reached by 2 instead of 1, at 2.');
  });

  it('report a different option under a key, even if both have the same prompt', () => {
    const { changes } = diffTrees(
      bank(),
      bankWith('lost', (node, parent) => {
        node.label = 'credit limit';
        parent.options = [
          { key: '1', label: 'credit limit' },
          { key: '2', label: 'activate a card' },
        ];
      }),
    );
    assert.deepEqual(told(changes), ['removed 2 > 1', 'added 2 > 1']);
  });

  it('report another end, another menu, and an end in place of a menu', () => {
    assert.deepEqual(told(changesWith('lost', (node) => (node.end = 'voicemail'))), ['relinked 2 > 1']);
    const { changes } = diffTrees(
      bank(),
      bankWith('back', (node) => (node.linksTo = 'cards')),
    );
    assert.deepEqual(
      changes.map(({ kind, after, before }) => ({ kind, before, after })),
      [{ kind: 'relinked', before: 'the first menu', after: 'the menu at 2' }],
    );
    const ended = bankWith('cards', (node) => {
      node.children = [];
      delete node.options;
      node.end = 'busy';
      node.isTerminal = true;
      node.transcript = 'All lines are busy.';
    });
    assert.deepEqual(told(diffTrees(bank(), ended).changes), ['relinked 2', 'removed 2 > 1', 'removed 2 > 2']);
  });

  it('report what moved, and not what moved with it', () => {
    const moved = bankWith('cards', (node, parent) => {
      parent.children?.splice(parent.children.indexOf(node), 1);
      const accounts = parent.children?.find(({ stepId }) => stepId === 'accounts');
      accounts?.children?.push({ ...node, digit: '5' });
    });
    const { changes } = diffTrees(bank(), moved);
    assert.deepEqual(
      changes.map(({ kind, path, basePath }) => ({ kind, path, basePath })),
      [{ kind: 'moved', path: '1 > 5', basePath: '2' }],
    );
  });

  it('follow a menu that is drawn at another of its places', () => {
    const linkedTwice = (first: boolean): TreeNode => {
      const cards = (digit: string, id: string): TreeNode => ({
        ...bank().children?.[1],
        stepId: id,
        digit,
        label: 'cards',
      });
      const link: TreeNode = {
        digit: first ? '7' : '2',
        stepId: 'link',
        label: 'cards',
        status: 'linked',
        linksTo: 'menu',
        children: [],
      };
      const menu = cards(first ? '2' : '7', 'menu');
      return { ...bank(), children: first ? [menu, link] : [link, menu] };
    };
    assert.deepEqual(diffTrees(linkedTwice(true), linkedTwice(false)).changes, []);
    // The path where it was drawn is gone, but the menu isn't.
    const { changes } = diffTrees(linkedTwice(true), {
      ...linkedTwice(false),
      children: linkedTwice(false).children?.slice(1) ?? [],
      options: [],
    });
    assert.deepEqual(told(changes), ['removed 2']);
  });

  it('find the old first menu behind a new one', () => {
    const front: TreeNode = {
      stepId: 'front',
      status: 'explored',
      transcript: 'For English, press 1. Para español, oprima el dos.',
      options: [
        { key: '1', label: 'english' },
        { key: '2', label: 'español' },
      ],
      children: [
        { ...bank(), digit: '1', label: 'english' },
        {
          stepId: 'es',
          digit: '2',
          label: 'español',
          status: 'explored',
          isTerminal: true,
          end: 'hangup',
          transcript: 'Adiós.',
          children: [],
        },
      ],
    };
    assert.deepEqual(told(diffTrees(bank(), front).changes), ['relinked', 'added 1', 'added 2']);
    assert.deepEqual(told(diffTrees(front, bank()).changes), ['relinked', 'removed 1', 'removed 2']);
  });

  it('report a prompt that comes later by more than 300 ms and a quarter', () => {
    const later = (before: number, after: number): string[] =>
      told(
        diffTrees(
          bankWith('cards', (node) => (node.latencyMs = before)),
          bankWith('cards', (node) => (node.latencyMs = after)),
        ).changes,
      );
    assert.deepEqual(later(700, 1100), ['slower 2']);
    assert.deepEqual(later(700, 1000), []);
    assert.deepEqual(later(2000, 2450), []);
    assert.deepEqual(later(2000, 900), []);
  });

  it("conclude nothing from paths that weren't called", () => {
    const untried: Partial<TreeNode>[] = [
      { status: 'failed', reason: 'busy' },
      { status: 'skipped' },
      { status: 'pending' },
      { status: 'exploring' },
    ];
    for (const state of untried) {
      const partly = bankWith('cards', (node) => {
        Object.assign(node, state, { children: [] });
        delete node.transcript;
        delete node.options;
        delete node.latencyMs;
      });
      assert.deepEqual(diffTrees(bank(), partly).changes, [], state.status);
      assert.deepEqual(diffTrees(partly, bank()).changes, [], state.status);
      assert.deepEqual(diffTrees(bank(), partly).tree, partly);
    }
    // Offered and not tried, because the depth or call limit was reached.
    const shallow = bankWith('cards', (node) => (node.children = []));
    assert.deepEqual(diffTrees(bank(), shallow).changes, []);
    assert.deepEqual(diffTrees(shallow, bank()).changes, []);
    const hidden = bankWith('cards', (node) => {
      node.children?.push({
        stepId: 'secret',
        digit: '0',
        hidden: true,
        status: 'explored',
        isTerminal: true,
        end: 'human',
        transcript: 'Hello?',
        children: [],
      });
    });
    assert.deepEqual(diffTrees(bank(), hidden).changes, []);
    assert.deepEqual(diffTrees(hidden, bank()).changes, []);
  });

  it('contain no unsure step, and nothing that it lacks', () => {
    const doubted = bankWith('cards', (node) => {
      Object.assign(node, { unsure: true, transcript: 'Something else. For parking, press 9.', options: [] });
      node.children = [
        step('parking', '9', 'parking', { end: 'hangup', transcript: 'The garage is closed.', unsure: true }),
      ];
    });
    assert.deepEqual(diffTrees(bank(), doubted).changes, []);
    assert.deepEqual(diffTrees(doubted, bank()).changes, []);
  });

  it('accept steps without IDs or with the same ID, and links to nowhere or in a circle', () => {
    const rough: TreeNode = {
      transcript: 'Press 1 or 2.',
      children: [
        { stepId: 'a', digit: '1', label: 'one thing', linksTo: 'b' },
        { stepId: 'a', digit: '2', label: 'other', end: 'hangup' },
        { stepId: 'b', digit: '3', label: 'ring', linksTo: 'a' },
        { digit: '4', label: 'lost', linksTo: 'nowhere' },
      ],
    };
    assert.deepEqual(diffTrees(rough, rough).changes, []);
    const { marks, tree, changes } = diffTrees(
      {
        children: [
          { digit: '9', label: 'nine', end: 'hangup' },
          { digit: '8', label: 'eight', end: 'hangup' },
        ],
      },
      rough,
    );
    const ids = flattenTree(tree).map(({ stepId }) => stepId);
    assert.equal(new Set(ids).size, ids.length);
    assert.deepEqual(
      Object.keys(marks).filter((id) => !ids.includes(id)),
      [],
    );
    assert.deepEqual(told(changes).toSorted(), ['added 1', 'added 2', 'added 3', 'added 4', 'removed 8', 'removed 9']);
  });

  it('follow the order of the drawn tree', () =>
    fc.assert(
      fc.property(sketches(), sketches(), (one, other) => {
        const { changes, tree } = diffTrees(treeOfSketch(one), treeOfSketch(other));
        const places = changes.map(({ stepId, baseStepId }) => stepId ?? `base:${baseStepId ?? ''}`);
        const order = flattenTree(tree).map(({ stepId }) => stepId ?? '');
        assert.deepEqual(
          places,
          places.toSorted((a, b) => order.indexOf(a) - order.indexOf(b)),
        );
      }),
      { numRuns: 30 },
    ));
});

describe('the differences of random trees', () => {
  it('contain nothing for a tree and itself, however malformed', () => {
    const text = fc.constantFrom(
      'For sales press 1.',
      'For sales press 1. For billing press 2.',
      'Goodbye, dear caller.',
      '',
      undefined,
    );
    const { node } = fc.letrec<{ node: TreeNode }>((tie) => ({
      node: fc.record({
        stepId: fc.constantFrom('a', 'b', 'c', undefined),
        digit: fc.constantFrom('1', '2', undefined),
        label: fc.constantFrom('sales team', 'sales team office', 'billing', '', undefined),
        transcript: text,
        linksTo: fc.constantFrom('a', 'b', 'nowhere', undefined, undefined),
        end: fc.constantFrom('hangup' as const, 'human' as const, undefined, undefined),
        status: fc.constantFrom('failed' as const, 'explored' as const, undefined),
        hidden: fc.constantFrom(true, undefined),
        phrases: fc.constantFrom(['sales'], undefined),
        children: fc.oneof(
          { depthSize: 'small' },
          fc.constant<TreeNode[]>([]),
          fc.array(tie('node'), { maxLength: 4 }),
        ),
      }),
    }));
    fc.assert(
      fc.property(node, (tree) => assert.deepEqual(diffTrees(tree, structuredClone(tree)).changes, [])),
      { numRuns: 500 },
    );
  });

  it('contain nothing if only recognition differs', () =>
    fc.assert(
      fc.property(sketches(), fc.integer({ min: 1, max: 1e9 }), (root, seed) =>
        assert.deepEqual(diffTrees(treeOfSketch(root), treeOfSketch(root, noisily(seed))).changes, []),
      ),
      { numRuns: 60 },
    ));

  it('stay symmetric, with added and removed exchanged', () =>
    fc.assert(
      fc.property(sketches(30), fc.integer({ min: 1, max: 1e9 }), (root, seed) => {
        const edited = editedManyTimes(root, seed);
        const there = diffTrees(treeOfSketch(root), treeOfSketch(edited)).changes;
        const back = diffTrees(treeOfSketch(edited), treeOfSketch(root)).changes;
        const paths = (changes: readonly TreeChange[], kind: TreeChangeKind): string[] =>
          ofKind(changes, kind)
            .map(({ path, basePath }) => path ?? basePath ?? '')
            .sort();
        assert.deepEqual(paths(there, 'added'), paths(back, 'removed'));
        assert.deepEqual(paths(there, 'removed'), paths(back, 'added'));
        for (const kind of ['moved', 'renumbered', 'relinked', 'reworded'] as const)
          assert.equal(ofKind(there, kind).length, ofKind(back, kind).length, kind);
      }),
      { numRuns: 100 },
    ));

  it('include every edit, and otherwise only prompts that mention it', () =>
    fc.assert(
      fc.property(
        sketches(),
        fc.constantFrom(...(Object.keys(edits) as (keyof typeof edits)[])),
        fc.integer({ min: 1, max: 1e9 }),
        (root, name, seed) => {
          const edited = copyOf(root);
          const expected = edits[name](edited, minimalStandard(seed));
          if (expected === undefined) return;
          const { changes } = diffTrees(treeOfSketch(root), treeOfSketch(edited, noisily(seed)));
          assert.deepEqual(name === 'reword' ? told(changes) : but(changes, 'reworded'), expected);
        },
      ),
      { numRuns: 300 },
    ));

  it('come to light among 10,000 steps', () => {
    const root = sketch(10_000, 11);
    const edited = copyOf(root);
    const deep = stepsOf(edited).findLast((step) => step.children.length > 2);
    assert.ok(deep);
    deep.greeting = 'Our offices are closed today.';
    const gone = stepsOf(edited).find((step) => step.children.length > 3 && step !== edited && step !== deep);
    assert.ok(gone);
    const size = stepsOf(gone).length;
    const parent = parentOf(edited, gone);
    parent?.children.splice(parent.children.indexOf(gone), 1);
    const { changes } = diffTrees(treeOfSketch(root), treeOfSketch(edited, noisily(5)));
    assert.equal(ofKind(changes, 'removed').length, size);
    assert.deepEqual(ofKind(changes, 'reworded').length, 2);
    assert.equal(changes.length, size + 2);
  });
});

/** Simulates recognition errors that don't change the meaning. */
function noisily(seed: number): (text: string) => string {
  const random = minimalStandard(seed);
  return (text) =>
    text
      .split(' ')
      .map((word) => {
        switch (random(30)) {
          case 0:
            return `${word} um,`;
          case 1:
            return word.toUpperCase();
          case 2:
            return word.replace(/[.,]$/, '');
          case 3:
            return word.length > 7 ? word.replace(/(?<=.[b-df-hj-np-tv-z])[aeiou]/, 'e') : word;
          default:
            return word;
        }
      })
      .join(' ');
}

const pathIn = (root: SketchedStep, step: SketchedStep): string => {
  const parent = parentOf(root, step);
  return parent ? [pathIn(root, parent), step.key].filter((part) => part !== '').join(' > ') : '';
};
const freeKey = (menu: SketchedStep): string | undefined =>
  stepKeys.find((key) => menu.children.every((child) => child.key !== key));
/** In the order of the drawn tree. */
const pathsBelow = (root: SketchedStep, step: SketchedStep): string[] => [
  pathIn(root, step),
  ...step.children.flatMap((child) => pathsBelow(root, child)),
];

type Edit = (root: SketchedStep, random: (below: number) => number) => string[] | undefined;
/** Each changes the tree and returns the expected difference; undefined if the tree has no place for it. */
const edits: Readonly<
  Record<'remove' | 'add' | 'renumber' | 'reword' | 'move' | 'end' | 'link' | 'slow' | 'skip', Edit>
> = {
  remove(root, random) {
    const step = pick(stepsOf(root).slice(1), random);
    const parent = step && parentOf(root, step);
    if (!step || !parent || parent.children.length < 2) return undefined;
    const paths = pathsBelow(root, step);
    parent.children.splice(parent.children.indexOf(step), 1);
    return paths.map((path) => `removed ${path}`);
  },
  add(root, random) {
    const menu = pick(
      stepsOf(root).filter(({ children }) => children.length > 0),
      random,
    );
    const key = menu && freeKey(menu);
    if (!menu || key === undefined) return undefined;
    const step: SketchedStep = {
      topic: 'zebra astronaut classes',
      key,
      children: [{ topic: 'saxophone lessons beginner', key: '1', end: 'voicemail', children: [] }],
    };
    menu.children.splice(random(menu.children.length + 1), 0, step);
    return pathsBelow(root, step).map((path) => `added ${path}`);
  },
  renumber(root, random) {
    const step = pick(stepsOf(root).slice(1), random);
    const parent = step && parentOf(root, step);
    const key = parent && freeKey(parent);
    if (!step || key === undefined) return undefined;
    step.key = key;
    return [`renumbered ${pathIn(root, step)}`];
  },
  reword(root, random) {
    const step = pick(
      stepsOf(root).filter(({ end }) => end !== undefined),
      random,
    );
    if (!step) return undefined;
    step.greeting = `You have chosen ${step.topic}. Our office is closed until nine. Please hold the line.`;
    return [`reworded ${pathIn(root, step)}`.trim()];
  },
  move(root, random) {
    const step = pick(
      stepsOf(root)
        .slice(1)
        .filter(({ link }) => link === undefined),
      random,
    );
    const parent = step && parentOf(root, step);
    const below = step && stepsOf(step);
    const target = pick(
      stepsOf(root).filter((menu) => menu.children.length > 0 && menu !== parent && below?.includes(menu) === false),
      random,
    );
    const key = target && freeKey(target);
    if (!step || !parent || parent.children.length < 2 || !target || key === undefined) return undefined;
    parent.children.splice(parent.children.indexOf(step), 1);
    step.key = key;
    target.children.push(step);
    return [`moved ${pathIn(root, step)}`];
  },
  end(root, random) {
    const step = pick(
      stepsOf(root)
        .slice(1)
        .filter(({ end }) => end !== undefined),
      random,
    );
    if (!step) return undefined;
    step.end = step.end === 'fax' ? 'busy' : 'fax';
    return [`relinked ${pathIn(root, step)}`];
  },
  link(root, random) {
    const step = pick(
      stepsOf(root).filter(({ link }) => link !== undefined),
      random,
    );
    const menu = pick(
      stepsOf(root).filter(({ children, topic }) => children.length > 0 && topic !== step?.link),
      random,
    );
    if (!step || !menu) return undefined;
    step.link = menu.topic;
    return [`relinked ${pathIn(root, step)}`];
  },
  slow(root, random) {
    const step = pick(
      stepsOf(root).filter(({ latencyMs, link }) => latencyMs !== undefined && link === undefined),
      random,
    );
    if (step?.latencyMs === undefined) return undefined;
    step.latencyMs = step.latencyMs * 1.3 + 301;
    return [`slower ${pathIn(root, step)}`.trim()];
  },
  skip(root, random) {
    const step = pick(stepsOf(root).slice(1), random);
    if (!step) return undefined;
    step.status = (['failed', 'skipped', 'pending'] as const)[random(3)];
    delete step.end;
    delete step.link;
    return [];
  },
};

function pick<T>(list: readonly T[], random: (below: number) => number): T | undefined {
  return list.length === 0 ? undefined : list[random(list.length)];
}

function editedManyTimes(root: SketchedStep, seed: number): SketchedStep {
  const edited = copyOf(root);
  const random = minimalStandard(seed);
  const names = Object.keys(edits) as (keyof typeof edits)[];
  for (let count = 0; count < 4; count += 1) edits[names[random(names.length)] ?? 'reword'](edited, random);
  return edited;
}

describe('the differences from a tree whose run was cut short', () => {
  const without = (tree: TreeNode, stepId: string): TreeNode => ({
    ...tree,
    options: tree.options?.filter(
      ({ key }) => !tree.children?.some((one) => one.stepId === stepId && one.digit === key),
    ),
    children: tree.children?.filter((child) => child.stepId !== stepId),
  });

  it("don't contain steps that it lacks", () => {
    const [whole, part] = [bank(), without(bank(), 'cards')];
    assert.ok(ofKind(diffTrees(whole, part).changes, 'removed').length > 0);
    assert.deepEqual(ofKind(diffTrees(whole, part, { current: true }).changes, 'removed'), []);
    assert.ok(ofKind(diffTrees(part, whole).changes, 'added').length > 0);
    assert.deepEqual(ofKind(diffTrees(part, whole, { base: true }).changes, 'added'), []);
  });

  it("don't contain another spelling of the same words", () => {
    const saying = (transcript: string): TreeNode => ({ ...bank(), transcript });
    for (const [one, other] of [
      ['Enter your 8 digit account number.', 'Enter your eight-digit account number.'],
      ['To log in, enter your ten-digit number.', 'To login, enter your 10 digit number.'],
      ['For voice mail, press one.', 'For voicemail, press 1.'],
      ['Log in.', 'Login.'],
    ] as const)
      assert.deepEqual(diffTrees(saying(one), saying(other)).changes, [], one);
    assert.equal(diffTrees(saying('Enter 8 digits now.'), saying('Enter 9 digits now.')).changes.length, 1);
  });
});
