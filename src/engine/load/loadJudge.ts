import { because, join, reasonOf, sentence, type Sentences } from '../../base/sentences.ts';
import type { LoadCriteria, LoadStats, LoadVerdict } from '../../contract/loadTests.ts';
import {
  doubtAbout,
  measureCriteria,
  whyNotHeld,
  type CriterionName,
  type JudgedCriterion,
} from '../../model/load/criteria.ts';

const isBroken = ({ met, value }: JudgedCriterion): boolean => !met && value !== undefined;

/** Judges a load test by its criteria while it runs, so that the verdict can say when each of them broke. */
export class LoadJudge {
  readonly #criteria: LoadCriteria;
  readonly #replaces: boolean;
  readonly #brokenSince = new Map<CriterionName, number>();

  /** `replaces`: calls that end are replaced, so some are always cut off at the end. */
  constructor(criteria: LoadCriteria, replaces = false) {
    this.#criteria = criteria;
    this.#replaces = replaces;
  }

  /** Returns the criteria that are broken in this second, with the one that broke first at the beginning. */
  watch(second: number, stats: LoadStats): JudgedCriterion[] {
    return inOrder(this.#measured(second, stats).filter(isBroken));
  }

  /**
   * @param second the length of the test
   * @param doubts why a test that meets its criteria still shows too little, a sentence each
   */
  judge(second: number, stats: LoadStats, doubts: readonly Sentences[] = []): LoadVerdict {
    const criteria = this.#measured(second, stats);
    const doubtful = criteria.flatMap((criterion) => {
      const doubt = doubtAbout(criterion, stats, this.#replaces);
      return doubt === undefined ? [] : [{ criterion, text: join(textOf(criterion), doubt) }];
    });
    const broken = inOrder(criteria.filter(isBroken));
    const [first] = broken.filter((criterion) => doubtful.every((one) => one.criterion !== criterion));
    if (first && stats.caller?.limited !== true)
      return { outcome: 'fail', ...because(join(textOf(first), sinceText(first))), criteria };
    const notHeld = whyNotHeld(stats);
    if (notHeld !== undefined) return { outcome: 'fail', ...because(notHeld), criteria };
    const reasons = [
      ...(first ? [join(textOf(first), callerLimited)] : []),
      ...doubtful.map(({ text }) => text),
      ...criteria.filter(({ value }) => value === undefined).map(textOf),
      ...doubts,
    ];
    return reasons.length === 0
      ? { outcome: 'pass', criteria }
      : { outcome: 'inconclusive', ...because(join(...reasons)), criteria };
  }

  #measured(second: number, stats: LoadStats): JudgedCriterion[] {
    return measureCriteria(stats, this.#criteria).map((criterion) => this.#dated(second, criterion));
  }

  #dated(second: number, criterion: JudgedCriterion): JudgedCriterion {
    const { name } = criterion;
    if (!isBroken(criterion)) {
      this.#brokenSince.delete(name);
      return criterion;
    }
    const sinceSecond = this.#brokenSince.get(name) ?? second;
    this.#brokenSince.set(name, sinceSecond);
    return { ...criterion, sinceSecond };
  }
}

const inOrder = (criteria: readonly JudgedCriterion[]): JudgedCriterion[] =>
  criteria.toSorted((one, other) => (one.sinceSecond ?? 0) - (other.sinceSecond ?? 0));

const sinceText = ({ sinceSecond = 0 }: JudgedCriterion): Sentences =>
  sentence`It has been broken since second ${sinceSecond}.`;
const callerLimited = sentence`But the calling machine was the bottleneck, so the called side may not be.`;
export const textOf = ({ text, textParts }: JudgedCriterion): Sentences | undefined =>
  reasonOf({ reason: text, reasonParts: textParts });
