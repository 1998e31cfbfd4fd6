import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { ivrFileSchema, type IvrFile } from '../../../../src/contract/ivrFile.ts';
import type { Dialer } from '../../../../src/engine/call/activeCall.ts';
import { flattenTree } from '../../../../src/model/tree/treeBuild.ts';
import { crawlTree } from '../../../support/crawlTree.ts';
import { generateIvr } from '../../../support/generateIvr.ts';
import { simulatedDialer, type SimulatedCall } from '../../../support/simulatedDialer.ts';
import { VirtualClock } from '../../../support/virtualClock.ts';

const config = { mappingMode: 'hybrid', maxDepth: 6, maxCalls: 60, concurrency: 4 } as const;
const menu = 'For sales, press 1. For service, press 2. For parts, press 3.';
const allKeysTo = (state: string, keys = '1234567890*#') => Object.fromEntries(Array.from(keys, (key) => [key, state]));

/** The states go in unchecked, because a file with such an IVR is rejected. */
function hostile(states: Record<string, object>): IvrFile {
  const ivr = ivrFileSchema.parse({
    name: 'Odd',
    start: 'main',
    states: { main: { prompt: 'Hello.', end: 'hangup' } },
  });
  const { end: _end, ...usual } = ivr.states['main'] ?? {};
  const all = Object.entries(states).map(([name, state]) => [name, { ...usual, ...state }]);
  return { ...ivr, states: Object.fromEntries(all) as IvrFile['states'] };
}

async function map(
  dialerOn: (clock: VirtualClock) => Dialer,
  {
    abortAtMs,
    lines = 4,
    ...limits
  }: {
    readonly abortAtMs?: number;
    readonly lines?: number;
    readonly maxCalls?: number;
    readonly maxDepth?: number;
  } = {},
) {
  const clock = new VirtualClock();
  const cancel = new AbortController();
  if (abortAtMs !== undefined) clock.setTimeout(() => cancel.abort('Cancelled.'), abortAtMs);
  const dialer = dialerOn(clock);
  const crawled = await clock.run(
    crawlTree({
      target: 'sip:x',
      clock,
      dialer,
      signal: cancel.signal,
      config: { ...config, ...limits, concurrency: lines },
    }),
  );
  return { ...crawled, nodes: crawled.tree.tree ? flattenTree(crawled.tree.tree) : [], wallMs: clock.now() };
}
const mapIvr = (ivr: IvrFile, onCall?: (call: SimulatedCall, clock: VirtualClock) => void) =>
  map((clock) =>
    simulatedDialer({
      ivr,
      clock,
      onCall: (call) => {
        onCall?.(call, clock);
      },
    }),
  );

const endless = 'And then there was another thing that we wanted to tell you about our company. '.repeat(300);

describe('crawl: mapping a called side that behaves oddly', () => {
  it('gives up on one that never stops talking after two minutes, and keeps what it said', async () => {
    const { end, nodes, stats, wallMs } = await mapIvr(hostile({ main: { prompt: endless, end: 'hangup' } }));
    assert.equal(end.status, 'failed');
    assert.match(end.reason ?? '', /still talking/);
    assert.match(nodes[0]?.transcript ?? '', /another thing/);
    assert.deepEqual([stats.callsPlaced, nodes[0]?.end], [1, undefined]);
    assert.ok(wallMs < 130_000);
  });

  it('maps an option after which the called side never stops talking', async () => {
    const ivr = hostile({
      main: { prompt: `For sales, press 1. ${endless}`, keys: { 1: 'sales' } },
      sales: { prompt: 'Sales is closed. Goodbye.', end: 'hangup' },
    });
    const { end, nodes } = await mapIvr(ivr);
    assert.equal(end.status, 'completed');
    assert.deepEqual(
      nodes.map((node) => node.end),
      [undefined, 'hangup'],
    );
  });

  it('reports one that repeats its menu for every key', async () => {
    const { end, stats } = await mapIvr(hostile({ main: { prompt: menu, keys: allKeysTo('main'), maxTries: 9 } }));
    assert.match(end.reason ?? '', /^Every option of the first menu leads back to it\./);
    assert.ok(stats.callsPlaced <= 10);
  });

  it('reports one that answers every key with the same end', async () => {
    const closed = { prompt: 'All lines are busy. Goodbye.', end: 'hangup' };
    const { end } = await mapIvr(hostile({ main: { prompt: menu, keys: allKeysTo('closed') }, closed }));
    assert.match(end.reason ?? '', /^Every option of the first menu leads to the same end\./);
  });

  it('follows one that leads to ever new menus to the greatest depth', async () => {
    const states = Array.from({ length: 200 }, (_, index): [string, object] => [
      index === 0 ? 'main' : `level${String(index)}`,
      {
        prompt: `Floor ${String(index)}. For more of ${String(index)}, press 1. For the stairs of ${String(index)}, press 2.`,
        keys: { 1: `level${String(Math.min(199, index * 2 + 1))}`, 2: `level${String(Math.min(199, index * 2 + 2))}` },
      },
    ]);
    const { end, stats } = await mapIvr(hostile(Object.fromEntries(states)));
    assert.deepEqual([end.status, stats.maxDepthReached <= 6, stats.callsPlaced <= 60], ['limited', true, true]);
    assert.ok(end.limitReason === 'max_depth' || end.limitReason === 'max_calls');
  });

  it('reports one that hangs up during the first menu on every call, with how often it did', async () => {
    const { end, nodes, stats } = await mapIvr(
      hostile({ main: { prompt: menu, keys: allKeysTo('main') } }),
      (call, clock) => {
        clock.setTimeout(() => call.hangUpByIvr(), 1500);
      },
    );
    assert.deepEqual([end.status, nodes[0]?.status, stats.callsPlaced], ['failed', 'failed', 4]);
    assert.equal(
      end.reason,
      'The call dropped while this was playing. The called side hung up 4 times. Call the number yourself to check what it plays.',
    );
  });

  for (const [limitReason, limit, told] of [
    [undefined, {}, '^The called side hung up \\d+ times'],
    [
      'max_calls',
      { maxCalls: 8 },
      'Raise maxCalls of the mapping, .* and map again\\. The called side hung up \\d+ times',
    ],
    [
      'max_depth',
      { maxDepth: 1 },
      'Raise maxDepth of the mapping, .* and map again\\. The called side hung up \\d+ times',
    ],
  ] as const)
    it(`reports one that hangs up during most menus, with the limit ${limitReason ?? 'of no kind'}`, async () => {
      let calls = 0;
      const { end, nodes } = await map(
        (clock) =>
          simulatedDialer({
            ivr: generateIvr(3),
            clock,
            onCall: (call) => {
              calls += 1;
              if (calls === 1 || calls % 3 === 0) return;
              clock.setTimeout(() => call.hangUpByIvr(), 9000);
            },
          }),
        limit,
      );
      assert.equal(end.limitReason, limitReason);
      assert.ok(calls <= 60 && nodes.length > 1);
      assert.match(end.reason ?? '', new RegExp(`${told} while`));
    });

  it('finds no option behind a key that no prompt offers if the called side only says goodbye to it', async () => {
    const { nodes } = await mapIvr(
      hostile({
        main: {
          prompt:
            'For tyres, press 1. For paint, press 2. For glass, press 4. For the yard, press 0. For the shop, press star. To end, press pound.',
          keys: allKeysTo('closed', '1240*#'),
          maxTries: 1,
          onExhausted: 'bye',
        },
        closed: { prompt: 'The works are closed. Goodbye.', end: 'hangup' },
        bye: { prompt: 'Thank you for calling. Goodbye.', end: 'hangup' },
      }),
    );
    assert.deepEqual(nodes.map(({ digit = '' }) => digit).toSorted(), ['', '#', '*', '0', '1', '2', '4']);
  });

  it("raises no doubt because of options that the run didn't reach", async () => {
    const closed = { prompt: 'All lines are busy. Goodbye.', end: 'hangup' };
    const ivr = hostile({
      main: { prompt: `${menu} For tyres, press 4. For paint, press 5.`, keys: allKeysTo('closed') },
      closed,
    });
    const mapWithin = (maxCalls: number, onCall?: (call: SimulatedCall) => void) =>
      map((clock) => simulatedDialer({ ivr, clock, ...(onCall && { onCall }) }), { maxCalls, lines: 1 });
    const options = await mapWithin(4);
    assert.equal(options.nodes.filter(({ end }) => end === 'hangup').length, 4);
    assert.match(options.end.reason ?? '', /but 1 step is still unexplored\..* and map again\.$/);
    const root = await mapWithin(1, (call) => call.hangUpByIvr());
    assert.equal(root.nodes.length, 1);
    assert.match(root.end.reason ?? '', /but 1 step is still unexplored\..* and map again\.$/);
  });

  it('reports one that plays another menu on each call', async () => {
    const { end, stats } = await map(
      (clock) => {
        let calls = 0;
        return {
          dial: (target, signal, options) => {
            calls += 1;
            const ivr =
              calls === 1
                ? hostile({
                    main: { prompt: menu, keys: { 1: 'sales' } },
                    sales: { prompt: 'Sales is closed. Goodbye.', end: 'hangup' },
                  })
                : hostile({ main: { prompt: `Topic ${String(calls)} is what we talk about today.`, end: 'dead-air' } });
            return simulatedDialer({ ivr, clock }).dial(target, signal, options);
          },
        };
      },
      { lines: 1 },
    );
    assert.ok(stats.callsPlaced <= 60);
    assert.match(end.reason ?? '', /^Menus played differently from call to call/);
  });

  it('reports one that offers something else for the same keys on each call', async () => {
    const first = ['opening hours', 'parking'] as const;
    const second = ['lost luggage', 'seat upgrades'] as const;
    const third = ['broken meters', 'tariffs'] as const;
    const { end, nodes } = await map(
      (clock) => {
        let calls = 0;
        return {
          dial: (target, signal, options) => {
            // The first menu never plays again.
            const [one, two] = calls === 0 ? first : calls % 2 === 0 ? second : third;
            calls += 1;
            const ivr = hostile({
              main: { prompt: `For ${one}, press 1. For ${two}, press 2.`, keys: { 1: 'one', 2: 'two' } },
              one: { prompt: `This is the recording about ${one}. Goodbye.`, end: 'hangup' },
              two: { prompt: `This is the recording about ${two}. Goodbye.`, end: 'hangup' },
            });
            return simulatedDialer({ ivr, clock }).dial(target, signal, options);
          },
        };
      },
      { lines: 1 },
    );
    assert.match(end.reason ?? '', /^Menus played differently from call to call/);
    for (const { label = '', transcript = '' } of nodes)
      assert.ok(transcript === '' || transcript.includes(label), label);
  });

  it('records a request for input from one that repeats words without options, and gives up', async () => {
    const ivr = hostile({
      main: { prompt: 'For parcels, press 1. For letters, press 2.', keys: { 1: 'asks', 2: 'closed' } },
      asks: { prompt: 'And for your wealth as well it is tracking number.', maxTries: 3, onExhausted: 'closed' },
      closed: { prompt: 'The office is closed. Goodbye.', end: 'hangup' },
    });
    const { nodes } = await mapIvr(ivr);
    assert.deepEqual(
      nodes.slice(1).map((node) => node.end ?? (node.inputRequired ? 'input' : undefined)),
      ['input', 'hangup'],
    );
  });

  it('leaves the tree so far if the run is cancelled, at any moment', async () => {
    const ivr = generateIvr(3);
    let most = 0;
    for (const abortAtMs of [0, 300, 2500, 7000, 12_000, 20_000, 31_000, 45_000]) {
      const { end, nodes, wallMs } = await map((clock) => simulatedDialer({ ivr, clock }), { abortAtMs });
      assert.deepEqual([end.status, end.reason], ['failed', 'Cancelled. What was found is kept.']);
      assert.ok(wallMs <= abortAtMs + 2000, `${String(wallMs)} ms`);
      assert.ok(nodes.length >= most);
      most = nodes.length;
    }
    assert.ok(most > 5);
  });
});
