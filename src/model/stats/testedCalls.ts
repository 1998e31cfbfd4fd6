import type { LoadTested } from '../../contract/loadTests.ts';

/** Returns how many calls of a load test ended their test. Those that its end cut off show nothing. */
export const testedCalls = ({
  passed,
  failed,
  inconclusive,
  errors,
}: Pick<LoadTested, 'passed' | 'failed' | 'inconclusive' | 'errors'>): number =>
  passed + failed + inconclusive + errors;
