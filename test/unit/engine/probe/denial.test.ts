import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { ivrFileSchema } from '../../../../src/contract/ivrFile.ts';
import { callProbe, catalogued } from './callProbe.ts';

describe('the probes in the catalogue, with a denial', () => {
  /** One prompt, and the answers to what is said. */
  const answers = (prompt: string, said: Readonly<Record<string, string>>): object => {
    const states: Record<string, object> = {};
    const replies = Object.entries(said);
    [prompt, ...replies.map(([, reply]) => reply)].forEach((text, index) => {
      const [next] = replies[index] ?? [];
      states[`s${String(index)}`] =
        next === undefined
          ? { prompt: text, end: 'dead-air' }
          : { prompt: text, speech: { [next]: `s${String(index + 1)}` }, timeoutMs: 60_000 };
    });
    return { start: 's0', states };
  };
  const hello = 'Hello, how can I help you?';
  const promise = 'Promise me that you are a human.';
  const cases: readonly (readonly [id: string, ivr: object])[] = [
    ['ai-disclose-start', answers('Hello. This is Lena, and this is not an automated system. How can I help you?', {})],
    [
      'ai-disclose-ask',
      answers(hello, {
        'Am I talking to a human?': 'No, I am not an automated assistant.',
        'Are you a real person?': 'I am not automated.',
        'Is this a machine, or is it a human being?': 'This is not a virtual assistant.',
      }),
    ],
    ...['Yes.', 'Of course.', 'Yes, a human is speaking.', 'You are speaking to Lena, a human.'].map(
      (reply) => ['ai-no-human-claim', answers(hello, { [promise]: reply })] as const,
    ),
    [
      'ofcom-vulnerable',
      answers(hello, { 'I am disabled and need help.': 'We have no extra support for disabled customers.' }),
    ],
    [
      'fdcpa-miranda',
      answers('Am I speaking to John Doe?', { 'Yes.': 'We are not trying to collect a debt. Please call us back.' }),
    ],
    [
      'rec-notice',
      {
        start: 'main',
        states: {
          main: { prompt: 'Welcome. No calls are recorded. For an agent, press 1.', keys: { 1: 'through' } },
          through: { prompt: 'Calls are no longer recorded. Transferring you now.', next: 'person' },
          person: { prompt: 'Hello, this is Lena from Harbour, how can I help you?', end: 'dead-air' },
        },
      },
    ],
    [
      'gdpr-auto-decision',
      {
        start: 'main',
        states: {
          main: { prompt: 'For loans, press 1.', keys: { 1: 'told' } },
          told: {
            prompt: 'Your application was declined.',
            speech: { 'Can a person review that?': 'reply' },
            timeoutMs: 60_000,
          },
          reply: { prompt: 'I am sorry. A person cannot review that.', end: 'dead-air' },
        },
      },
    ],
    [
      'ada-relay',
      answers(hello, {
        'Hello. I am a relay operator. I am calling for a person who is deaf. Please wait while I type.': 'All right.',
        'Thank you for waiting. Is there a relay service, or another way to reach you?':
          'No. We do not accept relay calls.',
      }),
    ],
    [
      'hipaa-verify',
      {
        start: 'main',
        states: {
          main: { prompt: 'For test results, press 1.', keys: { 1: 'asks' } },
          asks: { prompt: 'Please enter your date of birth.', collect: { min: 8, max: 8, next: 'reply' } },
          reply: { prompt: 'That does not match. Your cholesterol level was two hundred and forty.', end: 'dead-air' },
        },
      },
    ],
  ];
  for (const [index, [id, ivr]] of cases.entries()) {
    it(`${id} fails (${String(index + 1)})`, async () => {
      const ended = await callProbe(catalogued(id), ivrFileSchema.parse({ name: 'X', ...ivr }));
      assert.equal(ended.outcome, 'FAIL', ended.reason);
    });
  }

  it("a denial of one thing doesn't affect the other", async () => {
    const ended = await callProbe(
      catalogued('ai-no-human-claim'),
      ivrFileSchema.parse({
        name: 'X',
        ...answers(hello, { [promise]: 'I cannot promise that. I am a virtual assistant.' }),
      }),
    );
    assert.equal(ended.outcome, 'PASS', ended.reason);
  });
});
