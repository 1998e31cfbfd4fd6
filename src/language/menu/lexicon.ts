import type { InputType } from '../../contract/menu.ts';

/**
 * What a language must supply so that its menu prompts can be read. It is data, so another language is another file.
 * Text is in lower case when these patterns are applied.
 */
export interface MenuLexicon {
  /** Common misspellings and abbreviations ("prestube", "dr."), with the replacement. */
  readonly respellings: readonly (readonly [RegExp, string])[];

  /** Word → key. */
  readonly keys: Readonly<Record<string, string>>;
  /** Two-word key names ("number sign"). */
  readonly keyPairs: Readonly<Record<string, string>>;
  /** Key → its spoken name. */
  readonly keyNames: Readonly<Record<string, string>>;
  /** Recognitions of a key after "press". After other verbs, only star and pound apply. */
  readonly misheardKeys: Readonly<Record<string, string>>;
  /** Misheard keys that also continue a list ("or start to go back"). */
  readonly misheardInLists: ReadonlySet<string>;
  /** After a misheard key, these show that the word was right ("press it again"). */
  readonly notAfterMisheard: ReadonlySet<string>;
  /** Number words that mean "to" and "for" after a key. */
  readonly cueSounds: ReadonlySet<string>;

  /** Always introduce a key. */
  readonly pressVerbs: ReadonlySet<string>;
  /** Verbs whose key is often misheard. */
  readonly mishearingVerbs: ReadonlySet<string>;
  /** Introduce a key only if a label with a cue follows or precedes ("enter 1 to continue"). */
  readonly weakVerbs: ReadonlySet<string>;
  /** Introduce keys if the same one is before several keys that count on. */
  readonly sharedVerbs: ReadonlySet<string>;
  /** The last word of a label, before a verb rather than a noun. */
  readonly nounEnd: RegExp;
  readonly sayVerbs: ReadonlySet<string>;
  /** Before a number of several digits: a phone number, not keys. */
  readonly callVerbs: ReadonlySet<string>;
  /** After a digit: both are one number. */
  readonly multiples: ReadonlySet<string>;
  /** Never a choice, even after "press". */
  readonly emergencyNumbers: ReadonlySet<string>;
  /** "call 988, then press 1": what follows belongs to that call. */
  readonly thenWords: ReadonlySet<string>;
  /** Ends with a press verb that offers nothing ("you pressed", "do not press"). */
  readonly notOffered: RegExp;
  /** Allowed between verb and key ("press the number 4"). */
  readonly beforeKey: ReadonlySet<string>;
  /** After a key that is pressed elsewhere, later ("when you hear the main menu"). */
  readonly offeredLater: RegExp;
  /** Ends before the verb of such a key ("when you hear the menu, you can *press* 0"). */
  readonly offeredLaterBefore: RegExp;
  /** Three words after a key that aren't its label ("at any time"). */
  readonly anyTime: ReadonlySet<string>;
  /** Allowed after the key as a part of it ("the 4 key now"). */
  readonly afterKey: ReadonlySet<string>;
  /** After a key: it's pressed two times ("press 1 twice"). */
  readonly doublings: ReadonlySet<string>;
  /** Turn the word before them into a key ("the star key brings you back"). */
  readonly keyNouns: ReadonlySet<string>;
  /** Phrases before a verb that belong to it ("by pressing 1", "feel free to press 1"). */
  readonly verbOpeners: ReadonlySet<string>;
  /** What a key with its noun does ("the 3 key deletes"). */
  readonly keyActs: RegExp;
  /** Between a label and its key, or a key and its label ("sales is 1", "1 is for sales"). */
  readonly copulas: ReadonlySet<string>;
  /** Between a key and its label ("1 means yes"). */
  readonly equals: ReadonlySet<string>;
  /** Between a label and the key that ends its clause ("all of this again with 0"). */
  readonly keyLinks: ReadonlySet<string>;
  /** What star and hash usually do, after such a key at the beginning of a list. */
  readonly navigation: RegExp;
  /** Can announce a key in a list without verbs ("number 1 for sales"). */
  readonly listWords: ReadonlySet<string>;
  /** Alone between two keys, or between a key and a stop, these aren't a label. */
  readonly fillers: ReadonlySet<string>;
  /** The two words after a key that say what it does ("zero *gets you* an operator"). */
  readonly leads: RegExp;

  /** Begin a label: "for billing", "to repeat", "if you …". */
  readonly cues: ReadonlySet<string>;
  /** Cue → words after which it belongs to a verb or a phrase and doesn't begin a label ("like to"). */
  readonly notCueAfter: Readonly<Record<string, ReadonlySet<string>>>;
  /** The cue of a purpose, which can follow a condition ("if you have a code, to use it"). */
  readonly purposeCue: string;
  readonly conditionCue: string;
  /** The last word of a sentence, and the first of the next, if both are one condition. */
  readonly goesOn: RegExp;
  /** After "to", these name a destination, not what the caller wants. */
  readonly determiners: ReadonlySet<string>;
  readonly joiners: ReadonlySet<string>;
  /** The joiners that separate alternatives. */
  readonly alternatives: ReadonlySet<string>;
  /** Between two keys of a range. */
  readonly rangeWords: ReadonlySet<string>;
  /** Before a bare number that isn't a key ("caller number four", "from 8 to 5"). */
  readonly notBeforeBareKey: ReadonlySet<string>;
  /** After a bare number that isn't a key ("5 minutes", "8 pm"). */
  readonly notAfterBareKey: ReadonlySet<string>;
  /** After a range of keys, these don't begin a label ("press 1 to 4 *depending* on …"). */
  readonly notNames: ReadonlySet<string>;
  /** Before a "one" that is a pronoun ("a new one"). */
  readonly beforePronoun: ReadonlySet<string>;

  /** Removed from the beginning of a label, longest first. */
  readonly labelPrefixes: readonly RegExp[];
  /** Removed from its end. */
  readonly labelSuffixes: readonly RegExp[];
  /** A greeting, a notice or a statement that can run into the first label. */
  readonly call: RegExp;
  /** Begins another offer after a label and a comma, or after a label alone. */
  readonly offerAfterComma: RegExp;
  readonly offerAfterLabel: RegExp;
  /** Begins like an offer but isn't one ("to help us direct your call", "if you know it you may dial it"). */
  readonly aim: RegExp;
  /** Begins another instruction to the caller ("leave the area and press 1"). */
  readonly step: RegExp;
  /** The last two words of a label and a statement after it ("*decline* this offer expires on friday"). */
  readonly statement: RegExp;
  /** A label that refers to another sentence ("if so"). */
  readonly backReference: RegExp;
  /** Ends with a verb that says what an offered key also does ("by *pressing* 2 you agree"), before its label. */
  readonly effect: RegExp;
  readonly repeatLabel: RegExp;
  readonly notRepeatLabel: RegExp;
  /** The prompt plays messages: "repeat this message" refers to one of them, not to the prompt. */
  readonly messageMenu: RegExp;
  readonly messageLabel: RegExp;
  readonly stay: RegExp;
  /** Offers to stay on the line that need a key. */
  readonly staysByKey: RegExp;

  /** A scale with its lowest and highest key in two groups, or its highest in a third ("out of five"). */
  readonly scale: RegExp;
  /** The prompt asks for a key of the scale. */
  readonly scaleAsked: RegExp;
  /** The name of one step of a scale, in two groups; global. */
  readonly scaleStep: RegExp;
  /** The question in a scale's sentence. */
  readonly scaleAsks: RegExp;
  /** Words at the edges of the question that don't say what is rated; global. */
  readonly scaleEdges: RegExp;
  readonly numberWords: Readonly<Record<string, number>>;

  /** Global. */
  readonly enterVerb: RegExp;
  /** Whether an entry is requested, on "before<verb>object". The first match decides; without a match it isn't. */
  readonly entryRules: readonly (readonly [asks: boolean, pattern: RegExp])[];
  /** The kinds of input. */
  readonly entryData: RegExp;
  /** The last sentence may be a request whose verb was misheard. */
  readonly mayAsk: RegExp;
  /** What is to be entered isn't named yet. */
  readonly unfinished: RegExp;
  /** The entry was named before ("enter it now"), on "verb>object". */
  readonly entryNamedBefore: RegExp;
  /** The first match counts. */
  readonly inputTypes: readonly (readonly [type: InputType, pattern: RegExp])[];
  readonly inputDigits: readonly RegExp[];
  /** Global: each part of a date. */
  readonly datePart: RegExp;
  readonly inputTerminator: readonly (readonly [key: '#' | '*', pattern: RegExp])[];
  /** The caller speaks, records or enters, which a key can end. */
  readonly recording: RegExp;
  /** The words directly before a key that ends an entry: always, or only if the caller enters or records. */
  readonly terminatorAlways: RegExp;
  readonly terminatorBefore: RegExp;
  /** The words directly after such a key ("when you are finished"). */
  readonly terminatorAfter: RegExp;
  /** Letters and decimal points on the keypad, directly after or before the key. */
  readonly keypadSpelling: RegExp;
  readonly keypadSpellingBefore: RegExp;
  /** The words after the key of Q or Z, as they are heard, if the prompt asks for letters. */
  readonly letterKey: RegExp;
  readonly asksForLetters: RegExp;
  /** A letter before its key, in a prompt that asks for an entry ("for Q press 7"). */
  readonly keypadLetter: RegExp;

  /** Before phrases to say; global. */
  readonly phraseIntro: RegExp;
  /** Directly before such an intro: what was said, or what someone else says, which isn't an offer. */
  readonly phraseHeard: RegExp;
  /** In a sentence of phrases: the next one is the last. */
  readonly closesList: RegExp;
  /** Begins a sentence that adds a phrase to a list that seemed closed ("or evening"). */
  readonly beginsAlternative: RegExp;
  /** A sentence after a phrase that isn't another phrase. */
  readonly notListed: RegExp;
  /** Ends an unquoted phrase. */
  readonly phraseEnd: RegExp;
  /** Several of these in a row are separate phrases ("billing payments or support"). */
  readonly listedNoun: RegExp;
  /** The space between two phrases whose comma is missing ("billing technical support"). */
  readonly labelBoundary: RegExp;
  /** Around a phrase that a prompt repeats ("OK, billing. You can say …"): at the beginning, and directly after it. */
  readonly beforeEcho: RegExp;
  readonly afterEcho: RegExp;
  /** Belongs to the word before it ("parking permits"). */
  readonly compoundHead: RegExp;
  /** Two phrases that begin with a verb, without a pause ("pay a bill report a fault"). */
  readonly twoPhrases: RegExp;
  /** The last word of a phrase, and the beginning of one that starts with a verb ("bill report a"). */
  readonly phraseVerb: RegExp;
  /** The last word of a phrase, and the beginning of one that starts with an article ("claim a policy"). */
  readonly phraseDeterminer: RegExp;
  /** Removed from the beginning and the end of a phrase. */
  readonly phraseEdges: RegExp;

  /** A sentence before a prompt's second round, which says that nothing was heard or understood. */
  readonly notHeard: RegExp;
  /** What can be entered at any time, before the prompt asks for anything. */
  readonly sideOffer: RegExp;
}
