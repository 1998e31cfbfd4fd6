import { because, join, reasonOf, sentence, sentencesOf, type Sentences } from '../../base/sentences.ts';
import type { Check } from '../../contract/checks.ts';
import { checksIn, stepsNamed, type NamedCheck, type Probe, type ProbeStep } from '../../contract/probe.ts';
import { evaluate } from '../../language/checks/evaluate.ts';
import { hearCall, type CallFacts } from '../../language/checks/heardCall.ts';
import type { Evidence } from '../../language/heard/quotes.ts';
import type { RunOutcome, StepResult } from '../../contract/testRuns.ts';
import { verdictOutcomes } from '../../model/checks/outcomes.ts';
import { SecretMask } from '../../model/secrets/secretMask.ts';
import type { CallTestEnd, CallTestEvent } from '../call/callTestEvent.ts';
import { streamUntilClosed } from '../eventStream.ts';
import type { TestCallOptions } from '../call/testCall.ts';
import { CallSequence } from './callSequence.ts';
import { whyNotNow } from './farTime.ts';
import { placeCall } from './placeCall.ts';
import type { Broken, PlacedCall } from './placeCall.ts';
import type { CallStep } from './probeCaller.ts';
import { tellingParts } from '../../model/secrets/readBack.ts';

interface ProbeOptions extends TestCallOptions {
  readonly probe: Probe;
  /** The calls are ended after this long together. What wasn't reached by then is INCONCLUSIVE. Default 600. */
  readonly maxSeconds?: number;
  /** E.164, if the target stands for a number. Its country determines the called side's local time. */
  readonly phoneNumber?: string | undefined;
  /** The time of day. Default: the system's. */
  readonly now?: () => Date;
}

/**
 * Runs a compliance probe: its calls one after the other, their steps in order, then a result for each check, with
 * the words that show it. A pass is evidence of these calls, not a certificate. If the reader stops reading, the call
 * is hung up, and no more are placed.
 */
export function runProbe(options: ProbeOptions): AsyncIterable<CallTestEvent> {
  const events = new CallSequence(secretsOf(options.probe.dialogue.steps));
  return streamUntilClosed(events, options.signal, async (signal) => {
    const ended = await new ProbeRun({ ...options, signal }, events).run().catch((error: unknown): CallTestEnd => ({
      outcome: 'ERROR',
      ...because(sentencesOf(error)),
      steps: [],
      transcript: [],
      callSeconds: 0,
    }));
    events.push({ type: 'ended', ended });
  });
}

/** A shorter call isn't placed. */
const minSeconds = 5;

/** One call of a probe: its purpose if it isn't the first, its steps, and its result. */
interface CallPart {
  readonly opening?: Extract<ProbeStep, { do: 'call' }>;
  readonly steps: CallStep[];
  placed?: PlacedCall;
  offsetMs: number;
}

class ProbeRun {
  readonly #options: ProbeOptions;
  readonly #events: CallSequence;
  readonly #parts: readonly CallPart[];

  constructor(options: ProbeOptions, events: CallSequence) {
    this.#options = options;
    this.#events = events;
    this.#parts = partsOf(options.probe.dialogue.steps);
  }

  async run(): Promise<CallTestEnd> {
    const {
      probe: { dialogue, reviewedOn, rule },
      now = () => new Date(),
      phoneNumber,
    } = this.#options;
    const notNow = dialogue.localTime && whyNotNow(dialogue.localTime, phoneNumber, now());
    if (notNow === undefined) await this.#placeCalls();
    const without =
      notNow === undefined
        ? (this.#error() ?? this.#notApplicable())
        : ({ outcome: 'INCONCLUSIVE', why: notNow } as const);
    const results = dialogue.checks.map((check, index) => {
      const result = this.#result(check, without);
      this.#events.push({ type: 'step', index, result });
      return result;
    });
    return {
      ...verdictOf(results, this.#parts.length, reviewedOn !== undefined || rule === undefined),
      steps: results,
      ...this.#events.ended(this.#parts.flatMap(({ placed }) => placed?.ended ?? [])),
    };
  }

  /** Places the calls one after the other, until one isn't answered or the time is used up. */
  async #placeCalls(): Promise<void> {
    const { maxSeconds = 600, budgetSeconds, ...options } = this.#options;
    const allowedSeconds = Math.min(maxSeconds, budgetSeconds ?? Infinity);
    let usedSeconds = 0;
    for (const part of this.#parts) {
      if (part.opening && allowedSeconds - usedSeconds < minSeconds) break;
      part.offsetMs = this.#events.nextCall(part.opening?.why);
      part.placed = await placeCall(
        {
          ...options,
          opening: part.opening?.id,
          steps: part.steps,
          secretDigits: this.#events.secretDigits,
          tellLanguages: this.#options.probe.dialogue.checks.flatMap(checksIn).some(({ kind }) => kind === 'language'),
          isDecided: (facts) => this.#isDecided(facts),
          maxSeconds: maxSeconds - usedSeconds,
          ...(budgetSeconds !== undefined && { budgetSeconds: budgetSeconds - usedSeconds }),
        },
        this.#events,
      );
      usedSeconds += part.placed.ended.callSeconds;
      if (part.placed.broken) break;
    }
    this.#events.tellAudio();
  }

  #error(): Broken | undefined {
    return this.#parts.map(({ placed }) => placed?.broken).find((broken) => broken?.outcome === 'ERROR');
  }

  #notApplicable(): ProbeFinding | undefined {
    const { appliesIf } = this.#options.probe.dialogue;
    if (!appliesIf || this.#parts.some(({ placed }) => placed?.broken)) return undefined;
    return this.#judge(appliesIf.check).outcome === 'PASS'
      ? undefined
      : {
          outcome: 'INCONCLUSIVE',
          why: join(sentence`Nothing to observe on this call:`, sentencesOf(appliesIf.why)),
        };
  }

  #result(check: NamedCheck, without: ProbeFinding | undefined): StepResult {
    const { offsetMs } = this.#partOf(check);
    const { outcome, why, evidence } = without ?? this.#judge(check);
    const mask = new SecretMask(this.#events.secretDigits.flatMap(tellingParts));
    const { quote = '', startMs, endMs } = evidence ?? {};
    return {
      name: check.name,
      outcome,
      ...because(this.#events.masked(why.with((value) => mask.text(value)))),
      ...(quote !== '' && { transcript: this.#events.said(mask.text(quote), (endMs ?? 0) + offsetMs) }),
      ...(startMs !== undefined && { startMs: startMs + offsetMs }),
      ...(endMs !== undefined && { endMs: endMs + offsetMs }),
    };
  }

  #judge(check: Check): ProbeFinding {
    const { placed } = this.#partOf(check);
    if (!placed)
      return (
        this.#parts.find((other) => other.placed?.broken)?.placed?.broken ?? {
          outcome: 'INCONCLUSIVE',
          why: join(sentence`Not reached:`, sentence`The time for this probe was used up.`),
        }
      );
    if (placed.broken) return placed.broken;
    const { facts } = placed;
    // The steps of the own call come first: the first that wasn't reached is the reason.
    const steps = [facts, ...this.#parts.flatMap((other) => other.placed?.facts ?? [])].flatMap((one) => [
      ...(one.steps ?? []),
    ]);
    const [result] = evaluate([check], hearCall({ ...facts, steps: new Map(steps) }));
    if (!result) throw new Error('a check without a result');
    return { outcome: verdictOutcomes[result.verdict], why: result.why, evidence: result.evidence[0] };
  }

  /** Returns true if no check can change any more. Only for one call: another call may compare itself with this one. */
  #isDecided(facts: CallFacts): boolean {
    const { checks, appliesIf } = this.#options.probe.dialogue;
    const all = [...checks, ...(appliesIf ? [appliesIf.check] : [])];
    return (
      this.#parts.length === 1 &&
      all.flatMap(checksIn).every(isLasting) &&
      evaluate(all, { ...hearCall(facts), ending: 'cut' }).every(({ verdict }) => verdict !== 'inconclusive')
    );
  }

  /** Returns the call of a check: that of the step which it names, otherwise the first. */
  #partOf(check: Check): CallPart {
    const [named] = stepsNamed(check);
    const part = this.#parts.find(
      ({ opening, steps }) => named === undefined || opening?.id === named || steps.some(({ id }) => id === named),
    );
    if (!part) throw new Error('a check about a step that there is not');
    return part;
  }
}

/** The result of a check, with the words that show it. */
interface ProbeFinding {
  readonly outcome: RunOutcome;
  readonly why: Sentences;
  readonly evidence?: Evidence | undefined;
}
/** Checks of these kinds keep a verdict that they have before the end of the call, and so does any option at all. */
const lasting: ReadonlySet<Check['kind']> = new Set([
  'says',
  'neverSays',
  'neverReadsBack',
  'asksFor',
  'hangsUp',
  'any',
  'all',
  'not',
]);
const isLasting = (check: Check): boolean =>
  check.kind === 'offers' ? Object.keys(check).length === 1 : lasting.has(check.kind);

function partsOf(steps: readonly ProbeStep[]): CallPart[] {
  const parts: CallPart[] = [{ steps: [], offsetMs: 0 }];
  for (const step of steps) {
    if (step.do === 'call') parts.push({ opening: step, steps: [], offsetMs: 0 });
    else parts.at(-1)?.steps.push(step);
  }
  return parts;
}

const secretsOf = (steps: readonly ProbeStep[]): string[] =>
  steps.flatMap((step) => {
    if (step.do === 'say') return step.secretDigits ?? [];
    return step.do === 'answer' && typeof step.give === 'object' && step.give.secret ? step.give.digits : [];
  });

/** Returns the worst outcome, in one sentence. */
function verdictOf(
  results: readonly StepResult[],
  calls: number,
  isReviewed: boolean,
): Pick<CallTestEnd, 'outcome' | 'reason' | 'reasonParts'> {
  const worst = (['ERROR', 'FAIL', 'INCONCLUSIVE'] as const).find((outcome) =>
    results.some((result) => result.outcome === outcome),
  );
  const unreviewed = isReviewed ? undefined : sentence`No lawyer has reviewed this probe.`;
  if (!worst) {
    const observed =
      calls === 1
        ? sentence`Observed on this call: ${results.length} of ${results.length}. This is evidence, not a certificate.`
        : sentence`Observed on these calls: ${results.length} of ${results.length}. This is evidence, not a certificate.`;
    return { outcome: 'PASS', ...because(join(observed, unreviewed)) };
  }
  const first = results.find(({ outcome }) => outcome === worst);
  const why = first && reasonOf(first);
  const name = first?.name ?? '';
  if (worst === 'FAIL') return { outcome: worst, ...because(join(sentence`“${name}” wasn't met:`, why, unreviewed)) };
  const what = worst === 'ERROR' ? undefined : sentence`“${name}” wasn't observed:`;
  return { outcome: worst, ...because(join(what, why)) };
}
