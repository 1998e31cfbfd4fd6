import { HumanError } from '../../contract/errors.ts';
import { limits } from '../../contract/limits.ts';
import type { RunLoadTest } from '../../contract/loadTests.ts';
import type { Probe } from '../../contract/probe.ts';
import { assertVersion } from '../store/editedRow.ts';
import type { TestPlan } from '../store/testPlan.ts';
import type { Catalogue } from '../testing/catalogue.ts';
import type { MissionConfigs } from '../testing/missionConfigs.ts';
import type { TestConfigs } from '../testing/testConfigs.ts';
import { assertSupportedLanguage } from '../testing/testLanguage.ts';
import { missionPlanOf, plansOf } from '../testing/testPlan.ts';

type Wanted = Pick<RunLoadTest, 'phoneNumber' | 'configId' | 'catalogueTestId'>;

/** What the calls of a load test carry out, and whom they call. */
export interface LoadSubject {
  readonly phoneNumber: string;
  readonly profileId?: string;
  /** Only of a saved test. */
  readonly updatedAt?: string;
  /** One for each row of a test. Empty if the calls carry out nothing. */
  readonly plans: readonly TestPlan[];
}

/** Throws HumanError 409 if the request names another version of the saved test. */
export function assertMeant({ updatedAt }: LoadSubject, { expectedUpdatedAt }: RunLoadTest): void {
  if (updatedAt !== undefined) assertVersion('test', new Date(updatedAt), expectedUpdatedAt);
}

interface LoadSubjectsParts {
  readonly tests: Pick<TestConfigs, 'get'>;
  readonly missions: Pick<MissionConfigs, 'get'>;
  readonly catalogue: Pick<Catalogue, 'demand'>;
}

/** Finds the saved tests, missions and probes of load tests. */
export class LoadSubjects {
  readonly #parts: LoadSubjectsParts;

  constructor(parts: LoadSubjectsParts) {
    this.#parts = parts;
  }

  /** Rejects with HumanError 404 if there is no such test, and 400 if it can't be carried out under load. */
  async demand(workspaceId: string, wanted: Wanted): Promise<LoadSubject> {
    const subject = await this.find(workspaceId, wanted);
    subject.assertReady();
    return subject;
  }

  /** Rejects with HumanError 404. `assertReady` throws HumanError 400. */
  async find(
    workspaceId: string,
    { phoneNumber, configId, catalogueTestId }: Wanted,
  ): Promise<LoadSubject & { readonly assertReady: () => void }> {
    if (configId !== undefined) return await this.#saved(workspaceId, configId);
    if (phoneNumber === undefined)
      throw new HumanError('The request has neither phoneNumber nor configId. Add one of them.', {
        status: 400,
        code: 'invalid_request',
      });
    if (catalogueTestId === undefined) return { phoneNumber, plans: [], assertReady: () => undefined };
    const probe = await this.#parts.catalogue.demand(catalogueTestId);
    return {
      phoneNumber,
      plans: [{ type: 'probe', probe, phoneNumber }],
      assertReady: () => assertOneCall(probe),
    };
  }

  async #saved(workspaceId: string, id: string): Promise<LoadSubject & { readonly assertReady: () => void }> {
    const { tests, missions } = this.#parts;
    const test = await tests.get(workspaceId, id).catch((error: unknown) => {
      if (error instanceof HumanError && error.status === 404) return error;
      throw error;
    });
    if (!(test instanceof HumanError)) {
      const { phoneNumber, profileId, updatedAt } = test;
      return {
        phoneNumber,
        profileId,
        updatedAt,
        plans: plansOf(test),
        assertReady: () => {
          assertSupportedLanguage(test);
          assertFewRows(test);
        },
      };
    }
    const mission = await missions.get(workspaceId, id).catch(() => {
      throw test;
    });
    const { phoneNumber, profileId, updatedAt } = mission;
    return { phoneNumber, profileId, updatedAt, plans: [missionPlanOf(mission)], assertReady: () => undefined };
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

function assertOneCall({ id, mode, dialogue: { steps, assertions } }: Probe): void {
  const why = [
    mode === 'receive' && 'waits for a call instead of placing one',
    steps.some((step) => step.do === 'call') && 'places several calls one after the other',
    assertions.some(({ kind }) => kind === 'frenchFirst') && 'depends on the spoken language',
  ].find((reason) => reason !== false);
  if (why !== undefined)
    throw new HumanError(
      `The probe ${id} ${why}, so it can't be carried out under load. Choose another probe, or run it with runComplianceTest.`,
      { status: 400, code: 'invalid_request' },
    );
}
