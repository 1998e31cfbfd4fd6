import type { CalltreeFile } from '../../../contract/calltreeFile.ts';
import { ivrFileSchema } from '../../../contract/ivrFile.ts';
import { targetName } from '../../../model/calls/targetName.ts';
import { isMapped, type CalledParty } from '../../../model/tests/calledParty.ts';
import { readJsonFile } from '../../../model/files/jsonFile.ts';
import { walkOfSteps, walkOfTurns, type Walk } from '../../../model/tests/pathCoverage.ts';
import type { TestFile } from '../../../model/tests/testFile.ts';
import type { TestSource } from '../../folders/testSource.ts';
import type { RunEnding } from '../../../runner/runTest.ts';

interface WalkedCall<Item> {
  readonly item: Item;
  readonly party: CalledParty;
  readonly walk: Walk;
}

/** The answered calls of a test run, with the called side and the actual path of each. */
export class WalkedCalls<Item> {
  readonly #calls: WalkedCall<Item>[] = [];
  readonly #withTree = new Set<WalkedCall<Item>>();

  async add(item: Item, file: TestFile, { results, mission }: RunEnding, source: TestSource): Promise<void> {
    const walk =
      file.kind === 'calltest'
        ? walkOfSteps(file.test.steps, results.row, results.steps)
        : walkOfTurns(mission?.transcript ?? []);
    if (walk) this.#calls.push({ item, walk, party: await partyOf(file, source, results.phoneNumber) });
  }

  /** Returns the paths through this file's tree, with the items that they belong to. */
  through(calltree: CalltreeFile): readonly { readonly item: Item; readonly walk: Walk }[] {
    const found = this.#calls.filter(({ party }) => isMapped(party, calltree));
    for (const call of found) this.#withTree.add(call);
    return found;
  }

  /** Names the targets of calls that none of the trees so far belongs to. */
  get withoutTree(): string[] {
    const calls = this.#calls.filter((call) => !this.#withTree.has(call));
    return [...new Set(calls.map(({ party: { ivr, phoneNumber = '' } }) => ivr?.name ?? targetName(phoneNumber)))];
  }
}

/** Returns the called side of a file's test. An unreadable practice IVR can't be identified. */
export async function partyOf(
  file: TestFile,
  source: TestSource,
  called = file.test.phoneNumber,
): Promise<CalledParty> {
  const { ivr } = file.test;
  const phoneNumber = called === undefined ? {} : { phoneNumber: called };
  if (ivr === undefined) return phoneNumber;
  const text = await source.readBeside(ivr).then(
    (read) => read.text,
    () => undefined,
  );
  const read = text === undefined ? undefined : readJsonFile(text, ivr, ivrFileSchema);
  return read && 'value' in read ? { ...phoneNumber, ivr: read.value } : phoneNumber;
}
