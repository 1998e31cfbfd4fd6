import { patternWith, source } from '../../base/rows.ts';
import { digitsByName } from '../../model/numbers/numberWords.ts';
import { readMenu } from '../menu/readMenu.ts';
import type { Act } from './actTable.ts';
import { agrees } from './answers.ts';
import { classifyLabel } from './classifyLabel.ts';
import { labelSentencesOf } from './wordForms.ts';

/**
 * Returns the acts that a prompt announces or asks about, outside its options and phrases: "You want to cancel your
 * policy. To confirm, press 1."
 */
export function actsAnnounced(prompt: string): ReadonlySet<Act> {
  const announcements = toldIn(prompt);
  // Recognition also ends sentences at pauses: "We will now close. Your account."
  const joined = announcements.map((_sentence, at) => announcements.slice(at, at + joinedSentences).join(' '));
  return new Set([...announcements, ...joined].flatMap(findActs));
}

/**
 * Returns the acts that a prompt connects with a key, besides offering it: "for your balance, press 1. By pressing 1
 * you agree to a fee". What is said about the first of several keys counts for them too.
 */
export function actsOfKey(prompt: string, key: string): ReadonlySet<Act> {
  const sentences = labelSentencesOf(prompt.toLowerCase());
  return actsIn(
    sentences.filter(
      (sentence, at) =>
        sentence.search(anyKey) !== -1 ||
        ((isAbout(sentence, key) ||
          (refersBack.test(sentence) && at > 0 && lastKey(sentences[at - 1] ?? '') === key)) &&
          offersNothing(sentence)) ||
        [...sentence.matchAll(pressing)]
          .flatMap(([, names = '']) => names.split(/,? (?:or|and) |, /))
          .some((name) => name === 'any' || key.startsWith(keysByAnnouncedName.get(name) ?? name)),
    ),
  );
}

const offersNothing = (sentence: string): boolean => {
  const { options, speech } = readMenu(sentence);
  return options.length + speech.length === 0;
};
/** Returns the last key that a sentence offers. */
const lastKey = (sentence: string): string | undefined => readMenu(sentence).options.at(-1)?.key;
/** The words are about what was offered last. */
const refersBack = /^\W*(?:(?:also|and|but|please|note|doing)[ ,]+)*(?:(?:that )?(?:it|this|that|which|so)\b)/;

/** Returns true if a sentence names a key: "the 1 key closes", "you can close your account with 1". */
const isAbout = (sentence: string, key: string): boolean =>
  [...sentence.matchAll(namingKey)].some(([, before, after]) => {
    const name = before ?? after ?? '';
    return (keysByAnnouncedName.get(name) ?? name) === key;
  });

/** Like `actsOfKey`, for a phrase: "by saying anything you agree to a fee". */
export function actsOfPhrase(prompt: string, phrase: string): ReadonlySet<Act> {
  const said = phrase.toLowerCase();
  const sentences = labelSentencesOf(prompt.toLowerCase());
  return actsIn(
    sentences.filter((sentence) =>
      [...sentence.matchAll(saying)].some(([all, name], at, found) => {
        const after = sentence.slice((found[at]?.index ?? 0) + all.length).trimStart();
        return name !== undefined || after.startsWith(said);
      }),
    ),
  );
}

/** An action on a pronoun counts as an action on something, and a verb leads if it begins a clause. */
const actsIn = (sentences: readonly string[]): ReadonlySet<Act> =>
  new Set(
    sentences.flatMap((one) =>
      findActs(
        [pressing, anyKey, saying, namingKey]
          .reduce((text, words) => text.replaceAll(words, ' , '), one)
          .replaceAll(/\b(?:it|them)\b/g, 'something'),
      ),
    ),
  );

const keyName = source`(?:(?:\d{1,4}|[*#]|any|star|pound|hash|zero|one|two|three|four|five|six|seven|eight|nine)(?![\p{L}\d]))`;
/** Words about a key, or about one of several, that don't offer it. */
const pressing = patternWith('gu')`
  (?:
    \b(?:by |when |once )?(?:pressing|dialing|dialling|choosing|selecting|using|hitting|pushing)
    |\b(?:when|once|if|after|before|as soon as|unless|until|should)[ ]you(?:[ ]\w+)?[ ](?:press|dial|choose|select|use|hit|push)(?:ed)?
    |^\W*(?:the[ ])?(?=(?:key|button)[ ]\S+[ ](?!for\b|to\b|if\b))
  )
  (?:[ ]?\b(?:the|on|key|number|button|digit|either)\b)*[ ]
  (${keyName}(?:(?:,|,?[ ](?:or|and))[ ]${keyName})*)(?:[ ]key\b)?
`;

/** Words that name a key, and not an amount or a time. */
const namingKey = patternWith('gu')`
  \b(?:
    (?:key|button|option|number|with|via|that|press(?:ed)?|dial(?:led)?)[ ](${keyName})(?![ ]?(?:[ap]\.?m\b|o'clock|days?|hours?|minutes?|dollars?|pounds?|percent|weeks?|months?|years?))
    |(${keyName})[ ](?:key|button|option)
  )
`;

/** Words about whichever key is pressed: "any key you press", "press any key", "by choosing an option". */
const anyKey = patternWith('gu')`
  \b(?:
    (?:press|dial|hit|push|touch|tap)[ ](?:any|a)(?![ ]other)[ ](?:key|button|digit|number)
    |(?:pressing|dialing|dialling|hitting|pushing|touching|tapping|choosing|selecting|using|making)[ ]
      (?:(?:any|an?|each|every|one[ ]of)(?![ ]other)(?:[ ](?:of|the|these|those|following))*[ ])?
      (?:keys?|buttons?|digits?|options?|selections?|choices?)(?![ ][\d*#])
    |(?:when|once|if|after|before|as[ ]soon[ ]as|unless|until|should)[ ]you(?:[ ]\w+)?[ ]
      (?:press|dial|hit|push|touch|tap|choose|select|use|make)[ ]
      (?:any|an?|each|every|one[ ]of)(?![ ]other)(?:[ ](?:of|the|these|those|following))*[ ]
      (?:keys?|buttons?|digits?|options?|selections?|choices?)
    |(?:any|each|every|whichever|whatever)(?![ ]other)[ ](?:key|button|digit|option|selection|choice)
      [ ](?:press(?:es)?|(?:that[ ])?you[ ](?:press|dial|hit|push|touch|tap|choose|select|use|make))
  )\b
`;
/** Words about saying something. With the group, about saying anything. */
const saying = patternWith('gu')`
  \b(?:
    (?:by[ ]|when[ ]|once[ ])?(?:saying|speaking|answering|replying|responding)
    |(?:when|once|if|after|before|as[ ]soon[ ]as|unless|until|should)[ ]you(?:[ ]\w+)?[ ](?:say|speak|answer|reply|respond)
  )\b
  ([ ](?:any\w*|something|one[ ]of|an?[ ](?:word|phrase|answer|option))\b|(?:[ ]on[ ]this[ ]call)?,?[ ](?:you|we)\b)?
`;

export const keysByAnnouncedName: ReadonlyMap<string, string> = new Map([
  ...Object.entries(digitsByName),
  ['star', '*'],
  ['pound', '#'],
  ['hash', '#'],
]);
/** Returns the sentences of a prompt without its offers, and without sentences that aren't about this call. */
const toldIn = (prompt: string): string[] =>
  labelSentencesOf(prompt)
    .filter((sentence) => !isAside(sentence))
    .map((sentence) => withoutOffers(sentence).replace(routine, 'number'));

/** In text order. Text of any length is read, although labels are cut. */
export function findActs(text: string): Act[] {
  const acts: Act[] = [];
  for (let at = 0; at === 0 || at < text.length; at += readLength - overlap) {
    const classified = classifyLabel(text.slice(at, at + readLength));
    if (classified.class === 'irreversible') acts.push(...classified.acts);
  }
  return acts;
}

const joinedSentences = 3;
const readLength = 900;
const overlap = 150;

/**
 * Returns true if a sentence is only about another channel, an emergency or a recording, or about something due or
 * done. One word isn't enough: "we will now cancel it online" is about this call.
 */
const isAside = (sentence: string): boolean =>
  isNotice(sentence) || (elsewhere.test(sentence) && !commits.test(sentence));

/** Returns true if a sentence only says what to do in an emergency, or that calls are recorded. */
export function isNotice(sentence: string): boolean {
  const plain = sentence.replace(jointly, ' ');
  return notice.test(plain) && !commits.test(plain);
}

const elsewhere = patternWith('i')`
  ^\W*(?:(?:also|please|or)\W+)*(?:
    (?:you (?:can|may)|to [a-z]+|visit|go to|log (?:on|in)|download|use)\b.*\b(?:online|web ?sites?|apps?|dot com)
    |(?:all |your |this |the |our |an? )+(?:[a-z]+ ){1,4}(?:(?:was|were|ha(?:s|ve) been) (?!set|selected|scheduled|chosen)|(?:is|are) (?:over)?due)
  )\b
`;
const notice = patternWith('i')`
  ^\W*(?:(?:also|please)\W+)*(?:
    (?:if|in case|in an?)\b.*\b(?:hang up|dial|call)
    |(?:all |your |this |the |our )*(?:calls?|conversation|line)\b.*\b(?:recorded|monitored)
  )\b
`;
/** Parts that join two words rather than two clauses. */
const jointly = /\b(?:hang up and|(?:recorded|monitored) (?:and|or) (?=recorded|monitored))\b/gi;
/** Who acts on this call, now or soon. */
const commits = patternWith('i')`
  \b(?:
    will|shall|going|about to|now|soon|today|tomorrow|immediately|automatically|we|i|let|unless|otherwise|until
    |by|say|press|stay|staying|confirm\w*|agree\w*|to be|being|then|and|so|which|because|right|ok|okay
  )\b|['’](?:ll|re|m)\b
`;
/** Routine words without an effect, and names of entries: "booking reference". */
const routine = patternWith('gi')`
  \b(?:
    verify (?:your|who|that)|get started|(?:connect|transfer)(?:ing|ed)? (?:you|your call|the call)
    |(?:booking|order|reservation|confirmation|registration|application|activation|authori[sz]ation|refill|payment
      |prescription|subscription|cancellation) (?:numbers?|code|reference|id|pin)
  )\b
`;

/** Returns a sentence in lower case without its offered options, or those of its menu; agreements stay. */
export const withoutOffers = (sentence: string, offers: readonly string[] = offeredWordsIn(sentence)): string =>
  offers.reduce((text, offered) => text.replaceAll(offered, ' , '), spelled(sentence));

/** Returns the words of the options that a text offers, the longest first, except agreements. */
export function offeredWordsIn(text: string): string[] {
  const { options, speech } = readMenu(spelled(text));
  return [...options.map(({ label }) => label), ...speech]
    .filter((offered) => offered !== '' && !agrees(offered))
    .sort((one, other) => other.length - one.length);
}

const spelled = (text: string): string => text.toLowerCase().replaceAll('’', "'");
