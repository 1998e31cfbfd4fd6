import { pattern } from '../../base/rows.ts';
import type { MenuInput } from '../../contract/menu.ts';
import type { MenuLexicon } from './lexicon.ts';

/**
 * What the prompt wants to be entered, or null. `text` is lower case; `asksKeysOnly`: all its enter-verbs name single
 * keys.
 */
export function readInput(text: string, lexicon: MenuLexicon): MenuInput | null {
  const request = requestOf(text, lexicon);
  if (request === undefined) return null;
  const type =
    lexicon.inputTypes.find(([, pattern]) => pattern.test(request.object))?.[0] ??
    lexicon.inputTypes.find(([, pattern]) => pattern.test(request.sentence))?.[0] ??
    'other';
  return {
    type,
    digits:
      type === 'date'
        ? sumOfDigits(request.sentence, lexicon)
        : (digitsOf(request.object, lexicon) ?? digitsOf(request.sentence, lexicon) ?? digitsOf(text, lexicon)),
    terminator: lexicon.inputTerminator.find(([, pattern]) => pattern.test(text))?.[0] ?? null,
  };
}

/** The sentence that asks, and what follows its verb. */
function requestOf(text: string, lexicon: MenuLexicon): { sentence: string; object: string } | undefined {
  const verb = new RegExp(lexicon.enterVerb.source, 'g');
  for (const match of text.matchAll(verb)) {
    const object = /^[^.;?!]*/.exec(text.slice(match.index + match[0].length))?.[0].trim() ?? '';
    if (!asks(match[0], object, text.slice(Math.max(0, match.index - 90), match.index), lexicon)) continue;
    const start =
      Math.max(
        text.lastIndexOf('.', match.index),
        text.lastIndexOf('?', match.index),
        text.lastIndexOf('!', match.index),
      ) + 1;
    return { sentence: text.slice(start, match.index + match[0].length) + ' ' + object, object };
  }
  return undefined;
}

const data = pattern`
  \b(?:
    post ?codes?|zip ?codes?|number|numbers|digits?|code|pin|pins|date|birthday|amount|extension|zip|id
    |password|passcode|letters?|name|year|month|card|keywords?|filename|dollars|cents|weight|reading
    |quantity|age|identification|temperature|room|mailbox|time
  )\b
`;

function asks(verb: string, object: string, before: string, lexicon: MenuLexicon): boolean {
  const first = object.split(/[\s,]+/).filter((word) => !lexicon.beforeKey.has(word))[0] ?? '';
  if (/^(?:tell|give) me$/.test(verb) && !/\b(?:number|digits?|code|date|birthday|amount|pin|zip|id)\b/.test(object))
    return false;
  if (/^it\b/.test(object) && verb !== 'dial') return /\b(?:say|speak|have|know)\b/.test(before) && data.test(before);
  if (/\b(?:use|using) (?:the|your) (?:\w+ ){0,2}keypad to\s*$/.test(before)) return data.test(object);
  if (verb === 'press it') return /\bextension\b/.test(before) && /^(?:now|at any|$)/.test(object);
  if (verb === 'dial')
    return (
      pattern`
        ^(?:
          it|your party's extension|the extension|that extension|the (?:\w+ )?(?:number|extension)|an extension
          |their extension|their
        )\b
      `.test(object) && /\bextension\b/.test(`${before} ${object}`)
    );
  if (Object.hasOwn(lexicon.keys, first) && !data.test(object.slice(0, 40).replace(/^.*?\bkey\b/, ''))) return false;
  if (!data.test(object)) return false;
  // "press 1 to enter an extension", "to enter a different number, press 2": an option's label, not a request.
  if (
    /\b(?:press|dial|select|option)\s+\S+\s+(?:key\s+)?(?:to|if you (?:want|wish|would like) to)\s*(?:\w+\s+)?$/.test(
      before,
    )
  )
    return false;
  if (
    /\b(?:to|like to|want to|wish to|or)\s*$/.test(before) &&
    /,?\s*(?:please )?(?:press|dial|select|choose|hit|say|option)\b/.test(object) &&
    !/\b(?:then|and) (?:press|hit)\b|followed by/.test(object)
  )
    return false;
  if (/\bto\s*$/.test(before) && !/\b(?:ask(?:ed)?|need|required|ready|want)\b[^.]*$/.test(before))
    return /followed by|\bplease\b/.test(object);
  return (
    !/^(?:was|is|are|were|you entered|entered)\b/.test(object) &&
    !/\b(?:you|you've|you have|have|just)\s*$/.test(before)
  );
}

/** A date's parts add up: "a two-digit month and a four-digit year" are six digits. */
function sumOfDigits(text: string, lexicon: MenuLexicon): number | null {
  const [pattern, , plural] = lexicon.inputDigits;
  const found = [pattern, plural].flatMap((rule) => (rule ? [...text.matchAll(new RegExp(rule.source, 'g'))] : []));
  const counts = [...new Map(found.map((match) => [match.index, match[1] ?? ''])).values()].map(
    (word) => lexicon.numberWords[word] ?? Number(word),
  );
  return counts.length === 0 ? null : counts.reduce((sum, count) => sum + count, 0);
}

function digitsOf(text: string, lexicon: MenuLexicon): number | null {
  for (const pattern of lexicon.inputDigits) {
    const word = pattern.exec(text)?.[1];
    if (word !== undefined) return lexicon.numberWords[word] ?? Number(word);
  }
  return null;
}
