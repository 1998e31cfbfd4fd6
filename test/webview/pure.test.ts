import { because, join, sentence } from '../../src/base/sentences.ts';
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ToWebview } from '../../src/contract/panel.ts';
import { toWebviewSchema } from '../../src/contract/panel.ts';
import type { TreeNode } from '../../src/contract/tree.ts';
import { comparisonOf } from '../../webview/tree/marks/comparison.ts';
import { emptyState, runTrouble } from '../../webview/tree/explain.ts';
import { raiseMaxCalls, raiseMaxDepth } from '../../src/model/tree/limitAdvice.ts';
import { receive } from '../../webview/page/incoming.ts';
import type { MessageHandlers } from '../../webview/page/incoming.ts';
import { KeptBase } from '../../webview/tree/marks/keptBase.ts';
import { commandOf } from '../../webview/tree/keyboard.ts';
import { signWords, subtitleOf, nodeTitleOf } from '../../webview/tree/nodeText.ts';
import { eyeOf, keepEye, sceneOf } from '../../webview/tree/scene.ts';
import { findMatches, textPartsOf, passageOf, stepMatch } from '../../webview/tree/search/search.ts';
import { durationOf } from '../../webview/page/formats.ts';
import { countsOf, runLabel, shownRun } from '../../webview/tree/shownRun.ts';
import { treeIndexOf, livePath, sameWay } from '../../webview/tree/treeIndex.ts';
import { fit, leashed, revealed, zoomAt } from '../../webview/tree/drawing/viewport.ts';
import { initialState, reduce, restoreState, restoredEye, storedState } from '../../webview/tree/viewState.ts';
import { readWave } from '../../webview/player/wave.ts';
import { bankStats, bankTree, runOf, snapshotOf } from './bankTree.ts';
import { makeWav } from './speechLikeWav.ts';

const press = (key: string, more: object = {}): Parameters<typeof commandOf>[0] => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  ...more,
});
const none: ReadonlySet<string> = new Set();

describe('treeIndexOf', () => {
  it('gives every node a unique key, even with missing or duplicate stepIds', () => {
    const index = treeIndexOf({
      children: [{ digit: '1', stepId: 'a' }, { digit: '2', stepId: 'a' }, { digit: '3' }, { voicePrompt: 'help' }],
    });
    assert.equal(index.nodes.length, 5);
    assert.equal(index.byKey.size, 5);
  });

  it('finds the same path in a tree with other stepIds', () => {
    const other = treeIndexOf(JSON.parse(JSON.stringify(bankTree()).replaceAll('"step-', '"other-')) as TreeNode);
    const index = treeIndexOf(bankTree());
    const pin = index.nodes.find(({ node }) => node.label === 'Your PIN');
    assert.ok(pin);
    assert.equal(sameWay(pin, other)?.node.label, 'Your PIN');
  });

  it('returns the live path from the root', () => {
    const index = treeIndexOf(bankTree());
    assert.deepEqual(
      [...livePath(index)].map((key) => nodeTitleOf(index.byKey.get(key)?.node ?? {})),
      ['Branch hours and locations', 'First Harbour Bank', 'Hear the hours again'],
    );
  });
});

describe('a comparison', () => {
  it('marks only differences, with any step names', () => {
    const tree: TreeNode = {
      stepId: 'root',
      transcript: 'Say constructor, or roofer.',
      children: [
        { stepId: 'constructor', spokenResponse: 'constructor', transcript: 'Please hold.', end: 'hold-music' },
        { stepId: 'roofer', spokenResponse: 'roofer', transcript: 'Goodbye.', end: 'hangup' },
      ],
    };
    const compared = snapshotOf(
      { ...tree, children: tree.children!.map((node) => (node.stepId === 'roofer' ? { ...node, end: 'busy' } : node)) },
      runOf(2, 'completed'),
      { base: { title: 'Run 1', tree } },
    );
    assert.deepEqual(sceneOf(undefined, compared, comparisonOf(compared), none, '').stops, ['roofer']);
  });
});

describe('the keyboard', () => {
  const index = treeIndexOf(bankTree());
  const keyOf = (label: string): string =>
    index.nodes.find(({ node }) => nodeTitleOf(node) === label)?.key ?? assert.fail(`no ${label}`);
  const cases: [string, string, string | undefined, ReadonlySet<string>?][] = [
    ['ArrowDown', 'First Harbour Bank', 'focus Accounts and balances'],
    ['ArrowDown', 'Pay somebody else', 'focus Return to the main menu'],
    ['ArrowDown', 'Accounts and balances', 'focus Cards', new Set([keyOf('Accounts and balances')])],
    ['ArrowDown', 'Lost card', undefined],
    ['ArrowUp', 'Cards', 'focus Return to the main menu'],
    ['ArrowUp', 'Cards', 'focus Accounts and balances', new Set([keyOf('Accounts and balances')])],
    ['ArrowUp', 'First Harbour Bank', undefined],
    ['ArrowRight', 'Cards', 'focus Lost or stolen card'],
    ['ArrowRight', 'Cards', 'expand Cards', new Set([keyOf('Cards')])],
    ['ArrowRight', 'Balance', undefined],
    ['ArrowLeft', 'Cards', 'collapse Cards'],
    ['ArrowLeft', 'Cards', 'focus First Harbour Bank', new Set([keyOf('Cards')])],
    ['ArrowLeft', 'Balance', 'focus Accounts and balances'],
    ['Home', 'Balance', 'focus First Harbour Bank'],
    ['End', 'First Harbour Bank', 'focus Lost card'],
    ['*', 'New loan', 'expand New loan,Existing mortgage,Send documents by fax'],
    ['Enter', 'Cards', 'select Cards'],
    [' ', 'Cards', 'play Cards'],
    ['x', 'Cards', undefined],
  ];
  for (const [key, from, expected, collapsed = none] of cases) {
    it(`${JSON.stringify(key)} on ${from}${collapsed.size > 0 ? ', collapsed' : ''}: ${expected ?? 'nothing'}`, () => {
      const command = commandOf(press(key), index, collapsed, keyOf(from));
      const name = (wanted: string): string => nodeTitleOf(index.byKey.get(wanted)?.node ?? {});
      const told =
        command &&
        ('keys' in command
          ? `expand ${command.keys.map(name).join(',')}`
          : 'key' in command
            ? `${command.type} ${name(command.key)}`
            : command.type);
      assert.equal(told, expected);
    });
  }

  it("leaves the editor's keys alone", () => {
    assert.equal(commandOf(press('ArrowDown', { altKey: true }), index, none, undefined), undefined);
    assert.deepEqual(commandOf(press('f', { ctrlKey: true }), index, none, undefined), { type: 'search' });
    assert.deepEqual(commandOf(press('/'), index, none, undefined), { type: 'search' });
    assert.deepEqual(commandOf(press('0'), index, none, undefined), { type: 'fit' });
  });
});

describe('the search', () => {
  const index = treeIndexOf(bankTree());
  const found = (query: string): string[] =>
    findMatches(index, query).map((key) => nodeTitleOf(index.byKey.get(key)?.node ?? {}));

  it('covers labels, prompts, options and phrases', () => {
    assert.deepEqual(found('stolen'), ['Cards', 'Lost or stolen card', 'Lost card']);
    assert.deepEqual(found('JAMIE'), ['Lost or stolen card']);
    assert.deepEqual(found('springfield'), ['Springfield']);
    assert.deepEqual(found('account balance'), ['First Harbour Bank']);
    assert.deepEqual(found('  '), []);
  });

  it('wraps around', () => {
    assert.equal(stepMatch(['a', 'b'], 'b', 1), 'a');
    assert.equal(stepMatch(['a', 'b'], 'a', -1), 'b');
    assert.equal(stepMatch(['a', 'b'], 'elsewhere', 1), 'a');
    assert.equal(stepMatch([], 'a', 1), undefined);
  });

  it('splits a text at its match, and loses no letter', () => {
    assert.deepEqual(textPartsOf('Card or card', 'card'), [
      { text: 'Card', match: true },
      { text: ' or ', match: false },
      { text: 'card', match: true },
    ]);
    assert.equal(
      textPartsOf('İstanbul card', 'card')
        .map(({ text }) => text)
        .join(''),
      'İstanbul card',
    );
  });

  it('shows the matching passage', () =>
    assert.equal(
      passageOf({ transcript: 'If your card was lost or stolen, press 1.' }, 'stolen'),
      '…lost or stolen, press 1.',
    ));
});

describe('the view state', () => {
  it('selects, and lets an open pane follow the focus', () => {
    const selected = reduce(initialState, { type: 'select', key: 'a' });
    assert.equal(selected.paneOpen, true);
    assert.equal(reduce(selected, { type: 'focus', key: 'b' }).selected, 'b');
    assert.equal(reduce(reduce(selected, { type: 'pane', open: false }), { type: 'focus', key: 'b' }).selected, 'a');
  });

  it('stops following when it is moved', () => {
    assert.equal(reduce(initialState, { type: 'move', view: { x: 1, y: 1, zoom: 1 } }).following, false);
    assert.equal(reduce(initialState, { type: 'keep', view: { x: 1, y: 1, zoom: 1 } }).following, true);
  });

  it('returns as it was stored', () => {
    let state = reduce(initialState, { type: 'select', key: 'a' });
    state = reduce(state, { type: 'collapse', keys: ['b', 'c'] });
    state = reduce(state, { type: 'move', view: { x: -4, y: 7.5, zoom: 0.4 } });
    const stored: unknown = JSON.parse(JSON.stringify(storedState(state, { key: 'a', x: 1, y: 2 })));
    assert.deepEqual(restoreState(stored), state);
    assert.deepEqual(restoredEye(stored), { key: 'a', x: 1, y: 2 });
  });

  it('ignores invalid stored values', () => {
    for (const stored of [undefined, null, 'x', [], { collapsed: 'x', view: { zoom: 'NaN' }, paneSize: {}, speed: 77 }])
      assert.deepEqual(restoreState(stored), initialState);
  });
});

describe('the view', () => {
  const size = { width: 1000, height: 600 };

  it('keeps the point under the pointer when it zooms', () => {
    const view = zoomAt({ x: 10, y: 20, zoom: 1 }, { x: 300, y: 200 }, 2);
    assert.deepEqual(view, { x: -280, y: -160, zoom: 2 });
  });

  it('fits a tree, and moves no more than necessary', () => {
    const eye = { left: 0, top: 100, right: 252, bottom: 148 };
    const view = fit({ left: 0, top: -500, right: 800, bottom: 500 }, size, eye);
    assert.ok(-500 * view.zoom + view.y >= 0 && 500 * view.zoom + view.y <= size.height);
    assert.deepEqual(revealed({ x: 0, y: 0, zoom: 1 }, size, { left: 100, top: 100, right: 300, bottom: 150 }), {
      x: 0,
      y: 0,
      zoom: 1,
    });
    assert.deepEqual(revealed({ x: 0, y: 0, zoom: 1 }, size, { left: 100, top: 700, right: 300, bottom: 750 }), {
      x: 0,
      y: -202,
      zoom: 1,
    });
  });

  it('keeps part of the tree visible', () => {
    const view = leashed({ x: -9999, y: 9999, zoom: 1 }, size, { left: 0, top: 0, right: 500, bottom: 500 });
    assert.ok(500 + view.x > 0 && view.y < size.height);
  });

  it('keeps its position when the tree grows above it', () => {
    const before = sceneOf(undefined, snapshotOf(bankTree(), runOf(1, 'running')), undefined, none, '');
    const grown = bankTree();
    grown.children?.[0]?.children?.unshift(
      ...Array.from({ length: 9 }, (_, at) => ({ stepId: `new-${at}`, digit: '5', label: 'New' })),
    );
    const after = sceneOf(before, snapshotOf(grown, runOf(1, 'running')), undefined, none, '');
    assert.ok(before.layout && after.layout && before.index);
    const view = { x: -100, y: 300, zoom: 0.8 };
    const eye = eyeOf(before.layout, view, size, ['step-8']);
    assert.equal(eye?.key, 'step-8');
    const next = keepEye(view, eye, after, before.index);
    const [was, is] = [before.layout.byKey.get('step-8'), after.layout.byKey.get('step-8')];
    assert.ok(was && is);
    assert.notEqual(was.y, is.y);
    assert.ok(Math.abs(was.y * view.zoom + view.y - (is.y * next.zoom + next.y)) < 1e-6);
    assert.deepEqual(
      [...after.fresh],
      grown.children?.[0]?.children?.slice(0, 9).map(({ stepId }) => stepId),
    );
  });
});

describe('words', () => {
  it('name a step by its known details', () => {
    assert.equal(nodeTitleOf({ digit: '4' }), 'Key 4');
    assert.equal(nodeTitleOf({ transcript: 'Welcome.' }), 'Main menu');
    assert.equal(
      nodeTitleOf({ digit: '4', transcript: 'one two three four five six seven eight nine' }),
      'one two three four five six seven eight…',
    );
    assert.equal(subtitleOf({ status: 'linked', linksTo: 'x' }, { label: 'Cards' }), '↪ Cards');
    assert.equal(subtitleOf({ status: 'explored', end: 'dead-air' }, undefined), 'Dead air');
    assert.equal(subtitleOf({ inputRequired: { type: 'pin', terminator: '#' } }, undefined), 'Asks for PIN, then #');
    assert.equal(signWords({ hidden: true, status: 'explored', end: 'busy' }), 'Busy, not offered by any prompt');
    assert.equal(signWords({ status: 'failed', end: 'busy' }), 'Failed');
  });

  it('describe a run in one line', () => {
    assert.equal(runLabel(runOf(3, 'completed'), false), 'Run 3 · completed · 10 menus · 1.2× the minimum');
    assert.deepEqual(
      countsOf(runOf(1, 'running', { stats: { ...bankStats, menusHeard: 7, optionsToExplore: 3 } })).map(
        ({ value, name }) => `${value} ${name}`,
      ),
      ['19 calls', '3 active', '7 menus', '3 options to explore', '12 ends', '2 linked', '6 min 52 s call time'],
    );
    assert.deepEqual(
      countsOf(runOf(1, 'completed'))
        .slice(-1)
        .map(({ value, name }) => `${value} ${name}`),
      ['1.2× the minimum'],
    );
    assert.equal(runLabel(runOf(3, 'running'), true), 'Run 3 · cancelling… · 10 menus');
    for (const end of ['running', 'failed', 'limited'] as const)
      assert.ok(!runLabel(runOf(3, end), false).includes('×'), 'only for a whole tree');
    assert.match(runLabel(runOf(3, 'limited'), false), /uncertain/);
    assert.match(runLabel(runOf(3, 'limited', { limitReason: 'time' }), false), /stopped at a limit/);
    assert.deepEqual([9.4, 60, 3725].map(durationOf), ['9 s', '1 min 00 s', '1 h 02 min']);
    assert.equal(shownRun(snapshotOf(null, runOf(2, 'completed'), { version: 1 }))?.runNumber, 1);
  });

  it('explain every empty state with one suggestion', () => {
    const titles = (snapshot: Parameters<typeof emptyState>[0]): (string | undefined)[] => [
      emptyState(snapshot)?.title,
      emptyState(snapshot)?.action?.message,
    ];
    assert.deepEqual(titles(snapshotOf(null, undefined)), ['No tree yet', 'start']);
    assert.deepEqual(titles(snapshotOf(null, runOf(1, 'running'))), ['Calling', undefined]);
    assert.deepEqual(titles(snapshotOf(null, runOf(1, 'failed', { reason: 'SIP 404' }))), ['The run failed', 'start']);
    assert.deepEqual(titles(snapshotOf(null, runOf(1, 'limited', { limitReason: 'capacity' }))), [
      'Incomplete tree',
      'start',
    ]);
    assert.deepEqual(titles(snapshotOf(null, runOf(1, 'completed'))), ['Nothing was heard', 'start']);
    assert.equal(emptyState(snapshotOf(bankTree(), runOf(1, 'failed'))), undefined);
  });

  it('explain why a run was limited', () => {
    const { job } = snapshotOf(null, undefined);
    assert.ok(job);
    for (const limitReason of [
      'max_calls',
      'max_depth',
      'capacity',
      'concurrency',
      'target_refused',
      'time',
    ] as const) {
      assert.ok((runTrouble(runOf(1, 'limited', { limitReason }), job, [])?.text.length ?? 0) > 30);
    }
    assert.equal(runTrouble(runOf(1, 'completed'), job, []), undefined);
    const reason = 'The minutes for this run are used up. Get more minutes.';
    const spent = runTrouble(runOf(1, 'limited', { limitReason: 'capacity', reason }), job, []);
    assert.equal(spent?.text.match(/used up/g)?.length, 1, 'it is said once');
    const late = runTrouble(runOf(1, 'limited', { reason: 'This machine was busy.' }), job, []);
    assert.equal(late?.title, 'The tree may be wrong', 'without a limit');
    assert.match(late.text, /^This machine was busy\. .*dialtree\.mapping\.concurrency/);
  });

  it('show why the tree of a run may be wrong, whether or not the run reached a limit', () => {
    const { job } = snapshotOf(null, undefined);
    assert.ok(job);
    const doubt = 'Every option of the first menu leads back to it.';
    const why = sentence`Every option of the first menu leads back to it.`;
    for (const [limitReason, advice, own] of [
      ['max_calls', raiseMaxCalls, 'Raise maxCalls to map the rest.'],
      ['max_depth', raiseMaxDepth, 'Raise maxDepth to go deeper.'],
    ] as const) {
      const limited = runOf(1, 'limited', { limitReason, ...because(join(sentence`There is more.`, advice, why)) });
      const text = runTrouble(limited, job, [])?.text ?? '';
      assert.ok(text.endsWith(`${own} ${doubt}`), text);
      assert.doesNotMatch(text, /There is more/);
    }
    const completed = runOf(1, 'completed', { reason: doubt });
    const trouble = runTrouble(completed, job, []);
    assert.deepEqual([trouble?.title, trouble?.text], ['The tree may be wrong', doubt]);
    assert.equal(emptyState(snapshotOf(null, completed))?.title, 'Nothing was heard');
  });

  it('offer to raise the limit that ended the newest run, and say which one it was', () => {
    const { job } = snapshotOf(null, undefined);
    assert.ok(job);
    const run = runOf(2, 'limited', {
      limitReason: 'max_calls',
      reason: 'Raise maxCalls.',
      config: { ...job.config, maxCalls: 7 },
    });
    const trouble = runTrouble(run, job, [run, runOf(1, 'completed')]);
    assert.deepEqual(
      [trouble?.action?.message, trouble?.text],
      ['raiseLimit', 'The run placed 7 calls, the maximum in its settings. Raise maxCalls to map the rest.'],
    );
    assert.equal(runTrouble(runOf(2, 'limited', { limitReason: 'max_depth' }), job, [])?.action?.message, 'raiseLimit');
    assert.equal(runTrouble(run, { ...job, status: 'running' }, [run])?.action?.message, 'start', 'a run goes on');
    assert.equal(runTrouble(run, job, [runOf(3, 'completed'), run])?.action?.message, 'start', 'an older run');
    assert.equal(
      runTrouble(run, { ...job, config: { ...job.config, maxCalls: 1000 } }, [run])?.action?.message,
      'start',
      'no more is possible',
    );
    assert.equal(runTrouble(runOf(2, 'limited', { limitReason: 'time' }), job, [])?.action?.message, 'start');
  });
});

describe('incoming messages', () => {
  const take = (data: unknown): { taken: boolean; types: string[] } => {
    const types: string[] = [];
    const note = ({ type }: ToWebview): void => {
      types.push(type);
    };
    const handlers: MessageHandlers<ToWebview> = {
      snapshot: note,
      audio: note,
      play: note,
      reveal: note,
      draw: note,
    };
    return { taken: receive(data, handlers), types };
  };

  it('reach their handlers', () => {
    const messages: ToWebview[] = [
      snapshotOf(bankTree(), runOf(1, 'running')),
      snapshotOf(null, undefined),
      { type: 'audio', stepId: 'a', wav: makeWav(0.1) },
      { type: 'audio', stepId: 'a', error: 'gone' },
      { type: 'reveal', stepId: 'a' },
      { type: 'draw', format: 'svg' },
      { ...snapshotOf(bankTree(), undefined), base: { title: 'Run 1', tree: bankTree() } },
      { ...snapshotOf(bankTree(), undefined), keepsBase: true },
    ];
    for (const message of messages) {
      toWebviewSchema.parse(message);
      assert.deepEqual(take(message), { taken: true, types: [message.type] });
    }
  });

  it('disappear if they have no handler', () => {
    for (const data of [
      undefined,
      null,
      'snapshot',
      [],
      {},
      { type: 1 },
      { type: 'toString' },
      { type: '__proto__' },
      { type: 'editCriterion' },
    ])
      assert.deepEqual(take(data), { taken: false, types: [] }, JSON.stringify(data));
  });
});

describe('readWave', () => {
  it('measures a recording', () => {
    const wave = readWave(makeWav(2), 40);
    assert.equal(wave?.seconds, 2);
    assert.equal(wave.peaks.length, 40);
    assert.ok(Math.max(...wave.peaks) > 0.3 && Math.max(...wave.peaks) <= 1);
  });

  it('reads a truncated file to its end', () =>
    assert.equal(readWave(makeWav(2).slice(0, 44 + 8000), 10)?.seconds, 0.5));

  it('draws nothing for an invalid file', () => {
    assert.equal(readWave(new Uint8Array(100), 10), undefined);
    assert.equal(readWave(makeWav(1).slice(0, 20), 10), undefined);
  });
});

describe('the tree that snapshots are compared with', () => {
  it('stays until another one or none comes', () => {
    const kept = new KeptBase();
    const snapshot = snapshotOf(bankTree(), undefined);
    const [one, other] = ['Run 1', 'Run 2'].map((title) => ({ title, tree: bankTree() }));
    assert.ok(one && other);
    const given = [
      { ...snapshot, base: one },
      { ...snapshot, keepsBase: true as const },
      { ...snapshot, base: other },
      { ...snapshot, keepsBase: true as const },
      snapshot,
      { ...snapshot, keepsBase: true as const },
    ];
    assert.deepEqual(
      given.map((message) => kept.whole(message).base),
      [one, one, other, other, undefined, undefined],
    );
    assert.deepEqual(kept.whole({ ...snapshot, keepsBase: true }), snapshot);
  });
});
