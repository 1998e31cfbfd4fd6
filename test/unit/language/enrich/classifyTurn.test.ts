import assert from 'node:assert/strict';
import { classifyTurn } from '../../../../src/language/enrich/classifyTurn.ts';

describe('classifyTurn', () => {
  for (const [text, category] of Object.entries({
    'Welcome to Acme. This call may be recorded for quality. For sales, press 1.': 'recording-notice',
    'If this is a medical emergency, hang up and dial 911. For appointments, press 1.': 'emergency-guidance',
    'Hello, I am an automated assistant. How can I help?': 'ai-disclosure',
    'Please enter your account number followed by the pound key.': 'authentication',
    'Enter your sixteen digit card number.': 'card-data',
    'Para español, oprima el dos. For English, press 1.': 'language-choice',
    'To speak with a representative, press 0.': 'human-route',
    'To stop receiving these calls, press 9.': 'opt-out',
    'How we use your personal data is told in our privacy notice.': 'data-protection',
    'Our office is closed. We are open from nine to five.': 'closed',
    'For billing, press 1. For sales, press 2.': undefined,
    '': undefined,
  })) {
    it(`classifies «${text.slice(0, 50)}» as ${category ?? 'nothing'}`, () =>
      assert.equal(classifyTurn(text)?.category, category));
  }

  /** Options that sound like statements, and statements, of the same topics. */
  const options: Record<string, readonly string[]> = {
    closed: ['opening hours', 'our office hours'],
    'recording-notice': ['recorded calls', 'calls that were recorded'],
    'ai-disclosure': ['our virtual assistant', 'the automated system'],
    'data-protection': ['our privacy policy', 'data protection'],
    'card-data': ['your card number', 'a new expiry date'],
    authentication: ['a forgotten password', 'your pin', 'security questions'],
  };
  const statements: Record<string, string> = {
    closed: 'We are closed.',
    'recording-notice': 'This call is recorded.',
    'ai-disclosure': 'I am a bot.',
    'data-protection': 'Personal data is deleted.',
    'card-data': 'Have your credit card details ready.',
    authentication: 'Enter your account number.',
  };
  const menus: readonly ((option: string) => string)[] = [
    (option) => `For orders, press 1. For ${option}, press 2.`,
    (option) => `for orders press one for ${option} press two`,
    (option) => `Press 1 for orders, press 2 for ${option}.`,
    (option) => `For orders. Press 1. For ${option}. Press 2.`,
    (option) => `say orders or ${option}`,
  ];
  for (const [category, offered] of Object.entries(options))
    for (const option of offered)
      it(`takes an offer of «${option}» for no statement, but a statement beside it`, () => {
        const statement = statements[category] ?? assert.fail(category);
        for (const menu of menus) {
          assert.equal(classifyTurn(menu(option)), undefined, menu(option));
          assert.equal(classifyTurn(`${statement} ${menu(option)}`)?.rationale, `Says "${statement.slice(0, -1)}".`);
        }
      });

  it('quotes only the sentence that shows it', () => {
    const found = classifyTurn('Welcome to Acme. This call may be recorded. For sales, press 1.');
    assert.deepEqual([found?.classification, found?.rationale], ['observed', 'Says "This call may be recorded".']);
    const { rationale = assert.fail('no topic') } = classifyTurn(`${'word '.repeat(1000)} this call is recorded`) ?? {};
    assert.ok(rationale.length < 200);
  });
});
