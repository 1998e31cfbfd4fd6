import { dialTargetSchema } from '../../../contract/common.ts';
import type { IndexedFile } from '../../folders/workspaceIndex.ts';

/** A number that the workspace's tests call, with the names of the tests. */
interface TestNumber {
  readonly phoneNumber: string;
  readonly names: readonly string[];
}

/** Returns the numbers that these tests call, each once. Tests of a practice IVR have none. */
export function numbersOfTests(files: readonly Pick<IndexedFile, 'kind' | 'name' | 'phoneNumber'>[]): TestNumber[] {
  const numbers = new Map<string, string[]>();
  for (const { kind, name, phoneNumber } of files) {
    if (
      kind === 'ivr' ||
      kind === 'calltree' ||
      !dialTargetSchema.safeParse(phoneNumber).success ||
      phoneNumber === undefined
    )
      continue;
    const names = numbers.get(phoneNumber) ?? [];
    numbers.set(phoneNumber, name === undefined ? names : [...names, name]);
  }
  return [...numbers]
    .map(([phoneNumber, names]) => ({ phoneNumber, names: names.sort() }))
    .sort((one, other) => (one.phoneNumber < other.phoneNumber ? -1 : 1));
}
