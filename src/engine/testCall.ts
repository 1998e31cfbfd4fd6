import type { HangUp, Turn } from '../contract/testRuns.ts';
import { forbiddenKeyIn } from '../model/forbiddenKeys.ts';
import { SecretMask } from '../model/secretMask.ts';
import type { CallEnd } from '../telephony/call.ts';
import type { Clock } from '../telephony/clock.ts';
import { callAudio } from './callAudio.ts';
import type { Span } from './callAudio.ts';
import { CallLog } from './callLog.ts';
import type { EventStream } from './eventStream.ts';
import { describeHangUp } from './hangUp.ts';
import type { CallTestEnd, CallTestEvent } from './callTestEvent.ts';
import { DialError } from './talk.ts';
import type { Line, Talk } from './talk.ts';

export interface TestCallOptions {
  /** SIP URI. */
  readonly target: string;
  readonly line: Line;
  readonly clock: Clock;
  /** Aborting hangs up; the run ends as ERROR. */
  readonly signal: AbortSignal;
  /** The call is ended when it has lasted so long. */
  readonly budgetSeconds?: number;
  /** Keys that are not pressed on this call, such as `9*`. */
  readonly forbiddenKeys?: string;
}

/** An answered call. */
export interface OpenCall { readonly talk: Talk; readonly log: CallLog }

const pollMs = 100;
/** What is still being turned into text when a call ends comes within this. */
const lastWordsMs = 3000;

/** The one call of a test: dials, tells its turns, and ends it with what there is to tell of it. Secrets are masked wherever it tells anything. */
export class TestCall {
  readonly #options: TestCallOptions;
  readonly #events: EventStream<CallTestEvent>;
  readonly #secrets = new Set<string>();
  readonly #secretSpans: Span[] = [];
  #mask = new SecretMask([]);
  #open: OpenCall | undefined;
  #refused: HangUp | undefined;

  constructor(options: TestCallOptions, events: EventStream<CallTestEvent>) {
    this.#options = options;
    this.#events = events;
  }

  get open(): OpenCall | undefined { return this.#open; }
  get mask(): SecretMask { return this.#mask; }

  addSecrets(...secrets: readonly string[]): void {
    for (const secret of secrets) this.#secrets.add(secret).add(secret.replaceAll(',', ''));
    this.#mask = new SecretMask(this.#secrets);
  }

  /** Something secret was said then, by us. */
  addSecretSpan(span: Span): void { this.#secretSpans.push(span); }

  /** The open call; or why there is none, and whether that is the far side's failure rather than nobody's. */
  async dial(): Promise<OpenCall | { readonly refused: HangUp; readonly theirs: boolean }> {
    if (this.#open) return this.#open;
    const { line, target, signal, clock } = this.#options;
    try {
      const talk = await line.dial(target, signal);
      return this.#open = { talk, log: new CallLog(talk, clock, (turn) => { this.#events.push({ type: 'turn', turn: this.#shown(turn) }); }) };
    } catch (error) {
      if (!(error instanceof DialError)) throw error;
      signal.throwIfAborted();
      const { end: { kind }, sentence } = error;
      this.#refused = { ...describeHangUp(error.end), ...(sentence !== undefined && { sentence }) };
      return { refused: this.#refused, theirs: kind === 'busy' || kind === 'rejected' || kind === 'noAnswer' };
    }
  }

  get forbiddenKeys(): string { return this.#options.forbiddenKeys ?? ''; }

  /** Rejects where one of the keys is forbidden on this call, and presses none of them then. */
  async press(keys: string): Promise<void> {
    // Not told which: the keys may be secret.
    if (forbiddenKeyIn(keys, this.forbiddenKeys) !== undefined) throw new Error('Keys were to be pressed of which this workspace forbids one on the public network (forbiddenKeys). None was.');
    await this.#open?.talk.press(keys);
  }

  /** Lets something happen, or a moment pass. Rejects when the run is cancelled or its minutes are used up. */
  async next(timeoutMs = pollMs): Promise<void> {
    const { signal, budgetSeconds } = this.#options;
    signal.throwIfAborted();
    if (!this.#open) return;
    if (budgetSeconds !== undefined && this.#open.talk.now() / 1000 >= budgetSeconds) throw new Error('The minutes for this run are used up. Add capacity, or shorten the test.');
    await this.#open.log.next(timeoutMs);
  }

  /** How the call ended, in one sentence; undefined while it goes on. */
  describeEnd(): HangUp | undefined {
    if (this.#refused) return this.#refused;
    const { talk, log } = this.#open ?? {};
    const end: CallEnd | undefined = log?.ended?.end ?? talk?.ended;
    const last = log?.turns.findLast(({ speaker }) => speaker === 'them')?.text;
    return end && describeHangUp(end, last && this.#mask.text(last), log?.ended?.atMs);
  }

  /** Hangs up, waits for the last words, and tells what there is: audio, both sides' words, times. `beforeTelling` may still add secrets. */
  async finish(beforeTelling?: () => void): Promise<Omit<CallTestEnd, 'outcome' | 'steps'>> {
    if (!this.#open) {
      beforeTelling?.();
      return { transcript: [], callSeconds: 0, ...(this.#refused && { hangUp: this.#refused }) };
    }
    const { talk, log } = this.#open;
    const { clock } = this.#options;
    if (!talk.ended) await talk.hangUp();
    for (const until = clock.now() + lastWordsMs; !log.ended && clock.now() < until;) await log.next(pollMs);
    log.close();
    beforeTelling?.();
    this.#events.push({ type: 'audio', audio: callAudio(talk, [...this.#secretSpans, ...log.spansOf((words) => this.#mask.hidden(words))]) });
    const hangUp = this.describeEnd();
    return {
      transcript: log.turns.map((turn) => this.#shown(turn)), callSeconds: Math.round(talk.now() + talk.setupSeconds * 1000) / 1000,
      ...(talk.setupSeconds > 0 && { postDialMs: Math.round(talk.setupSeconds * 1000) }), ...(hangUp && { hangUp }),
    };
  }

  #shown(turn: Turn): Turn { return { ...turn, text: this.#mask.text(turn.text) }; }
}
