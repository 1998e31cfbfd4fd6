import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { ivrFileSchema } from '../../../../src/contract/ivrFile.ts';
import { probeSchema } from '../../../../src/contract/probe.ts';
import { testStepSchema } from '../../../../src/contract/testConfigs.ts';
import type { LoadTask, LoadTestResult } from '../../../../src/engine/load/loadCaller.ts';
import { carryOut } from '../../../../src/engine/load/loadTask.ts';
import type { Understood } from '../../../../src/engine/load/referencePrompts.ts';
import { SoundWords } from '../../../../src/engine/load/soundWords.ts';
import { UnknownAudio } from '../../../../src/engine/load/unknownAudio.ts';
import { findInstallation } from '../../../../src/service/basics/installation.ts';
import { simulatedDialer } from '../../../support/simulatedDialer.ts';
import { VirtualClock } from '../../../support/virtualClock.ts';

const before =
  'Welcome to the shop, and thank you for your call. Please listen carefully to all of the following options, because they have changed since your last visit to us.';
const hours = 'For opening hours, press 1.';
const after =
  'For sales and for new orders of any kind, press 2. For questions about an order that you have placed with us before, press 3. For the address of the shop and for the way there by bus or by car, press 4.';
const closing = 'To close accounts, press 1.';

const reference = { prompts: [], spoken: new Map<string, Int16Array>(), callSeconds: 0 };
const known = (text: string): Understood => ({ text, words: [] });
const varying = (text: string): Understood => ({ ...known(text), varies: true });

/** A call of a load test that hears these pieces one after the other, and all of them before its first action. */
async function call(
  task: LoadTask,
  prompt: string,
  pieces: readonly (Understood | undefined)[],
): Promise<{ readonly result: LoadTestResult; readonly keys: string; readonly said: readonly string[] }> {
  const clock = new VirtualClock();
  const ivr = ivrFileSchema.parse({
    name: 'Shop',
    language: 'en-US',
    start: 'main',
    states: { main: { prompt, keys: { 1: 'next' }, timeoutMs: 60_000 }, next: { prompt: 'Goodbye.', end: 'hangup' } },
  });
  const dialer = simulatedDialer({ ivr, clock });
  const bySound = new SoundWords();
  for (const [index, piece] of pieces.entries())
    bySound.add({ startMs: index * 1000, endMs: index * 1000 + 900 }, piece);
  const { signal } = new AbortController();
  const options = { target: 'sip:ivr', dialer, clock, signal, bySound, exampleOf: () => undefined };
  const result = await clock.run(carryOut(task, options, new UnknownAudio()));
  const [active] = dialer.calls;
  return { result, keys: active?.keys.join('') ?? '', said: active?.spoken().map(({ text }) => text) ?? [] };
}

const replay = (action: object, more: Partial<LoadTask> = {}): LoadTask => ({
  reference,
  guarded: true,
  purpose: 'Find out the opening hours of the shop.',
  steps: [
    { name: 'Answer', action: { type: 'dial' }, expectedTranscript: `${before} ${hours} ${after}`, passThreshold: 0.9 },
    { name: 'Act', action },
  ].map((step) => testStepSchema.parse(step)),
  ...(more as object),
});
const press = { type: 'press', keys: '1' };
const whole = `${before} ${hours} ${after}`;

describe('a call of a load test that repeats a mission on a live number', () => {
  for (const [what, heard, pressed] of [
    ['sounds like the reference', [known(before), known(hours), known(after)], '1'],
    ['varies in another sentence', [varying(before), known(hours), varying(after)], '1'],
    [
      'has its option divided differently',
      [known(before), known('For opening hours,'), known('press 1.'), known(after)],
      '1',
    ],
    ['sounds different in the sentence of the option', [known(before), undefined, known(after)], ''],
    ['varies in the sentence of the option', [known(before), varying(hours), known(after)], ''],
    ['varies in the label of the option', [known(before), varying('For opening hours,'), known('press 1.')], ''],
    ['varies in the label after the key', [known(before), known('Press 1'), varying('for opening hours.')], ''],
    ['sounds different after the option', [known(before), known(hours), known(after), undefined], ''],
    ['sounds different before the option', [undefined, known(before), known(hours), known(after)], ''],
    ['lacks the option', [known(before), known(after)], ''],
    ['heard nothing', [], ''],
  ] as const)
    it(`${pressed === '' ? 'presses no key' : 'presses its key'} if the call ${what}`, async () => {
      const { keys, result } = await call(replay(press), whole, heard);
      assert.equal(keys, pressed, result.reason);
      assert.deepEqual([result.outcome, result.failedStep], pressed === '' ? ['INCONCLUSIVE', 1] : ['PASS', undefined]);
    });

  it('needs more than nine tenths of the words', async () => {
    const other = `${before} ${closing} ${after}`;
    const pieces = [known(before), undefined, known(after)];
    const { keys, result } = await call(replay(press), other, pieces);
    assert.equal(result.steps[0]?.outcome, 'PASS', 'the prompt as a whole is the expected one');
    assert.deepEqual([keys, result.outcome], ['', 'INCONCLUSIVE']);
    assert.equal((await call(replay(press, { guarded: false }), other, pieces)).keys, '1', 'in a lab, all is pressed');
  });

  it('says nothing if anything varies that it would answer', async () => {
    const say = { type: 'say', text: 'Opening hours' };
    const question = known('Which would you like: opening hours or sales?');
    assert.deepEqual((await call(replay(say), whole, [known(before), question])).said, ['Opening hours']);
    for (const pieces of [
      [varying(before), question],
      [undefined, question],
      [known(before), varying(question.text)],
    ])
      assert.deepEqual((await call(replay(say), whole, pieces)).said, []);
  });
});

describe('a call of a load test that carries out a probe on a live number', () => {
  const menu = 'Welcome to the shop. For an agent, press 1. For sales, press 2.';
  const greeting = known('Welcome to the shop.');
  const agent = known('For an agent, press 1.');
  const sales = known('For sales, press 2.');

  for (const [what, heard, pressed] of [
    ['sounds like the reference', [greeting, agent, sales], '1'],
    ['varies in another sentence', [varying(greeting.text), agent, sales], '1'],
    ['varies in the sentence of the option', [greeting, varying(agent.text), sales], ''],
    ['sounds different in any sentence', [greeting, agent, undefined], ''],
  ] as const)
    it(`${pressed === '' ? 'presses no key' : 'presses the key of an option'} if the call ${what}`, async () => {
      const text = await readFile(path.join(findInstallation().mediaDir, 'compliance/human-option.json'), 'utf8');
      const probe = probeSchema.parse(JSON.parse(text));
      const { keys } = await call({ reference, guarded: true, probe }, menu, heard);
      assert.equal(keys, pressed);
    });
});
