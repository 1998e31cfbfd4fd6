import assert from 'node:assert/strict';
import { ivrFileSchema } from '../../../../src/contract/ivrFile.ts';
import { stayWay, treeResponseSchema, type TreeResponse } from '../../../../src/contract/tree.ts';
import { ivrTruth } from '../../../../src/model/tree/ivrTruth.ts';
import { treeText } from './trees.ts';

const bye = { prompt: 'Goodbye.', end: 'hangup' };
/** Returns the keys that appear in the prompt as digits, star or pound. */
const offeredKeys = (prompt: string): ReadonlySet<string> => new Set(prompt.match(/[0-9*#]/g) ?? []);

function truthOf(states: object, rest: object = {}, maxDepth?: number): TreeResponse {
  const ivr = ivrFileSchema.parse({ name: 'Test', start: 'main', states, ...rest });
  const truth = ivrTruth(ivr, { offeredKeys, start: ivr.start, ...(maxDepth === undefined ? {} : { maxDepth }) });
  assert.ok(treeResponseSchema.safeParse(truth).success, 'the truth is a tree response');
  return truth;
}
const text = (states: object, rest?: object): string[] => treeText(truthOf(states, rest).tree);

describe('the true tree of a practice IVR', () => {
  it('has a node for each key, in order of depth, with its ends', () =>
    assert.deepEqual(
      text({
        main: { prompt: '1 or 2', keys: { 1: 'sub', 2: 'bye' } },
        sub: { prompt: '1', keys: { 1: 'hold' } },
        hold: { prompt: 'Hold.', end: 'hold-music' },
        bye,
      }),
      ['root', '  1', '    1 hold-music', '  2 hangup'],
    ));

  it('joins a speaking-only state to the step before its menu', () => {
    const { tree } = truthOf({
      main: { prompt: 'Hello.', next: 'news' },
      news: { prompt: 'We have moved.', next: 'menu' },
      menu: { prompt: 'Press 1.', keys: { 1: 'last' } },
      last: { prompt: 'Thank you.', next: 'bye' },
      bye,
    });
    assert.deepEqual(treeText(tree), ['root', '  1 hangup']);
    assert.equal(tree?.transcript, 'Hello. We have moved. Press 1.');
    assert.equal(tree.children?.[0]?.transcript, 'Thank you. Goodbye.');
  });

  it('links a menu that is reached again to its place nearest the root', () =>
    assert.deepEqual(
      text({
        main: { prompt: '1 2', keys: { 1: 'far', 2: 'near' } },
        far: { prompt: '3', keys: { 3: 'near' } },
        near: { prompt: '4 *', keys: { 4: 'bye', '*': 'main' } },
        bye,
      }),
      ['root', '  1', '    3 -> 2', '  2', '    4 hangup', '    * -> root'],
    ));

  it('links a menu that is reached through other words, and one that repeats itself', () =>
    assert.deepEqual(
      text({
        main: { prompt: '1 2 9', keys: { 1: 'moved', 2: 'bye', 9: 'main' } },
        moved: { prompt: 'Back we go.', next: 'main' },
        bye,
      }),
      ['root', '  1 -> root', '  2 hangup', '  9 -> root'],
    ));

  it('treats equal states with two names as one menu', () => {
    const sub = { prompt: '1', keys: { 1: 'bye' } };
    assert.deepEqual(text({ main: { prompt: '1 2', keys: { 1: 'a', 2: 'b' } }, a: sub, b: sub, bye }), [
      'root',
      '  1',
      '    1 hangup',
      '  2 -> 1',
    ]);
  });

  it('treats menus as one if their targets are recursively equal, also in cycles', () => {
    const menu = (own: string, other: string): object => ({ prompt: '1 2 3', keys: { 1: own, 2: other, 3: 'bye' } });
    assert.deepEqual(
      text({ main: { prompt: '1 2', keys: { 1: 'a', 2: 'b' } }, a: menu('a', 'b'), b: menu('b', 'a'), bye }),
      ['root', '  1', '    1 -> 1', '    2 -> 1', '    3 hangup', '  2 -> 1'],
    );
  });

  it('keeps menus apart that lead elsewhere, however deep the difference is', () => {
    const words = { prompt: 'Same words, 1.', keys: { 1: 'x' } };
    assert.deepEqual(
      text({
        main: { prompt: '1 2', keys: { 1: 'a', 2: 'b' } },
        a: { ...words, keys: { 1: 'bye' } },
        b: { ...words, keys: { 1: 'busy' } },
        bye,
        busy: { prompt: 'Goodbye.', end: 'busy' },
      }),
      ['root', '  1', '    1 hangup', '  2', '    1 busy'],
    );
    const deep = { prompt: 'Deeper, 1.', keys: { 1: 'bye' } };
    assert.deepEqual(
      text({
        main: { prompt: '1 2', keys: { 1: 'a', 2: 'b' } },
        a: { ...words, keys: { 1: 'a2' } },
        b: { ...words, keys: { 1: 'b2' } },
        a2: deep,
        b2: { ...deep, keys: { 1: 'busy' } },
        bye,
        busy: { prompt: 'Busy.', end: 'busy' },
      }),
      ['root', '  1', '    1', '      1 hangup', '  2', '    1', '      1 busy'],
    );
    assert.deepEqual(
      text({
        main: { prompt: '1 2', keys: { 1: 'a', 2: 'b' } },
        a: { prompt: '1', keys: { 1: 'bye' } },
        b: { prompt: '1', keys: { 1: 'bye', 2: 'bye' } },
        bye,
      }),
      ['root', '  1', '    1 hangup', '  2', '    1 hangup', '    2 hidden hangup'],
      'one has a key more',
    );
  });

  it("doesn't link ends: each ends a call", () =>
    assert.deepEqual(text({ main: { prompt: '1 2', keys: { 1: 'bye', 2: 'bye' } }, bye }), [
      'root',
      '  1 hangup',
      '  2 hangup',
    ]));

  it('marks keys that no prompt offers, but not those that the previous prompt offered', () => {
    assert.deepEqual(text({ main: { prompt: '1', keys: { 0: 'bye', 1: 'bye' } }, bye }), [
      'root',
      '  0 hidden hangup',
      '  1 hangup',
    ]);
    assert.deepEqual(
      text({
        main: { prompt: 'Para español, 2.', next: 'menu' },
        menu: { prompt: '1', keys: { 1: 'bye', 2: 'bye', 3: 'bye' } },
        bye,
      }),
      ['root', '  1 hangup', '  2 hangup', '  3 hidden hangup'],
    );
  });

  it('follows phrases if there are no keys', () => {
    const { tree } = truthOf({ main: { prompt: 'Say billing.', speech: { billing: 'bye', 'lost card': 'bye' } }, bye });
    assert.deepEqual(treeText(tree), ['root', '  billing hangup', '  lost card hangup']);
    assert.deepEqual(
      tree?.children?.map(({ stepType, path }) => [stepType, path]),
      [
        ['voice', 'billing'],
        ['voice', 'lost card'],
      ],
    );
    assert.deepEqual(
      text({ main: { prompt: '1', keys: { 1: 'bye' }, speech: { billing: 'bye' } }, bye }),
      ['root', '  1 hangup'],
      'keys first',
    );
  });

  it('stops at an entry without a value', () => {
    assert.deepEqual(
      text({
        main: { prompt: '1', keys: { 1: 'entry' } },
        entry: { prompt: 'Enter.', collect: { max: 4, next: 'behind' } },
        behind: { prompt: '5', keys: { 5: 'bye' } },
        bye,
      }),
      ['root', '  1 input'],
    );
    assert.deepEqual(text({ main: { prompt: 'Enter.', collect: { max: 4, next: 'bye' } }, bye }), ['root input']);
  });

  it('ends in dead air at the state with that fault, before its prompt', () => {
    const states = {
      main: { prompt: '1 2', keys: { 1: 'a', 2: 'intro' } },
      intro: { prompt: 'One moment.', next: 'b' },
      a: { prompt: '1', keys: { 1: 'bye' } },
      b: { prompt: '1', keys: { 1: 'bye' } },
      bye,
    };
    const { tree } = truthOf(states, { faults: { deadAirState: 'b' } });
    assert.deepEqual(treeText(tree), ['root', '  1', '    1 hangup', '  2 dead-air']);
    assert.equal(tree?.children?.[1]?.transcript, 'One moment.');
  });

  it('keeps menus apart if one of them leads to the dead state', () => {
    const sub = { prompt: 'Sub, 1.', keys: { 1: 'x' } };
    assert.deepEqual(
      text(
        {
          main: { prompt: '1 2', keys: { 1: 'a', 2: 'b' } },
          a: { ...sub, keys: { 1: 'bye' } },
          b: { ...sub, keys: { 1: 'bye2' } },
          bye,
          bye2: bye,
        },
        { faults: { deadAirState: 'bye2' } },
      ),
      ['root', '  1', '    1 hangup', '  2', '    1 dead-air'],
    );
  });

  it('includes options of several keys that are offered, but no extensions and no wrong keys', () =>
    assert.deepEqual(
      text({
        main: { prompt: '1 2 0', keys: { 1: 'bye', 2: 'bye', 4072: 'bye', '4XXX': 'bye', X: 'bye' }, onKey: { 0: {} } },
        bye,
      }),
      ['root', '  1 hangup', '  2 hangup'],
    ));

  it('shows an offered option of several keys', () => {
    const ivr = ivrFileSchema.parse({
      name: 'T',
      start: 'main',
      states: { main: { prompt: 'Press 10.', keys: { 10: 'bye' } }, bye },
    });
    const { tree } = ivrTruth(ivr, { offeredKeys: () => new Set(['10']), start: 'main' });
    assert.deepEqual(treeText(tree), ['root', '  10 hangup']);
  });

  it('includes staying on the line, hidden unless it is offered', () => {
    const states = {
      main: { prompt: '1', keys: { 1: 'bye' }, stay: 'hold' },
      hold: { prompt: 'A', end: 'human' },
      bye,
    };
    const { tree } = truthOf(states);
    assert.deepEqual(tree?.children?.[1], {
      stepId: 'step-2',
      depth: 1,
      path: 'stay on the line',
      label: 'stay on the line',
      byWaiting: true,
      hidden: true,
      transcript: 'A',
      children: [],
      status: 'explored',
      isTerminal: true,
      end: 'human',
    });
    const ivr = ivrFileSchema.parse({ name: 'T', start: 'main', states });
    const offered = ivrTruth(ivr, { offeredKeys: () => new Set(['1', stayWay]), start: 'main' }).tree?.children?.[1];
    assert.equal(offered?.hidden, undefined);
  });

  it('says what the first call hears first, and counts the keys that any try or call offers', () => {
    const { tree } = truthOf({
      main: {
        prompt: [{ byCall: ['Sale. 1', '2'] }, { byTry: ['4', '3'] }],
        keys: { 1: 'bye', 2: 'bye', 3: 'bye', 5: 'bye' },
      },
      bye,
    });
    assert.equal(tree?.transcript, 'Sale. 1 4');
    assert.deepEqual(treeText(tree), ['root', '  1 hangup', '  2 hangup', '  3 hangup', '  5 hidden hangup']);
  });

  it('ends with the first phase of an end, and follows no branch of a caller', () =>
    assert.deepEqual(
      text({
        main: { prompt: '1 2', keys: { 1: 'ring', 2: 'hello' } },
        ring: { prompt: 'A', end: 'transfer-ringback', then: { afterMs: 20_000, next: 'mailbox' } },
        mailbox: { prompt: '1', keys: { 1: 'bye' } },
        hello: { prompt: 'B', next: 'bye', branches: [{ callers: ['+1202*'], next: 'ring' }] },
        bye,
      }),
      ['root', '  1 transfer-ringback', '  2 hangup'],
    ));

  it('keeps menus apart that differ in where staying on the line or a branch leads', () => {
    const menu = (stay: string): object => ({ prompt: '1', keys: { 1: 'bye' }, stay });
    const busy = { prompt: 'Busy.', end: 'busy' };
    assert.deepEqual(
      text({ main: { prompt: '1 2', keys: { 1: 'a', 2: 'b' } }, a: menu('bye'), b: menu('busy'), bye, busy }),
      [
        'root',
        '  1',
        '    1 hangup',
        '    stay on the line hidden hangup',
        '  2',
        '    1 hangup',
        '    stay on the line hidden busy',
      ],
    );
  });

  it('goes as deep as requested', () => {
    const states = {
      main: { prompt: '1', keys: { 1: 'a' } },
      a: { prompt: '2', keys: { 2: 'b' } },
      b: { prompt: '3', keys: { 3: 'bye' } },
      bye,
    };
    assert.deepEqual(treeText(truthOf(states, {}, 1).tree), ['root', '  1']);
    assert.deepEqual(treeText(truthOf(states, {}, 2).tree), ['root', '  1', '    2']);
  });

  it('starts where the hours say', () => {
    const ivr = ivrFileSchema.parse({
      name: 'T',
      start: 'main',
      states: { main: { prompt: '1', keys: { 1: 'bye' } }, bye, closed: { prompt: 'Closed.', end: 'voicemail' } },
      hours: [{ from: '18:00', to: '08:00', start: 'closed' }],
    });
    assert.deepEqual(treeText(ivrTruth(ivr, { offeredKeys, start: 'closed' }).tree), ['root voicemail']);
  });
});
