import { sentence } from '../../../base/sentences.ts';
import type { Turn } from '../../../contract/testRuns.ts';
import { masked } from '../../../model/secrets/secretMask.ts';
import { spokenWords } from '../../../model/heard/heardWords.ts';
import { findReadBack } from '../../../model/secrets/readBack.ts';
import { sentencesIn, type Find } from '../part.ts';
import { seenInSentence, seenInTurn, type Sightings } from '../sightings.ts';

/** Fewer digits are said for many reasons. */
const minDigits = 3;
const unclear = /\b(?:you (?:entered|said|gave|typed)|i (?:heard|have|got)|correct|confirm|number is)\b/i;

const confirms =
  /\b(?:you (?:have )?(?:entered|said|gave|typed|keyed in)|number|card|ending|confirm|i (?:heard|have|got))\b/i;

interface DigitRun {
  readonly turn: Turn;
  readonly index: number;
  readonly digits: string;
  readonly from: number;
  readonly to: number;
}

export const findReadBackDigits: Find<'readsBack'> = ({ digits }, { turns }) => findDigitsBack(digits, false, turns);

export const findNeverReadBack: Find<'neverReadsBack'> = ({ digits }, call, part) => {
  const { secretDigits = [], turns } = call;
  const secrets = digits === undefined ? secretDigits : [digits];
  if (secrets.length === 0) return { ...findDigitsBack(undefined, true, turns), absent: true };
  const heard = sentencesIn(call, part);
  const repeats = (text: string): boolean => findReadBack(text, secrets).length > 0;
  // Figures that are read out slowly can be several sentences.
  const said =
    heard.find(({ text }) => repeats(text)) ??
    heard.find((_said, index) =>
      repeats(
        heard
          .slice(index, index + 4)
          .map(({ text }) => text)
          .join(' '),
      ),
    );
  return {
    absent: true,
    complete: true,
    sure: said ? [seenInSentence(said)] : [],
    shown: sentence`Digits that the caller gave were repeated.`,
    missing: sentence`No digits that the caller gave were repeated.`,
  };
};

/**
 * Finds where digits are read back: those of the criterion, or those that the caller entered last. A mask in the
 * callee's words replaces a secret of the caller. `counted` treats it as the digits, which is right for criteria that
 * forbid reading them back; otherwise it proves nothing.
 */
function findDigitsBack(wanted: string | undefined, counted: boolean, turns: readonly Turn[]): Sightings {
  const entered = turns
    .flatMap(({ speaker, text }, index) =>
      speaker === 'us' ? [{ index, digits: text.replace(/[^0-9]/g, ''), secret: text.includes(masked) }] : [],
    )
    .filter(({ digits, secret }) => secret || digits.length >= minDigits)
    .at(-1);
  const digits = wanted ?? (entered?.secret ? undefined : entered?.digits);
  const first = wanted === undefined && entered ? entered.index + 1 : 0;
  const after = turns
    .map((turn, index) => ({ turn, index }))
    .filter(({ turn, index }) => turn.speaker === 'them' && index >= first);
  const masks = after.filter(({ turn }) => turn.text.includes(masked));
  const runs = after.flatMap(({ turn, index }) => digitRuns(turn, index));
  const isRight = (run: DigitRun): boolean => digits !== undefined && isReadBack(run.digits, digits, counted);
  const right = runs
    .filter((run) => isRight(run) && (counted || !isDenied(run)))
    .map((run) => seenInTurn(run, run.from, run.to));
  const denied = runs
    .filter((run) => isRight(run) && !counted && isDenied(run))
    .map((run) => seenInTurn(run, run.from, run.to));
  const others = runs
    .filter((run) => !isRight(run) && run.digits.length >= minDigits)
    .map((run) => seenInTurn(run, run.from, run.to));
  // Digits that recognition turned into other words, or with words between them: "four, seven, and then one".
  const confirming = after
    .filter(
      ({ turn, index }) =>
        unclear.test(turn.text) ||
        digitRuns(turn, index)
          .map((run) => run.digits)
          .join('')
          .includes(digits ?? ' '),
    )
    .map((one) => seenInTurn(one));
  const masksCount = counted && entered?.secret && wanted === undefined;
  const read = masksCount ? masks.filter(({ turn }) => confirms.test(turn.text)).map((one) => seenInTurn(one)) : [];
  const known = digits !== undefined || (counted && entered?.secret === true);
  return {
    sure: [...right, ...read],
    denied: [],
    maybe: [
      ...(right.length > 0 ? [] : [...others, ...denied]),
      ...(read.length > 0 ? [] : masks.map((one) => seenInTurn(one))),
      ...(others.length + right.length > 0 ? [] : confirming),
    ],
    complete: known,
    shown: sentence`The digits were read back.`,
    missing: known
      ? sentence`No digits were read back.`
      : sentence`The entered digits aren't known: there are none, or they are masked as secret.`,
  };
}

/** The same digits, a longer run around them, or, if that counts, a part of them such as the last four. */
const isReadBack = (read: string, digits: string, counted: boolean): boolean =>
  read === digits ||
  (read.length > digits.length && digits.length >= 6 && read.includes(digits)) ||
  (counted && read.length >= 4 && digits.includes(read));

const isDenied = ({ turn, from }: DigitRun): boolean =>
  /\b(?:not|never|wrong|\w+n['’]t)\b[^.;?!]*$/i.test(turn.text.slice(0, from));

/** Returns consecutive numbers without words between them. */
function digitRuns(turn: Turn, index: number): DigitRun[] {
  const runs: DigitRun[] = [];
  let open: DigitRun | undefined;
  for (const { text, from, to } of spokenWords(turn.text)) {
    if (/^\d+$/.test(text)) {
      if (open) runs.pop();
      open = open ? { ...open, digits: open.digits + text, to } : { turn, index, digits: text, from, to };
      runs.push(open);
    } else open = undefined;
  }
  return runs;
}
