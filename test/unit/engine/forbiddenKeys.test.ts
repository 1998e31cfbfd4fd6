import assert from 'node:assert/strict';
import { ivrFileSchema } from '../../../src/contract/ivrFile.ts';
import { testStepSchema } from '../../../src/contract/testConfigs.ts';
import type { CallTestEnd, CallTestEvent } from '../../../src/engine/call/callTestEvent.ts';
import type { CrawlOptions } from '../../../src/engine/crawl/crawl.ts';
import { runMission } from '../../../src/engine/mission/mission.ts';
import type { Situation } from '../../../src/engine/mission/mission.ts';
import { runScript } from '../../../src/engine/script/script.ts';
import type { TestCallOptions } from '../../../src/engine/call/testCall.ts';
import type { TurnDecision } from '../../../src/language/mission/turnDecision.ts';
import { callEnd } from '../../support/callEnd.ts';
import { mapIvr } from '../../support/crawlTree.ts';
import { simulatedDialer } from '../../support/simulatedDialer.ts';
import { VirtualClock } from '../../support/virtualClock.ts';

const bank = ivrFileSchema.parse({
  name: 'Bank',
  language: 'en-US',
  start: 'main',
  states: {
    main: {
      prompt: 'Welcome to the bank. For accounts, press 1. For opening hours, press 2. To speak to an agent, press 9.',
      keys: { 1: 'accounts', 2: 'hours', 9: 'agent' },
      timeoutMs: 8000,
      onTimeout: { prompt: 'I did not hear you.', next: 'main' },
    },
    accounts: { prompt: 'For your balance, press 1. For transfers, press 9.', keys: { 1: 'balance', 9: 'agent' } },
    balance: {
      prompt: 'Please enter your account number followed by the pound key.',
      collect: { min: 2, max: 8, terminator: '#', accept: ['1234'], next: 'hours', onReject: 'main' },
    },
    hours: { prompt: 'We are open from nine to five. Your code is 4 9. Goodbye.', end: 'hangup' },
    agent: { prompt: 'All agents are busy.', end: 'dead-air' },
  },
});

/** Returns how a call with these forbidden keys ended, and the pressed keys. */
async function call(
  forbiddenKeys: string,
  start: (options: TestCallOptions) => AsyncIterable<CallTestEvent>,
): Promise<{ readonly end: CallTestEnd; readonly keys: string }> {
  const clock = new VirtualClock();
  const dialer = simulatedDialer({ ivr: bank, clock });
  const { signal } = new AbortController();
  const end = await clock.run(callEnd(start({ target: 'sip:bank', dialer, clock, signal, forbiddenKeys })));
  for (const active of dialer.calls) assert.ok(active.ended, 'every call is hung up');
  return { end, keys: dialer.calls.flatMap(({ keys }) => keys).join('') };
}

const script = (forbiddenKeys: string, steps: readonly object[], row?: Record<string, string>) =>
  call(forbiddenKeys, (options) =>
    runScript({
      ...options,
      steps: steps.map((step, index) => testStepSchema.parse({ name: `step ${String(index + 1)}`, ...step })),
      ...(row && { row }),
    }),
  );

describe('engine: forbidden keys', () => {
  it('stop every step that would press them, even if their value appears only during the call', async () => {
    const hours = { action: { type: 'press', keys: '2' }, expectedTranscript: 'Your code is four nine' };
    assert.equal((await script('9', [{ action: { type: 'press', keys: '2' } }])).end.outcome, 'PASS');
    const collected = await script('9', [
      { action: { type: 'dial' } },
      { ...hours, expectedTranscript: undefined },
      { action: { type: 'collect', name: 'code', pattern: 'code is (\\d ?\\d)' } },
    ]);
    assert.equal(collected.keys, '2');
    const filled = await script(
      '9',
      [{ action: { type: 'dial' } }, { action: { type: 'press', keys: '1{code}' }, secret: true }],
      { code: '49' },
    );
    assert.deepEqual([filled.end.outcome, filled.keys], ['ERROR', ''], 'not even the keys in front of it');
    assert.match(filled.end.reason ?? '', /forbidden on the public network/);
    assert.ok(!/[49]/.test(JSON.stringify(filled.end.steps[1])), 'which one it was is not told');
  });

  it('stay hidden from the model of a mission, and unpressed if it asks for them anyway', async () => {
    const asked: Situation[] = [];
    const decisions: TurnDecision[] = [
      { action: 'press', keys: '1', why: 'accounts' },
      { action: 'press', keys: '9', why: 'I insist' },
      { action: 'press', keys: '9', why: 'I insist' },
    ];
    const { end, keys } = await call('9*', (options) =>
      runMission({
        ...options,
        decide: (situation) => {
          asked.push(situation);
          return Promise.resolve(decisions[asked.length - 1] ?? { action: 'hangUp', reason: 'stuck', why: 'No more.' });
        },
      }),
    );
    assert.deepEqual(
      asked.map(({ reading }) => reading.options.map(({ key }) => key).join('')),
      ['12', '1', '1'],
    );
    assert.deepEqual(
      asked[2]?.past.map(({ decision }) => decision.action),
      ['press', 'wait'],
      'who decides is told',
    );
    assert.deepEqual([keys, end.outcome], ['1', 'INCONCLUSIVE']);
    assert.match(end.reason ?? '', /needs a key that this workspace forbids.*Left out.*: key 9 \(“/);
    const free = await call('', (options) =>
      runMission({
        ...options,
        decide: (situation) => {
          asked.push(situation);
          return Promise.resolve({ action: 'hangUp', reason: 'stuck', why: 'No more.' });
        },
      }),
    );
    assert.deepEqual([asked.at(-1)?.reading.options.length, free.end.reason], [3, 'No more.']);
  });

  it('appear as skipped in a crawl, with everything behind them', async () => {
    const map = async (forbiddenKeys: string, resume?: CrawlOptions['resume']) => {
      const { calls, ...crawled } = await mapIvr(bank, {
        guarded: true,
        forbiddenKeys,
        config: { mappingMode: 'dtmf', maxDepth: 5, maxCalls: 30, concurrency: 2 },
        ...(resume && { resume }),
      });
      return { ...crawled, keys: calls.flatMap(({ keys }) => keys) };
    };
    const { tree, end, keys, events } = await map('9');
    assert.ok(!keys.includes('9') && keys.includes('1'), keys.join(''));
    const skipped = [tree.tree, ...(tree.tree?.children ?? [])]
      .flatMap((node) => node?.children ?? [])
      .filter(({ status }) => status === 'skipped');
    assert.deepEqual(
      [
        ...new Set(
          skipped.map(({ digit, reason }) => `${digit ?? ''} ${String(/forbids this key/.test(reason ?? ''))}`),
        ),
      ],
      ['9 true'],
    );
    assert.equal(end.status, 'completed');
    assert.ok((await map('')).keys.includes('9'));
    // Options left open by the interrupted run aren't pressed either.
    const nodes = new Map(
      events.flatMap((event) =>
        event.type === 'node'
          ? [
              [
                event.node.id,
                { ...event.node, ...(event.node.status === 'skipped' && { status: 'pending' as const }) },
              ] as const,
            ]
          : [],
      ),
    );
    const resumed = await map('9', [...nodes.values()]);
    assert.deepEqual([resumed.keys, resumed.end.status], [[], 'completed']);
  });
});
