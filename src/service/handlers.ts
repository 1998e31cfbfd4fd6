import { HumanError } from '../contract/errors.ts';
import { ownProbeId } from '../contract/probeFile.ts';
import type { OperationOutput } from '../contract/operations.ts';
import type { EventBus } from './store/events.ts';
import { Guides } from './http/guides.ts';
import { compareRuns } from './mapping/comparison.ts';
import { recordConsent } from './mapping/consents.ts';
import type { Logger } from './basics/log.ts';
import { enrichRun } from './mapping/enrichment.ts';
import { findJob, runsOf } from './mapping/findJob.ts';
import { Jobs } from './mapping/jobs.ts';
import { toMappingRun } from './mapping/resources.ts';
import { readTree } from './mapping/tree.ts';
import type { AudioAddress } from './mapping/tree.ts';
import type { Caller, OperationHandlers } from './http/operationHandlers.ts';
import type { LineBook } from './lines/lineBook.ts';
import type { LineCalls } from './testing/lineCalls.ts';
import type { MappingRuns } from './mapping/mappingRuns.ts';
import type { Signer } from './basics/signing.ts';
import type { Store } from './store/store.ts';
import { Catalogue } from './testing/catalogue.ts';
import { missionPlanOf, plansOf } from './testing/testPlan.ts';
import { factsOf } from '../language/checks/heardCall.ts';
import { repairTest } from './testing/healTest.ts';
import { judgeCall } from './testing/performPlan.ts';
import { getLoadTest, listLoadTests } from './load/loadTests.ts';
import type { LoadRuns } from './load/loadRuns.ts';
import { LoadSubjects } from './load/loadSubjects.ts';
import { assertSupportedLanguage } from './testing/testLanguage.ts';
import type { Recordings } from './runs/recordings.ts';
import { listTargets } from './planning/listTargets.ts';
import { planCalls } from './planning/planCalls.ts';
import { assertColumns } from './testing/planValues.ts';
import { RunList } from './testing/runList.ts';
import { SavedTests } from './testing/savedTests.ts';
import type { TestLaunches } from './testing/testLaunches.ts';
import { TestRuns } from './testing/testRuns.ts';
import { generateTests } from './testing/treeTests.ts';
import type { Anchors } from './people/anchors.ts';
import type { Claims } from './people/claims.ts';
import type { Keys } from './workspaces/keys.ts';
import { isKnown } from './workspaces/known.ts';
import type { ModelMeter } from './workspaces/modelMeter.ts';
import type { OperatorContact } from './workspaces/operatorContact.ts';
import { endOfJob, endOfLoad, endOfMission, endOfRun, endOfRuns, endOfTree, stillRunning } from './runs/endOf.ts';
import { assertScope } from './workspaces/principal.ts';
import { Profiles } from './workspaces/profiles.ts';
import { registerWorkspace } from './workspaces/registration.ts';
import { readWorkspaceSettings, updateSettings } from './workspaces/settings.ts';
import { readUsage } from './workspaces/usage.ts';

export type AccountLink = (caller: Caller) => OperationOutput<'getAccountLink'>;

interface HandlerParts {
  readonly store: Store;
  readonly lines: LineBook;
  readonly lineCalls: LineCalls;
  readonly signer: Signer;
  readonly events: EventBus;
  readonly recordings: Recordings;
  readonly runs: MappingRuns;
  readonly launches: TestLaunches;
  readonly loads: LoadRuns;
  readonly keys: Keys;
  readonly anchors: Anchors;
  readonly claims: Claims;
  readonly accountLink: AccountLink;
  readonly mediaDir: string;
  /** For judging and enrichment. Without a model, rules do both. */
  readonly models: ModelMeter | undefined;
  readonly audioUrl: AudioAddress;
  readonly now: () => Date;
  readonly log: Logger;
  readonly contact?: OperatorContact;
}

const deleted = { deleted: true } as const;

export function createHandlers(parts: HandlerParts): OperationHandlers {
  const { store, lines, lineCalls, signer, runs, launches, loads, keys, anchors, models, mediaDir, audioUrl, now } =
    parts;
  const jobs = new Jobs(parts);
  const tests = new SavedTests(store, signer, now);
  const testRuns = new TestRuns(store, signer, audioUrl);
  const catalogue = new Catalogue(mediaDir);
  const runList = new RunList(store, signer, catalogue);
  const loadSubjects = new LoadSubjects({ tests, catalogue });
  const guides = new Guides(mediaDir);
  const profiles = new Profiles(store, lines, now);
  return {
    createMapping: (input, { principal }) => jobs.create(principal, input),
    getMapping: (input, { workspaceId, waitFor }) =>
      waitFor(endOfJob(() => jobs.get(workspaceId, input.id, input.version))),
    listMappings: (input, { workspaceId }) => jobs.list(workspaceId, input),
    async startMapping({ id, line }, { workspaceId, principal, waitFor }) {
      await runs.start(principal, id, line);
      return waitFor(endOfJob(() => jobs.get(workspaceId, id)));
    },
    async cancelMapping({ id }, { workspaceId, principal }) {
      await findJob(store, workspaceId, id);
      await runs.cancel(principal, id);
      return jobs.get(workspaceId, id);
    },
    getMappingTree: (input, { workspaceId, waitFor }) =>
      waitFor(endOfTree(() => readTree(store, workspaceId, input, audioUrl))),
    compareMappingRuns: (input, { workspaceId }) => compareRuns(store, workspaceId, input),
    generateTestsFromTree(input, { principal }) {
      assertScope('getMappingTree', principal);
      return generateTests({ store, tests, lines }, principal, input);
    },
    async listMappingRuns({ id }, { workspaceId }) {
      await findJob(store, workspaceId, id);
      return { items: (await runsOf(store, id)).map(toMappingRun) };
    },
    probeMappingRun: ({ id, runId }, { workspaceId, principal, signal }) =>
      enrichRun({ ...parts, model: models?.for(principal) }, workspaceId, id, runId, signal),
    updateMapping: (input, { principal }) => jobs.update(principal, input),
    recordConsent: (input, { principal }) => recordConsent(store, principal, input, now()),
    async deleteMapping({ id }, { principal }) {
      await jobs.remove(principal, id);
      return deleted;
    },

    createMissionTestConfig: (input, { principal }) => tests.create(principal, 'mission', input),
    getMissionTestConfig: ({ id }, { workspaceId }) => tests.get(workspaceId, 'mission', id),
    listMissionTestConfigs: (input, { workspaceId }) => tests.listMissions(workspaceId, input),
    updateMissionTestConfig: (input, { principal }) => tests.update(principal, 'mission', input),
    async deleteMissionTestConfig({ id }, { principal }) {
      await tests.remove(principal, 'mission', id);
      return deleted;
    },
    async runMissionTest({ votes, line, ...meant }, { workspaceId, principal, waitFor }) {
      const launched = await tests.launched(principal, 'mission', meant);
      const [run] = await launches.launch(principal, {
        ...launched,
        line,
        runType: 'mission',
        asksModel: models !== undefined,
        plans: [missionPlanOf({ ...launched.test, votes: votes ?? launched.test.votes })],
      });
      if (!run) throw new Error('a launch without a run');
      return waitFor(endOfMission(() => testRuns.mission(workspaceId, run.id)));
    },
    async rejudgeRun({ runId, acceptance, votes }, { workspaceId, principal, signal, waitFor }) {
      const {
        verdict: _verdict,
        passReasoning: _reasoning,
        passReasoningParts: _parts,
        passEvidence: _evidence,
        judgeReasoning: _judge,
        judgedBy: _by,
        unstable: _unstable,
        compliance: _compliance,
        checks: _checks,
        ...run
      } = await waitFor(endOfMission(() => testRuns.mission(workspaceId, runId)));
      if (run.status === 'running') throw stillRunning('judge it again');
      // A run outlives its mission. Then it can only be judged by a criterion in the request.
      const config = await tests.get(workspaceId, 'mission', run.configId).catch((error: unknown) => {
        if (acceptance === undefined || !(error instanceof HumanError)) throw error;
        return undefined;
      });
      const judged = {
        ...(config && { mission: config.mission, ...(acceptance === undefined && { checks: config.checks }) }),
        acceptance: acceptance ?? config?.acceptance ?? '',
        votes: votes ?? config?.votes,
      };
      return {
        ...run,
        ...(await judgeCall(factsOf(run), judged, {
          ...(models && { model: models.for(principal) }),
          signal,
        })),
      };
    },
    createTestConfig: (input, { principal }) => tests.create(principal, 'script', input),
    getTestConfig: ({ id }, { workspaceId }) => tests.get(workspaceId, 'script', id),
    listTestConfigs: (input, { workspaceId }) => tests.listScripts(workspaceId, input),
    updateTestConfig: (input, { principal }) => tests.update(principal, 'script', input),
    async deleteTestConfig({ id }, { principal }) {
      await tests.remove(principal, 'script', id);
      return deleted;
    },
    async runTest({ rows: given, guided, line, secrets, ...meant }, { workspaceId, principal, waitFor }) {
      const launched = await tests.launched(principal, 'script', meant);
      const { steps, rows = given } = { ...launched.test, ...(given && { rows: given }) };
      assertSupportedLanguage(launched.test);
      assertColumns({ steps, rows });
      const plans = plansOf({ steps, rows, guided });
      const started = await launches.launch(principal, {
        ...launched,
        line,
        runType: rows ? 'param' : 'standard',
        secrets,
        plans,
      });
      return waitFor(endOfRuns(started, (ids) => testRuns.byIds(workspaceId, ids)));
    },
    healTest: (input, { principal }) => repairTest({ store, tests, testRuns }, principal, input),
    async guideTestRun({ runId, step }, { workspaceId, principal }) {
      await launches.give(principal, runId, step);
      return testRuns.results(workspaceId, runId);
    },
    async cancelTestRun({ runId, wholeLaunch }, { workspaceId, principal }) {
      await testRuns.results(workspaceId, runId);
      await launches.cancel(principal, runId, { others: wholeLaunch });
      return testRuns.results(workspaceId, runId);
    },
    async deleteTestRun({ runId }, { principal }) {
      await launches.remove(principal, runId);
      return deleted;
    },
    listRuns: (input, { workspaceId }) => runList.list(workspaceId, input),
    getRun: ({ id }, { workspaceId }) => runList.get(workspaceId, id),
    listTestRuns: (input, { workspaceId }) => testRuns.list(workspaceId, input),
    aggregateTestRuns: (input, { workspaceId }) => testRuns.aggregate(workspaceId, input),
    getRunResults: ({ runId }, { workspaceId, waitFor }) =>
      waitFor(endOfRun(() => testRuns.results(workspaceId, runId))),
    getMissionTestRun: ({ runId }, { workspaceId, waitFor }) =>
      waitFor(endOfMission(() => testRuns.mission(workspaceId, runId))),
    async runLoadTest(input, { workspaceId, principal, waitFor }) {
      const launched = await loads.start(principal, input, await loadSubjects.demand(principal, input));
      return waitFor(endOfLoad(() => getLoadTest(store, workspaceId, launched.id, audioUrl), launched));
    },
    async cancelLoadTest({ id }, { workspaceId, principal }) {
      await getLoadTest(store, workspaceId, id, audioUrl);
      await loads.cancel(principal, id);
      return getLoadTest(store, workspaceId, id, audioUrl);
    },
    async deleteLoadTest({ id }, { workspaceId, principal }) {
      await getLoadTest(store, workspaceId, id, audioUrl);
      await loads.remove(principal, id);
      return deleted;
    },
    listLoadTests: (input, { workspaceId }) => listLoadTests(store, signer, workspaceId, input),
    getLoadTest: ({ id }, { workspaceId, waitFor }) =>
      waitFor(endOfLoad(() => getLoadTest(store, workspaceId, id, audioUrl))),
    async runComplianceTest({ phoneNumber, catalogueTestId = '', probe, line }, { workspaceId, principal, waitFor }) {
      const plan = await catalogue.planFor({ catalogueTestId, probe, phoneNumber });
      const [run] = await launches.launch(principal, {
        runType: 'compliance',
        line,
        test: { phoneNumber, profileId: probe?.profileId },
        catalogueTestId: probe ? ownProbeId(probe.id) : catalogueTestId,
        ...(probe && { name: probe.name }),
        plans: [plan],
      });
      if (!run) throw new Error('a launch without a run');
      const { items } = await waitFor(endOfRuns([run], (ids) => testRuns.byIds(workspaceId, ids)));
      return items[0] ?? run;
    },
    planCalls(input, { principal }) {
      // The response would reveal a mapping's number.
      if (input.mappingId !== undefined) assertScope('getMapping', principal);
      const { sendsCodes } = anchors;
      const hasModel = models !== undefined;
      return planCalls({ ...parts, tests, catalogue, loadSubjects, sendsCodes, hasModel }, principal, input);
    },
    listComplianceCatalogue: async () => ({ items: await catalogue.list() }),

    listTargets: (input, { principal }) => listTargets(store, lines, principal, input),
    listLines: (_input, { principal }) => Promise.resolve({ items: isKnown(principal) ? lines.states() : [] }),
    checkLine: (input, { principal }) => lineCalls.check(principal, input),
    callLineEcho: (input, { principal, signal }) => lineCalls.echo(principal, input, signal),

    getWorkspaceUsage: (_input, { principal }) => readUsage(store, principal, now(), parts.contact),
    getWorkspaceSettings: (_input, { workspaceId }) => readWorkspaceSettings(store.db, workspaceId),
    updateWorkspaceSettings: (input, { principal }) => updateSettings(store, principal, input, now()),
    registerWorkspace: (_input, { address }) => registerWorkspace(store, address, now()),
    requestAnchorCode: (input, { workspaceId, address }) => anchors.request(workspaceId, input, address),
    verifyAnchorCode: (input, { workspaceId }) => anchors.verify(workspaceId, input),
    getClaimLink: (_input, { workspaceId }) => parts.claims.createLink(workspaceId),
    getAccountLink: (_input, caller) => Promise.resolve(parts.accountLink(caller)),
    listApiKeys: async (_input, { workspaceId }) => ({ items: await keys.list(workspaceId) }),
    createApiKey: (input, { principal }) => keys.create(principal, input),
    updateApiKey: (input, { principal }) => keys.update(principal, input),
    revokeApiKey: ({ id }, { principal }) => keys.revoke(principal, id),
    listProfiles: async (_input, { workspaceId }) => ({ items: await profiles.list(workspaceId) }),
    getProfile: ({ id }, { workspaceId }) => profiles.get(workspaceId, id),
    createProfile: (input, { principal }) => profiles.create(principal, input),
    updateProfile: (input, { principal }) => profiles.update(principal, input),
    async deleteProfile({ id }, { principal }) {
      await profiles.remove(principal, id);
      return deleted;
    },
    listGuides: async () => ({ items: await guides.list() }),
    getGuide: ({ slug }) => guides.get(slug),
  };
}
