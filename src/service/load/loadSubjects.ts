import { HumanError } from '../../contract/errors.ts';
import { limits } from '../../contract/limits.ts';
import type { RunLoadTest } from '../../contract/loadTests.ts';
import type { Probe } from '../../contract/probe.ts';
import type { TestPlan } from '../store/storedPlan.ts';
import type { Catalogue } from '../testing/catalogue.ts';
import type { LaunchedTest, SavedTests } from '../testing/savedTests.ts';
import { assertSecrets } from '../testing/launchSecrets.ts';
import { assertSupportedLanguage } from '../testing/testLanguage.ts';
import { missionPlanOf, plansOf } from '../testing/testPlan.ts';
import type { Launcher } from '../workspaces/principal.ts';

type Wanted = Pick<
  RunLoadTest,
  'phoneNumber' | 'configId' | 'test' | 'mission' | 'catalogueTestId' | 'expectedUpdatedAt'
>;

/** What the calls of a load test carry out, and whom they call. */
export interface LoadSubject {
  readonly phoneNumber: string;
  readonly profileId?: string | undefined;
  /** One for each row of a test. Empty if the calls carry out nothing. */
  readonly plans: readonly TestPlan[];
  /** The test that they carry out, unless that is a probe. */
  readonly tested?: LaunchedTest<'script' | 'mission'>;
}

interface LoadSubjectsParts {
  readonly tests: Pick<SavedTests, 'kindOf' | 'launched'>;
  readonly catalogue: Pick<Catalogue, 'demand'>;
}

/** Finds the tests and probes of load tests. */
export class LoadSubjects {
  readonly #parts: LoadSubjectsParts;

  constructor(parts: LoadSubjectsParts) {
    this.#parts = parts;
  }

  /** Rejects with HumanError 404 if there is no such test, and 400 if it can't be carried out under load. */
  async demand(author: Launcher, wanted: Wanted): Promise<LoadSubject> {
    const subject = await this.find(author, wanted);
    subject.assertReady();
    return subject;
  }

  /** Rejects with HumanError 404. `assertReady` throws HumanError 400. */
  async find(author: Launcher, wanted: Wanted): Promise<LoadSubject & { readonly assertReady: () => void }> {
    const { phoneNumber, configId = '', test, mission, catalogueTestId, ...version } = wanted;
    const { tests, catalogue } = this.#parts;
    if (phoneNumber === undefined) {
      const meant = { ...version, ...((test ?? mission) ? {} : { configId }) };
      if (test || (!mission && (await tests.kindOf(author.workspaceId, configId)) === 'script'))
        return ofScript(await tests.launched(author, 'script', { ...meant, test }));
      const tested = await tests.launched(author, 'mission', { ...meant, test: mission });
      return { ...tested.test, tested, plans: [missionPlanOf(tested.test)], assertReady: () => undefined };
    }
    if (catalogueTestId === undefined) return { phoneNumber, plans: [], assertReady: () => undefined };
    const probe = await catalogue.demand(catalogueTestId);
    return {
      phoneNumber,
      plans: [{ type: 'probe', probe, phoneNumber }],
      assertReady: () => assertOneCall(probe),
    };
  }
}

const ofScript = (tested: LaunchedTest<'script'>): LoadSubject & { readonly assertReady: () => void } => ({
  ...tested.test,
  tested,
  plans: plansOf(tested.test),
  assertReady: () => {
    assertSupportedLanguage(tested.test);
    assertSecrets(plansOf(tested.test), {});
    assertFewRows(tested.test);
  },
});

function assertFewRows({ name, rows = [] }: { readonly name: string; readonly rows?: readonly unknown[] | undefined }) {
  const most = limits.loadTest.rows;
  if (rows.length > most)
    throw new HumanError(
      `The test “${name}” has more than ${String(most)} rows. Each row of a load test needs two reference calls, so save a copy with fewer rows.`,
      { status: 400, code: 'invalid_request', quotes: [name] },
    );
}

function assertOneCall({ id, mode, dialogue: { steps } }: Probe): void {
  const why = [
    mode === 'receive' && 'waits for a call instead of placing one',
    steps.some((step) => step.do === 'call') && 'places several calls one after the other',
  ].find((reason) => reason !== false);
  if (why !== undefined)
    throw new HumanError(
      `The probe ${id} ${why}, so it can't be carried out under load. Choose another probe, or run it with runComplianceTest.`,
      { status: 400, code: 'invalid_request' },
    );
}
