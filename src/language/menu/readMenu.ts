import { patternWith } from '../../base/rows.ts';
import { digitNames } from '../../model/numbers/numberWords.ts';
import type { MenuOption, MenuReading } from '../../contract/menu.ts';
import { attributeLabels } from './directions.ts';
import { english } from './english.ts';
import { readInput } from './input.ts';
import { findKeyMentions, partNumbers } from './keyMentions.ts';
import type { KeyMention } from './keyNames.ts';
import { cleanLabel } from './labels.ts';
import type { MenuLexicon } from './lexicon.ts';
import { readPhrases } from './spoken.ts';
import { tokenise, wordsOf, type Token } from './tokens.ts';

/** Longer texts are cut here: no prompt is that long, and hostile input must not cost time. */
const maxCharacters = 8000;

/** Reads a menu prompt, clean or as a recogniser emits it, into what it offers and asks. Never throws. */
export function readMenu(prompt: string, lexicon: MenuLexicon = english): MenuReading {
  const text = partVerbs(
    prompt.slice(0, maxCharacters).toLowerCase().replace(/[’]/g, "'").replace(/\s+/g, ' ').trim(),
    lexicon,
  );
  const tokens = partNumbers(tokenise(text), lexicon);
  const mentions = findKeyMentions(tokens, lexicon);
  const input = readInput(text, lexicon);
  const isEntry = (mention: KeyMention): boolean =>
    isEntryKey(
      tokens,
      mention,
      input !== null || /\b(?:record|after the tone|at the tone|recording|speak)\b/.test(text),
      lexicon,
    );
  const kept = mentions.filter((mention) => !isEntry(mention));
  // A key that belongs to an entry parts the labels around it.
  for (const mention of mentions)
    if (!kept.includes(mention))
      for (let at = mention.from; at < mention.to; at += 1) tokens[at] = { text: '.', kind: 'strong' };
  const attributions = attributeLabels(tokens, kept, lexicon);
  const phrases = readPhrases(text, lexicon);
  const options = new Map<string, MenuOption>();
  kept.forEach((mention, index) => {
    const attribution = attributions[index];
    if (!attribution) return;
    const label = cleanLabel(
      tokens.slice(attribution.label.from, attribution.label.to),
      attribution.direction,
      lexicon,
    );
    for (const key of mention.keys) {
      if (!options.has(key)) options.set(key, { key, label });
      if (mention.spoken) phrases.push(lexicon.keyNames[key] ?? key);
    }
  });
  addScale(text, options, lexicon);
  const all = [...options.values()];
  return {
    options: all,
    speech: [...new Set(phrases)],
    input,
    repeatKey:
      all.find(
        ({ label }) =>
          lexicon.repeatLabel.test(label) &&
          !lexicon.notRepeatLabel.test(label) &&
          !(/\bmessage\b/.test(label) && lexicon.messageMenu.test(text)),
      )?.key ?? null,
    stayOnLine: lexicon.stay.test(text) && !onlyByKey(text, lexicon),
  };
}

/** Parts a verb from the key that the recogniser joined to it: "press-9", "prestube". */
function partVerbs(heard: string, lexicon: MenuLexicon): string {
  const parted = heard.replace(/(\p{L}+)-/gu, (joined, verb: string) =>
    lexicon.pressVerbs.has(verb) ? `${verb} ` : joined,
  );
  return lexicon.fusedKeys.reduce((text, [fused, said]) => text.replace(fused, said), parted);
}

/** Terminators, letters on the keypad and decimal points belong to an entry. */
function isEntryKey(tokens: readonly Token[], mention: KeyMention, entering: boolean, lexicon: MenuLexicon): boolean {
  const sentenceStart = tokens.findLastIndex((token, index) => index < mention.from && token.kind === 'strong') + 1;
  const sentenceEnd = tokens.findIndex((token, index) => index >= mention.to && token.kind === 'strong');
  const before = wordsOf(tokens.slice(sentenceStart, mention.from));
  const after = wordsOf(tokens.slice(mention.to, sentenceEnd === -1 ? tokens.length : sentenceEnd));
  const near = wordsOf(tokens.slice(mention.to, mention.to + 7));
  if ([2, 3, 4].some((count) => lexicon.keypadSpelling.test(near.split(' ').slice(0, count).join(' ')))) return true;
  if (/\b(?:for (?:the )?decimal(?: point)?|decimal point)\b/.test(before.split(' ').slice(-6).join(' '))) return true;
  const isTerminatorKey = mention.keys.every((key) => key === '#' || key === '*');
  if (!isTerminatorKey) return false;
  if (
    /\bfollowed (?:by|with)(?: the)?$|\b(?:end(?:ed|ing)?|finish(?:ed)?) (?:with|by)(?: the| pressing)*$/.test(before)
  )
    return true;
  if (!entering) return false;
  if (lexicon.terminatorAfter.test(after)) return true;
  return lexicon.terminatorBefore.test(before) && !/^(?:to|for|if)\b/.test(after);
}

/** "1 is poor and 5 is excellent" */
const namedSteps = patternWith('g')`
  \b(${digitNames.join('|')}|\d) (?:is|being|means|meaning|for|equals|as) ([a-z' -]+?)(?=,| and (?:${digitNames.join('|')}|\d)\b|[.;?!]|$)
`;

/** "On a scale of 1 to 5": every step is a key. */
function addScale(text: string, options: Map<string, MenuOption>, lexicon: MenuLexicon): void {
  const match = lexicon.scale.exec(text);
  if (!match || !/\b(?:scale|press|enter|dial|rate|select|choose|key|use|using|answer|respond)\b/.test(text)) return;
  const [low, high] = [match[1], match[2]].map((word) => lexicon.numberWords[word ?? ''] ?? Number(word));
  if (low === undefined || high === undefined || high > 9 || low >= high) return;
  const named = [...text.matchAll(namedSteps)];
  const names = new Map(
    named.map(([, digit, label]) => [
      lexicon.keys[digit ?? ''] ?? '',
      (label ?? '').replace(/^(?:the|being) /, '').trim(),
    ]),
  );
  const sentence = (/[^.;?!]*\bscale\b[^.;?!]*/.exec(text)?.[0] ?? '')
    .replace(match[0], '')
    .replace(/\bon an?\b|\bplease\b|\busing an?\b/g, ' ')
    .replace(/[,\s]+/g, ' ')
    .trim();
  for (let digit = low; digit <= high; digit += 1) {
    const key = String(digit);
    const known = options.get(key);
    const name = names.get(key);
    if (!known) options.set(key, { key, label: name ?? sentence });
    else if (name !== undefined) options.set(key, { key, label: name });
  }
}

/** True where every word about staying sits in an offer that needs a key ("to continue to hold, press 1"). */
function onlyByKey(text: string, lexicon: MenuLexicon): boolean {
  const withoutKeyed = text.replace(new RegExp(lexicon.staysByKey.source, 'g'), ' ').replace(
    patternWith('g')`
      \b(?:press|dial|select) (?:\S+ ){1,3}?(?:to|if you(?:'d| would)? (?:like|want|wish|prefer) to) (?:
        continue (?:to hold|holding|to wait|waiting)|hold|wait|stay on the line
        |remain on (?:the )?(?:line|hold)|keep (?:holding|waiting)
      )
    `,
    ' ',
  );
  return !lexicon.stay.test(withoutKeyed);
}
