import type { CallTestFile } from '../../contract/callTestFile.ts';
import { defaultPassThreshold } from '../../contract/testConfigs.ts';
import type { PathTest } from './testsFromTree.ts';

/** The target of a tree's test: a number or address, or a practice IVR by its path from the test's file. */
export type TestTarget = { readonly phoneNumber: string } | { readonly ivr: string };

/** Returns the test as the text of its file, without an id. */
export function callTestText({ name, steps }: Pick<PathTest, 'name' | 'steps'>, target: TestTarget): string {
  const file: Pick<CallTestFile, 'name' | 'phoneNumber' | 'ivr'> & { readonly steps: readonly object[] } = {
    name,
    ...target,
    // The default threshold is left out.
    steps: steps.map(({ passThreshold, ...step }) =>
      passThreshold === defaultPassThreshold ? step : { ...step, passThreshold },
    ),
  };
  return `${JSON.stringify(file, undefined, 2)}\n`;
}
