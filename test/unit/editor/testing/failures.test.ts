import assert from 'node:assert/strict';
import { failuresOf } from '../../../../src/editor/testing/failures.ts';
import { readTestFile } from '../../../../src/model/tests/testFile.ts';
import { english } from '../fakes.ts';
import { results, step } from './fakeRuns.ts';

describe('the failures of a test', () => {
  const compared = async (expectedTranscript: string, transcript: string) => {
    const steps = [{ name: 'Menu', action: { type: 'expect' }, expectedTranscript }];
    const text = JSON.stringify({ name: 'A', phoneNumber: '+12025550101', steps });
    const file = await readTestFile(text, 'a.calltest.json', () => Promise.reject(new Error('none')));
    if ('problems' in file) assert.fail(JSON.stringify(file.problems));
    const words = { similarity: 0.57, passThreshold: 0.8, expectedTranscript, transcript };
    const failed = step('Menu', { outcome: 'FAIL', reason: 'Unexpected words were heard.', ...words });
    return failuresOf({ results: results(1, { outcome: 'FAIL', steps: [failed] }) }, file, english)[0];
  };

  it('name the checks of a probe, at their lines', async () => {
    const checks = ['It says the hours', 'It stays on'].map((name) => ({ kind: 'staysOn', name, within: 5 }));
    const probe = { name: 'A', phoneNumber: '+12025550101', steps: [{ do: 'listen', id: 'a', seconds: 5 }], checks };
    const file = await readTestFile(JSON.stringify(probe, null, 1), 'a.probe.json', () => Promise.reject(new Error()));
    if ('problems' in file) assert.fail(JSON.stringify(file.problems));
    const steps = [step('It says the hours', {}), step('It stays on', { outcome: 'FAIL', reason: 'It hung up.' })];
    const [failure, ...more] = failuresOf({ results: results(1, { outcome: 'FAIL', steps }) }, file, english);
    assert.deepEqual([failure?.message, more.length], ['Check 2, “It stays on”: It hung up.', 0]);
    assert.deepEqual(failure?.at, file.placeOf(['checks', 1]));
    assert.equal(failure?.at?.line, 17);
  });

  it('begin at the first word that differs, because the editor shows only the ends of a text', async () => {
    const failure = await compared(
      'You have opened your pension, press 1.',
      'Hello. You have reached the main menu, press star.',
    );
    assert.equal(failure?.message, 'Step 1, “Menu”: 57% match, 80% needed. Unexpected words were heard.');
    assert.deepEqual(failure?.compare, {
      expected: '… opened your pension, press 1.',
      heard: '… reached the main menu, press star.',
      step: 0,
    });
  });

  it('show the whole texts if no expected word or the first one differs', async () => {
    assert.deepEqual((await compared('Welcome', 'Good bye'))?.compare, {
      expected: 'Welcome',
      heard: 'Good bye',
      step: 0,
    });
    assert.equal((await compared('Press 1.', 'Press 1. Or hold.'))?.compare?.heard, 'Press 1. Or hold.');
  });
});
