import type { PlanCalls } from '../../contract/callPlan.ts';
import { HumanError } from '../../contract/errors.ts';
import type { RunLoadTest } from '../../contract/loadTests.ts';
import { mappingConfigSchema } from '../../contract/mapping.ts';
import type { MappingConfig } from '../../contract/mapping.ts';
import type { CallerProfile } from '../../contract/profiles.ts';
import type { Pool } from '../../contract/workspace.ts';
import type { JudgedMission } from '../../language/judge/judge.ts';
import { isAllowedByName } from '../../language/labels/pressRules.ts';
import type { PressRules } from '../../language/labels/pressRules.ts';
import { loadBudget, mappingBudget } from '../../model/calls/callBudget.ts';
import type { LineBook } from '../lines/lineBook.ts';
import { findJob } from '../mapping/findJob.ts';
import { assertIdle } from '../mapping/mappingRuns.ts';
import type { Store } from '../store/store.ts';
import { storedBy } from '../workspaces/meters.ts';
import type { WantedCalls } from '../workspaces/meters.ts';
import type { Launcher } from '../workspaces/principal.ts';
import { readCaller } from '../workspaces/profiles.ts';
import { awaitsCall, launchBudget, missionPlanOf, plansOf, textsOfPlans } from '../testing/testPlan.ts';
import type { TestPlan } from '../store/storedPlan.ts';
import type { Catalogue } from '../testing/catalogue.ts';
import { assertNoLoadTest } from '../load/loadRuns.ts';
import { assertHearsAll, isHeardLive } from '../load/liveLoad.ts';
import type { LoadSubjects } from '../load/loadSubjects.ts';
import { pressedByLoad, pressedByPlans } from '../testing/planKeys.ts';
import type { ForbiddenPress } from '../testing/planKeys.ts';
import { riskyKeysOf } from './planRisks.ts';
import type { RiskyKey } from './planRisks.ts';
import { assertColumns, assertValues } from '../testing/planValues.ts';
import type { SavedTests, TestKinds } from '../testing/savedTests.ts';
import { assertSupportedLanguage } from '../testing/testLanguage.ts';

export interface PlanSubjectParts {
  readonly store: Store;
  readonly lines: LineBook;
  readonly tests: SavedTests;
  readonly catalogue: Catalogue;
  readonly loadSubjects: LoadSubjects;
}

/** The called side, and the caller. */
interface Callee {
  readonly phoneNumber: string;
  readonly caller: CallerProfile;
}

/** The launch, as far as its plan needs it. */
interface PlanSubject extends Callee {
  /** Only of a saved test. */
  readonly updatedAt?: string | undefined;
  /** False: the called side calls Dialtree. */
  readonly dials: boolean;
  /** Only of a mission. */
  readonly wanted?: JudgedMission;
  readonly pool: Extract<Pool, 'testing' | 'mapping' | 'loadTesting'>;
  /** What it needs at most. The rate of its route isn't known here. */
  readonly needs: Omit<WantedCalls, 'costPerMinute'>;
  /** Ends when its minutes end, even if nothing else limits it. */
  readonly bounded: boolean;
  readonly forbidden: (keys: string) => readonly ForbiddenPress[];
  /** `live`: the called number is live. */
  readonly risky: (live: boolean) => Promise<readonly RiskyKey[]>;
  /** What a mapping presses on live numbers in addition to what is plainly harmless. */
  readonly presses?: PressRules;
  /** Rejects with HumanError if it can't be launched, whatever number is called. */
  readonly assertReady: () => Promise<void>;
}

/** @throws HumanError 404 if the input names a nonexistent resource */
export function planSubject(parts: PlanSubjectParts, launcher: Launcher, input: PlanCalls): Promise<PlanSubject> {
  return new PlanSubjects(parts, launcher, input.line ?? input.load?.line).of(input);
}

class PlanSubjects {
  readonly #parts: PlanSubjectParts;
  readonly #launcher: Launcher;
  readonly #line: string | undefined;

  constructor(parts: PlanSubjectParts, launcher: Launcher, line: string | undefined) {
    this.#parts = parts;
    this.#launcher = launcher;
    this.#line = line;
  }

  get #workspaceId(): string {
    return this.#launcher.workspaceId;
  }

  async of(input: PlanCalls): Promise<PlanSubject> {
    const { tests } = this.#parts;
    const { testConfigId, missionConfigId, catalogueTestId, phoneNumber, load, mapping } = input;
    const savedScript =
      testConfigId === undefined ? undefined : await tests.get(this.#workspaceId, 'script', testConfigId);
    const script = input.test ? await this.#brought(input.test) : savedScript;
    if (script)
      return this.#savedFirst('script', input.test, {
        ...(await this.#script(script, input)),
        updatedAt: savedScript?.updatedAt,
      });
    const savedMission =
      missionConfigId === undefined ? undefined : await tests.get(this.#workspaceId, 'mission', missionConfigId);
    const mission = input.mission ? await this.#brought(input.mission) : savedMission;
    if (mission)
      return this.#savedFirst('mission', input.mission, {
        ...this.#test(await this.#callee(mission.phoneNumber, mission.profileId), [missionPlanOf(mission)]),
        updatedAt: savedMission?.updatedAt,
        wanted: { acceptance: mission.acceptance ?? '', checks: mission.checks, mission: mission.mission },
      });
    if (phoneNumber !== undefined)
      return this.#test(await this.#callee(phoneNumber, input.probe?.profileId), [
        await this.#parts.catalogue.planFor({ catalogueTestId, probe: input.probe, phoneNumber }),
      ]);
    if (load) return this.#load(load);
    return mapping ? this.#mapping(mapping) : this.#job(input.mappingId ?? '');
  }

  async #brought<Test extends TestKinds[keyof TestKinds]['input']>(test: Test): Promise<Test> {
    return { ...test, profileId: await this.#parts.tests.profileFor(this.#launcher, test) };
  }

  /** A launch that brings its test saves it first. */
  #savedFirst<Of extends keyof TestKinds>(
    kind: Of,
    test: TestKinds[Of]['input'] | undefined,
    subject: PlanSubject,
  ): PlanSubject {
    const assertReady = async (): Promise<void> => {
      await subject.assertReady();
      await (await this.#parts.tests.launched(this.#launcher, kind, { test })).assertCurrent();
    };
    return test ? { ...subject, assertReady } : subject;
  }

  async #callee(phoneNumber: string, profileId?: string): Promise<Callee> {
    return { phoneNumber, caller: await readCaller(this.#parts.store.db, this.#workspaceId, profileId, this.#line) };
  }

  #test(callee: Callee, planned: readonly TestPlan[]): PlanSubject {
    const plans = planned.map((plan): TestPlan => ({ ...plan, caller: callee.caller }));
    return {
      ...callee,
      dials: !plans.every(awaitsCall),
      pool: 'testing',
      needs: { ...launchBudget(plans), stored: storedBy.tests(plans.length) },
      bounded: true,
      assertReady: () => {
        textsOfPlans(plans);
        assertValues(plans);
        return Promise.resolve();
      },
      forbidden: (keys) => pressedByPlans(plans, keys),
      risky: () => riskyKeysOf(this.#parts.store, this.#workspaceId, callee.phoneNumber, plans),
    };
  }

  async #script(
    script: NonNullable<PlanCalls['test']>,
    { rows = script.rows, guided }: Pick<PlanCalls, 'rows' | 'guided'>,
  ): Promise<PlanSubject> {
    const table = { steps: script.steps, rows, guided };
    const subject = this.#test(await this.#callee(script.phoneNumber, script.profileId), plansOf(table));
    return {
      ...subject,
      async assertReady() {
        assertSupportedLanguage(script);
        assertColumns(table);
        await subject.assertReady();
      },
    };
  }

  async #load(load: RunLoadTest): Promise<PlanSubject> {
    const { store, lines, loadSubjects } = this.#parts;
    const subject = await loadSubjects.find(this.#launcher, load);
    const callee = await this.#callee(subject.phoneNumber, subject.profileId);
    const { phoneNumber, caller } = callee;
    const plans = subject.plans.map((plan): TestPlan => ({ ...plan, caller }));
    return {
      ...callee,
      updatedAt: subject.tested?.updatedAt,
      dials: true,
      pool: 'loadTesting',
      needs: {
        ...loadBudget({
          ...pacedLoad(lines, phoneNumber, caller, load),
          testRows: plans.length,
          isLive: plans.some(isHeardLive),
        }),
        stored: storedBy.load({ records: plans.length > 0 }),
      },
      bounded: true,
      assertReady: async () => {
        subject.assertReady();
        assertHearsAll(plans, load);
        textsOfPlans(plans);
        assertValues(plans);
        await subject.tested?.assertCurrent();
        lines.fitLoad(load, lines.resolve(phoneNumber, caller), caller);
        await assertNoLoadTest(store.db, this.#workspaceId);
      },
      forbidden: (keys) => [...pressedByLoad(load, keys), ...pressedByPlans(plans, keys)],
      risky: () => riskyKeysOf(store, this.#workspaceId, phoneNumber, plans),
    };
  }

  async #mapping({ phoneNumber, profileId, config }: NonNullable<PlanCalls['mapping']>): Promise<PlanSubject> {
    const callee = await this.#callee(phoneNumber, profileId);
    return this.#mapped(callee, mappingConfigSchema.parse(config ?? {}), () => Promise.resolve());
  }

  async #job(mappingId: string): Promise<PlanSubject> {
    const { store } = this.#parts;
    const job = await findJob(store, this.#workspaceId, mappingId);
    return this.#mapped(await this.#callee(job.phone_number, job.profile_id), job.config, async () => {
      await assertIdle(store.db, job.id);
    });
  }

  #mapped(callee: Callee, config: MappingConfig, assertReady: PlanSubject['assertReady']): PlanSubject {
    const budget = mappingBudget(config);
    return {
      ...callee,
      dials: true,
      pool: 'mapping',
      needs: { ...budget, stored: storedBy.mapping() },
      bounded: budget.seconds === config.maxCalls * config.maxCallSeconds,
      assertReady,
      // The run itself leaves out forbidden keys that it finds.
      forbidden: () => [],
      presses: config,
      risky: async (live) => {
        const known = await riskyKeysOf(this.#parts.store, this.#workspaceId, callee.phoneNumber, undefined);
        return live ? known.filter(({ label }) => isAllowedByName(label, config)) : known;
      },
    };
  }
}

/** At its line's call rate; unchanged if it can't be called, which is reported separately. */
function pacedLoad(lines: LineBook, phoneNumber: string, caller: CallerProfile, load: RunLoadTest): RunLoadTest {
  try {
    return lines.fitLoad(load, lines.resolve(phoneNumber, caller), caller);
  } catch (error) {
    if (error instanceof HumanError) return load;
    throw error;
  }
}
