import { pattern } from '../../base/rows.ts';
import type { ProbeAssertion } from '../../contract/probe.ts';
import { announcesTransfer, saysGoodbye } from '../../language/judge/callEnds.ts';
import { readMenu } from '../../language/menu/readMenu.ts';
import { saidAt } from './denial.ts';
import { failed, inconclusive, longest, matchesAny, passed, placedSentences } from './finding.ts';
import type { Finding, Sentence } from './finding.ts';
import { judgeFrenchFirst } from './judgeLanguage.ts';
import { judgeOffers } from './judgeOffers.ts';
import type { DoneStep, ProbedCall } from './probedCall.ts';
import { findReadBack } from '../../model/secrets/readBack.ts';

type Of<Kind extends ProbeAssertion['kind']> = Extract<ProbeAssertion, { kind: Kind }>;
type WithinAssertion = Exclude<ProbeAssertion, Of<'stepsNoMore' | 'stepsTo' | 'secondsTo'>>;
type WordsAssertion = Exclude<WithinAssertion, Of<'frenchFirst' | 'noHangUp' | 'hangsUp' | 'answeredWithin'>>;

interface Window {
  readonly fromMs: number;
  readonly toMs: number;
}

/** A reply that began this much before the caller's last word or key still counts. */
const slackMs = 250;

/** Judges one assertion after the calls are over. `everyStep` contains the steps of the run's other calls too. */
export function judgeAssertion(
  assertion: ProbeAssertion,
  call: ProbedCall,
  everyStep: ReadonlyMap<string, DoneStep> = call.steps,
): Finding {
  switch (assertion.kind) {
    case 'stepsNoMore':
      return judgeFewerSteps(assertion, call, everyStep);
    case 'stepsTo':
    case 'secondsTo':
      return judgeReached(assertion, call);
    default: {
      const window = windowOf(assertion, call);
      return typeof window === 'string' ? inconclusive(window) : judgeWithin(assertion, call, window);
    }
  }
}

function judgeWithin(assertion: WithinAssertion, call: ProbedCall, window: Window): Finding {
  if (assertion.kind === 'frenchFirst') return judgeFrenchFirst(call, window);
  const heard = placedSentences(call.turns).filter(({ atMs }) => atMs >= window.fromMs - slackMs && atMs < window.toMs);
  switch (assertion.kind) {
    case 'noHangUp':
      return judgeHangUp(assertion, call, window, heard);
    case 'hangsUp':
      return judgeEnded(assertion, call, window, heard);
    case 'answeredWithin':
      return judgeAnswer(assertion, call, window, heard[0]);
    default:
      if (heard.length > 0) return judgeWords(assertion, call, window, heard);
      return assertion.kind === 'served' && call.end?.by === 'them'
        ? failed(`Nothing more was said: ${call.end.sentence}`)
        : inconclusive('Nothing was heard in that part of the call.');
  }
}

/** Judges the words in a part of the call, which are at least one sentence. */
function judgeWords(assertion: WordsAssertion, call: ProbedCall, window: Window, heard: readonly Sentence[]): Finding {
  switch (assertion.kind) {
    case 'says':
      return judgeSays(assertion, call, window, heard);
    case 'neverSays':
      return judgeNeverSays(assertion, heard);
    case 'order':
      return judgeOrder(assertion, heard);
    case 'notReadBack':
      return judgeReadBack(call, heard);
    case 'served':
      return judgeServed(call, heard);
    case 'offersOnly':
    case 'offersKeys':
    case 'offersAgain':
      return judgeOffers(
        assertion,
        heard,
        placedSentences(call.turns).filter(({ atMs }) => atMs < window.fromMs - slackMs),
      );
  }
}

function judgeSays(assertion: Of<'says'>, call: ProbedCall, { toMs }: Window, heard: readonly Sentence[]): Finding {
  const { patterns, contrary = [], orEach, missing, withinSeconds } = assertion;
  const against = heard.find(({ lower }) => matchesAny(contrary, lower));
  if (against) return failed('The opposite was said.', against.evidence);
  const said = heard.find(({ lower }) => saidAt(patterns, lower) >= 0) ?? lastOfEach(orEach, heard);
  if (said) return passed('It was said.', said.evidence);
  if (withinSeconds !== undefined && call.end?.by !== 'us' && call.lastedMs < toMs)
    return inconclusive(`The call ended too soon to judge this: ${call.end?.sentence ?? ''}`, longest(heard));
  const span = withinSeconds === undefined ? '' : ` within ${String(withinSeconds)} s`;
  const reason = `Nothing like this was said${span}. The quote is what was heard.`;
  return { outcome: missing, reason, evidence: longest(heard) };
}

function judgeNeverSays({ patterns, unless = [] }: Of<'neverSays'>, heard: readonly Sentence[]): Finding {
  const said = heard.find(({ lower }) => matchesAny(patterns, lower) && !matchesAny(unless, lower));
  return said
    ? failed('It was said.', said.evidence)
    : passed('Nothing like this was said. The quote is what was heard.', longest(heard));
}

/** Returns the sentence that last said each of these. */
function lastOfEach(
  lists: readonly (readonly string[])[] | undefined,
  heard: readonly Sentence[],
): Sentence | undefined {
  const found = lists?.map((patterns) => heard.find(({ lower }) => saidAt(patterns, lower) >= 0));
  return found?.includes(undefined) === true ? undefined : heard.findLast((one) => found?.includes(one) === true);
}

/** Returns the window for an assertion, or a sentence if that part of the call wasn't reached. */
function windowOf({ after, before, reached, withinSeconds }: ProbeAssertion, call: ProbedCall): Window | string {
  const { steps, lastedMs } = call;
  if ([reached, after].some((name) => name !== undefined && steps.get(name)?.reached !== true)) return notReached(call);
  const from = after === undefined ? undefined : steps.get(after);
  const fromMs = from?.actedMs ?? 0;
  const until = before === undefined ? undefined : steps.get(before);
  const toMs = Math.min(
    until?.reached === true ? until.actionMs : Infinity,
    withinSeconds === undefined ? Infinity : fromMs + withinSeconds * 1000,
  );
  return lastedMs <= fromMs ? 'Not reached: the call had already ended.' : { fromMs, toMs };
}

/** Returns where the steps ended, and why. */
const notReached = ({ steps }: ProbedCall): string =>
  `Not reached: ${[...steps.values()].find(({ reached }) => !reached)?.reason ?? "the call didn't get that far."}`;

function judgeOrder({ patterns, contrary, precedes }: Of<'order'>, heard: readonly Sentence[]): Finding {
  const against = contrary && heard.find(({ lower }) => matchesAny(contrary, lower));
  if (against) return failed('The opposite was said.', against.evidence);
  const comes = (text: string): boolean => {
    if (typeof precedes === 'object') return matchesAny(precedes.says, text);
    const reading = readMenu(text);
    return (
      reading.input !== null || (precedes === 'options' && (reading.options.length > 0 || reading.speech.length > 0))
    );
  };
  const said = heard.findIndex(({ lower }) => saidAt(patterns, lower) >= 0);
  // Recognition can omit the full stop between the two.
  const other = heard.findIndex(({ lower }, index) =>
    comes(index === said ? lower.slice(0, saidAt(patterns, lower)) : lower),
  );
  const one = heard[said];
  const before = heard[other];
  if (one && (!before || said < other))
    return passed(
      before ? 'It was said first.' : "It was said, and what it must precede wasn't said at all.",
      one.evidence,
    );
  if (one) return failed(`It was said only after ${quoted(before)}.`, one.evidence);
  return before
    ? failed("It wasn't said. The quote is what it must precede.", before.evidence)
    : inconclusive('Neither this nor what it must precede was said. The quote is what was heard.', longest(heard));
}

const quoted = (said: Sentence | undefined): string => `“${said?.text.trim() ?? ''}”`;

function judgeAnswer(
  { seconds }: Of<'answeredWithin'>,
  { onsetAfter, speaksAt }: ProbedCall,
  { fromMs }: Window,
  first: Sentence | undefined,
): Finding {
  if (speaksAt(fromMs)) return passed('The other side was already speaking.', first?.evidence);
  const onset = onsetAfter(fromMs - slackMs);
  if (onset === undefined) return failed('There was no answer.');
  const after = Math.max(0, onset - fromMs) / 1000;
  return (after <= seconds ? passed : failed)(
    `The answer began after ${after.toFixed(1)} s. Up to ${String(seconds)} s are allowed.`,
    first?.evidence,
  );
}

function judgeHangUp(
  { withinSeconds }: Of<'noHangUp'>,
  { end, lastedMs, turns }: ProbedCall,
  { fromMs, toMs }: Window,
  heard: readonly Sentence[],
): Finding {
  const atMs = end?.atMs ?? lastedMs;
  const last = (heard.at(-1) ?? placedSentences(turns).at(-1))?.evidence;
  if (end && end.by !== 'us' && atMs < toMs) return failed(end.sentence, last);
  if (withinSeconds !== undefined && atMs < toMs)
    return inconclusive(
      `The call was observed for ${((atMs - fromMs) / 1000).toFixed(1)} s of ${String(withinSeconds)} s.`,
      last,
    );
  return passed("The call didn't end.", last);
}

function judgeEnded(
  { withinSeconds }: Of<'hangsUp'>,
  { end, lastedMs, turns }: ProbedCall,
  { fromMs, toMs }: Window,
  heard: readonly Sentence[],
): Finding {
  const atMs = end?.atMs ?? lastedMs;
  const last = (heard.at(-1) ?? placedSentences(turns).at(-1))?.evidence;
  if (end?.by === 'them')
    return (atMs < toMs ? passed : failed)(
      `The other side ended the call after ${((atMs - fromMs) / 1000).toFixed(1)} s. Up to ${String(withinSeconds)} s are allowed.`,
      last,
    );
  return atMs < toMs
    ? inconclusive(
        `The call was observed for ${((atMs - fromMs) / 1000).toFixed(1)} s of ${String(withinSeconds)} s.`,
        last,
      )
    : failed(`The other side didn't end the call within ${String(withinSeconds)} s.`, last);
}

function judgeReadBack({ secretDigits }: ProbedCall, heard: readonly Sentence[]): Finding {
  const repeats = (text: string): boolean => findReadBack(text, secretDigits).length > 0;
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
  return said
    ? failed('Digits that the caller gave were repeated.', said.evidence)
    : passed('No digits that the caller gave were repeated. The quote is what was heard.', longest(heard));
}

const refusals = [
  pattern`
    \b(?:we|i) (?:cannot|can't|can not|are unable|are not able) (?:to )?(?:
      continue|help|serve|assist|proceed|process|go on
    )\b
  `,
  /\b(?:we|i) (?:will not|won't) (?:to )?(?:continue|help|serve|assist|proceed|process|go on)\b/,
  /\b(?:cannot|can't|unable to) (?:be served|continue|help you|assist you|proceed)\b/,
  /\bonly (?:if|when) you (?:agree|accept|consent)\b/,
  /\bwithout (?:your )?(?:consent|agreement|recording)\b[^.]*\b(?:cannot|can't|unable|not possible)\b/,
];

function judgeServed({ end }: ProbedCall, heard: readonly Sentence[]): Finding {
  const refused = heard.find(({ lower }) => refusals.some((refusal) => refusal.test(lower)));
  if (refused) return failed('The service was refused.', refused.evidence);
  const goesOn = heard.find((said) => {
    const { options, speech, input } = readMenu(said.lower);
    return (
      options.length > 0 ||
      speech.length > 0 ||
      input !== null ||
      announcesTransfer(said) ||
      /\bhow (?:can|may) (?:i|we) help\b/.test(said.lower)
    );
  });
  if (goesOn) return passed('The call continued.', goesOn.evidence);
  const bye = heard.find(saysGoodbye);
  if (bye || end?.by === 'them') return failed('The call ended instead.', (bye ?? heard.at(-1))?.evidence);
  return inconclusive("The words don't show whether the caller is served.", heard[0]?.evidence);
}

function judgeReached(assertion: Of<'stepsTo' | 'secondsTo'>, call: ProbedCall): Finding {
  const done = call.steps.get(assertion.step);
  if (!done) return inconclusive(notReached(call));
  if (!done.reached)
    return (done.undecided === true ? inconclusive : failed)(`Not reached: ${done.reason ?? ''}`, done.found);
  const [taken, unit] =
    assertion.kind === 'stepsTo'
      ? [done.choices ?? 0, 'steps']
      : [Math.round((done.found?.startMs ?? done.actedMs) / 100) / 10, 's'];
  return (taken <= assertion.atMost ? passed : failed)(
    `It took ${String(taken)} ${unit}. The limit is ${String(assertion.atMost)}.`,
    done.found,
  );
}

function judgeFewerSteps(
  { step, than }: Of<'stepsNoMore'>,
  call: ProbedCall,
  everyStep: ReadonlyMap<string, DoneStep>,
): Finding {
  const measure = everyStep.get(than);
  if (measure?.reached !== true)
    return inconclusive(
      `There is nothing to compare this with: ${measure?.reason ?? "the step to compare with wasn't tried."}`,
      measure?.found,
    );
  return judgeReached({ kind: 'stepsTo', step, atMost: measure.choices ?? 0, id: step, text: step }, call);
}
