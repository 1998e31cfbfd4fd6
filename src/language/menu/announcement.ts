import { pattern, patternWith, source } from '../../base/rows.ts';

/** The kind of an announcement without options, judged by its words. */
type Announcement = 'human' | 'voicemail' | 'goodbye' | 'invalid' | 'other';

export const greeting = /\b(?:hello|hi|good (?:morning|afternoon|evening))\b/;
/** Says that a machine speaks, or asks for what only a machine takes. */
const machine = pattern`
  \b(?:
    automated|virtual|press|(?:in|using) (?:a few|your own) words|you can ask|keypad|enter|menu
    |(?:leave|record) (?:\w+ ){1,3}message|(?:voice|digital|ai|personal|your|the) (?:\w+ )?(?:assistant|agent|bot)
    |assistant of|say(?! (?:that|it) again)|can't (?:take|answer)|at the (?:tone|beep)|after the (?:tone|beep)
  )\b
`;
/** After "this is" or "I'm": the words aren't a name. */
const notName = source`
  (?:an?|the|y?our|my|not|no|only|just|what|where|how|why|who|because|for|to|in|on|at|about|out|of|also|all|still
  |being|so|too|very|now|currently|temporarily|here|there|us|it|closed|open|available|unavailable|disabled|disconnected
  |recorded|invalid|incorrect|correct|wrong|right|important|urgent|free|full|required|new|true|sorry|afraid|glad|happy
  |unable|going|having|calling|looking|getting|connecting|transferring|putting|sending|trying|checking)\b
`;
/** Before "speaking", these aren't a name. */
const notSpeaker = source`
  start|begin|by|when|while|before|after|are|is|be|stop|finish|finished|keep|continue|without
  |english|spanish|french|and|or|for|to|not|generally
  |strictly
`;
const introductions = patternWith('gu')`
  (?<!\b(?:if|whether|that|what|where|who|why|how|because|since|sure|when|where|once|unless) )\bthis is (?!${notName})
  |\bmy name is (?!${notName})
  |(?<=\b(?:hello|hi|hi there|good (?:morning|afternoon|evening)|hey)\b\W{1,3})(?:i'm|i am|it's|this is the) (?!${notName})
  |\byou(?:'re| are) (?:speaking|talking|through) (?:with|to) (?!${notName})
  |\b(?!(?:${notSpeaker}) speaking)[\p{L}'’-]+(?= speaking\b(?! (?:after|at|now|for|as|agents?|the|in)\b))
  |(?<=^|[.,!?] )[\p{L}'’-]+(?= here\b\W{1,3}(?:how|what) )
`;
/** The most words of a name and a workplace up to the end: "Marcus Webb speaking from the night desk". */
const introductionWords = 8;
const statement = pattern`
  \b(?:is|are|was|were|will|has|have|can|can't|cannot|please|we|we're|our|i|i'm|you|you're|your|visit)\b
`;
/** What a person says after the name. */
const helps = pattern`
  \b(?:
    (?:how|what) (?:can|may|could|might) (?:i|we)\b|(?:can|may|could) i (?:help|assist|have|take|get|ask|see|put)\b
    |(?:can|could|would|will) you (?!believe|imagine)|(?:do|did|are|have|were) you (?!know|aware|tired|tried|ready|looking)
    |who(?:'s| is| am i| are) |(?:what|where|when|which|how)(?:'s|'re)? (?:\w+ ){0,2}?(?:is|are|do|did|was|were|would|can|should|seems) (?:i|you|he|she|it|they|we|the|your|this|that)\b
    |(?:what|where|how)'s (?:your|the|going)
    |what(?:'s| is) (?:your|the|going)|go ahead|i can help|(?:thanks|thank you|sorry) for (?:holding|waiting|your patience|the wait)
  )
`;
/** Ends the words of a person who gives only a workplace: "Claims, how can I help you?" */
const offersHelp = pattern`
  \b(?:how (?:can|may|could) i (?:help|assist|direct)|what can i do for|can i help|may i help|(?:can|could) you hold)\b[^.?!]{0,40}\W*$
`;
/** An opening of recordings, and of machines that take free speech. */
const welcome = /\b(?:welcome|(?:thanks|thank you) for (?:calling|phoning|contacting))\b/;
/** A person who answers says up to this many characters at once, and offers help in fewer before that. */
const turnLength = 400;
const offerWords = 15;
const goodbye = /\b(?:good ?bye|bye|thank you for calling|have a (?:nice|good|great) day|good night)\W*$/;
const farewell = pattern`
  ^(?:(?:thank you|thanks)(?: (?:so|very) much)?(?: for (?:calling|your (?:call|patience|time))(?: (?!we|our|the)[\w ]+)?)?|(?:and )?good ?bye(?: now)?
  |bye(?: bye)?|(?:please )?(?:try|call)(?: us)? (?:again|back) later|have a (?:nice|good|great|wonderful) (?:day|one)|sorry)?$
`;
const invalid = pattern`
  \b(?:
    not a valid|isn't a valid|invalid|not valid
    |(?<!\bif you )(?:did not|didn't) (?:understand|recogni[sz]e|catch|get|hear|receive)
    |(?:option|key|selection|entry|extension|number)(?: you(?: have|'ve)? \w+)? (?:does not|doesn't) exist
    |(?:that|this|(?:option|key|selection|choice|entry)(?: you(?: have|'ve)? \w+)?) (?:is not|isn't)(?: currently)? available
    |not (?:recogni[sz]ed|understood|a correct)|wrong (?:key|option|selection)|try again|incorrect
    |unrecogni[sz]ed|not an option|having (?:trouble|difficult(?:y|ies))
  )\b
`;

/** A condition or the label of an option, which rejects nothing: "If you are having trouble with your bill, press 4." */
const conditions = patternWith('g')`
  \b(?:if|when|whether|in case|unless) [^.,;:?!]*|(?<=^|[.,;:?!] )(?:(?:and|or) )?(?:for|to) [^.,;:?!]*
`;

/** The last words before the recording starts. */
const voicemail = pattern`
  \b(?:after|at) the (?:tone|beep)\b[^.]*\W*$|\bleave (?:a|your|us a) (?:brief )?message\W*$
`;

const atTone = /\b(?:after|at|following|wait for|hear) the (?:tone|beep|signal)\b/;
const recording = /\b(?:leave|record|say) (?:a|your|us a|me a) (?:\w+ ){0,2}?message\b/;
const isAway = pattern`
  \b(?:nobody|no one|none of (?:us|our|the)(?: \w+)?) (?:is|are|can)\b|\b(?:unavailable|not available|not here
  |voice ?mail(?:box)?|mailbox|away from (?:my|his|her|their|the) (?:desk|phone)|isn't available|aren't available
  |(?:can't|can ?not|unable to|not able to) (?:take|answer|come to|get to)|on (?:the|another) (?:phone|line|call))\b
`;

/**
 * Returns true if these words announce a recording: a tone after them starts it. A menu can offer to leave a message, so
 * it announces one only with its last words, or if it names the tone. A greeting can also only say that no one answers.
 */
export function announcesRecording(text: string, isMenu: boolean): boolean {
  const lower = text.toLowerCase().replaceAll('’', "'");
  // "Send your documents by fax after the tone."
  if (/\bfax\b/.test(lower)) return false;
  return atTone.test(lower) || voicemail.test(lower) || (!isMenu && (recording.test(lower) || isAway.test(lower)));
}

const noAnswer = pattern`
  (?<!\bif )\byou (?:did not|didn't|have not|haven't) (?:respond|repl(?:y|ied)|answer|choose|chosen|select|enter|press|ma[dk]e
  |say|said|dial)
  |\b(?:we|i) (?:did not|didn't|have not|haven't) (?:hear|get|receive)(?:d|ived)? (?:you|an?|any)\b
  |\bno (?:response|input|selection|entry|answer) (?:was |has been )?(?:received|heard|detected|made|entered)\b
  |\bstill there\b
`;

export const saysNoAnswer = (text: string): boolean => noAnswer.test(text.toLowerCase().replaceAll('’', "'"));

const wordsIn = (text: string): number => text.match(/[\p{L}'’-]+/gu)?.length ?? 0;

/**
 * Returns true if a person gives a name or a workplace and then stops or asks something: "Central baggage, this is
 * Darnell." A name can be any word, because a recogniser garbles it.
 */
export function introducesPerson(text: string): boolean {
  const lower = text.toLowerCase().replaceAll('’', "'");
  if (machine.test(lower)) return false;
  const turn = lower.slice(-turnLength);
  return [...turn.matchAll(introductions)].some(({ 0: said, index }) => {
    const rest = turn.slice(index + said.length);
    return helps.test(rest) || (wordsIn(rest) <= introductionWords && !statement.test(rest));
  });
}

/** Returns true for a workplace and an offer of help. The offer alone can be a machine's. */
function offersHelpAtOnce(lower: string): boolean {
  const turn = lower.slice(-turnLength);
  const at = offersHelp.exec(turn)?.index;
  if (at === undefined || machine.test(lower) || welcome.test(lower)) return false;
  const before =
    turn
      .slice(0, at)
      .replace(greeting, '')
      .match(/[\p{L}'-]+/gu) ?? [];
  return before.length > 0 && before.length <= offerWords;
}

/** Returns true if these words answer a key that leads nowhere: they reject it, or only say goodbye. */
export function rejectsKey(text: string): boolean {
  const kind = classifyAnnouncement(text);
  const sentences = text.toLowerCase().split(/[.,!?]+/);
  return kind === 'invalid' || (kind === 'goodbye' && sentences.every((sentence) => farewell.test(sentence.trim())));
}

export function classifyAnnouncement(text: string): Announcement {
  const lower = text.toLowerCase();
  if (introducesPerson(text) || offersHelpAtOnce(lower)) return 'human';
  if (voicemail.test(lower)) return 'voicemail';
  if (invalid.test(lower.replace(conditions, ' ')) || saysNoAnswer(text)) return 'invalid';
  return goodbye.test(lower.trim()) ? 'goodbye' : 'other';
}
