import * as z from 'zod';
import type { PlanCalls, PlannedCalls } from '../../contract/callPlan.ts';
import { HumanError } from '../../contract/errors.ts';
import { mappingConfigSchema } from '../../contract/mapping.ts';
import type { MappingConfig } from '../../contract/mapping.ts';
import type { RunLoadTest } from '../../contract/loadTests.ts';
import type { Pool } from '../../contract/workspace.ts';
import type { BudgetName } from '../../contract/workspaceSettings.ts';
import { costOf, loadBudget, mappingBudget } from '../../model/callBudget.ts';
import type { CallBudget } from '../../model/callBudget.ts';
import { parseUri } from '../../telephony/sip/uri.ts';
import { findJob } from '../mapping/findJob.ts';
import { demandListed } from '../runs/allowList.ts';
import type { LineBook } from '../lines/lineBook.ts';
import type { Dialling } from '../runs/dialGate.ts';
import { demandIdle } from '../runs/mappingRuns.ts';
import { consentRequired, forbiddenKeysOn, lacksConsent } from '../runs/permission.ts';
import type { Store } from '../store/store.ts';
import { boundsSeconds, checkAdmission } from '../workspaces/admission.ts';
import { readBudgets } from '../workspaces/budgets.ts';
import { demandKnown, isAddress, isKnown } from '../workspaces/known.ts';
import type { Launcher } from '../workspaces/principal.ts';
import { readSettings } from '../workspaces/settings.ts';
import type { Catalogue } from './catalogue.ts';
import { awaitsCall, launchBudget, missionPlanOf, plansOf } from './callPlan.ts';
import type { CallPlan } from './callPlan.ts';
import { demandNoLoad } from './loadRuns.ts';
import type { MissionConfigs } from './missionConfigs.ts';
import { demandAllowed, pressedByLoad, pressedByPlans } from './planKeys.ts';
import type { ForbiddenPress } from './planKeys.ts';
import { riskyKeysOf } from './planRisks.ts';
import type { RiskyKey } from './planRisks.ts';
import { demandValues } from './planValues.ts';
import type { TestConfigs } from './testConfigs.ts';
import { demandSpoken } from './testLanguage.ts';

export interface PlanCallsParts {
  readonly store: Store;
  readonly lines: LineBook;
  readonly tests: TestConfigs;
  readonly missions: MissionConfigs;
  readonly catalogue: Catalogue;
  readonly now: () => Date;
}

/** What would be launched, as far as its plan needs to know. */
interface Subject {
  readonly phoneNumber: string;
  /** False: they call us. */
  readonly dials: boolean;
  readonly pool: Pool;
  readonly budget: CallBudget;
  /** Ends where its minutes end, also where nothing else bounds it. */
  readonly bounded: boolean;
  readonly forbidden: (keys: string) => readonly ForbiddenPress[];
  readonly risky: () => Promise<readonly RiskyKey[]>;
  /** Rejects with HumanError where it cannot be launched, whoever is called. */
  readonly demandReady: () => Promise<void>;
}

/** What a launch would do and how it would be refused: by the same functions that launches go by. Dials nothing, and sets nothing aside. */
export async function planCalls(parts: PlanCallsParts, launcher: Launcher, input: PlanCalls): Promise<PlannedCalls> {
  const { workspaceId, limits } = launcher;
  const {
    store: { db },
    lines,
    now,
  } = parts;
  const { phoneNumber, dials, pool, budget, bounded, forbidden, risky, demandReady } = await subjectOf(
    parts,
    workspaceId,
    input,
  );
  const at = now();
  const workspace = await db
    .selectFrom('workspaces')
    .selectAll()
    .where('id', '=', workspaceId)
    .executeTakeFirstOrThrow();
  const settings = await readSettings(db, workspaceId);
  const refusals: HumanError[] = [];
  const collect = async <Result>(work: () => Promise<Result> | Result): Promise<Result | undefined> => {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof HumanError)) throw error;
      refusals.push(error);
      return undefined;
    }
  };
  const dialling = await collect((): Dialling => {
    if (!dials) return { uri: '', lab: true };
    if (isAddress(phoneNumber)) demandKnown(workspace);
    return lines.resolve(phoneNumber);
  });
  if (dialling && dials)
    await collect(() => {
      demandListed(phoneNumber, limits, dialling);
    });
  const needsConsent = dialling !== undefined && (await lacksConsent(db, workspaceId, dialling));
  if (needsConsent) refusals.push(consentRequired(dialling.consentFor ?? phoneNumber));
  const presses = dialling ? forbidden(await forbiddenKeysOn(db, workspaceId, dialling)) : [];
  await collect(() => {
    demandAllowed(presses);
  });
  await collect(demandReady);
  const costPerMinute = dialling?.costPerMinute;
  const admission = await collect(() =>
    checkAdmission(db, workspace, { pool, wanted: { ...budget, costPerMinute }, now: at, launcher }),
  );
  const secondsAtMost = admission?.secondsAtMost ?? budget.seconds;
  const slots = await db
    .selectFrom('slots')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('expires_at', '>', at)
    .execute();
  const left: { [Name in BudgetName]?: number } = {};
  for (const state of await readBudgets(db, workspaceId, settings, slots, at, launcher))
    left[state.budget] = Math.min(state.left, left[state.budget] ?? Infinity);
  const [refusal] = refusals;
  const details = detailsSchema.safeParse(refusal?.details).data;
  return {
    phoneNumber,
    calls: budget.calls,
    secondsAtMost,
    bounded: bounded || boundsSeconds(workspace, settings, limits),
    needsConsent,
    forbiddenKeys: [...presses],
    riskyKeys: [...(await risky())],
    ...(dialling && (dialling.lab || isKnown(workspace)) && { route: shownRoute(dialling) }),
    ...(costPerMinute !== undefined && {
      cost: {
        amount: Math.round(costOf(secondsAtMost, costPerMinute) * 1e6) / 1e6,
        currency: settings.currency,
        perMinute: costPerMinute,
      },
    }),
    budget: { fits: !refusals.some(({ code }) => code === 'budget_exceeded'), left },
    ...(refusal && {
      refusal: {
        status: refusal.status,
        code: refusal.code ?? '',
        message: refusal.message,
        ...(details && { details }),
      },
    }),
  };
}

const detailsSchema = z.record(z.string(), z.unknown());

/** The host alone: the address of a trunk may hold a password. */
const shownRoute = ({ uri, lab }: Dialling): string => (lab ? 'lab' : (parseUri(uri)?.host ?? ''));

async function subjectOf(parts: PlanCallsParts, workspaceId: string, input: PlanCalls): Promise<Subject> {
  const { store, lines, tests, missions, catalogue } = parts;
  const { testConfigId, rows, missionConfigId, catalogueTestId, load, mappingId, mapping } = input;
  const test = (phoneNumber: string, plans: readonly CallPlan[]): Subject => ({
    phoneNumber,
    dials: !plans.every(awaitsCall),
    pool: 'testing',
    budget: launchBudget(plans),
    bounded: true,
    demandReady: () => {
      demandValues(plans);
      return Promise.resolve();
    },
    forbidden: (keys) => pressedByPlans(plans, keys),
    risky: () => riskyKeysOf(store, workspaceId, phoneNumber, plans),
  });
  const scripted = input.test ?? (testConfigId === undefined ? undefined : await tests.get(workspaceId, testConfigId));
  if (scripted) {
    const subject = test(scripted.phoneNumber, plansOf({ steps: scripted.steps, rows: rows ?? scripted.rows }));
    return {
      ...subject,
      async demandReady() {
        demandSpoken(scripted);
        await subject.demandReady();
      },
    };
  }
  const mission =
    input.mission ?? (missionConfigId === undefined ? undefined : await missions.get(workspaceId, missionConfigId));
  if (mission) return test(mission.phoneNumber, [missionPlanOf(mission)]);
  if (catalogueTestId !== undefined && input.phoneNumber !== undefined) {
    const probe = await catalogue.demand(catalogueTestId);
    return test(input.phoneNumber, [{ type: 'probe', probe }]);
  }
  if (load) {
    const phoneNumber = load.phoneNumber ?? (await tests.get(workspaceId, load.configId ?? '')).phoneNumber;
    return {
      phoneNumber,
      dials: true,
      pool: 'loadTesting',
      budget: loadBudget(pacedLoad(lines, phoneNumber, load)),
      bounded: true,
      async demandReady() {
        lines.fitLoad(load, lines.resolve(phoneNumber));
        await demandNoLoad(store.db, workspaceId);
      },
      forbidden: (keys) => pressedByLoad(load, keys),
      risky: () => Promise.resolve([]),
    };
  }
  const mapped = (phoneNumber: string, config: MappingConfig, demandReady: Subject['demandReady']): Subject => ({
    phoneNumber,
    dials: true,
    pool: 'mapping',
    budget: mappingBudget(config),
    bounded: false,
    demandReady,
    // What it finds it leaves out by itself.
    forbidden: () => [],
    risky: () => riskyKeysOf(store, workspaceId, phoneNumber, undefined),
  });
  if (mapping)
    return mapped(mapping.phoneNumber, mappingConfigSchema.parse(mapping.config ?? {}), () => Promise.resolve());
  const job = await findJob(store, workspaceId, mappingId ?? '');
  return mapped(job.phone_number, job.config, async () => {
    await demandIdle(store.db, job.id);
  });
}

/** At the pace of its line; as it is where it cannot be called, which is told by itself. */
function pacedLoad(lines: LineBook, phoneNumber: string, load: RunLoadTest): RunLoadTest {
  try {
    return lines.fitLoad(load, lines.resolve(phoneNumber));
  } catch (error) {
    if (error instanceof HumanError) return load;
    throw error;
  }
}
