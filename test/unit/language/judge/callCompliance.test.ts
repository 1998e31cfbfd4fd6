import assert from 'node:assert/strict';
import { hearCall } from '../../../../src/language/checks/heardCall.ts';
import { callCompliance } from '../../../../src/language/judge/callCompliance.ts';
import { call } from '../../../support/callTurns.ts';

const shown = (...lines: string[]): string[] =>
  callCompliance(hearCall({ turns: call(...lines) })).map(
    ({ check, verdict, evidence }) => `${verdict}: ${check}${evidence ? ` (${evidence.quote})` : ''}`,
  );

describe('legal announcements found in a call', () => {
  it('report what was said and offered, with its words', () =>
    assert.deepEqual(
      shown('< This is an automated line. This call is recorded. For an agent, press 0.', '< Goodbye.'),
      [
        'pass: Says that it is automated (This is an automated line.)',
        'pass: Does not claim to be a person (This is an automated line.)',
        'pass: Says that the call is recorded (This call is recorded.)',
        'pass: Offers a person (For an agent, press 0.)',
      ],
    ));

  it("include contradictions, and nothing that wasn't heard", () => {
    assert.deepEqual(
      shown('< Hello, I am a real person. How can I help?', '< Goodbye.').filter((line) =>
        line.includes('Does not claim'),
      ),
      ['fail: Does not claim to be a person (Hello, I am a real person.)'],
    );
    assert.deepEqual(shown('< For sales, press 1.', '< Goodbye.'), [
      'pass: Does not claim to be a person (For sales, press 1.)',
    ]);
  });

  it('report nothing if nothing was heard', () => assert.deepEqual(shown('> Hello?'), []));
});
