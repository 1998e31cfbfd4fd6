import * as z from 'zod';
import { callPlanSchema, planCallsSchema } from './callPlan.ts';
import { catalogueEntrySchema, runComplianceTestSchema } from './compliance.ts';
import { listLoadTestsSchema, loadTestPageSchema, loadTestSchema, runLoadTestSchema } from './loadTests.ts';
import {
  createMissionTestConfigSchema,
  listMissionTestConfigsSchema,
  missionTestConfigPageSchema,
  missionTestConfigSchema,
  updateMissionTestConfigSchema,
} from './missionConfigs.ts';
import { calls, operation, reads, writes } from './operation.ts';
import {
  createTestConfigSchema,
  listTestConfigsSchema,
  testConfigPageSchema,
  testConfigSchema,
  updateTestConfigSchema,
} from './testConfigs.ts';
import {
  aggregateSchema,
  aggregateTestRunsSchema,
  launchedRunsSchema,
  listTestRunsSchema,
  missionTestRunSchema,
  rejudgeRunSchema,
  runMissionTestSchema,
  runResultsSchema,
  runTestSchema,
  testRunPageSchema,
  testRunSchema,
} from './testRuns.ts';

const idSchema = z.object({ id: z.uuid().describe('Id of the test') }).strict();
const runIdSchema = z.object({ runId: z.uuid().describe('Id of the run') }).strict();
const cancelTestRunSchema = z
  .object({
    runId: z.uuid().describe('Id of the run'),
    wholeLaunch: z.boolean().default(false).describe('Also the runs that were launched with it'),
  })
  .strict();
const deletedSchema = z.object({ deleted: z.literal(true) }).strict();

export const testingOperations = {
  createMissionTestConfig: operation({
    title: 'Save a mission test',
    description:
      'Saves a mission test: persona and goal, and the criterion it is judged by. Places no call. An addition of this server. 409 when the id given is held already.',
    input: createMissionTestConfigSchema,
    output: missionTestConfigSchema,
    rest: { method: 'post', path: '/testing/mission-test-configs', status: 201 },
    errors: [404, 409],
    scope: 'testing:write',
    tool: writes,
  }),
  getMissionTestConfig: operation({
    title: 'Read a mission test',
    description: 'Reads a saved mission test in full.',
    input: idSchema,
    output: missionTestConfigSchema,
    rest: { method: 'get', path: '/testing/mission-test-configs/{id}', status: 200 },
    scope: 'testing:read',
    tool: reads,
  }),
  listMissionTestConfigs: operation({
    title: 'List mission tests',
    description:
      'Lists saved mission tests without their full texts, newest first, with filters. name is compared case-sensitively. A missing nextCursor marks the last page.',
    input: listMissionTestConfigsSchema,
    output: missionTestConfigPageSchema,
    rest: { method: 'get', path: '/testing/mission-test-configs', status: 200 },
    scope: 'testing:read',
    tool: reads,
  }),
  updateMissionTestConfig: operation({
    title: 'Edit a mission test',
    description:
      'Changes the members that are given; updatedAt tells of it. An addition of this server. 409 where it was edited since expectedUpdatedAt.',
    input: updateMissionTestConfigSchema,
    output: missionTestConfigSchema,
    rest: { method: 'patch', path: '/testing/mission-test-configs/{id}', status: 200 },
    errors: [409],
    scope: 'testing:write',
    tool: writes,
  }),
  deleteMissionTestConfig: operation({
    title: 'Delete a mission test',
    description: 'Deletes a saved mission test. Its runs stay.',
    input: idSchema,
    output: deletedSchema,
    rest: { method: 'delete', path: '/testing/mission-test-configs/{id}', status: 200 },
    scope: 'testing:write',
  }),
  runMissionTest: operation({
    title: 'Run a mission test',
    description:
      'Places a real call: calls as the saved mission says, and judges the call by its acceptance criterion. Returns the run at once; poll getMissionTestRun each 5 to 10 seconds until verdict is there. 402 without minutes, 403 without consent for a public number, 409 where it was edited since expectedUpdatedAt, 429 with too many runs in flight.',
    input: runMissionTestSchema,
    output: missionTestRunSchema,
    rest: { method: 'post', path: '/testing/mission-test-configs/{configId}/runs', status: 202 },
    errors: [402, 409, 429],
    scope: 'testing:write',
    tool: calls,
  }),
  rejudgeRun: operation({
    title: 'Judge a mission run again',
    description:
      "Judges the stored call of an ended mission run again, by the criterion given or the mission's present one. Dials nothing and changes nothing: the answer is the run with the new verdict. An addition of this server.",
    input: rejudgeRunSchema,
    output: missionTestRunSchema,
    rest: { method: 'post', path: '/testing/mission-test-runs/{runId}/rejudge', status: 200 },
    errors: [409],
    scope: 'testing:write',
    tool: writes,
  }),
  createTestConfig: operation({
    title: 'Save a scripted test',
    description:
      'Saves a scripted test: steps that dial, press, say, wait, expect, collect and hang up. Rows make it a param test. Places no call. An addition of this server.',
    input: createTestConfigSchema,
    output: testConfigSchema,
    rest: { method: 'post', path: '/testing/test-configs', status: 201 },
    errors: [404, 409],
    scope: 'testing:write',
    tool: writes,
  }),
  getTestConfig: operation({
    title: 'Read a scripted test',
    description: 'Reads a saved scripted test with its steps.',
    input: idSchema,
    output: testConfigSchema,
    rest: { method: 'get', path: '/testing/test-configs/{id}', status: 200 },
    scope: 'testing:read',
    tool: reads,
  }),
  listTestConfigs: operation({
    title: 'List scripted tests',
    description:
      'Lists saved scripted tests without their steps and rows, newest first: getTestConfig reads one in full. A missing nextCursor marks the last page.',
    input: listTestConfigsSchema,
    output: testConfigPageSchema,
    rest: { method: 'get', path: '/testing/test-configs', status: 200 },
    scope: 'testing:read',
    tool: reads,
  }),
  updateTestConfig: operation({
    title: 'Edit a scripted test',
    description: 'Changes the members that are given. 409 where it was edited since expectedUpdatedAt.',
    input: updateTestConfigSchema,
    output: testConfigSchema,
    rest: { method: 'patch', path: '/testing/test-configs/{id}', status: 200 },
    errors: [409],
    scope: 'testing:write',
  }),
  deleteTestConfig: operation({
    title: 'Delete a scripted test',
    description: 'Deletes a saved scripted test. Its runs stay.',
    input: idSchema,
    output: deletedSchema,
    rest: { method: 'delete', path: '/testing/test-configs/{id}', status: 200 },
    scope: 'testing:write',
  }),
  runTest: operation({
    title: 'Run a scripted test',
    description:
      'Places real calls: runs a saved scripted test, a param test once a row. Returns the runs at once; poll getRunResults each 5 to 10 seconds until status is completed. An addition of this server. 402 without minutes, 403 without consent for a public number, 409 where it was edited since expectedUpdatedAt, 429 with too many runs in flight.',
    input: runTestSchema,
    output: launchedRunsSchema,
    rest: { method: 'post', path: '/testing/test-configs/{configId}/runs', status: 202 },
    errors: [402, 409, 429],
    scope: 'testing:write',
    tool: calls,
  }),
  cancelTestRun: operation({
    title: 'Cancel a test run',
    description:
      'Ends a run of a test: hangs up its call, or takes it out where it waits. What was heard is kept. With wholeLaunch also all that were launched with it, as the rows of a param test, so that none of them is begun. Without effect on a run that has ended. An addition of this server.',
    input: cancelTestRunSchema,
    output: runResultsSchema,
    rest: { method: 'post', path: '/testing/runs/{runId}/cancel', status: 200 },
    scope: 'testing:write',
    tool: writes,
  }),
  deleteTestRun: operation({
    title: 'Delete a test run',
    description: 'Deletes a run that has ended, with its recording. 409 while it goes on.',
    input: runIdSchema,
    output: deletedSchema,
    rest: { method: 'delete', path: '/testing/runs/{runId}', status: 200 },
    errors: [409],
    scope: 'testing:write',
  }),
  listTestRuns: operation({
    title: 'List test runs',
    description:
      'Lists mission, compliance, standard and param runs, newest first, with filters. Rows carry ids and no names. Load tests are listed by listLoadTests: runType=load answers 400.',
    input: listTestRunsSchema,
    output: testRunPageSchema,
    rest: { method: 'get', path: '/testing/runs', status: 200 },
    scope: 'testing:read',
    tool: reads,
  }),
  aggregateTestRuns: operation({
    title: 'Count test runs',
    description:
      'Counts runs, and their shares of the total, by outcome, runType, configId, catalogueTestId or phoneNumber, and by day, week or month (UTC) of their start where timeBucket is given. The 100 largest groups; truncated tells that there were more. "unknown" is the group of runs without a value.',
    input: aggregateTestRunsSchema,
    output: aggregateSchema,
    rest: { method: 'get', path: '/testing/runs/aggregate', status: 200 },
    scope: 'testing:read',
    tool: reads,
  }),
  getRunResults: operation({
    title: 'Read the results of a run',
    description:
      'Reads a run of any type with its steps: outcome, transcript, similarity, words. The steps of a mission are its turns; its verdict is in getMissionTestRun.',
    input: runIdSchema,
    output: runResultsSchema,
    rest: { method: 'get', path: '/testing/runs/{runId}', status: 200 },
    scope: 'testing:read',
    tool: reads,
  }),
  getMissionTestRun: operation({
    title: 'Read a mission run',
    description:
      'Reads a mission run: verdict, reasoning, evidence, transcript. Poll it each 5 to 10 seconds until verdict is there. 404 for runs of other types: use getRunResults.',
    input: runIdSchema,
    output: missionTestRunSchema,
    rest: { method: 'get', path: '/testing/mission-test-runs/{runId}', status: 200 },
    scope: 'testing:read',
    tool: reads,
  }),
  runLoadTest: operation({
    title: 'Run a load test',
    description:
      'Places many real calls at once to one number, holds them and hangs up; measures set-up, times and audio. Returns the load test at once; poll getLoadTest until status is no longer running. An addition of this server. 402 without minutes, 403 without consent for a public number, 409 while another load test of the workspace runs.',
    input: runLoadTestSchema,
    output: loadTestSchema,
    rest: { method: 'post', path: '/testing/load-tests', status: 202 },
    errors: [402, 404, 409],
    scope: 'testing:write',
    tool: calls,
  }),
  cancelLoadTest: operation({
    title: 'Cancel a load test',
    description: 'Hangs up all calls of a load test. Without effect on one that has ended. An addition of this server.',
    input: idSchema,
    output: loadTestSchema,
    rest: { method: 'post', path: '/testing/load-tests/{id}/cancel', status: 200 },
    scope: 'testing:write',
    tool: writes,
  }),
  deleteLoadTest: operation({
    title: 'Delete a load test',
    description: 'Deletes a load test that has ended. 409 while it goes on.',
    input: idSchema,
    output: deletedSchema,
    rest: { method: 'delete', path: '/testing/load-tests/{id}', status: 200 },
    errors: [409],
    scope: 'testing:write',
  }),
  listLoadTests: operation({
    title: 'List load tests',
    description: 'Lists load tests, newest first.',
    input: listLoadTestsSchema,
    output: loadTestPageSchema,
    rest: { method: 'get', path: '/testing/load-tests', status: 200 },
    scope: 'testing:read',
    tool: reads,
  }),
  getLoadTest: operation({
    title: 'Read a load test',
    description: 'Reads a load test with its aggregate figures. An addition of this server.',
    input: idSchema,
    output: loadTestSchema,
    rest: { method: 'get', path: '/testing/load-tests/{id}', status: 200 },
    scope: 'testing:read',
    tool: reads,
  }),
  planCalls: operation({
    title: 'Plan calls',
    description:
      'What a launch would do, before anything is dialled: calls, seconds and cost at most, where they go, consent, forbidden and risky keys, what is left of the budgets, and how it would be refused. Dials nothing and sets nothing aside. An addition of this server.',
    input: planCallsSchema,
    output: callPlanSchema,
    rest: { method: 'post', path: '/testing/plan', status: 200 },
    errors: [404],
    scope: 'testing:read',
    tool: reads,
  }),
  listComplianceCatalogue: operation({
    title: 'List the compliance probes',
    description: 'The catalogue of regulatory probes with id, sector and description. The same for every workspace.',
    input: z.object({}).strict(),
    output: z.object({ items: z.array(catalogueEntrySchema) }).strict(),
    rest: { method: 'get', path: '/compliance/catalogue', status: 200 },
    scope: 'testing:read',
    tool: reads,
  }),
  runComplianceTest: operation({
    title: 'Run a compliance probe',
    description:
      'Places a real call: runs a probe of the catalogue against a number. Returns the run at once; poll getRunResults each 5 to 10 seconds until status is completed: a step for each thing that was looked for, with the words that show it. Passing is observed evidence, never a legal certificate. A probe with mode receive dials nothing and waits five minutes for their call: getRunResults shows in awaitsCallAt the SIP address to point a test campaign, PBX or dialler at. 402 without minutes, 403 without consent for a public number, 404 for an id that is not in the catalogue, 409 for a probe that cannot be run yet.',
    input: runComplianceTestSchema,
    output: testRunSchema,
    rest: { method: 'post', path: '/compliance/runs', status: 202 },
    errors: [402, 404, 409, 429],
    scope: 'compliance:run',
    tool: calls,
  }),
} as const;
