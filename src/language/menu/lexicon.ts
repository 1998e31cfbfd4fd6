/**
 * What a language must supply so that its menu prompts can be read: data only, so that another language is another
 * file.
 */
export interface MenuLexicon {
  readonly language: string;
  /** Word → key. */
  readonly keys: Readonly<Record<string, string>>;
  /** Two-word key names ("number sign"). */
  readonly keyPairs: Readonly<Record<string, string>>;
  /** Words a recogniser writes for a key directly after a press verb, by that verb's strictness. */
  readonly misheardKeys: Readonly<Record<string, string>>;
  /** Always introduce a key. */
  readonly pressVerbs: ReadonlySet<string>;
  /** Introduce a key only where a label follows or precedes by a cue ("enter 1 to continue"). */
  readonly weakVerbs: ReadonlySet<string>;
  /** May stand between verb and key ("press the number 4"). */
  readonly beforeKey: ReadonlySet<string>;
  /** May follow the key and belong to it ("the 4 key now"). */
  readonly afterKey: ReadonlySet<string>;
  /** May announce a key in a list without verbs ("number 1 for sales", "for a refund, that's 1"). */
  readonly listWords: ReadonlySet<string>;
  /** Verb and key that the recogniser hears as one word, with what was said. */
  readonly fusedKeys: readonly (readonly [RegExp, string])[];
  readonly sayVerbs: ReadonlySet<string>;
  /** Begin a label: "for billing", "to repeat", "if you …". */
  readonly cues: ReadonlySet<string>;
  /** After "to" they tell where something leads, and not what the caller wants. */
  readonly determiners: ReadonlySet<string>;
  readonly joiners: ReadonlySet<string>;
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
  /** Everything up to here, inside one sentence, is talk before the label ("listen carefully as … "). */
  readonly preambles: readonly RegExp[];
  /** The words just before a key that ends an entry ("followed by the pound key"). */
  readonly terminatorBefore: RegExp;
  /** The words just after such a key ("when you are finished"). */
  readonly terminatorAfter: RegExp;
  /** The mention's own sentence tells of letters or decimal points on the keypad. */
  readonly keypadSpelling: RegExp;
  readonly repeatLabel: RegExp;
  readonly notRepeatLabel: RegExp;
  /** The prompt plays messages: "repeat this message" is one of them, not the prompt. */
  readonly messageMenu: RegExp;
  readonly stay: RegExp;
  readonly staysByKey: RegExp;
  readonly scale: RegExp;
  readonly numberWords: Readonly<Record<string, number>>;
  readonly enterVerb: RegExp;
  /** First match wins. */
  readonly inputTypes: readonly (readonly [type: import('../../contract/menu.ts').InputType, pattern: RegExp])[];
  readonly inputDigits: readonly RegExp[];
  readonly inputTerminator: readonly (readonly [key: '#' | '*', pattern: RegExp])[];
  /** An offer to say something of one's own, not a phrase of the menu. */
  readonly openPhrase: RegExp;
  /** Ends an unquoted phrase. */
  readonly phraseEnd: RegExp;
  readonly keyNames: Readonly<Record<string, string>>;
}
