import type { LoadStats } from '../../contract/loadTests.ts';
import { estimateQuality } from '../../model/stats/eModel.ts';
import type { RtpStats } from '../../telephony/call.ts';
import type { LoadCallRecord } from './loadCaller.ts';
import { RoundedValues, roundTo } from '../../model/stats/roundedValues.ts';
import {
  hangUpOf,
  isCongested,
  isFailure,
  isNotPlaced,
  isOwnFault,
  isTakenBack,
  loadOutcomeOf,
} from './loadOutcome.ts';

/** The delay from a word to the listener without the network: a packet of 20 ms and the jitter buffer. */
const LOCAL_DELAY_MS = 80;

type Counts = Record<string, number>;
const count = (counts: Counts, name: string): void => {
  counts[name] = (counts[name] ?? 0) + 1;
};

/** Adds up the calls of a load test. Stores a few numbers per call, whatever its length. */
export class LoadTally {
  #placed = 0;
  #firstPlacedAt = 0;
  #lastPlacedAt = 0;
  #answered = 0;
  #active = 0;
  #peak = 0;
  #decided = 0;
  #failed = 0;
  #ownFaults = { calls: 0, unanswered: 0 };
  #refused = 0;
  #ended = 0;
  #takenBack = 0;
  #early = 0;
  #notPlaced: { readonly calls: number; readonly reason: string } | undefined;
  #unheard = 0;
  #finishedMs = 0;
  readonly #outcomes: Counts = {};
  readonly #hangUps: Counts = {};
  readonly #answerSeconds = new RoundedValues(3);
  readonly #ringSeconds = new RoundedValues(3);
  readonly #promptSeconds = new RoundedValues(3);
  readonly #jitterMs = new RoundedValues(2);
  readonly #roundTripMs = new RoundedValues(2);
  #lostThere: number | undefined;
  readonly #mos = new RoundedValues(2);
  readonly #rtp = { sent: 0, received: 0, lost: 0, late: 0, concealed: 0 };

  get placed(): number {
    return this.#placed;
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
  /** Refused for lack of room. */
  get refused(): number {
    return this.#refused;
  }
  /** Answered calls that are over, so their figures are known. */
  get ended(): number {
    return this.#ended;
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

  /** Calls that Dialtree or its machine is to blame for, and how many of them weren't answered. */
  get ownFaults(): { readonly calls: number; readonly unanswered: number } {
    return this.#ownFaults;
  }
  /** Without calls that Dialtree or its machine is to blame for. */
  get setupSuccess(): number | undefined {
    const attempted = this.placed - this.#takenBack - this.#ownFaults.unanswered;
    return attempted <= 0 ? undefined : this.#answered / attempted;
  }

  callPlaced(at: number): void {
    if (this.#placed === 0) this.#firstPlacedAt = at;
    this.#lastPlacedAt = at;
    this.#placed += 1;
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
    count(this.#outcomes, loadOutcomeOf(record));
    if (isFailure(record)) this.#failed += 1;
    if (isCongested(record)) this.#refused += 1;
    if (isOwnFault(record)) {
      this.#ownFaults.calls += 1;
      if (answeredAt === undefined) this.#ownFaults.unanswered += 1;
    }
    if (isNotPlaced(record)) this.#notPlaced = { calls: (this.#notPlaced?.calls ?? 0) + 1, reason: record.end.reason };
    if (ringAt !== undefined) this.#ringSeconds.add((ringAt - placedAt) / 1000);
    if (answeredAt === undefined) {
      if (isTakenBack(record)) this.#takenBack += 1;
      else this.#decided += 1;
      return;
    }
    this.#active -= 1;
    this.#ended += 1;
    count(this.#hangUps, hangUpOf(record.end));
    if (!record.letGo) this.#early += 1;
    this.#answerSeconds.add((answeredAt - placedAt) / 1000);
    if (promptAt === undefined) this.#unheard += 1;
    else this.#promptSeconds.add((promptAt - answeredAt) / 1000);
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
    const span = (this.#lastPlacedAt - this.#firstPlacedAt) / 1000;
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
      ...optional('answerSeconds', this.#answerSeconds.percentiles()),
      ...optional('postDialSeconds', this.#ringSeconds.percentiles()),
      ...optional('promptSeconds', this.#promptSeconds.percentiles()),
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
    if (rtp.roundTripMs !== undefined) this.#roundTripMs.add(rtp.roundTripMs);
    if (rtp.remoteLost !== undefined) this.#lostThere = (this.#lostThere ?? 0) + rtp.remoteLost;
    if (rtp.received === 0) {
      // Nothing was heard, which nothing is worse than.
      if (rtp.sent > 0) this.#mos.add(1);
      return;
    }
    this.#jitterMs.add(rtp.jitterMs);
    const { mos } = estimateQuality({
      oneWayDelayMs: LOCAL_DELAY_MS + (rtp.roundTripMs ?? 0) / 2,
      networkLoss: rtp.lost / (rtp.received + rtp.lost),
      bufferLoss: Math.min(1, rtp.late / rtp.received),
      concealment: true,
    });
    this.#mos.add(mos);
  }

  #audio(): LoadStats['audio'] {
    const jitterMs = this.#jitterMs.percentiles();
    const roundTripMs = this.#roundTripMs.percentiles();
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
        ...(roundTripMs && { roundTripMs }),
        ...(this.#lostThere !== undefined && { packetsLostThere: this.#lostThere }),
      }
    );
  }

  #estimatedMos(): LoadStats['estimatedMos'] {
    const ranked = this.#mos.ranked([0.5, 0.05, 0] as const);
    return ranked && { median: ranked[0], p5: ranked[1], worst: ranked[2] };
  }
}

/** Lost and late packets, divided by the expected ones. */
export function lossShare({
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
