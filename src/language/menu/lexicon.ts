import type { InputType } from '../../contract/menu.ts';

/**
 * What a language must supply so that its menu prompts can be read: data only, so that another language is another
 * file. Texts are lower case when these patterns see them.
 */
export interface MenuLexicon {
  /** What a recogniser or a writer puts for other words ("prestube", "dr."), with what is read instead. */
  readonly respellings: readonly (readonly [RegExp, string])[];

  /** Word → key. */
  readonly keys: Readonly<Record<string, string>>;
  /** Two-word key names ("number sign"). */
  readonly keyPairs: Readonly<Record<string, string>>;
  /** Key → the name that a caller says. */
  readonly keyNames: Readonly<Record<string, string>>;
  /** What a recogniser writes for a key after "press". After other verbs only star and pound are taken from here. */
  readonly misheardKeys: Readonly<Record<string, string>>;
  /** Misheard keys that also go on a list ("or start to go back"). */
  readonly misheardInLists: ReadonlySet<string>;
  /** After a misheard key they show that the word was itself ("press it again"). */
  readonly notAfterMisheard: ReadonlySet<string>;
  /** Number words that stand for "to" and "for" after a key. */
  readonly cueSounds: ReadonlySet<string>;

  /** Always introduce a key. */
  readonly pressVerbs: ReadonlySet<string>;
  /** Those whose key is often misheard. */
  readonly mishearingVerbs: ReadonlySet<string>;
  /** Introduce a key only where a label follows or precedes by a cue ("enter 1 to continue"). */
  readonly weakVerbs: ReadonlySet<string>;
  readonly sayVerbs: ReadonlySet<string>;
  /** Before a number of several digits: a telephone number, not keys. */
  readonly callVerbs: ReadonlySet<string>;
  /** "call 988, then press 1": what follows belongs to that call. */
  readonly thenWords: ReadonlySet<string>;
  /** Ends with a press verb that offers nothing ("you pressed", "do not press"). */
  readonly notOffered: RegExp;
  /** May stand between verb and key ("press the number 4"). */
  readonly beforeKey: ReadonlySet<string>;
  /** May follow the key and belong to it ("the 4 key now"). */
  readonly afterKey: ReadonlySet<string>;
  /** Make the word before them a key ("the star key brings you back"). */
  readonly keyNouns: ReadonlySet<string>;
  /** Phrases before a verb that belong to it ("by pressing 1", "feel free to press 1"). */
  readonly verbOpeners: ReadonlySet<string>;
  /** What a key with its noun does ("the 3 key deletes"). */
  readonly keyActs: RegExp;
  /** Between a label and its key, or a key and its label ("sales is 1", "1 is for sales"). */
  readonly copulas: ReadonlySet<string>;
  /** May announce a key in a list without verbs ("number 1 for sales"). */
  readonly listWords: ReadonlySet<string>;
  /** Alone between two keys, or a key and a stop, they are no label. */
  readonly fillers: ReadonlySet<string>;
  /** The two words after a key that say what it does ("zero *gets you* an operator"). */
  readonly leads: RegExp;

  /** Begin a label: "for billing", "to repeat", "if you …". */
  readonly cues: ReadonlySet<string>;
  /** Cue → words after which it belongs to a verb or a phrase, and begins no label ("like to"). */
  readonly notCueAfter: Readonly<Record<string, ReadonlySet<string>>>;
  /** The cue of a purpose; it may follow a condition ("if you have a code, to use it"). */
  readonly purposeCue: string;
  readonly conditionCue: string;
  /** After "to" they tell where something leads, and not what the caller wants. */
  readonly determiners: ReadonlySet<string>;
  readonly joiners: ReadonlySet<string>;
  /** The joiners that part alternatives. */
  readonly alternatives: ReadonlySet<string>;
  /** Between two keys of a range. */
  readonly rangeWords: ReadonlySet<string>;
  /** Before a bare number that is no key ("caller number four", "from 8 to 5"). */
  readonly notBeforeBareKey: ReadonlySet<string>;
  /** After a bare number that is no key ("5 minutes", "8 pm"). */
  readonly notAfterBareKey: ReadonlySet<string>;

  /** Stripped from the beginning of a label, longest first. */
  readonly labelPrefixes: readonly RegExp[];
  /** Stripped from its end. */
  readonly labelSuffixes: readonly RegExp[];
  /** A greeting, a notice or a statement that may run into the first label. */
  readonly talk: RegExp;
  /** Begins another offer after a label and a comma, or after a label alone. */
  readonly offerAfterComma: RegExp;
  readonly offerAfterLabel: RegExp;
  /** A clause that begins like an offer and is none ("to help us direct your call", "if you know it you may dial it"). */
  readonly aim: RegExp;
  /** Begins what the caller should do besides pressing the key ("leave the area and press 1"). */
  readonly step: RegExp;
  /** The last two words of a label and a statement after it ("*decline* this offer expires on friday"). */
  readonly statement: RegExp;
  /** A label that is another sentence's ("if so"). */
  readonly backReference: RegExp;
  readonly repeatLabel: RegExp;
  readonly notRepeatLabel: RegExp;
  /** The prompt plays messages: "repeat this message" is one of them, not the prompt. */
  readonly messageMenu: RegExp;
  readonly messageLabel: RegExp;
  readonly stay: RegExp;
  /** Offers to stay that need a key. */
  readonly staysByKey: RegExp;

  /** A scale with its lowest and highest key in two groups, or its highest in a third ("out of five"). */
  readonly scale: RegExp;
  /** The prompt asks for a key of the scale. */
  readonly scaleAsked: RegExp;
  /** What names one step of a scale, in two groups; global. */
  readonly scaleStep: RegExp;
  /** The part of a scale's sentence that asks. */
  readonly scaleAsks: RegExp;
  /** Words at the edges of such a part that do not say what is rated; global. */
  readonly scaleEdges: RegExp;
  readonly numberWords: Readonly<Record<string, number>>;

  /** Global. */
  readonly enterVerb: RegExp;
  /** Whether an entry is asked for, on "before<verb>object"; the first match decides, and no match asks. */
  readonly entryRules: readonly (readonly [asks: boolean, pattern: RegExp])[];
  /** What may be entered. */
  readonly entryData: RegExp;
  /** What is entered was named before ("enter it now"), on "verb>object". */
  readonly entryNamedBefore: RegExp;
  /** First match wins. */
  readonly inputTypes: readonly (readonly [type: InputType, pattern: RegExp])[];
  readonly inputDigits: readonly RegExp[];
  /** Global: each part of a date. */
  readonly datePart: RegExp;
  readonly inputTerminator: readonly (readonly [key: '#' | '*', pattern: RegExp])[];
  /** The caller speaks, records or enters: a key may end that. */
  readonly recording: RegExp;
  /** The words just before a key that ends an entry: anyway, or only where the caller enters or records. */
  readonly terminatorAlways: RegExp;
  readonly terminatorBefore: RegExp;
  /** The words just after such a key ("when you are finished"). */
  readonly terminatorAfter: RegExp;
  /** Letters and decimal points on the keypad, just after or just before the key. */
  readonly keypadSpelling: RegExp;
  readonly keypadSpellingBefore: RegExp;

  /** Before phrases to be said; global. */
  readonly phraseIntro: RegExp;
  /** Just before such an intro: what was said, and is not offered. */
  readonly phraseHeard: RegExp;
  /** Ends an unquoted phrase. */
  readonly phraseEnd: RegExp;
  /** Several of these in a row are phrases of their own ("billing payments or support"). */
  readonly listedNoun: RegExp;
  /** Belongs to the word before it ("parking permits"). */
  readonly compoundHead: RegExp;
  /** The last word of a phrase, and the beginning of one that starts with a verb ("bill report a"). */
  readonly phraseVerb: RegExp;
  /** Stripped from the beginning and the end of a phrase. */
  readonly phraseEdges: RegExp;

  /** A sentence before a prompt's second round that says that nothing was heard or understood. */
  readonly notHeard: RegExp;
  /** What can be entered at any time, before the prompt asks for anything. */
  readonly sideOffer: RegExp;
}
