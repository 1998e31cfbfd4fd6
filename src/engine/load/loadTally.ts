import type { LoadStats } from '../../contract/loadTests.ts';
import { estimateQuality } from '../../model/stats/eModel.ts';
import { percentile } from '../../model/stats/percentiles.ts';
import type { RtpStats } from '../../telephony/call.ts';
import type { LoadCallRecord } from './loadCaller.ts';
import { roundedPercentiles, roundTo } from './figures.ts';
import { hangUpOf, isFailure, isNotPlaced, isTakenBack, outcomeOf } from './loadOutcome.ts';

/**
 * The delay from a word to the listener without the network: the called side's packet of 20 ms and the jitter buffer.
 */
const LOCAL_DELAY_MS = 80;

type Counts = Record<string, number>;
const count = (counts: Counts, name: string): void => {
  counts[name] = (counts[name] ?? 0) + 1;
};

/** Adds up the calls of a load test. Stores a few numbers per call, whatever its length. */
export class LoadTally {
  readonly #placedAt: number[] = [];
  #answered = 0;
  #active = 0;
  #peak = 0;
  #decided = 0;
  #failed = 0;
  #takenBack = 0;
  #early = 0;
  #notPlaced: { readonly calls: number; readonly reason: string } | undefined;
  #unheard = 0;
  #finishedMs = 0;
  readonly #outcomes: Counts = {};
  readonly #hangUps: Counts = {};
  readonly #answerSeconds: number[] = [];
  readonly #ringSeconds: number[] = [];
  readonly #promptSeconds: number[] = [];
  readonly #jitterMs: number[] = [];
  readonly #mos: number[] = [];
  readonly #rtp = { sent: 0, received: 0, lost: 0, late: 0, concealed: 0 };

  get placed(): number {
    return this.#placedAt.length;
  }
  get answered(): number {
    return this.#answered;
  }
  get active(): number {
    return this.#active;
  }
  get failed(): number {
    return this.#failed;
  }
  /** Calls with an outcome: answered or failed. */
  get decided(): number {
    return this.#decided;
  }
  /** Calls that were cancelled before they were decided. */
  get takenBack(): number {
    return this.#takenBack;
  }
  /** Calls that this machine couldn't place, with the reason of the last one. */
  get notPlaced(): { readonly calls: number; readonly reason: string } | undefined {
    return this.#notPlaced;
  }

  callPlaced(at: number): void {
    this.#placedAt.push(at);
  }

  callAnswered(): void {
    this.#answered += 1;
    this.#decided += 1;
    this.#active += 1;
    this.#peak = Math.max(this.#peak, this.#active);
  }

  callEnded(record: LoadCallRecord): void {
    const { placedAt, ringAt, answeredAt, promptAt, endedAt, rtp } = record;
    this.#finishedMs += endedAt - (answeredAt ?? endedAt);
    count(this.#outcomes, outcomeOf(record));
    if (isFailure(record)) this.#failed += 1;
    if (isNotPlaced(record)) this.#notPlaced = { calls: (this.#notPlaced?.calls ?? 0) + 1, reason: record.end.reason };
    if (ringAt !== undefined) this.#ringSeconds.push((ringAt - placedAt) / 1000);
    if (answeredAt === undefined) {
      if (isTakenBack(record)) this.#takenBack += 1;
      else this.#decided += 1;
      return;
    }
    this.#active -= 1;
    count(this.#hangUps, hangUpOf(record.end));
    if (!record.letGo) this.#early += 1;
    this.#answerSeconds.push((answeredAt - placedAt) / 1000);
    if (promptAt === undefined) this.#unheard += 1;
    else this.#promptSeconds.push((promptAt - answeredAt) / 1000);
    this.#addAudio(rtp);
  }

  /** Seconds of the calls that have ended, each from its answer. */
  get finishedSeconds(): number {
    return this.#finishedMs / 1000;
  }

  stats(): LoadStats {
    const optional = <Key extends keyof LoadStats>(key: Key, value: LoadStats[Key] | undefined): Partial<LoadStats> =>
      value === undefined ? {} : { [key]: value };
    const attempted = this.placed - this.#takenBack;
    const span = ((this.#placedAt.at(-1) ?? 0) - (this.#placedAt[0] ?? 0)) / 1000;
    return {
      callsPlaced: this.placed,
      callsAnswered: this.#answered,
      setupSuccess: attempted === 0 ? 0 : this.#answered / attempted,
      outcomes: { ...this.#outcomes },
      callSeconds: roundTo(this.finishedSeconds, 2),
      callsWithoutPrompt: this.#unheard,
      callsEndedEarly: this.#early,
      hangUps: { ...this.#hangUps },
      peakConcurrency: this.#peak,
      ...optional('answerSeconds', roundedPercentiles(this.#answerSeconds, 3)),
      ...optional('postDialSeconds', roundedPercentiles(this.#ringSeconds, 3)),
      ...optional('promptSeconds', roundedPercentiles(this.#promptSeconds, 3)),
      ...optional('setupsPerSecond', span > 0 ? roundTo((this.placed - 1) / span, 2) : undefined),
      ...optional('audio', this.#audio()),
      ...optional('estimatedMos', this.#estimatedMos()),
    };
  }

  #addAudio(rtp: RtpStats): void {
    const sums = this.#rtp;
    sums.sent += rtp.sent;
    sums.received += rtp.received;
    sums.lost += rtp.lost;
    sums.late += rtp.late;
    sums.concealed += rtp.concealed;
    if (rtp.received === 0) return;
    this.#jitterMs.push(rtp.jitterMs);
    const { mos } = estimateQuality({
      oneWayDelayMs: LOCAL_DELAY_MS,
      networkLoss: rtp.lost / (rtp.received + rtp.lost),
      bufferLoss: Math.min(1, rtp.late / rtp.received),
      concealment: true,
    });
    this.#mos.push(mos);
  }

  #audio(): LoadStats['audio'] {
    const jitterMs = roundedPercentiles(this.#jitterMs, 2);
    const { sent, received, lost, late, concealed } = this.#rtp;
    return (
      jitterMs && {
        packetsSent: sent,
        packetsReceived: received,
        packetsLost: lost,
        packetsLate: late,
        framesConcealed: concealed,
        lossShare: lossShare(this.#rtp),
        jitterMs,
      }
    );
  }

  #estimatedMos(): LoadStats['estimatedMos'] {
    const sorted = this.#mos.toSorted((a, b) => a - b);
    const [median, p5, worst] = [0.5, 0.05, 0].map((share) => percentile(sorted, share));
    return median === undefined || p5 === undefined || worst === undefined
      ? undefined
      : { median: roundTo(median, 2), p5: roundTo(p5, 2), worst: roundTo(worst, 2) };
  }
}

/** Lost and late packets, divided by the expected ones. */
function lossShare({
  received,
  lost,
  late,
}: {
  readonly received: number;
  readonly lost: number;
  readonly late: number;
}): number {
  return received + lost === 0 ? 0 : Math.min(1, (lost + late) / (received + lost));
}
