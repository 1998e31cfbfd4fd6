import type { LoadCriteria, LoadStats, LoadVerdict } from '../../contract/loadTests.ts';
import { measureCriteria, type CriterionName } from '../../model/load/criteria.ts';

type JudgedCriterion = LoadVerdict['criteria'][number];
const isBroken = ({ met, value }: JudgedCriterion): boolean => !met && value !== undefined;

/** Judges a load test by its criteria while it runs, so that the verdict can say when each of them broke. */
export class LoadJudge {
  readonly #criteria: LoadCriteria;
  readonly #brokenSince = new Map<CriterionName, number>();

  constructor(criteria: LoadCriteria) {
    this.#criteria = criteria;
  }

  /** Returns the criteria that are broken in this second, with the one that broke first at the beginning. */
  watch(second: number, stats: LoadStats): JudgedCriterion[] {
    const measured = measureCriteria(stats, this.#criteria).map((criterion) => this.#dated(second, criterion));
    return measured.filter(isBroken).sort((one, other) => (one.sinceSecond ?? 0) - (other.sinceSecond ?? 0));
  }

  /**
   * @param second the length of the test
   * @param cutShort why it didn't run to its end
   */
  judge(second: number, stats: LoadStats, cutShort?: string): LoadVerdict {
    const broken = this.watch(second, stats);
    const criteria = measureCriteria(stats, this.#criteria).map((criterion) => this.#dated(second, criterion));
    const [first] = broken;
    if (first && stats.caller?.limited !== true)
      return { outcome: 'fail', reason: `${first.text} ${sinceText(first)}`, criteria };
    const reasons = [
      ...(first ? [`${first.text} But the calling machine was the bottleneck, so the called side may not be.`] : []),
      ...criteria.filter(({ value }) => value === undefined).map(({ text }) => text),
      ...(cutShort === undefined ? [] : [`The test ended early: ${cutShort}`]),
    ];
    return reasons.length === 0
      ? { outcome: 'pass', criteria }
      : { outcome: 'inconclusive', reason: reasons.join(' '), criteria };
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

const sinceText = ({ sinceSecond = 0 }: JudgedCriterion): string =>
  `It has been broken since second ${String(sinceSecond)}.`;
