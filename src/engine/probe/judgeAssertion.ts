import { because, join, sentence, Sentences } from '../../base/sentences.ts';
import { pattern } from '../../base/rows.ts';
import type { ProbeAssertion } from '../../contract/probe.ts';
import { announcesTransfer, saysGoodbye } from '../../language/heard/callEnds.ts';
import { readMenu } from '../../language/menu/readMenu.ts';
import { saidAt } from './denial.ts';
import { sentencesOfEnd } from '../call/hangUp.ts';
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

/** The state of a step that wasn't reached is read from this template. */
const notReachedYet = sentence`Not reached:`;
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
      return window instanceof Sentences ? inconclusive(window) : judgeWithin(assertion, call, window);
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
        ? failed(join(sentence`Nothing more was said:`, sentencesOfEnd(call.end)))
        : inconclusive(sentence`Nothing was heard in that part of the call.`);
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
  if (against) return failed(sentence`The opposite was said.`, against.evidence);
  const said = heard.find(({ lower }) => saidAt(patterns, lower) >= 0) ?? lastOfEach(orEach, heard);
  if (said) return passed(sentence`It was said.`, said.evidence);
  if (withinSeconds !== undefined && call.end?.by !== 'us' && call.lastedMs < toMs)
    return inconclusive(
      join(sentence`The call ended too soon to judge this:`, call.end && sentencesOfEnd(call.end)),
      longest(heard),
    );
  const why =
    withinSeconds === undefined
      ? sentence`Nothing like this was said. The quote is what was heard.`
      : sentence`Nothing like this was said within ${withinSeconds} s. The quote is what was heard.`;
  return { outcome: missing, ...because(why), evidence: longest(heard) };
}

function judgeNeverSays({ patterns, unless = [] }: Of<'neverSays'>, heard: readonly Sentence[]): Finding {
  const said = heard.find(({ lower }) => matchesAny(patterns, lower) && !matchesAny(unless, lower));
  return said
    ? failed(sentence`It was said.`, said.evidence)
    : passed(sentence`Nothing like this was said. The quote is what was heard.`, longest(heard));
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
function windowOf({ after, before, reached, withinSeconds }: ProbeAssertion, call: ProbedCall): Window | Sentences {
  const { steps, lastedMs } = call;
  if ([reached, after].some((name) => name !== undefined && steps.get(name)?.reached !== true)) return notReached(call);
  const from = after === undefined ? undefined : steps.get(after);
  const fromMs = from?.actedMs ?? 0;
  const until = before === undefined ? undefined : steps.get(before);
  const toMs = Math.min(
    until?.reached === true ? until.actionMs : Infinity,
    withinSeconds === undefined ? Infinity : fromMs + withinSeconds * 1000,
  );
  return lastedMs <= fromMs ? join(notReachedYet, sentence`The call had already ended.`) : { fromMs, toMs };
}

/** Returns where the steps ended, and why. */
const notReached = ({ steps }: ProbedCall): Sentences =>
  join(
    notReachedYet,
    [...steps.values()].find(({ reached }) => !reached)?.reason ?? sentence`The call didn't get that far.`,
  );

function judgeOrder({ patterns, contrary, precedes }: Of<'order'>, heard: readonly Sentence[]): Finding {
  const against = contrary && heard.find(({ lower }) => matchesAny(contrary, lower));
  if (against) return failed(sentence`The opposite was said.`, against.evidence);
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
      before ? sentence`It was said first.` : sentence`It was said, and what it must precede wasn't said at all.`,
      one.evidence,
    );
  if (one) return failed(sentence`It was said only after “${before?.text.trim() ?? ''}”.`, one.evidence);
  return before
    ? failed(sentence`It wasn't said. The quote is what it must precede.`, before.evidence)
    : inconclusive(
        sentence`Neither this nor what it must precede was said. The quote is what was heard.`,
        longest(heard),
      );
}

function judgeAnswer(
  { seconds }: Of<'answeredWithin'>,
  { onsetAfter, speaksAt }: ProbedCall,
  { fromMs }: Window,
  first: Sentence | undefined,
): Finding {
  if (speaksAt(fromMs)) return passed(sentence`The other side was already speaking.`, first?.evidence);
  const onset = onsetAfter(fromMs - slackMs);
  if (onset === undefined) return failed(sentence`There was no answer.`);
  const after = Math.max(0, onset - fromMs) / 1000;
  return (after <= seconds ? passed : failed)(
    sentence`The answer began after ${after.toFixed(1)} s. Up to ${seconds} s are allowed.`,
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
  if (end && end.by !== 'us' && atMs < toMs) return failed(sentencesOfEnd(end), last);
  if (withinSeconds !== undefined && atMs < toMs)
    return inconclusive(
      sentence`The call was observed for ${((atMs - fromMs) / 1000).toFixed(1)} s of ${withinSeconds} s.`,
      last,
    );
  return passed(sentence`The call didn't end.`, last);
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
      sentence`The other side ended the call after ${((atMs - fromMs) / 1000).toFixed(1)} s. Up to ${withinSeconds} s are allowed.`,
      last,
    );
  return atMs < toMs
    ? inconclusive(
        sentence`The call was observed for ${((atMs - fromMs) / 1000).toFixed(1)} s of ${withinSeconds} s.`,
        last,
      )
    : failed(sentence`The other side didn't end the call within ${withinSeconds} s.`, last);
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
    ? failed(sentence`Digits that the caller gave were repeated.`, said.evidence)
    : passed(sentence`No digits that the caller gave were repeated. The quote is what was heard.`, longest(heard));
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
  if (refused) return failed(sentence`The service was refused.`, refused.evidence);
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
  if (goesOn) return passed(sentence`The call continued.`, goesOn.evidence);
  const bye = heard.find(saysGoodbye);
  if (bye || end?.by === 'them') return failed(sentence`The call ended instead.`, (bye ?? heard.at(-1))?.evidence);
  return inconclusive(sentence`The words don't show whether the caller is served.`, heard[0]?.evidence);
}

function judgeReached(assertion: Of<'stepsTo' | 'secondsTo'>, call: ProbedCall): Finding {
  const done = call.steps.get(assertion.step);
  if (!done) return inconclusive(notReached(call));
  if (!done.reached)
    return (done.undecided === true ? inconclusive : failed)(join(notReachedYet, done.reason), done.found);
  const isCounted = assertion.kind === 'stepsTo';
  const taken = isCounted ? (done.choices ?? 0) : Math.round((done.found?.startMs ?? done.actedMs) / 100) / 10;
  return (taken <= assertion.atMost ? passed : failed)(
    isCounted
      ? sentence`It took ${taken} steps. The limit is ${assertion.atMost}.`
      : sentence`It took ${taken} s. The limit is ${assertion.atMost}.`,
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
      join(
        sentence`There is nothing to compare this with:`,
        measure?.reason ?? sentence`The step to compare with wasn't tried.`,
      ),
      measure?.found,
    );
  return judgeReached({ kind: 'stepsTo', step, atMost: measure.choices ?? 0, id: step, text: step }, call);
}
