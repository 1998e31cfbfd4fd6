import type { Probe, ProbeDialogue, ProbeStep } from '../../contract/compliance.ts';
import type { RunOutcome, StepResult, Turn } from '../../contract/testRuns.ts';
import type { CallTestEnd, CallTestEvent } from '../callTestEvent.ts';
import { EventStream } from '../eventStream.ts';
import { TestCall } from '../testCall.ts';
import type { TestCallOptions } from '../testCall.ts';
import { judgeAssertion, matchesAny, placedSentences } from './judgeAssertion.ts';
import type { Finding } from './judgeAssertion.ts';
import type { DoneStep, ProbedCall } from './probedCall.ts';
import { ProbeCaller } from './probeCaller.ts';
import { maskReadBack, readBackWords, tellingParts } from './readBack.ts';

export interface ProbeOptions extends TestCallOptions {
  readonly probe: Probe;
  /** The call is ended when it has lasted so long; what was not reached by then is INCONCLUSIVE. Default 600. */
  readonly mostSeconds?: number;
}

/** Runs a compliance probe: one call, its steps in order, then a result for each assertion, with the words that show it. What passes is evidence of this one call, no certificate. */
export function runProbe(options: ProbeOptions): AsyncIterable<CallTestEvent> {
  const events = new MaskedEvents(secretsOf(options.probe.dialogue?.steps ?? []));
  void new ProbeRun(options, events).run().then((ended) => {
    events.push({ type: 'ended', ended });
    events.close();
  });
  return events;
}

/** Numbers are read back in more ways than a test's own mask knows ("forty twelve"): nothing leaves with them. */
class MaskedEvents extends EventStream<CallTestEvent> {
  readonly secretDigits: readonly string[];

  constructor(secretDigits: readonly string[]) {
    super();
    this.secretDigits = secretDigits;
  }

  text(text: string): string { return maskReadBack(text, this.secretDigits); }

  override push(event: CallTestEvent): void {
    super.push(event.type === 'turn' && event.turn.speaker === 'them' ? { type: 'turn', turn: this.turn(event.turn) } : event);
  }

  turn(turn: Turn): Turn { return turn.speaker === 'them' ? { ...turn, text: this.text(turn.text) } : turn; }
}

/** What is still being turned into text when a call ends comes within this. */
const lastWordsMs = 3000;
const pollMs = 100;

/** Why there is nothing to look at: how every assertion ends then. */
interface Broken { readonly outcome: 'ERROR' | 'INCONCLUSIVE'; readonly reason: string }

class ProbeRun {
  readonly #options: ProbeOptions;
  readonly #events: MaskedEvents;
  readonly #call: TestCall;
  readonly #steps = new Map<string, DoneStep>();

  constructor(options: ProbeOptions, events: MaskedEvents) {
    this.#options = options;
    this.#events = events;
    this.#call = new TestCall(options, events);
  }

  async run(): Promise<CallTestEnd> {
    const { runnable, notYet, dialogue } = this.#options.probe;
    if (!runnable || !dialogue) return { outcome: 'ERROR', reason: `This probe cannot be run yet: ${notYet ?? 'it has no dialogue.'}`, steps: [], transcript: [], callSeconds: 0 };
    const { secretDigits } = this.#events;
    this.#call.addSecrets(...secretDigits.flatMap(tellingParts));
    const broken = await this.#converse(dialogue).catch((error: unknown) => this.#error(error));
    await this.#hangUp();
    const ended = this.#masked(await this.#call.finish());
    const log = this.#call.open?.log;
    const probed: ProbedCall = {
      turns: log?.turns ?? [], steps: this.#steps, end: ended.hangUp, lastedMs: ended.hangUp?.atMs ?? this.#call.open?.talk.now() ?? 0, secretDigits,
      onsetAfter: (fromMs) => log?.onsetAfter(fromMs),
    };
    const without = broken ?? notApplicable(dialogue, probed);
    const results = dialogue.assertions.map((assertion, index) => {
      const result = this.#result(assertion.text, without ?? judgeAssertion(assertion, probed));
      this.#events.push({ type: 'step', index, result });
      return result;
    });
    return { ...verdictOf(results), steps: results, ...ended };
  }

  /** Dials and does the steps, until one is not reached or the call is over. */
  async #converse({ steps }: ProbeDialogue): Promise<Broken | undefined> {
    const call = await this.#call.dial();
    if ('refused' in call) return { outcome: call.theirs ? 'INCONCLUSIVE' : 'ERROR', reason: call.refused.sentence };
    const caller = new ProbeCaller(this.#call, call, this.#options.mostSeconds ?? 600);
    for (const step of steps) {
      const done = await caller.do(step);
      this.#steps.set(step.id, done);
      if (!done.reached) break;
    }
    return undefined;
  }

  /** Before the audio is told, every word must be known: some are silenced in it. */
  async #hangUp(): Promise<void> {
    if (!this.#call.open) return;
    const { talk, log } = this.#call.open;
    const { clock } = this.#options;
    if (!talk.ended) await talk.hangUp();
    for (const until = clock.now() + lastWordsMs; !log.ended && clock.now() < until;) await log.next(pollMs);
    for (const span of log.spansOf((words) => readBackWords(words, this.#events.secretDigits))) this.#call.addSecretSpan(span);
  }

  #masked(ended: Omit<CallTestEnd, 'outcome' | 'steps'>): Omit<CallTestEnd, 'outcome' | 'steps'> {
    const { hangUp, transcript } = ended;
    return { ...ended, transcript: transcript.map((turn) => this.#events.turn(turn)), ...(hangUp && { hangUp: { ...hangUp, sentence: this.#events.text(hangUp.sentence) } }) };
  }

  #error(error: unknown): Broken {
    const { signal } = this.#options;
    return { outcome: 'ERROR', reason: signal.aborted ? String(signal.reason) : error instanceof Error ? error.message : String(error) };
  }

  #result(name: string, { outcome, reason, evidence }: Finding): StepResult {
    const shown = (text: string): string => this.#events.text(this.#call.mask.text(text));
    return {
      name, outcome, reason: shown(reason),
      ...(evidence && { transcript: shown(evidence.quote) }), ...(evidence?.startMs !== undefined && { startMs: evidence.startMs }), ...(evidence?.endMs !== undefined && { endMs: evidence.endMs }),
    };
  }
}

const secretsOf = (steps: readonly ProbeStep[]): string[] => steps.flatMap((step) => {
  if (step.do === 'say') return step.secretDigits ?? [];
  return step.do === 'answer' && typeof step.give === 'object' && step.give.secret ? step.give.digits : [];
});

function notApplicable({ appliesIf }: ProbeDialogue, { turns }: ProbedCall): Broken | undefined {
  if (!appliesIf || placedSentences(turns).some(({ lower }) => matchesAny(appliesIf.says, lower))) return undefined;
  return { outcome: 'INCONCLUSIVE', reason: `Nothing to observe on this call: ${appliesIf.why}` };
}

/** The gravest outcome, in one sentence. */
function verdictOf(results: readonly StepResult[]): { readonly outcome: RunOutcome; readonly reason: string } {
  const worst = (['ERROR', 'FAIL', 'INCONCLUSIVE'] as const).find((outcome) => results.some((result) => result.outcome === outcome));
  if (!worst) return { outcome: 'PASS', reason: `Observed on this call: ${String(results.length)} of ${String(results.length)}. That is evidence, no certificate.` };
  const first = results.find(({ outcome }) => outcome === worst);
  return { outcome: worst, reason: worst === 'ERROR' ? first?.reason ?? '' : `“${first?.name ?? ''}” ${worst === 'FAIL' ? 'was not met' : 'was not observed'}: ${first?.reason ?? ''}` };
}
