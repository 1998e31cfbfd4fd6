import { pattern, patternWith } from '../../base/rows.ts';
import { digitsByName } from '../../model/numbers/numberWords.ts';
import { fillers } from './harmlessTable.ts';
import { parseEntries, foldLabel, labelSentencesOf } from './wordForms.ts';

const agreements = pattern`
  \b(?:
    yes|yeah|yep|yup|ya|aye|ok|okay|sure|fine|correct|right|confirm\w*|continue|proceed|go ahead|go on|carry on
    |do (?:it|that|so)|please do|agree\w*|accept\w*|absolutely|certainly|definitely|exactly|affirmative|indeed
    |of course|by all means|sounds good|thats (?:it|all right|good)|make it so|works for me|lets do|happy (?:to|with)
    |true|perfect|great|alright|i do|i am|you may|uh huh|mhm|si|claro|correcto|oui|daccord|ja|genau
  )\b
`;
const refusals = /\b(?:no|nope|nah|not|incorrect|wrong|nein|non|thanks|thank you|nothing else|neither|never ?mind)\b/g;
/** Words that can surround a refusal without changing its meaning. */
const besideRefusal = /\b(?:if|this|that|thats|its|it|is|i|am|do|want|please|correct|right|for|to|the|say|or)\b/g;
const confirming = pattern`
  \b(?:
    is (?:this|that|it|everything) (?:all )?(?:correct|right|true|ok|okay|fine)|are you sure|yes or no|say yes|shall|should (?:we|i)
    |what do you say|how (?:does|would|about)|authori[sz]e|proceed|go ahead|go on|continue|confirm\w*|agree|accept|all right|sound good|ready
    |(?<!(?:what|how|which|when|where) )(?:do you (?:want|wish|still)|would you like)
  )\b|\b(?:correct|right|ok|okay|yes|alright|fine|good|deal)\W*$
`;
const asking = pattern`
  \b(?:
    how|what|which|who|whom|when|where|why|tell (?:me|us)|in a few words|speak|state|describe|spell
    |say your|your (?:full |first |last )?name
  )\b
`;

/** Returns true if this agrees to a prompt, alone or among other words. */
export const agrees = (text: string): boolean => agreements.test(foldLabel(text)) && !declines(text);

/** "No", "that is not correct": a refusal and nothing else. */
export function declines(text: string): boolean {
  const plain = foldLabel(text).replaceAll(/[^\p{L}\p{N} ]+/gu, ' ');
  const rest = plain.replaceAll(refusals, ' ');
  return (
    /\b(?:no|nope|nah|not|incorrect|wrong|nein|non)\b/.test(plain) && rest.replaceAll(besideRefusal, ' ').trim() === ''
  );
}

/** Returns the rest of an agreement without the agreeing words. */
export const besidesAgreement = (text: string): string => foldLabel(text).replaceAll(new RegExp(agreements, 'g'), ' ');

/** Returns true if a prompt waits for an agreement, so that any words may count as one. */
export const asksToConfirm = (prompt: string): boolean =>
  labelSentencesOf(prompt).some((sentence) => confirming.test(foldLabel(sentence)));

/** Returns true if a prompt asks for an answer in the caller's own words. */
export const asksOpenly = (prompt: string): boolean =>
  asking.test(foldLabel(labelSentencesOf(prompt).findLast((sentence) => sentence.trim() !== '') ?? ''));

/** Returns true if "no" to this prompt ends something: "do you want to keep your policy?" */
export const asksToKeep = (prompt: string): boolean =>
  /\b(?:keep|stay|remain|retain|maintain|stop us|leave|continue (?:your|the|to|with|as|being|receiving))\b/.test(
    foldLabel(prompt),
  );

/**
 * Returns what "yes" to a prompt agrees to: what its questions propose ("shall I send you a new card?"). A question
 * without content, such as "OK?" or "would you like that?", refers to everything before it.
 * @param sentences The sentences of the prompt.
 */
export function agreedTo(sentences: readonly string[]): {
  readonly proposals: string[];
  readonly statements: string[] | undefined;
} {
  const plain = sentences.map(foldLabel);
  const all = plain.flatMap((sentence) =>
    [...sentence.matchAll(proposing)].map(([, proposal = '']) => proposal.replace(/,? ?yes or no.*/, '')),
  );
  const proposals = all.filter(hasContent);
  const isAbout = (sentence: string): boolean => !proposals.some((proposal) => sentence.includes(proposal));
  const isBare =
    proposals.length === 0 ||
    all.length > proposals.length ||
    plain.some((sentence) => isAbout(sentence) && confirming.test(sentence));
  return {
    proposals,
    statements: isBare ? plain.filter((sentence) => isAbout(sentence) && hasContent(sentence)) : undefined,
  };
}

/** Returns true if a sentence says more than that it asks for an agreement, and how to give it. */
export const hasContent = (sentence: string): boolean =>
  besidesAgreement(sentence.replaceAll(new RegExp(confirming, 'g'), ' '))
    .replaceAll(answering, ' ')
    .split(/[^\p{L}\p{N}]+/u)
    .some((word) => word !== '' && !fillerWords.has(word));

const fillerWords: ReadonlySet<string> = new Set([...parseEntries(fillers), ...Object.keys(digitsByName)]);
const answering = /\b(?:press|say|dial|enter|keys?|pound|hash|star|one|no|not|back|otherwise|else|\d+)\b/g;
/** The proposal is only to hear something, or to go back. */
export const proposesToHear = (proposal: string): boolean =>
  /^\W*(?:to )?(?:hear|listen|check|know|learn|review|speak|talk|repeat|replay|return|go back|start over)\b/.test(
    proposal,
  );

/** "I heard …", "you entered …": reads back what the caller gave. */
export const withoutReadBack = (statement: string): string | undefined =>
  /^\W*(?:so )?(?:i|you)(?: have| just)? (?:entered|heard|said|pressed|typed|chose|selected|got|understood)\b(.*)/.exec(
    statement,
  )?.[1];

/** "Welcome to …", "thank you for calling …": nothing to agree to. */
export const greets = (statement: string): boolean =>
  /^\W*(?:hello|hi|good (?:morning|afternoon|evening)|thanks?(?: you)?(?: so much)? for (?:calling|waiting|holding)|welcome to (?!your|the new)|thank you\W*$)/.test(
    statement,
  );

const proposing = patternWith('g')`
  (?<!\b(?:what|how|which|when|where) )\b
  (?:(?:shall|should) (?:i|we)|(?:would you like|do you want)(?: (?:me|us))?(?: to)?|did you (?:say|mean)|are you calling (?:about|for|to))
  ([^?.!]+)
`;
