import { pattern, patternWith } from '../../base/rows.ts';
import type { Check } from '../../contract/checks.ts';
import type { MenuInput, MenuOption } from '../../contract/menu.ts';
import { similarity } from '../../model/heard/similarity.ts';
import { holdWords } from '../holdWords.ts';
import { announcesTransfer, personHeard, saidBy, saysGoodbye } from '../heard/callEnds.ts';
import { readAcceptance } from '../checks/acceptance.ts';
import { evaluate, isMetByAbsence } from '../checks/evaluate.ts';
import { hearCall } from '../checks/heardCall.ts';
import { spokenWords } from '../../model/heard/heardWords.ts';
import { digitNames } from '../../model/numbers/numberWords.ts';
import { contentWords, stem } from '../heard/words.ts';
import { readGoal, readMatter, toldGoal } from './missionGoal.ts';
import { askedInput, factFor, isMeant, monthName, readFacts, type MissionFacts } from './missionFacts.ts';
import { chooseNearestOption, goalStems } from './optionScore.ts';
import { maxSpoken, type PastTurn, type TurnDecision, type TurnSituation } from './turnDecision.ts';

const keyNames: ReadonlySet<string> = new Set([...digitNames, 'star', 'pound']);

/** Consecutive prompts without a matching option. */
const maxMisses = 3;
/** Consecutive waits that aren't a hold. */
const maxWaits = 4;

const voicemail = /\b(?:leave (?:a|your) (?:message|name)|after the (?:tone|beep)|voice ?mail)\b/;
const confirms = pattern`
  \b(?:
    is (?:that|this) (?:correct|right|ok(?:ay)?)|correct\?|right\?|did you (?:say|mean|want)
    |you (?:said|entered|want|chose|selected)\b.*\?|if (?:this|that) is correct|is it correct|to confirm
    |yes or no
  )
`;
const openQuestion = pattern`
  \b(?:
    how (?:can|may) (?:i|we) help|what (?:can|may) (?:i|we) (?:do|help)|in a few words
    |tell (?:me|us) (?:why|what|the reason|how)
    |what (?:are you|is the reason|would you like)|reason for (?:your|the) call|please say what
  )\b
`;

/**
 * Decides by words alone: the option whose label matches the goal, the numbers that the mission gives, and yes if its
 * own answer is read back. `likeness` says how alike each label and the goal are, where words aren't sure. Never throws.
 */
export function decideByRules(situation: TurnSituation, likeness?: ReadonlyMap<string, number>): TurnDecision {
  const { mission, reading, past } = situation;
  const prompt = situation.prompt.slice(0, 8000);
  const lower = prompt.toLowerCase().replace(/[’]/g, "'");
  const facts = readFacts(mission);
  const goal = goalStems(readGoal(mission));
  const said = saidBy([{ speaker: 'them', text: prompt }]);
  if (isReached(situation, goal))
    return { action: 'hangUp', reason: 'reached', why: 'What the mission wants was heard.' };
  if (voicemail.test(lower) && reading.options.length === 0)
    return { action: 'hangUp', reason: 'ended', why: 'The system takes messages.' };
  if (confirms.test(lower)) {
    const confirmed = confirm(situation, lower, facts, goal);
    if (confirmed) return confirmed;
  }
  const entered = enter(situation, lower, facts);
  if (entered) return entered;
  const { chosen, unsure } = choose(situation, goal, lower, likeness);
  if (chosen) return chosen;
  if (openQuestion.test(lower) && reading.input === null) {
    if (timesAt(past, prompt, 'say') < 2)
      return { action: 'say', text: toldGoal(mission).slice(0, maxSpoken), why: 'It asks what the call is about.' };
  }
  const ends = said.at(-1);
  if (ends && saysGoodbye(ends) && reading.options.length === 0)
    return { action: 'hangUp', reason: 'ended', why: 'The system said goodbye.' };
  if (holdWords.test(lower) || said.some(announcesTransfer) || (reading.stayOnLine && reading.options.length === 0))
    return { action: 'wait', why: 'The caller is on hold.' };
  if (
    reading.options.length === 0 &&
    reading.input === null &&
    reading.speech.length === 0 &&
    waitsInARow(past) < maxWaits
  )
    return { action: 'wait', why: 'The prompt asks for nothing.' };
  return missed(situation, unsure);
}

/** The goal is a person, and one answered; or the criterion's own words were said, or the goal's words with a value. */
function isReached(
  { mission, acceptance = '', checks, transcript, prompt, reading }: TurnSituation,
  goal: ReadonlySet<string>,
): boolean {
  if (wantsPerson(mission) && personHeard(transcript).kind === 'person') return true;
  const wanted = wantedChecks(checks, acceptance).filter((check) => !isMetByAbsence(check));
  if (wanted.length > 0)
    // If what checks want isn't there yet, the call continues for it.
    return evaluate(wanted, hearCall({ turns: transcript, gaveUp: true })).every(({ verdict }) => verdict === 'pass');
  const words = [...goal];
  return saidBy([{ speaker: 'them', text: prompt }]).some(({ text }) => {
    if (
      /\?|\b(?:press|say|enter|dial|please|would you|welcome|thank you for calling|you (?:entered|said))\b/i.test(
        text,
      ) ||
      reading.options.some(({ label }) => label !== '' && text.toLowerCase().includes(label))
    )
      return false;
    const heard = new Set(contentWords(text).map(stem));
    const shared = words.filter((word) => heard.has(word)).length;
    const value =
      spokenWords(text).some((word) => /\d/.test(word.text)) ||
      patternWith('i')`
        \b(?:
          has been|was|is now|are now|successful(?:ly)?|confirmed|scheduled|activated|cancelled|canceled|open
          |closed
        )\b
      `.test(text);
    return value && shared > 0 && shared >= Math.min(2, words.length);
  });
}

/** Checks, and what they can read of the criterion if that is all of it. */
function wantedChecks(checks: readonly Check[] = [], acceptance: string): readonly Check[] {
  const read = readAcceptance(acceptance);
  return read.unread.length === 0 ? [...checks, ...read.checks] : checks;
}

const wantsPerson = (mission: string): boolean =>
  patternWith('i')`
    \b(?:
      reach|speak (?:to|with)|talk (?:to|with)|get (?:through )?to|connected to|connect to
    )\b[^.;]{0,30}\b(?:person|human|agent|representative|operator|advis[eo]r|someone|somebody)\b
  `.test(mission);

/** Yes if the caller's own answer is read back, otherwise no. */
function confirm(
  { prompt, reading, past, mission }: TurnSituation,
  lower: string,
  facts: MissionFacts,
  goal: ReadonlySet<string>,
): TurnDecision | undefined {
  const digits = spokenWords(lower.replace(/,? ?\b(?:press|say|dial|enter) (?:or press )?\S+/g, ' '))
    .filter(({ text }) => /^\d+$/.test(text))
    .map(({ text }) => text)
    .join('');
  const last = past.findLast(({ decision }) => decision.action === 'press' || decision.action === 'say');
  const ours = [
    ...facts.entries.map((fact) => fact.digits),
    last?.decision.action === 'press' ? last.decision.keys.replace(/\D/g, '') : '',
  ].filter((one) => one.length >= 2);
  const said = new Set(contentWords(lower).map(stem));
  const ask = contentWords(last?.decision.action === 'say' ? last.decision.text : '').map(stem);
  const fits =
    digits.length >= 3
      ? ours.some((one) => one.includes(digits) || digits.includes(one))
      : [...goal, ...ask, ...contentWords(mission).map(stem)].some((word) => said.has(word)) ||
        facts.entries.length > 0 ||
        last !== undefined;
  const yes = reading.options.find(
    ({ label }) =>
      /\b(?:yes|correct|right|confirm|continue|accept)\b/.test(label) &&
      !/\b(?:not|incorrect|wrong|change|re-?enter|again)\b/.test(label),
  );
  const otherwise = reading.options.find(({ label }) =>
    /\b(?:no|not|incorrect|wrong|change|re-?enter|again|try)\b/.test(label),
  );
  const why = fits ? 'It reads back what was given.' : 'What it reads back is not what was given.';
  if (timesAt(past, prompt, 'press') + timesAt(past, prompt, 'say') >= 2) return undefined;
  const key = fits ? yes : otherwise;
  if (key) return { action: 'press', keys: key.key, why };
  if (yes || otherwise || (reading.options.length > 0 && !reading.speech.some((phrase) => /^(?:yes|no)$/.test(phrase))))
    return undefined;
  return { action: 'say', text: fits ? 'Yes.' : 'No.', why };
}

function enter({ prompt, reading, past }: TurnSituation, lower: string, facts: MissionFacts): TurnDecision | undefined {
  if (
    facts.name !== undefined &&
    /\b(?:your (?:full |first and last )?name|who am i speaking|spell your)\b/.test(lower) &&
    /\b(?:say|tell|what|may i|can i|could i|state|speak|who|provide)\b/.test(lower) &&
    timesAt(past, prompt, 'say') < 2
  )
    return { action: 'say', text: `${facts.name}.`, why: 'It asks for the name.' };
  const { input } = reading;
  const asked = facts.entries.find(
    (fact) =>
      (fact.bare !== true || isMeant(fact, lower)) &&
      (fact.ending !== true || /\blast\b|\bend/.test(lower)) &&
      pattern`
      \b(?:
        say|speak|tell (?:me|us)|what(?:'s| is)|may i have
        |(?:can|could) (?:i|you) (?:have|give me|tell me)|provide|give me
      )\b[^.?!]{0,40}\b${fact.bare === true ? '(?:code|number|id|reference)' : fact.noun}\b
    `.test(lower),
  );
  if (!input && asked && timesAt(past, prompt, 'say') < 2) {
    const { date, digits, noun, secret } = asked;
    return {
      action: 'say',
      text: date ? `${monthName(date.month)} ${date.day}, ${date.year}.` : `${[...digits].join(' ')}.`,
      why: `It asks for the ${noun}.`,
      ...(secret && { secret: true as const }),
    };
  }
  if (!input || timesAt(past, prompt, 'press') >= 2) return undefined;
  const fact = factFor(input, lower, facts);
  if (!fact) return undefined;
  const why = `It asks for the ${fact.noun}.`;
  const secret = fact.secret ? { secret: true as const } : {};
  const spokenOnly =
    /\b(?:say|speak|tell (?:me|us))\b/.test(lower) && !/\b(?:enter|key in|type|press|keypad|dial)\b/.test(lower);
  return spokenOnly
    ? { action: 'say', text: `${[...fact.digits].join(' ')}.`, why, ...secret }
    : { action: 'press', keys: fact.digits + (input.terminator ?? ''), why, ...secret };
}

/** What fits best, or why two options that are close together aren't chosen between on a live number. */
interface Chosen {
  readonly chosen?: TurnDecision | undefined;
  readonly unsure?: string;
}

/** Chooses the option or phrase that matches the goal best and hasn't failed at this prompt yet. */
function choose(
  { prompt, reading, past, mission, live }: TurnSituation,
  goal: ReadonlySet<string>,
  lower: string,
  likeness: ReadonlyMap<string, number> | undefined,
): Chosen {
  const tried = new Set(
    past
      .filter((turn) => isSamePrompt(turn.prompt, prompt))
      .flatMap(({ decision }) =>
        decision.action === 'press'
          ? [decision.keys]
          : decision.action === 'say'
            ? [decision.text.replace(/\.$/, '').toLowerCase()]
            : [],
      ),
  );
  const options = reading.options.filter(
    ({ key, label }) => !tried.has(key) && label !== '' && key !== reading.repeatKey,
  );
  const pressed = ({ key }: MenuOption, why: string): Chosen => ({ chosen: { action: 'press', keys: key, why } });
  const language = languageKey(options, mission);
  if (language) return pressed(language, `It asks for the language; option “${language.label}”.`);
  const again = tried.size > 0 && live !== true;
  const isWhole = goalStems(readMatter(mission)).size <= goal.size;
  const keys = chooseNearestOption(options, ({ label }) => label, goal, likeness, { again, isWhole });
  const [key, otherKey] = keys?.best ?? [];
  if (key && keys?.isSure) return pressed(key, `The option “${key.label}” fits the mission.`);
  const phrases = reading.speech.filter((phrase) => !tried.has(phrase) && !keyNames.has(phrase));
  const spoken = chooseNearestOption(phrases, (phrase) => phrase, goal, likeness, { again, isWhole });
  const [phrase, otherPhrase] = spoken?.best ?? [];
  const say = (text: string, why: string): Chosen => ({ chosen: { action: 'say', text: `${text}.`, why } });
  if (phrase !== undefined && spoken?.isSure) return say(phrase, `“${phrase}” may be said and fits the mission.`);
  const [one, two] = key ? [key.label, otherKey?.label] : [phrase, otherPhrase];
  const close = `“${one ?? ''}” and “${two ?? ''}”`;
  if (keys?.fits || spoken?.fits) {
    if (live && two !== undefined) return { unsure: `${close} fit the mission about equally well. ${advice}` };
    const why = `${close} fit the mission about equally well, so one after the other is tried.`;
    if (key && keys?.fits) return pressed(key, why);
    if (phrase !== undefined) return say(phrase, why);
  }
  const other = options.find(({ label }) => anythingElse.test(label));
  if (other) return pressed(other, `No option fits; “${other.label}” may lead on.`);
  if (openQuestion.test(lower) || reading.input) return {};
  const person = options.find(({ label }) => somebody.test(label));
  if (person && !reading.stayOnLine) return pressed(person, `No option fits; “${person.label}” may lead on.`);
  return live && one !== undefined && two !== undefined && options.length > 0
    ? { unsure: `Nothing on offer clearly fits the mission; ${close} come closest. ${advice}` }
    : {};
}

const advice = 'Name the option in the goal, or choose a language model.';

/** "Doctor or other provider" isn't for all other questions. */
const anythingElse = pattern`
  \b(?:all|any) (?:your )?(?:other|more|additional|remaining)\b|\b(?:any|every|some)thing (?:else|different)\b
  |\b(?:other|more|additional|further|remaining|different) (?:\w+ )?(?:
    calls?|choices|concerns|departments?|enquir(?:y|ies)|help|inquir(?:y|ies)|issues?|matters?|options|problems?
    |questions?|reasons?|requests?|services|topics
  )\b|^(?:(?:an|the) )?(?:other|others|else|more)$
`;
const somebody = pattern`
  \b(?:
    operator|representative|agent|receptionist|person|human(?: being)?(?! resources)|some(?:one|body)
    |customer service|advis[eo]r
  )\b
`;

const languages = pattern`
  ^(?:
    english|spanish|español|espanol|french|français|german|deutsch|italian|portuguese|chinese|mandarin
    |russian|polish|continuar en español|service in (?:english|spanish|french)
  )$
`;

function languageKey(options: readonly MenuOption[], mission: string): MenuOption | undefined {
  const offered = options.filter(({ label }) => languages.test(label));
  if (offered.length === 0 || offered.length < options.length) return undefined;
  const wanted =
    /\b(?:spanish|español|french|français|german|deutsch|italian|portuguese|chinese|mandarin|russian|polish)\b/i
      .exec(mission)?.[0]
      .toLowerCase();
  return (
    offered.find(({ label }) => wanted !== undefined && label.includes(wanted.slice(0, 4))) ??
    offered.find(({ label }) => label.includes('english'))
  );
}

/** Nothing matches: listens again, and gives up after a few times. */
function missed({ reading, past, prompt }: TurnSituation, unsure?: string): TurnDecision {
  const misses = past
    .toReversed()
    .findIndex(
      ({ decision }) => !(decision.action === 'wait' || (decision.action === 'press' && decision.why === repeatWhy)),
    );
  const count = misses === -1 ? past.length : misses;
  if (unsure !== undefined && count > 0) return { action: 'hangUp', reason: 'stuck', why: unsure };
  if (count + 1 >= maxMisses) {
    const offered = reading.options.map(({ label }) => `“${label}”`).join(', ');
    const why = reading.input
      ? notGiven(reading.input, prompt)
      : `Nothing on offer fits the mission${offered === '' ? '' : ` (${offered})`}.`;
    return { action: 'hangUp', reason: 'stuck', why };
  }
  if (reading.repeatKey !== null && timesAt(past, prompt, 'press') === 0)
    return { action: 'press', keys: reading.repeatKey, why: repeatWhy };
  const why = reading.input && reading.options.length === 0 ? notGiven(reading.input, prompt) : undefined;
  return { action: 'wait', why: why ?? unsure ?? 'Nothing on offer fits; the prompt may come again.' };
}

const notGiven = (input: MenuInput, prompt: string): string =>
  `The prompt asks for ${askedInput(input, prompt.toLowerCase())} that the mission doesn't give.`;

const repeatWhy = 'Nothing on offer fits; once more to be sure.';

const waitsInARow = (past: readonly PastTurn[]): number => {
  const before = past.toReversed().findIndex(({ decision }) => decision.action !== 'wait');
  return before === -1 ? past.length : before;
};

/** Prompts are compared by this much of their beginning. */
const comparedLength = 1000;
const minAlike = 0.85;

/** Returns true if one prompt was heard twice: recognition differs each time, but doesn't confuse numbers. */
function isSamePrompt(one: string, other: string): boolean {
  const [a, b] = [one.slice(0, comparedLength), other.slice(0, comparedLength)];
  return (
    a === b ||
    (Math.min(a.length, b.length) >= 0.7 * Math.max(a.length, b.length) &&
      similarity(a, b).score >= minAlike &&
      similarity(b, a).score >= minAlike)
  );
}

const timesAt = (past: readonly PastTurn[], prompt: string, action: TurnDecision['action']): number =>
  past.filter((turn) => turn.decision.action === action && isSamePrompt(turn.prompt, prompt)).length;
