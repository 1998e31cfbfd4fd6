import type { HangUp, Turn } from '../../contract/testRuns.ts';
import { callBounds } from '../../model/calls/callBudget.ts';
import { LiveGuard } from '../../language/mission/liveGuard.ts';
import type { ReadBackParts } from '../../model/secrets/readBack.ts';
import { SecretMask } from '../../model/secrets/secretMask.ts';
import type { CallEnd, SendDigitsOptions } from '../../telephony/call.ts';
import { because, join, sentence, sentencesOf, type Sentences } from '../../base/sentences.ts';
import { withoutUndefined } from '../../base/withoutUndefined.ts';
import { sleep } from '../../base/clock.ts';
import type { Clock, TimerHandle } from '../../base/clock.ts';
import { callAudio, mixed, samplesPerMs } from './callAudio.ts';
import type { AudioSpan, LiveSound } from './callAudio.ts';
import { CallLog, spansOf } from '../hearing/callLog.ts';
import type { CallToHear } from '../hearing/listen.ts';
import { patience } from '../hearing/patience.ts';
import type { CallTestEnd, CallTestEvent } from './callTestEvent.ts';
import type { EventStream } from '../eventStream.ts';
import { Door, type ChosenBy, type Deed, type Refused } from './door.ts';
import { sentencesOfEnd } from '../../model/calls/sentencesOfEnd.ts';
import { describeHangUp, saidBefore, withSentences } from './hangUp.ts';
import { Lateness } from '../hearing/lateness.ts';
import { DialError, lettingGoSeconds } from './activeCall.ts';
import type { Dialer, ActiveCall, EarlyMedia } from './activeCall.ts';

export interface TestCallOptions {
  /** SIP URI. */
  readonly target: string;
  readonly dialer: Dialer;
  readonly clock: Clock;
  /** Aborting hangs up; the run ends as ERROR. */
  readonly signal: AbortSignal;
  /** The call is hung up when it has lasted this long since the answer, whatever is happening. */
  readonly budgetSeconds?: number;
  /**
   * Silence before the first word, and after words that ask for nothing, that counts as dead air. The default depends
   * on the kind of test.
   */
  readonly patienceMs?: number | undefined;
  /** Keys that aren't pressed on this call, such as `9*`. */
  readonly forbiddenKeys?: string | undefined;
  /** The called side has answered such a call before, so it is to blame if it doesn't respond to this one. */
  readonly hasAnswered?: boolean;
  /** The number is live: a caller that finds its own way does nothing irreversible that wasn't requested. */
  readonly guarded?: boolean | undefined;
  /**
   * What a caller that finds its own way is to do, in the user's words. Undefined if a person wrote
   * each step: then none is judged.
   */
  readonly purpose?: string | undefined;
  /** Gets the sound of a call when it is answered. */
  readonly onSound?: ((sound: LiveSound) => void) | undefined;
}

export interface OpenCall extends CallToHear {
  readonly call: ActiveCall;
  readonly door: Door;
}

interface How {
  readonly chosenBy?: ChosenBy;
  readonly isSecret?: boolean;
  readonly digits?: SendDigitsOptions;
  /** What is added to the log. */
  readonly shown?: Deed;
}

/** What the caller says and presses comes back as an echo within this time, even on the longest connections. */
const echoMs = 1500;
/** An entry is read back within this time, perhaps in pieces with pauses in between. */
const readBackMs = 20_000;

/** The one call of a test: dials, reports turns, and reports the end. Secrets are masked in everything it reports. */
export class TestCall {
  readonly #options: TestCallOptions;
  readonly #events: EventStream<CallTestEvent>;
  readonly #secrets = new Set<string>();
  readonly #secretSpans: AudioSpan[] = [];
  /** When the caller gave something secret. */
  readonly #givenMs: number[] = [];
  /** Listeners to the active call hear nothing before this time. */
  #quietToMs = -Infinity;
  readonly #over = new AbortController();
  readonly lateness = new Lateness();
  readonly #signal: AbortSignal;
  #budget: TimerHandle | undefined;
  #mask = new SecretMask([]);
  #open: OpenCall | undefined;
  #refused: { readonly refused: HangUp; readonly theirs: boolean } | undefined;
  #early: EarlyMedia | undefined;

  constructor(options: TestCallOptions, events: EventStream<CallTestEvent>) {
    this.#options = options;
    this.#events = events;
    this.#signal = AbortSignal.any([options.signal, this.#over.signal]);
  }

  /** Aborted when the run is cancelled, or the call has used its seconds. The reason is a sentence. */
  get signal(): AbortSignal {
    return this.#signal;
  }
  get open(): OpenCall | undefined {
    return this.#open;
  }
  get mask(): SecretMask {
    return this.#mask;
  }
  /** The words so far of an utterance that isn't over, since the caller's last act, or none. */
  get hearing(): string {
    const { text, startMs, endMs } = this.#open?.log.hearing ?? {};
    return text === undefined ? '' : this.#shown({ text, startMs, endMs, speaker: 'them' }).text;
  }

  addSecrets(...secrets: readonly string[]): void {
    for (const secret of secrets) this.#secrets.add(secret);
    this.#mask = new SecretMask(this.#secrets);
  }

  /** Something secret was said in this span. */
  addSecretSpan(span: AudioSpan): void {
    this.#secretSpans.push(span);
  }

  /**
   * Notes that the caller said or pressed something secret. It can come back, even tones if the called side doesn't
   * support telephone events.
   */
  #gaveSecret(startMs: number, endMs: number): void {
    this.#givenMs.push(startMs);
    this.addSecretSpan({ startMs, endMs: endMs + echoMs });
  }

  /** Something secret was perhaps said so far. */
  quietSoFar(): void {
    this.#quietToMs = Math.max(this.#quietToMs, this.#open?.call.now() ?? 0);
  }

  /**
   * Returns how much of a secret to search for in the called side's words: pieces soon after it was given, otherwise as
   * much as is rarely said by chance.
   */
  partsAt(startMs = 0, endMs = startMs): ReadBackParts {
    return this.#givenMs.some((givenMs) => endMs >= givenMs && startMs <= givenMs + readBackMs) ? 'pieces' : 'ends';
  }

  /** Returns the open call, or why there is none, and whether the called side is to blame. */
  async dial(
    ringSeconds: number = callBounds.setup,
  ): Promise<OpenCall | { readonly refused: HangUp; readonly theirs: boolean }> {
    const dialled = this.#open ?? this.#refused;
    if (dialled) return dialled;
    const { dialer, target, signal, clock } = this.#options;
    try {
      const call = await dialer.dial(target, signal, { ringSeconds });
      this.#endInTime(call);
      const onTurn = (turn: Turn): void => {
        this.#events.push({ type: 'turn', turn: this.#shown(turn) });
      };
      const log = new CallLog(call, clock, onTurn, this.#signal);
      const next = async (timeoutMs: number): Promise<void> => {
        this.#signal.throwIfAborted();
        await log.next(timeoutMs);
      };
      void call.early?.then((early) => this.#heardEarly(early));
      this.#open = { call, log, next, door: this.#doorOf({ call, log, next }) };
      this.#options.onSound?.(this.#soundOf(call));
      return this.#open;
    } catch (error) {
      if (!(error instanceof DialError)) throw error;
      signal.throwIfAborted();
      const { end } = error;
      const { by, kind } = end;
      const isSilent = this.#options.hasAnswered === true && by === 'network' && kind === 'unreachable';
      const refused = withSentences(
        describeHangUp(end),
        isSilent ? sentence`The called side didn't respond to this call: ${end.reason}.` : error.sentence,
      );
      this.#heardEarly(error.early);
      return (this.#refused = {
        refused: withSentences(refused, join(sentencesOfEnd(refused), saidBefore(this.#earlyTurns()[0]?.text))),
        theirs: isSilent || kind === 'busy' || kind === 'rejected' || kind === 'noAnswer' || kind === 'noCommonCodec',
      });
    }
  }

  /** Returns what was said before the answer, once it is text. */
  async beforeAnswer(): Promise<EarlyMedia | undefined> {
    return (await this.#open?.call.early) ?? this.#early;
  }

  #heardEarly(early: EarlyMedia | undefined): void {
    this.#early = early;
    for (const turn of this.#earlyTurns()) this.#events.push({ type: 'turn', turn });
  }

  /** Times count from the answer, or in the recording of a call that wasn't answered. */
  #earlyTurns(): Turn[] {
    const [first, ...others] = this.#early?.utterances ?? [];
    if (!this.#early || !first) return [];
    const startsMs = this.#open ? -this.#early.pcm.length / samplesPerMs : 0;
    return [
      {
        speaker: 'them',
        text: this.#mask.text(this.#early.text),
        startMs: Math.round(startsMs + first.startMs),
        endMs: Math.round(startsMs + (others.at(-1) ?? first).endMs),
        beforeAnswer: true,
      },
    ];
  }

  /**
   * No one can know that a secret is said before it was said. So this is silent while turns are held back, and from the
   * moment a secret is given until it has had time to be read back.
   */
  #soundOf(call: ActiveCall): LiveSound {
    return {
      get isOver() {
        return call.ended !== undefined;
      },
      now: () => call.now(),
      read: (fromMs, toMs) => {
        if (this.#events.isHeld) this.quietSoFar();
        const audio = callAudio(call, [{ startMs: 0, endMs: this.#quietToMs }]);
        return mixed(audio.read(Math.round(fromMs * samplesPerMs), Math.round(toMs * samplesPerMs)));
      },
    };
  }

  #doorOf(line: Omit<OpenCall, 'door'>): Door {
    const { guarded, purpose } = this.#options;
    const guard = guarded === true && purpose !== undefined ? new LiveGuard(purpose) : undefined;
    return new Door({ ...line, forbiddenKeys: this.forbiddenKeys, guard });
  }

  get patienceMs(): number | undefined {
    return this.#options.patienceMs;
  }
  get forbiddenKeys(): string {
    return this.#options.forbiddenKeys ?? '';
  }

  /** Presses keys or says words, and adds them to the log. Returns the time span, or why nothing was sent. */
  async act(
    { call, door, log }: OpenCall,
    deed: Deed,
    { chosenBy, isSecret, shown = deed, digits }: How = {},
  ): Promise<AudioSpan | Refused> {
    if (isSecret) this.#quietToMs = Infinity;
    const sent = await door.send(deed, chosenBy, digits);
    if (isSecret) this.#quietToMs = call.now() + readBackMs;
    if ('because' in sent) return sent;
    const { startMs, endMs } = sent;
    if (isSecret) this.#gaveSecret(startMs, endMs);
    log.did('press' in shown ? `[keys ${shown.press}]` : shown.say, startMs, endMs);
    return sent;
  }

  /** Returns why the run broke down: it was cancelled, it ran out of time, or something failed. */
  whyBroken(error: unknown): Sentences {
    return sentencesOf(this.#signal.aborted ? this.#signal.reason : error);
  }

  /** Lets other work run in the middle of long work. */
  turn(): Promise<void> {
    return sleep(this.#options.clock, 0);
  }

  /** Hangs up even while a step is speaking, pressing or thinking. */
  #endInTime(call: ActiveCall): void {
    const { clock, budgetSeconds } = this.#options;
    if (budgetSeconds === undefined) return;
    this.#budget = clock.setTimeout(
      () => {
        this.#over.abort(
          sentence`This run used up its ${Math.round(budgetSeconds)} s, so Dialtree hung up. Get more minutes, raise the budget per run, or shorten the test.`,
        );
        void call.hangUp();
      },
      Math.max(0, budgetSeconds - lettingGoSeconds) * 1000,
    );
  }

  /** Returns how the call ended, in one sentence, or undefined while it is active. */
  describeEnd(): HangUp | undefined {
    if (this.#refused) return this.#refused.refused;
    const { call, log } = this.#open ?? {};
    const end: CallEnd | undefined = log?.ended?.end ?? call?.ended;
    const last = log?.turns.findLast(({ speaker }) => speaker === 'them');
    if (!end) return undefined;
    // A transfer can pass on what the caller entered.
    const transferTo = end.transferTo === undefined ? undefined : this.#mask.text(end.transferTo);
    return describeHangUp(
      { ...end, ...withoutUndefined({ transferTo }) },
      last && this.#shown(last).text,
      // The words of the call can still be on their way.
      call?.now(),
    );
  }

  /** Why nothing more comes on this call. */
  whyEnded(): Sentences {
    const end = this.describeEnd();
    return end ? sentencesOfEnd(end) : sentence`The call ended.`;
  }

  /** Hangs up, waits for the last words, and returns audio, words and times. `beforeTelling` can still add secrets. */
  async finish(beforeTelling?: () => void): Promise<Omit<CallTestEnd, 'outcome' | 'steps'>> {
    if (!this.#open) {
      beforeTelling?.();
      const { pcm, utterances } = this.#early ?? {};
      if (pcm && utterances)
        this.#events.push({
          type: 'audio',
          audio: callAudio(
            {
              now: () => pcm.length / samplesPerMs,
              audio: (fromMs, toMs) => pcm.slice(fromMs * samplesPerMs, toMs * samplesPerMs),
              spoken: () => [],
            },
            spansOf(utterances, (words) => this.#mask.hidden(words, 'ends')),
          ),
        });
      return { transcript: this.#earlyTurns(), callSeconds: 0, hangUp: this.#refused?.refused };
    }
    const { call, log } = this.#open;
    if (this.#budget !== undefined) this.#options.clock.clearTimeout(this.#budget);
    if (!call.ended) await call.hangUp();
    await log.drain(patience.text.last);
    await call.early;
    log.close();
    beforeTelling?.();
    const hiddenSpans = (parts: ReadBackParts): AudioSpan[] => log.spansOf((words) => this.#mask.hidden(words, parts));
    this.#events.push({
      type: 'audio',
      audio: callAudio(call, [
        ...this.#secretSpans,
        ...hiddenSpans('ends'),
        ...hiddenSpans('pieces').filter(({ startMs, endMs }) => this.partsAt(startMs, endMs) === 'pieces'),
      ]),
    });
    const hangUp = this.describeEnd();
    return {
      transcript: this.#transcriptOf(log),
      callSeconds: secondsOf(call),
      ...this.#byBudget,
      ...(call.setupSeconds > 0 && { postDialMs: Math.round(call.setupSeconds * 1000) }),
      hangUp,
    };
  }

  /** Returns the end of a run that broke down outside its steps, with what was heard and the call's length. */
  brokenEnd(error: unknown): CallTestEnd {
    const { call, log } = this.#open ?? {};
    if (this.#budget !== undefined) this.#options.clock.clearTimeout(this.#budget);
    void call?.hangUp();
    log?.close();
    return {
      outcome: 'ERROR',
      ...because(sentencesOf(error).with((value) => this.#mask.text(value))),
      steps: [],
      transcript: log ? this.#transcriptOf(log) : this.#earlyTurns(),
      callSeconds: call ? secondsOf(call) : 0,
      ...this.#byBudget,
    };
  }

  get #byBudget(): Pick<CallTestEnd, 'endedBy'> {
    return this.#over.signal.aborted ? { endedBy: 'budget' } : {};
  }

  #transcriptOf(log: CallLog): Turn[] {
    return [...this.#earlyTurns(), ...log.turns.map((turn) => this.#shown(turn))];
  }
  #shown(turn: Turn): Turn {
    return {
      ...turn,
      text: this.#mask.text(turn.text, turn.speaker === 'them' ? this.partsAt(turn.startMs, turn.endMs) : 'ends'),
    };
  }
}

const secondsOf = (call: ActiveCall): number => Math.round(call.durationSeconds * 1000) / 1000;
