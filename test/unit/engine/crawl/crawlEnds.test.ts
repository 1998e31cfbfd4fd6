import assert from 'node:assert/strict';
import type { TreeNode } from '../../../../src/contract/tree.ts';
import type { CrawlOptions } from '../../../../src/engine/crawl/crawl.ts';
import type { Dialer } from '../../../../src/engine/call/activeCall.ts';
import { crawl } from '../../../../src/engine/crawl/crawl.ts';
import { ivrFileSchema } from '../../../../src/contract/ivrFile.ts';
import { treeText } from '../../../../src/model/tree/treeLines.ts';
import { crawlTree, mapIvr } from '../../../support/crawlTree.ts';
import { generateIvr } from '../../../support/generateIvr.ts';
import { simulatedDialer } from '../../../support/simulatedDialer.ts';
import type { SimulatedCall } from '../../../support/simulatedDialer.ts';
import { VirtualClock } from '../../../support/virtualClock.ts';

const config = { mappingMode: 'hybrid', maxDepth: 12, maxCalls: 500, concurrency: 4 } as const;

function begin(
  ivr: Parameters<typeof simulatedDialer>[0]['ivr'],
  options: Partial<CrawlOptions> = {},
  onCall?: (call: SimulatedCall) => void,
) {
  const clock = new VirtualClock();
  const dialer = simulatedDialer({ ivr, clock, ...(onCall && { onCall }) });
  return {
    clock,
    dialer,
    options: { target: 'sip:x', clock, dialer, signal: new AbortController().signal, config, ...options },
  };
}

const nodesOf = (tree: TreeNode | null | undefined): TreeNode[] =>
  tree ? [tree, ...(tree.children ?? []).flatMap(nodesOf)] : [];

describe('crawl: a budget of call seconds', () => {
  for (const concurrency of [1, 2, 6, 20]) {
    for (const budgetSeconds of [10, 45, 60]) {
      it(`limits ${String(concurrency)} lines together to ${String(budgetSeconds)} s`, async () => {
        const { clock, dialer, options } = begin(generateIvr(3), { config: { ...config, concurrency }, budgetSeconds });
        const { end, stats } = await clock.run(crawlTree(options));
        assert.deepEqual([end.status, end.limitReason], ['limited', 'capacity']);
        assert.ok(stats.callSeconds <= budgetSeconds, `${String(stats.callSeconds)} s of calls`);
        assert.ok(dialer.calls.every((call) => call.ended));
        assert.ok(stats.callSeconds > budgetSeconds / 2, `${String(stats.callSeconds)} s: most of it is used`);
      });
    }
  }

  it('keeps what was found, and says why the rest was left out', async () => {
    const { clock, options } = begin(generateIvr(3), { budgetSeconds: 45 });
    const { tree } = await clock.run(crawlTree(options));
    const nodes = nodesOf(tree.tree);
    assert.ok(nodes.some(({ status }) => status === 'explored'));
    const left = nodes.filter(({ status }) => status !== 'explored' && status !== 'linked');
    assert.ok(left.length > 0);
    for (const node of left)
      assert.match(
        `${node.status ?? ''}: ${node.reason ?? ''}`,
        /^skipped: (?:Not reached|Dialtree hung up while this was playing), because the seconds for this run were used up\.$/,
      );
  });

  it('places no call that could no longer hear anything', async () => {
    const { clock, dialer, options } = begin(generateIvr(3), { budgetSeconds: 3 });
    const { end } = await clock.run(crawlTree(options));
    assert.deepEqual([end.limitReason, dialer.calls.length], ['capacity', 0]);
  });
});

/** Long enough that a cut always falls into it. */
const talkative = ivrFileSchema.parse({
  name: 'Talkative',
  start: 'main',
  answerAfterMs: 200,
  states: {
    main: { prompt: 'For opening hours, press 1.', keys: { '1': 'hours' } },
    hours: {
      prompt:
        'We are open on Monday from nine to five and on Tuesday from nine to five and on all the other days of the week from ten to four except on holidays. Goodbye.',
      end: 'hangup',
    },
  },
});

describe('crawl: a call that we cut off', () => {
  it('leaves the step pending, without an end of the called side', async () => {
    const cancel = new AbortController();
    const { clock, options } = begin(talkative, { signal: cancel.signal });
    let pressed = false;
    const { tree, end } = await clock.run(
      crawlTree(options, (event) => {
        if (pressed || event.type !== 'node' || event.node.digit !== '1' || event.node.status !== 'exploring') return;
        pressed = true;
        clock.setTimeout(() => cancel.abort('Cancelled.'), 9000);
      }),
    );
    assert.equal(end.status, 'failed');
    const hours = nodesOf(tree.tree).find(({ digit }) => digit === '1');
    assert.deepEqual(
      [hours?.status, hours?.end, hours?.isTerminal, hours?.transcript],
      ['pending', undefined, undefined, undefined],
    );
  });

  it('records the hang-up of a called side that ended the call itself', async () => {
    const { clock, options } = begin(talkative);
    const { tree } = await clock.run(crawlTree(options));
    const hours = nodesOf(tree.tree).find(({ digit }) => digit === '1');
    assert.deepEqual([hours?.status, hours?.end], ['explored', 'hangup']);
  });
});

describe('crawl: the seconds of one call', () => {
  for (const concurrency of [1, 4])
    it(`end each of ${String(concurrency)} calls in time, and the tree is as without them`, async () => {
      const seconds = 20;
      const ivr = generateIvr(11);
      const whole = await mapIvr(ivr);
      const { tree, end, calls } = await mapIvr(ivr, { config: { concurrency, maxCallSeconds: seconds } });
      const lengths = calls.map(({ durationSeconds }) => durationSeconds);
      assert.ok(lengths.filter((length) => length > seconds - 1).length >= 4, 'calls were cut off');
      assert.ok(Math.max(...lengths) <= seconds, `${String(Math.max(...lengths))} s`);
      assert.deepEqual([end.status, end.reason], ['completed', undefined]);
      assert.equal(treeText(tree), treeText(whole.tree));
    });

  it('skip a step for which they are never enough, and report it as the limit', async () => {
    const { tree, end, calls } = await mapIvr(talkative, { config: { maxCallSeconds: 12 } });
    const hours = nodesOf(tree.tree).find(({ digit }) => digit === '1');
    assert.deepEqual([hours?.status, hours?.end], ['skipped', undefined]);
    assert.match(hours?.reason ?? '', /within maxCallSeconds/);
    assert.deepEqual([end.status, end.limitReason], ['limited', 'time']);
    assert.match(end.reason ?? '', /^Some steps .* within a call of 12 s \(1\)\. Raise maxCallSeconds/);
    assert.ok(calls.length < 10, `${String(calls.length)} calls`);
  });
});

describe('crawl: how long a call rings', () => {
  for (const ringSeconds of [25, undefined])
    it(`takes ${String(ringSeconds)} of the mapping`, async () => {
      const { clock, dialer, options } = begin(talkative);
      const rung: unknown[] = [];
      const dial: Dialer['dial'] = (target, signal, how) => {
        rung.push(how?.ringSeconds);
        return dialer.dial(target, signal);
      };
      await clock.run(
        crawlTree({
          ...options,
          dialer: { dial },
          config: { ...config, ...(ringSeconds !== undefined && { ringSeconds }) },
        }),
      );
      assert.deepEqual(new Set(rung), new Set([ringSeconds]));
    });
});

describe('crawl: a number that is refused', () => {
  it('keeps what was announced', async () => {
    const ivr = { ...talkative, announcement: 'The number you have dialled is not in service.' };
    const { clock, options } = begin(ivr);
    for (const status of [403, 486]) {
      const dialer = simulatedDialer({ ivr, clock, refuse: () => status });
      const { end } = await clock.run(crawlTree({ ...options, dialer }));
      assert.match(
        end.reason ?? '',
        /\((?:SIP )?(?:403|486)\).* Before that, it said: “The number you .* in service\.”$/,
      );
    }
  });
});

describe('crawl: a reader that stops reading', () => {
  it('hangs up all calls and places no more', async () => {
    const { clock, dialer, options } = begin(generateIvr(3));
    const read = async (): Promise<void> => {
      for await (const event of crawl(options)) if (event.type === 'node' && event.node.status === 'explored') break;
    };
    await clock.run(read());
    const placed = dialer.calls.length;
    assert.ok(placed > 0);
    assert.ok(dialer.calls.every((call) => call.ended?.by === 'local'));
    await clock.run(
      new Promise<void>((resolve) => {
        clock.setTimeout(resolve, 60_000);
      }),
    );
    assert.equal(dialer.calls.length, placed);
  });
});

describe('crawl: the figures of a run', () => {
  it('never count fewer menus or ends than before, and count every option until its call is over', async () => {
    const { clock, options } = begin(generateIvr(3));
    const { tree, events, stats } = await clock.run(crawlTree(options));
    const counts = events.flatMap((event) => (event.type === 'stats' ? [event.stats] : []));
    assert.ok(counts.some(({ optionsToExplore = 0 }) => optionsToExplore > 1));
    for (const count of ['menusHeard', 'terminalNodes'] as const)
      assert.deepEqual(
        counts.map((one) => one[count] ?? -1),
        counts.map((one) => one[count] ?? -1).toSorted((one, other) => one - other),
      );
    const menus = nodesOf(tree.tree).filter(({ status, end }) => status === 'explored' && end === undefined);
    assert.deepEqual([stats.menusHeard, stats.optionsToExplore], [menus.length, 0]);
  });
});

describe('crawl: an option that transfers the call with REFER', () => {
  for (const then of ['hangs up', 'plays on'] as const)
    it(`ends in a transfer that names its target if the called side ${then}`, async () => {
      const ivr = ivrFileSchema.parse({
        name: 'transfers',
        number: '+12025550199',
        start: 'main',
        states: {
          main: {
            prompt: 'For sales, press 1. For an agent, press 2.',
            keys: { 1: 'sales', 2: 'agent' },
          },
          sales: { prompt: 'Our sales team is closed today. Goodbye.', end: 'hangup' },
          agent: { prompt: 'I am putting you through.', end: then === 'hangs up' ? 'hangup' : 'hold-music' },
        },
      });
      const { tree } = await mapIvr(ivr, {
        line: {
          onCall: (call) => {
            const press = call.press.bind(call);
            call.press = async (keys) => {
              await press(keys);
              if (keys.startsWith('2')) call.transferByIvr('sip:agents@10.0.0.9');
            };
          },
        },
      });
      const ends = nodesOf(tree.tree).map(({ digit, end, reason }) => [digit, end, reason]);
      assert.deepEqual(ends.slice(1).toSorted(), [
        ['1', 'hangup', undefined],
        ['2', 'transfer-ringback', "Transferred by REFER to sip:agents@10.0.0.9, which Dialtree doesn't follow."],
      ]);
      assert.match(treeText(tree), /\[transfers the call\] {2}\(Transferred by REFER to sip:agents@10\.0\.0\.9/);
    });
});

describe('crawl: an option that leads to a person or a queue', () => {
  const ivr = ivrFileSchema.parse({
    name: 'desks',
    start: 'main',
    states: {
      main: {
        prompt: 'For lost bags, press 1. For damaged bags, press 2. For claims, press 3.',
        keys: { 1: 'lost', 2: 'damaged', 3: 'queue' },
      },
      lost: {
        prompt: 'Central baggage, this is Darnell. Could you give me your file number?',
        end: 'human',
        greeting: false,
      },
      damaged: { prompt: 'Please give me your file number.', collect: { max: 6, next: 'wait' } },
      queue: {
        prompt:
          'All of our agents are busy. To keep your place and have us call you back, press 1. Or stay on the line.',
        keys: { 1: 'callback' },
        maxTries: 2,
        onExhausted: 'wait',
      },
      callback: { prompt: 'Thank you. We will call you back.', end: 'hangup' },
      wait: { prompt: '', end: 'hold-music' },
    },
  });

  it('ends with a person who asks for a number, and reads the offer to call back as a menu', async () => {
    const { tree } = await mapIvr(ivr);
    const [, ...nodes] = nodesOf(tree.tree);
    assert.deepEqual(nodes.map(({ path, end }) => `${path ?? ''}: ${end ?? 'menu'}`).toSorted(), [
      '1: human',
      '2: input',
      '3 > 1: hangup',
      '3: menu',
    ]);
    const asking = nodes.filter(({ inputRequired }) => inputRequired !== undefined);
    assert.deepEqual(
      asking.map(({ path }) => path),
      ['2'],
    );
  });
});

const statesOf = (states: Record<string, unknown>) => ivrFileSchema.parse({ name: 'ends', start: 'main', states });
const main = { prompt: 'For hours, press 1. For the rest, press 2.', keys: { 1: 'hours', 2: 'rest' } };
const hours = { prompt: 'We are open all day. Goodbye.', end: 'hangup' };

describe('crawl: a voicemail', () => {
  for (const [title, prompt, sound, expected] of [
    [
      'is recognised after a greeting that says which key ends the recording',
      'Nobody is available. Please leave your message after the tone. When done hang up or press the pound key.',
      'beep',
      'voicemail',
    ],
    [
      'is recognised by a short beep after a greeting',
      "You've reached Tom. I can't take your call.",
      'shortBeep',
      'voicemail',
    ],
    [
      'is recognised by a fax calling tone after a greeting',
      'Please leave a message after the beep.',
      'fax',
      'voicemail',
    ],
    ["isn't recognised by a short beep after other words", 'Our address is 12 Market Street.', 'shortBeep', 'hangup'],
    ["isn't taken for a fax without words about a message", 'Our address is 12 Market Street.', 'fax', 'fax'],
  ] as const)
    for (const textMs of [950, 7000])
      it(`${title}, as text after ${String(textMs)} ms`, async () => {
        const ivr = statesOf({
          main,
          hours,
          rest: { prompt, next: 'thanks', pauseMs: 4000 },
          thanks: { prompt: 'Thank you.', next: 'over', pauseMs: 9000 },
          over: { prompt: '', end: 'hangup' },
        });
        const { tree } = await mapIvr(ivr, {
          line: { textMs, soundAfter: (played) => (played === prompt ? sound : undefined) },
        });
        const rest = nodesOf(tree.tree).find(({ digit }) => digit === '2');
        assert.deepEqual([rest?.end, rest?.children?.length ?? 0], [expected, 0]);
      });

  it('needs more than a beep in a menu that offers to leave a message', async () => {
    const rest = {
      prompt: 'To leave a message, press 1. To hear the hours, press 2.',
      keys: { 1: 'hours', 2: 'hours' },
    };
    const { tree } = await mapIvr(statesOf({ main, hours, rest }), {
      line: { soundAfter: (played) => (played === rest.prompt ? 'beep' : undefined) },
    });
    const found = nodesOf(tree.tree).find(({ digit, path }) => digit === '2' && path === '2');
    assert.deepEqual([found?.end, found?.children?.length], [undefined, 2]);
  });
});

describe('crawl: a beep after words that announce no message', () => {
  const greeting = 'Thank you for calling. This call is being recorded.';
  const line = { soundAfter: (played: string) => (played === greeting ? ('beep' as const) : undefined) };

  it("doesn't end a prompt that continues with a menu", async () => {
    const rest = { prompt: greeting, next: 'menu', pauseMs: 1400 };
    const menu = { prompt: 'For sales, press 1. For parts, press 2.', keys: { 1: 'hours', 2: 'hours' } };
    const { tree } = await mapIvr(statesOf({ main, hours, rest, menu }), { line });
    const found = nodesOf(tree.tree).find(({ path }) => path === '2');
    assert.deepEqual([found?.end, found?.children?.length], [undefined, 2]);
  });

  it('starts a recording if silence follows', async () => {
    const rest = { prompt: greeting, end: 'dead-air' };
    const { tree } = await mapIvr(statesOf({ main, hours, rest }), { line });
    assert.equal(nodesOf(tree.tree).find(({ path }) => path === '2')?.end, 'voicemail');
  });
});

describe('crawl: a prompt that times out', () => {
  for (const [title, prompt, then, expected] of [
    ['says goodbye after a request', 'Please enter the code of the door.', 'Goodbye.', 'input'],
    [
      'says goodbye after a request whose verb was misheard',
      'Please intern the code of the door.',
      'Goodbye.',
      'input',
    ],
    ['says that it got no answer', 'Hermes told the door.', 'You did not respond. Goodbye.', 'input'],
    ['says goodbye after words that ask for nothing', 'The door is open.', 'Goodbye.', 'dead-air'],
    [
      'says goodbye after words that ask to call again',
      'Please check the number and dial again.',
      'Goodbye.',
      'dead-air',
    ],
    ['ends a menu of one key', 'For the door, press 1.', 'Goodbye.', undefined],
  ] as const)
    for (const textMs of [950, 7000])
      it(`${title}: ${expected ?? 'a menu'}, as text after ${String(textMs)} ms`, async () => {
        const ivr = statesOf({
          main,
          hours,
          rest: { prompt, keys: { 1: 'hours' }, timeoutMs: 5000, maxTries: 1, onExhausted: 'bye' },
          bye: { prompt: then, next: 'over', pauseMs: 9000 },
          over: { prompt: '', end: 'hangup' },
        });
        const { tree } = await mapIvr(ivr, { line: { textMs } });
        const rest = nodesOf(tree.tree).find(({ digit, path }) => digit === '2' && path === '2');
        assert.equal(rest?.end, expected);
        assert.equal(rest?.inputRequired !== undefined, expected === 'input');
        assert.equal(rest?.children?.length ?? 0, expected === undefined ? 1 : 0);
        if (expected !== 'dead-air') assert.equal(rest?.transcript, prompt);
      });
});

describe('crawl: hold music', () => {
  const waiting = 'Please hold for the next available agent.';
  const important = 'Your call is important to us.';
  const offer = 'If you would rather not wait, press 1 and we will call you back.';

  const mapped = async (prompt: string, announcement: string) => {
    const { tree, calls, events } = await mapIvr(
      statesOf({
        main,
        hours,
        rest: { prompt, next: 'queue', pauseMs: 6000 },
        queue: { prompt: announcement, keys: { 1: 'back' }, timeoutMs: 6000, maxTries: 20, onExhausted: 'queue' },
        back: { prompt: 'We will call you back. Goodbye.', end: 'hangup' },
      }),
      { line: { soundAfter: (played) => ([prompt, announcement].includes(played) ? 'music' : undefined) } },
    );
    const rest = nodesOf(tree.tree).find(({ path }) => path === '2');
    const staysOnLine = events.some((event) => event.type === 'node' && event.node.reading?.stayOnLine === true);
    return { rest, staysOnLine, longestMs: Math.max(...calls.map((call) => call.now())) };
  };

  it('stays the end if its announcements offer nothing, and costs about 10 s', async () => {
    const { rest, longestMs } = await mapped(waiting, important);
    assert.equal(rest?.end, 'hold-music');
    const { rest: atOnce, longestMs: atOnceMs } = await mapped('The office is closed.', important);
    assert.equal(atOnce?.end, 'hold-music');
    assert.ok(longestMs - atOnceMs < 13_000, `${String(longestMs)} ms, otherwise ${String(atOnceMs)} ms`);
  });

  it('maps a queue whose announcement offers to call back as a menu', async () => {
    const { rest, staysOnLine } = await mapped(waiting, offer);
    assert.deepEqual([rest?.end, staysOnLine], [undefined, true]);
    assert.deepEqual(
      rest?.children?.map(({ digit, end }) => [digit, end]),
      [['1', 'hangup']],
    );
  });
});
