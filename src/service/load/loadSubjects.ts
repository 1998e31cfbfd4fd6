import { HumanError } from '../../contract/errors.ts';
import { limits } from '../../contract/limits.ts';
import { onlyScripts, type RunLoadTest } from '../../contract/loadTests.ts';
import type { ScriptPlan } from '../store/storedPlan.ts';
import type { LaunchedTest, SavedTests } from '../testing/savedTests.ts';
import { assertSupportedLanguage } from '../testing/testLanguage.ts';
import { plansOf } from '../testing/testPlan.ts';
import type { Launcher } from '../workspaces/principal.ts';

type Wanted = Pick<RunLoadTest, 'phoneNumber' | 'configId' | 'test' | 'expectedUpdatedAt'>;

/** What the calls of a load test carry out, and whom they call. */
export interface LoadSubject {
  readonly phoneNumber: string;
  readonly profileId?: string | undefined;
  /** One for each row of a test. Empty if the calls carry out nothing. */
  readonly plans: readonly ScriptPlan[];
  /** The test that they carry out. */
  readonly tested?: LaunchedTest<'script'>;
}

/** Finds the tests of load tests. */
export class LoadSubjects {
  readonly #tests: Pick<SavedTests, 'kindOf' | 'launched'>;

  constructor(tests: Pick<SavedTests, 'kindOf' | 'launched'>) {
    this.#tests = tests;
  }

  /** Rejects with HumanError 404 if there is no such test, and 400 if it can't be carried out under load. */
  async demand(author: Launcher, wanted: Wanted): Promise<LoadSubject> {
    const subject = await this.find(author, wanted);
    subject.assertReady();
    return subject;
  }

  /** Rejects with HumanError 404, and 400 for a mission. `assertReady` throws HumanError 400. */
  async find(
    author: Launcher,
    { phoneNumber, configId = '', test, expectedUpdatedAt }: Wanted,
  ): Promise<LoadSubject & { readonly assertReady: () => void }> {
    if (phoneNumber !== undefined) return { phoneNumber, plans: [], assertReady: () => undefined };
    if (!test && (await this.#tests.kindOf(author.workspaceId, configId)) === 'mission')
      throw new HumanError(onlyScripts, { status: 400, code: 'invalid_request' });
    const tested = await this.#tests.launched(author, 'script', {
      expectedUpdatedAt,
      ...(test ? { test } : { configId }),
    });
    return {
      ...tested.test,
      tested,
      plans: plansOf(tested.test),
      assertReady: () => {
        assertSupportedLanguage(tested.test);
        assertFewRows(tested.test);
      },
    };
  }
}

function assertFewRows({ name, rows = [] }: { readonly name: string; readonly rows?: readonly unknown[] | undefined }) {
  const most = limits.loadTest.rows;
  if (rows.length > most)
    throw new HumanError(
      `The test “${name}” has more than ${String(most)} rows. Each row of a load test needs two reference calls, so save a copy with fewer rows.`,
      { status: 400, code: 'invalid_request', quotes: [name] },
    );
}
