import { join, sentence, type Sentences } from '../../base/sentences.ts';
import type { Check, CheckOf, Moment, PlainCheck } from '../../contract/checks.ts';

const listed = (text: string | readonly string[] | undefined): string =>
  text === undefined ? '…' : typeof text === 'string' ? text : text.join(' / ');

export const noticeWords: Readonly<Record<CheckOf<'discloses'>['notice'], Sentences>> = {
  recording: sentence`It says that the call is recorded.`,
  emergency: sentence`It says what to do in an emergency.`,
  closed: sentence`It says that no one is there.`,
  busy: sentence`It says that all agents are busy.`,
  wrongEntry: sentence`It says that the entry is wrong.`,
  automated: sentence`It says that it is a machine.`,
  human: sentence`It says that it is a person.`,
};
export const reachedWords: Readonly<Record<NonNullable<CheckOf<'reaches'>['what']>, Sentences>> = {
  person: sentence`A person answers.`,
  voicemail: sentence`A voicemail answers.`,
  hold: sentence`The caller is put on hold.`,
  transfer: sentence`The transfer is announced.`,
  ringback: sentence`It rings after a transfer.`,
  busy: sentence`The line is busy.`,
  fax: sentence`A fax answers.`,
  silence: sentence`There is silence.`,
};

type Describe = { readonly [Kind in PlainCheck['kind']]: (check: CheckOf<Kind>) => Sentences };
const descriptions: Describe = {
  says: ({ text }) => sentence`It says “${listed(text)}”.`,
  neverSays: ({ text }) => sentence`It never says “${listed(text)}”.`,
  asksFor: ({ about, input, digits }) => {
    const what = about === undefined ? (input?.replace('_', ' ') ?? '…') : listed(about);
    return digits === undefined ? sentence`It asks for ${what}.` : sentence`It asks for ${what} with ${digits} digits.`;
  },
  offers: ({ option, key, position, atMost, atLeast }) => {
    if (atMost !== undefined) return sentence`No menu has more than ${atMost} options.`;
    if (atLeast !== undefined) return sentence`No menu has fewer than ${atLeast} options.`;
    if (option === undefined) return key === undefined ? sentence`It offers options.` : sentence`It offers key ${key}.`;
    if (position !== undefined) return sentence`It offers “${listed(option)}” as option ${position}.`;
    return key === undefined
      ? sentence`It offers “${listed(option)}”.`
      : sentence`It offers “${listed(option)}” on key ${key}.`;
  },
  tells: ({ what, about, equals, atMost, atLeast }) => {
    const name = about === undefined ? what : listed(about);
    if (what === 'fact') return sentence`It says that “${name}”.`;
    if (equals !== undefined) return sentence`It gives ${name} as ${equals}.`;
    if (atMost !== undefined) return sentence`It gives ${name} of at most ${atMost}.`;
    return atLeast === undefined ? sentence`It gives ${name}.` : sentence`It gives ${name} of at least ${atLeast}.`;
  },
  readsBack: () => sentence`It reads back the digits.`,
  neverReadsBack: () => sentence`It never reads back the digits.`,
  reaches: ({ what, about, step, steps, stepsOf }) => {
    const place = what === undefined ? sentence`The step “${step ?? ''}” is reached.` : reachedWords[what];
    const base = about === undefined ? place : join(place, sentence`It is “${listed(about)}”.`);
    if (stepsOf !== undefined) return join(base, sentence`It takes no more steps than “${stepsOf}”.`);
    return steps === undefined ? base : join(base, sentence`It takes at most ${steps} steps.`);
  },
  discloses: ({ notice }) => noticeWords[notice],
  hangsUp: () => sentence`It hangs up.`,
  staysOn: () => sentence`It doesn't hang up.`,
  answersWithin: ({ seconds }) => sentence`It answers within ${seconds} s.`,
  promptWithin: ({ seconds }) => sentence`It speaks within ${seconds} s.`,
  silenceAtMost: ({ seconds }) => sentence`It is never silent for more than ${seconds} s.`,
  language: ({ is }) => (is === 'fr' ? sentence`It speaks French.` : sentence`It speaks English.`),
  repeatsOnTimeout: () => sentence`It offers its options again.`,
  stopsOnKey: () => sentence`Its prompt stops when a key is pressed.`,
  sends: ({ keys, text }) => sentence`The caller sends “${keys ?? listed(text)}”.`,
};

/** Returns a check as a sentence. Its part of the call and its time come after it. */
export function describeCheck(check: Check): Sentences {
  const { within, when, times } = check;
  return join(
    describeBare(check),
    when?.after === undefined ? undefined : join(sentence`After this:`, momentWords(when.after)),
    when?.before === undefined ? undefined : join(sentence`Before this:`, momentWords(when.before)),
    within === undefined ? undefined : sentence`Within ${within} s.`,
    times === undefined ? undefined : sentence`At least ${times} times.`,
  );
}

const momentWords = (moment: Moment): Sentences =>
  typeof moment === 'string' ? sentence`“${moment}”.` : describeCheck(moment);

function describeBare(check: Check): Sentences {
  if (check.kind === 'not') return join(sentence`Not so:`, describeCheck(check.check));
  if (check.kind === 'all') return join(sentence`All of these:`, ...check.checks.map(describeCheck));
  if (check.kind === 'any') return join(sentence`Any of these:`, ...check.checks.map(describeCheck));
  return (descriptions[check.kind] as (one: PlainCheck) => Sentences)(check);
}
