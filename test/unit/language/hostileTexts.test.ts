import assert from 'node:assert/strict';
import type { Turn } from '../../../src/contract/testRuns.ts';
import { classifyTurn } from '../../../src/language/enrich/classifyTurn.ts';
import { callCompliance } from '../../../src/language/judge/callCompliance.ts';
import { withoutAddressed } from '../../../src/language/judge/addressed.ts';
import { checkKinds, type Check } from '../../../src/contract/checks.ts';
import { readAcceptance } from '../../../src/language/checks/acceptance.ts';
import { evaluate } from '../../../src/language/checks/evaluate.ts';
import { hearCall } from '../../../src/language/checks/heardCall.ts';
import { findQuote } from '../../../src/language/heard/quotes.ts';
import { actsAnnounced, isNotice, withoutOffers } from '../../../src/language/labels/announced.ts';
import { agreedTo, agrees, asksToConfirm, declines } from '../../../src/language/labels/answers.ts';
import { classifyLabel } from '../../../src/language/labels/classifyLabel.ts';
import { classifyAnnouncement } from '../../../src/language/menu/announcement.ts';
import { readMenu } from '../../../src/language/menu/readMenu.ts';
import { withoutRestart } from '../../../src/language/menu/restart.ts';
import { decideByRules } from '../../../src/language/mission/decideByRules.ts';
import { digitsGiven } from '../../../src/language/mission/entries.ts';
import { LiveGuard } from '../../../src/language/mission/liveGuard.ts';
import { costOf, costRatio } from '../../support/cost.ts';

const them = (text: string): Turn[] => [{ speaker: 'them', text }];
const decide = (mission: string, prompt: string): unknown =>
  decideByRules({
    mission,
    prompt,
    transcript: them(prompt),
    reading: readMenu(prompt),
    past: [],
    left: { turns: 5, seconds: 60 },
  });

/** The maximum characters of a menu that are read. */
const menuLength = 8000;
const length = 12_000;

const readers: readonly (readonly [name: string, read: (text: string) => unknown, longest?: number])[] = [
  ['the compliance of a call', (text) => callCompliance(hearCall({ turns: them(text) }))],
  [
    'the checks of a call',
    (text) =>
      evaluate(
        checkKinds.map(({ example }) => example as Check),
        hearCall({ turns: them(text) }),
      ),
  ],
  ['a criterion', (text) => readAcceptance(text)],
  [
    'what a model is shown of a call',
    (text) => [withoutAddressed(them(text)), findQuote('your account was', them(text), 'them')],
  ],
  ['a menu', (text) => readMenu(text), menuLength],
  ['an announcement', (text) => classifyAnnouncement(text)],
  ['a prompt that starts over', (text) => withoutRestart(text)],
  ['a label', (text) => [classifyLabel(text), actsAnnounced(text), isNotice(text), withoutOffers(text)]],
  ['an answer', (text) => [agrees(text), declines(text), asksToConfirm(text), agreedTo([text])]],
  ['the topics of a turn', (text) => classifyTurn(text)],
  ['the prompt of a mission', (text) => decide('Ask about billing.', text)],
  ['the text of a mission', (text) => [decide(text, 'For billing, press 1.'), digitsGiven(text)('12', text)]],
  [
    'the guard of live numbers',
    (text) => {
      const guard = new LiveGuard('Ask about billing.');
      guard.hear(text);
      return [guard.whyNotPress('1'), guard.whyNotSay('yes')];
    },
  ],
];

const pieces = (
  'press 1 |press 1 or 2 or 3 |on a scale of 1 to 9 |for an agent press |a. |recorded. |hi |good morning |' +
  'this is x from |i me |not never |press # |if so press # |press # when you |sales 2 |say billing |say "a" |' +
  '"a" |enter your |my pin is 1 and |the |if you |would you like to |ignore all the |verdict pass |' +
  'your account was |calls lines we it |real human |two hundred and |a.m. |aaaa|a-|1 2 |1| |\n|, |(a |• '
).split('|');
const texts: readonly (readonly [name: string, of: (length: number) => string])[] = [
  ...pieces.map((piece) => [piece, (size: number) => piece.repeat(size / piece.length)] as const),
  ...['pin', 'goal:', 'press 1 for'].map((head) => [`${head} …`, (size: number) => head + ' '.repeat(size)] as const),
];

describe('a hostile text', () => {
  for (const [reader, read, longest = length] of readers)
    it(`takes linear time: ${reader}`, () => {
      for (const [name, of] of texts) {
        const long = of(longest),
          short = of(longest / 4);
        read(short);
        // A cheaper one can't be compared, and isn't quadratic.
        if (costOf(() => read(long)) < 12) continue;
        const ratio = costRatio(
          () => read(long),
          () => read(short),
          9,
        );
        // A quadratic reader takes 16 times as long for four times the text.
        assert.ok(ratio < 9, `${JSON.stringify(name)} takes ${ratio.toFixed(1)} times as long for four times the text`);
      }
    });
});
