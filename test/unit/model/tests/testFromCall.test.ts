import assert from 'node:assert/strict';
import { callTestFileSchema } from '../../../../src/contract/callTestFile.ts';
import { missionFileSchema } from '../../../../src/contract/missionFile.ts';
import type { HangUp, Turn } from '../../../../src/contract/testRuns.ts';
import { callTestText } from '../../../../src/model/tests/callTestText.ts';
import { missionText, testFromCall } from '../../../../src/model/tests/testFromCall.ts';

const them = (text: string, startMs: number): Turn => ({ speaker: 'them', text, startMs, endMs: startMs + 2000 });
const us = (text: string, startMs: number): Turn => ({ speaker: 'us', text, startMs, endMs: startMs + 100 });
const hungUp = (by: HangUp['by'], values: Partial<HangUp> = {}): HangUp => ({ by, sentence: 'It ended.', ...values });

describe('the test of a call by hand', () => {
  it('has a step for everything that was done, with the words after it', () => {
    const transcript = [
      them('Welcome to Harbour Bank.', 500),
      them('For accounts, press 1.', 2600),
      us('[keys 1]', 6000),
      them('What do you need?', 7000),
      us('my balance', 10_000),
      them('You have no money. Good bye.', 12_000),
    ];
    const steps = testFromCall({ transcript, hangUp: hungUp('them') }, []);
    assert.deepEqual(
      steps.map((step) => [step.name, step.action, step.expectedTranscript, step.expectedEnd]),
      [
        ['Greeting', { type: 'dial' }, 'Welcome to Harbour Bank. For accounts, press 1.', undefined],
        ['Key 1: What do you need?', { type: 'press', keys: '1' }, 'What do you need?', undefined],
        ['Say “my balance”', { type: 'say', text: 'my balance' }, 'You have no money. Good bye.', 'hangup'],
      ],
    );
    const file = callTestFileSchema.parse(
      JSON.parse(callTestText({ name: 'Bank', steps }, { phoneNumber: '+12025550101' })),
    );
    assert.deepEqual(file.steps, steps);
  });

  const keysOf = (transcript: Turn[], secrets: string[] = []): unknown[] =>
    testFromCall({ transcript }, secrets).flatMap(({ action, secret }) =>
      action.type === 'press' ? [secret === true ? [action.keys] : action.keys] : [],
    );

  it('joins keys that were typed in silence, with their pauses, and no others', () => {
    assert.deepEqual(keysOf([us('[keys 1]', 1000), us('[keys 23]', 1400), us('[keys #]', 2600)]), ['123,,#']);
    assert.deepEqual(keysOf([us('[keys 1]', 1000), them('Yes?', 2000), us('[keys 2]', 5000)]), ['1', '2']);
    const many = Array.from({ length: 40 }, (_value, index) => us('[keys 12]', index * 200));
    assert.deepEqual(keysOf(many), ['12'.repeat(32), '12'.repeat(8)]);
    assert.deepEqual(keysOf([us('[keys 1]', 0), us('[keys 2]', 90_000)]), ['1', '2'], 'a pause that no step can hold');
    assert.deepEqual(keysOf([{ speaker: 'us', text: '[keys 1]' }, us('[keys 2]', 100)]), ['12'], 'without times');
  });

  it('has the secret words of a test that the transcript masks', () => {
    const [, pin, word] = testFromCall({ transcript: [us('[keys ••••]', 0), us('••••', 2000)] }, ['47', 'tulip']);
    assert.deepEqual(
      [pin, word].map((step) => [step?.name, step?.action, step?.secret]),
      [
        ['Secret keys', { type: 'press', keys: '47' }, true],
        ['Secret words', { type: 'say', text: 'tulip' }, true],
      ],
    );
  });

  it('has the secret keys that the transcript masks, and expects nothing of their read-back', () => {
    const transcript = [
      us('[keys 1]', 1000),
      us('[keys ••••]', 1200),
      them('You entered •••• as your number.', 3000),
      us('[keys ••••]', 9000),
    ];
    assert.deepEqual(keysOf(transcript, ['4711', '99#']), ['1', ['4711'], ['99#']]);
    assert.deepEqual(keysOf(transcript), ['1', ['{secret}'], ['{secret}']], "this window didn't send them");
    const [, , entered] = testFromCall({ transcript }, ['4711']);
    assert.deepEqual([entered?.name, entered?.expectedTranscript], ['Secret keys', 'You entered * as your number.']);
  });

  it('expects a prompt once that began again while the caller waited', () => {
    const [, key] = testFromCall(
      {
        transcript: [
          us('[keys 1]', 1000),
          them('You have reached accounts for your balance, press one.', 2000),
          them('You have reached accounts.', 9000),
        ],
      },
      [],
    );
    assert.equal(key?.expectedTranscript, 'You have reached accounts for your balance, press one.');
  });

  it('ends as the call did', () => {
    const endOf = (hangUp: HangUp | undefined): unknown => {
      const last = testFromCall({ transcript: [them('Welcome to the bank.', 0)], hangUp }, []).at(-1);
      return [last?.action.type, last?.expectedEnd];
    };
    assert.deepEqual(endOf(undefined), ['dial', undefined], 'it is still up');
    assert.deepEqual(endOf(hungUp('us')), ['hangUp', undefined]);
    assert.deepEqual(endOf(hungUp('network')), ['dial', undefined]);
    assert.deepEqual(endOf(hungUp('them', { transferTo: 'sip:agent@pbx' })), ['dial', 'transfer-ringback']);
    assert.deepEqual(testFromCall({}, []), [{ name: 'Greeting', passThreshold: 0.8, action: { type: 'dial' } }]);
  });

  it('becomes a mission whose goal the user writes, and whose criterion is what was heard last', () => {
    const read = (transcript: Turn[]) =>
      missionFileSchema.parse(JSON.parse(missionText('Bank', { transcript }, { ivr: 'bank.ivr.json' })));
    const { ivr, mission, acceptance } = read([
      them('Welcome.', 0),
      us('[keys 1]', 3000),
      them('Your card is blocked.', 4000),
      us('[keys 9]', 8000),
    ]);
    assert.deepEqual([ivr, acceptance], ['bank.ivr.json', 'The system says “Your card is blocked.”']);
    assert.match(mission, /Replace this sentence/);
    assert.match(read([]).acceptance ?? '', /Replace this sentence/);
  });
});
