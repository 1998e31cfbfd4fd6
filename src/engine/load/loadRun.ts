import { because, join, sentence, sentencesOf, type Sentences } from '../../base/sentences.ts';
import { limits } from '../../contract/limits.ts';
import { loadAbortDefaults } from '../../contract/loadTests.ts';
import type { LoadStats, LoadVerdict } from '../../contract/loadTests.ts';
import { systemClock } from '../../base/clock.ts';
import type { Clock } from '../../base/clock.ts';
import type { OnFault } from '../../telephony/fault.ts';
import { Timers } from '../../telephony/sip/timers.ts';
import type { LoadCallRecord, LoadScript } from './loadCaller.ts';
import type { LoadEvent, LoadOptions } from './loadOptions.ts';
import { isCongested, isTakenBack, PATIENCE_SECONDS } from './loadOutcome.ts';
import { peakCalls } from '../../model/calls/loadCourse.ts';
import { roundTo } from '../../model/stats/roundedValues.ts';
import { lettingGoSeconds } from '../call/activeCall.ts';
import { LoadJudge, textOf } from './loadJudge.ts';
import { LoadPace } from './loadPace.ts';
import { LoadTally } from './loadTally.ts';
import { TestTally } from './testTally.ts';
import { TickWatch } from './tickWatch.ts';
import { Timeline } from './timeline.ts';

const KEYS = /^[0-9*#A-D,]+$/i;
/** Calls that are hung up together end over this time, so that the called side doesn't receive one burst. */
const LET_GO_MS = 1000;
/** A timer of Node can't wait longer. */
const longestTimerMs = 2 ** 31 - 1;
/** The called side is full if it refuses this many calls in a second, and this share of them. */
const notable = { refused: 2, share: 0.1 };

interface PlacedCall {
  /** Counts from 1. */
  readonly number: number;
  readonly script: LoadScript | undefined;
  answeredAt?: number;
  /** A stage has ended it, so it isn't replaced. */
  isDropped?: boolean;
  hangUp: () => void;
}

interface LoadOutcome {
  readonly status: 'completed' | 'aborted' | 'failed';
  readonly why?: Sentences | undefined;
  readonly endedBy?: 'budget' | undefined;
}

/** One load test, from its first call to the end of its last. */
export class LoadRun {
  readonly #options: LoadOptions;
  readonly #clock: Clock;
  readonly #emit: (event: LoadEvent) => void;
  readonly #onFault: OnFault;
  readonly #onLost: OnFault;
  readonly #timers: Timers;
  readonly #tally = new LoadTally();
  readonly #tests: TestTally | undefined;
  readonly #timeline = new Timeline();
  readonly #calls = new Set<PlacedCall>();
  readonly #watch: TickWatch;
  readonly #t0: number;
  readonly #pace: LoadPace;
  readonly #judge: LoadJudge | undefined;
  /**
   * What became of calls in the current second. Those that were placed before `since`, when the rate was last halved,
   * say nothing about the new rate.
   */
  #recent = { since: 0, decided: 0, refused: 0 };
  /** Calls per second, since the called side was full. */
  #reducedRate: number | undefined;
  readonly #halvedAt: number[] = [];
  /** The sum of the times at which the answered calls began, and their number. */
  #answeredSum = 0;
  #answeredCalls = 0;
  /** Set as soon as no more calls are placed. */
  #outcome: LoadOutcome | undefined;
  #over = false;

  /** `onFault`: receives errors of the run's timers and of its calls' ends. `onLost`: `ended` won't be emitted. */
  constructor(
    options: LoadOptions,
    emit: (event: LoadEvent) => void,
    { onFault, onLost }: { readonly onFault: OnFault; readonly onLost: OnFault },
  ) {
    this.#options = options;
    this.#emit = emit;
    this.#onFault = onFault;
    this.#onLost = onLost;
    this.#clock = options.clock ?? systemClock;
    this.#timers = new Timers(this.#clock, onFault);
    this.#t0 = Math.max(options.startAt ?? 0, this.#clock.now());
    this.#pace = new LoadPace(
      {
        ...options,
        callsPerSecond: options.callsPerSecond ?? limits.loadTest.callsPerSecond.max,
        finishesCalls: options.scripts !== undefined,
      },
      this.#t0,
    );
    this.#watch = new TickWatch(options.caller);
    this.#tests = options.scripts && new TestTally(options.scripts);
    this.#judge = options.criteria && new LoadJudge(options.criteria, options.replace);
  }

  start(): void {
    const { signal } = this.#options;
    const senseless = problemOf(this.#options);
    if (senseless !== undefined) {
      this.stop('failed', sentencesOf(senseless));
      return;
    }
    signal.addEventListener('abort', this.#cancelled, { once: true });
    if (signal.aborted) {
      this.#cancelled();
      return;
    }
    this.#emit({ type: 'started', t0: this.#t0 });
    this.#timers.start('hold', this.#pace.end - this.#clock.now(), () => this.stop('completed'));
    this.#reportLater(1);
    this.#drop();
  }

  /** Places no more calls and hangs up active ones: immediately, or gradually if the test simply is over. */
  stop(status: 'completed' | 'aborted' | 'failed', why?: Sentences, endedBy?: 'budget'): void {
    if (this.#outcome) {
      // A cancel while the calls are hung up doesn't wait for them.
      if (status === 'aborted') for (const call of this.#calls) call.hangUp();
      return;
    }
    this.#outcome = { status, why, endedBy };
    for (const name of ['place', 'drop', 'hold', 'budget']) this.#timers.stop(name);
    this.#letGo([...this.#calls], status === 'completed' ? LET_GO_MS : 0);
    this.#endWhenQuiet();
  }

  /** Hangs up these calls over this time at most. */
  #letGo(calls: readonly PlacedCall[], overMs: number): void {
    const gapMs = Math.min(1, overMs / calls.length);
    for (const [index, call] of calls.entries())
      this.#timers.start(`let go ${String(call.number)}`, Math.floor(gapMs * index), () => call.hangUp());
  }

  readonly #cancelled = (): void => {
    this.stop('aborted', sentence`Cancelled.`);
  };

  /** Places all calls that are due, and sets a timer for the next one. */
  #pump(): void {
    this.#watchBudget();
    while (!this.#outcome) {
      const due = this.#pace.next();
      const now = this.#clock.now();
      if (due === undefined) break;
      if (due > now) {
        this.#timers.start('place', due - now, () => this.#pump());
        break;
      }
      // Calls that have been hung up can still be on the line.
      if (this.#calls.size >= peakCalls(this.#options)) break;
      if (this.#pace.take(now)) this.#place();
    }
    this.#watchBudget();
  }

  /** Hangs up the calls that the current stage doesn't need, and sets a timer for the next one. */
  #drop(): void {
    if (this.#outcome) return;
    const surplus = this.#pace.drop(this.#clock.now());
    if (surplus > 0) {
      // Calls are in the order in which they were placed.
      const oldest = [...this.#calls].filter(({ isDropped }) => isDropped !== true).slice(0, surplus);
      for (const call of oldest) call.isDropped = true;
      this.#letGo(oldest, LET_GO_MS);
    }
    const next = this.#pace.nextDrop();
    if (next !== undefined) this.#timers.start('drop', next - this.#clock.now(), () => this.#drop());
    this.#goOn();
  }

  /** Places calls that are due, or ends the test if there is nothing left to do. */
  #goOn(): void {
    if (this.#calls.size === 0 && this.#pace.satisfied) this.stop('completed');
    else this.#pump();
  }

  #place(): void {
    this.#tally.callPlaced(this.#clock.now());
    const script = this.#nextScript();
    const call: PlacedCall = { number: this.#tally.placed, script, hangUp: () => undefined };
    this.#calls.add(call);
    const { target, keys, keyTiming, callSeconds, call: how, keepsExamples = false } = this.#options;
    const plan = {
      target,
      keys,
      keyTiming,
      callSeconds,
      script,
      ...(keepsExamples && this.#tests?.needsExamples === true && { isExample: true }),
      call: how,
    };
    const { hangUp } = this.#options.caller.place(plan, {
      onAnswered: () => {
        call.answeredAt = this.#clock.now();
        this.#answeredSum += call.answeredAt;
        this.#answeredCalls += 1;
        this.#tally.callAnswered();
        this.#recent.decided += 1;
        this.#watchBudget();
      },
      onEnded: (record) => {
        this.#guarded(() => this.#count(call, record));
        // Without this, the run wouldn't end.
        this.#guarded(() => this.#callEnded(call));
      },
    });
    call.hangUp = hangUp;
  }

  #nextScript(): LoadScript | undefined {
    const { scripts = [], rowOrder, random = Math.random } = this.#options;
    const index =
      rowOrder === 'random' ? Math.floor(random() * scripts.length) : (this.#tally.placed - 1) % scripts.length;
    return scripts[index];
  }

  #guarded(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#onFault(error);
    }
  }

  #count(call: PlacedCall, record: LoadCallRecord): void {
    if (call.answeredAt !== undefined) {
      this.#answeredSum -= call.answeredAt;
      this.#answeredCalls -= 1;
    }
    this.#tally.callEnded(record);
    if (record.placedAt >= this.#recent.since && call.answeredAt === undefined && !isTakenBack(record)) {
      this.#recent.decided += 1;
      if (isCongested(record)) this.#recent.refused += 1;
    }
    const { number, script } = call;
    // A call whose thread has ended has no result.
    const test = record.test ?? { outcome: 'ERROR', reason: record.end.reason, steps: [], unfinished: false };
    const tested = { number, script, second: (record.placedAt - this.#t0) / 1000 };
    if (this.#tests?.add(tested, test) && test.example) this.#emit({ type: 'example', call: number, ...test.example });
  }

  #callEnded(call: PlacedCall): void {
    this.#calls.delete(call);
    if (this.#outcome) {
      this.#endWhenQuiet();
      return;
    }
    this.#checkFailures();
    if (call.isDropped !== true) {
      if (this.#options.replace) this.#pace.owe();
      else this.#pace.lose();
    }
    this.#goOn();
  }

  #checkFailures(): void {
    const { failureShare = loadAbortDefaults.failureShare, minimumCalls = loadAbortDefaults.minimumCalls } =
      this.#options.abortWhen ?? {};
    const { decided, failed } = this.#tally;
    if (decided < minimumCalls || failed / decided < failureShare) return;
    this.stop(
      'aborted',
      sentence`${failed} of ${decided} calls failed. The test ends when ${Math.round(failureShare * 100)} % have failed.`,
    );
  }

  #checkTick(): void {
    const limit = this.#options.abortWhen?.tickLatenessMs;
    const late = this.#watch.recentP99();
    if (limit === undefined || late === undefined || late < limit) return;
    this.stop(
      'aborted',
      sentence`The calling machine is too slow for this many calls: its 20 ms timer was ${late.toFixed(0)} ms late (p99 of the last seconds). The test ends when the timer is ${limit} ms late.`,
    );
  }

  /** A called side that is full gets calls half as often, down to the lowest rate. */
  #checkRefusals(second: number): void {
    const { decided, refused } = this.#recent;
    this.#recent = { ...this.#recent, decided: 0, refused: 0 };
    if (refused < notable.refused || refused < decided * notable.share) return;
    const rate = this.#pace.halve();
    if (rate !== this.#reducedRate) this.#halvedAt.push(second);
    this.#reducedRate = rate;
    this.#recent.since = this.#clock.now();
  }

  #checkCriteria(second: number): void {
    if (!this.#judge || this.#outcome) return;
    const { decided, answered, ended } = this.#tally;
    const judged = decided - this.#tally.ownFaults.unanswered;
    const stats = { ...this.#figures(), setupSuccess: judged <= 0 ? 1 : answered / judged };
    const broken = this.#judge.watch(second, stats);
    const { abortWhen, concurrency } = this.#options;
    if (abortWhen?.criterionBroken !== true) return;
    const enough = Math.min(abortWhen.minimumCalls ?? loadAbortDefaults.minimumCalls, concurrency);
    // Only the success of the set-up is known before a call has ended.
    const first = broken.find(({ name }) => (name === 'minSetupSuccess' ? decided : ended) >= enough);
    if (first) this.stop('aborted', join(textOf(first), sentence`The test ends when a criterion is broken.`));
  }

  /** Sets a timer for when the active calls will have used up the budget. */
  #watchBudget(): void {
    const { budgetSeconds } = this.#options;
    if (budgetSeconds === undefined || this.#outcome) return;
    const runningMs = this.#answeredCalls * this.#clock.now() - this.#answeredSum;
    const leftMs =
      (budgetSeconds - this.#tally.finishedSeconds - this.#calls.size * lettingGoSeconds) * 1000 - runningMs;
    if (leftMs <= 0) {
      this.stop('aborted', sentence`The budget of ${budgetSeconds} s of call time is used up.`, 'budget');
      return;
    }
    if (this.#answeredCalls === 0) this.#timers.stop('budget');
    else
      this.#timers.start('budget', Math.min(longestTimerMs, Math.ceil(leftMs / this.#answeredCalls)), () =>
        this.#watchBudget(),
      );
  }

  #reportLater(second: number): void {
    this.#timers.start('report', Math.max(1, this.#t0 + second * 1000 - this.#clock.now()), () => {
      const { placed, answered, active, failed } = this.#tally;
      this.#timeline.add({ second, placed, answered, active, failed });
      this.#emit({ type: 'progress', second, placed, answered, active, failed });
      this.#checkTick();
      this.#checkRefusals(second);
      this.#checkCriteria(second);
      // After a stall, the seconds that passed are left out.
      if (!this.#over) this.#reportLater(Math.max(second + 1, Math.floor((this.#clock.now() - this.#t0) / 1000) + 1));
    });
  }

  #endWhenQuiet(): void {
    if (this.#calls.size > 0 || this.#over || !this.#outcome) return;
    this.#over = true;
    this.#timers.stopAll();
    this.#watch.close();
    this.#options.signal.removeEventListener('abort', this.#cancelled);
    const second = Math.round((this.#clock.now() - this.#t0) / 1000);
    const { why, ...outcome } = this.#outcome;
    try {
      this.#emit({ type: 'ended', ...outcome, ...(why && because(why)), stats: this.#stats(second) });
    } catch (error) {
      this.#onLost(error);
    }
  }

  #figures(): LoadStats {
    const caller = this.#watch.stats();
    return {
      ...this.#tally.stats(),
      tested: this.#tests?.stats(),
      caller,
    };
  }

  #verdict(second: number, stats: LoadStats): LoadVerdict | undefined {
    const { callsAnswered } = stats;
    const { ownFaults } = this.#tally;
    const callsPlaced = stats.callsPlaced - ownFaults.unanswered;
    const { status, why } = this.#outcome ?? {};
    const isWhole = status === 'completed';
    // Each call had the whole hold to be answered, except those that replaced others or came late.
    const isLastLate = this.#options.replace === true || this.#reducedRate !== undefined || !isWhole;
    const setupSuccess =
      (isLastLate ? this.#tally.setupSuccess : undefined) ?? callsAnswered / Math.max(1, callsPlaced);
    const refused = this.#refusedWarning();
    return this.#judge?.judge(second, { ...stats, callsPlaced, setupSuccess }, [
      ...(ownFaults.calls === 0 ? [] : [ownFaultsText(ownFaults.calls)]),
      ...(isWhole ? [] : [join(sentence`The test ended early:`, why)]),
      ...(refused === undefined ? [] : [refused]),
    ]);
  }

  #stats(second: number): LoadStats {
    const warnings = [
      this.#notPlacedWarning(),
      this.#watch.warning(),
      this.#undecidedWarning(),
      this.#refusedWarning(),
      this.#tests?.warning(),
    ].filter((warning) => warning !== undefined);
    const timeline = this.#timeline.points();
    const stats = this.#figures();
    const verdict = this.#verdict(second, stats);
    return {
      ...stats,
      verdict,
      ...(warnings.length > 0 && { warnings: warnings.map(String), warningsParts: warnings.map(({ parts }) => parts) }),
      ...(this.#halvedAt.length > 0 && { rateHalvedAtSeconds: this.#halvedAt }),
      ...(timeline.length > 0 && { timeline }),
    };
  }

  #notPlacedWarning(): Sentences | undefined {
    const { notPlaced } = this.#tally;
    if (!notPlaced) return undefined;
    const { calls, reason } = notPlaced;
    return join(
      calls === 1
        ? sentence`This machine couldn't place 1 call: ${reason}.`
        : sentence`This machine couldn't place ${calls} calls: ${reason}.`,
      sentence`Each call needs a socket. If too many files are open, use fewer calls or raise the limit (ulimit -n).`,
    );
  }

  #refusedWarning(): Sentences | undefined {
    if (this.#reducedRate === undefined) return undefined;
    // It halves its rate only after several refusals.
    return sentence`The called side refused ${this.#tally.refused} calls for lack of room (486, 503, 600 or 603), so Dialtree reduced its rate to at most ${roundTo(this.#reducedRate, 2)} calls per second.`;
  }

  /** Only for a test that ended normally: after a cancel, the user knows that calls were cut short. */
  #undecidedWarning(): Sentences | undefined {
    const { takenBack } = this.#tally;
    if (takenBack === 0 || this.#outcome?.status !== 'completed') return undefined;
    return join(
      takenBack === 1
        ? sentence`When Dialtree hung up, 1 call had been neither answered nor refused, so it isn't included in the set-up success.`
        : sentence`When Dialtree hung up, ${takenBack} calls had been neither answered nor refused, so they aren't included in the set-up success.`,
      sentence`Use a hold of ${PATIENCE_SECONDS} s or more: a call that waits that long counts as failed.`,
    );
  }
}

const ownFaultsText = (calls: number): Sentences =>
  calls === 1
    ? sentence`1 call failed because of Dialtree or this machine, and says nothing about the called side.`
    : sentence`${calls} calls failed because of Dialtree or this machine, and say nothing about the called side.`;

/** Returns what is wrong with the options, for the user. */
function problemOf({
  concurrency,
  rampSeconds,
  holdSeconds,
  callsPerSecond = limits.loadTest.callsPerSecond.max,
  keys = [],
  stages = [],
}: LoadOptions): string | undefined {
  const bad = keys.find(({ digits }) => !KEYS.test(digits));
  if (bad)
    return `“${bad.digits}” contains characters that aren't keys. Use 0–9, *, #, A–D, and a comma for a pause of half a second.`;
  const all = [{ concurrency, rampSeconds, holdSeconds }, ...stages];
  const empty = all.find((stage) => !Number.isInteger(stage.concurrency) || stage.concurrency < 1);
  if (empty) return `A load test needs at least one call, but concurrency is ${String(empty.concurrency)}. Raise it.`;
  if (all.some((stage) => !(stage.rampSeconds >= 0) || !(stage.holdSeconds >= 0)))
    return 'Ramp and hold must be 0 seconds or more.';
  return callsPerSecond > 0 ? undefined : `Calls per second must be more than 0, not ${String(callsPerSecond)}.`;
}
