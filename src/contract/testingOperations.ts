import * as z from 'zod';
import { callPlanSchema, planCallsSchema } from './callPlan.ts';
import { waitSecondsSchema } from './common.ts';
import { catalogueEntrySchema } from './compliance.ts';
import { healingSchema, healTestSchema } from './heal.ts';
import { runComplianceTestSchema } from './probeFile.ts';
import { listLoadTestsSchema, loadTestPageSchema, loadTestSchema, runLoadTestSchema } from './loadTests.ts';
import {
  createMissionTestConfigSchema,
  listMissionTestConfigsSchema,
  missionTestConfigPageSchema,
  missionTestConfigSchema,
  updateMissionTestConfigSchema,
} from './missionConfigs.ts';
import { calling, operation, reading, reads, sets, writes } from './operation.ts';
import { listRunsSchema, runListSchema, runSchema } from './runs.ts';
import {
  createTestConfigSchema,
  listTestConfigsSchema,
  testConfigListSchema,
  testConfigSchema,
  updateTestConfigSchema,
} from './testConfigs.ts';
import {
  aggregateSchema,
  aggregateTestRunsSchema,
  briefMission,
  briefResults,
  guideTestRunSchema,
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

const idSchema = z.strictObject({ id: z.uuid().describe('Id of the test') });
const idOfRunSchema = z.strictObject({ id: z.uuid().describe('Id of the run or load test') });
const runIdSchema = z.strictObject({ runId: z.uuid().describe('Id of the run') });
const cancelTestRunSchema = z.strictObject({
  runId: z.uuid().describe('Id of the run'),
  wholeLaunch: z.boolean().default(false).describe('Also cancels the runs of the same launch'),
});
const waits = { waitSeconds: waitSecondsSchema };
const deletedSchema = z.strictObject({ deleted: z.literal(true) });

export const testingOperations = {
  createMissionTestConfig: operation({
    title: 'Save a mission test',
    description:
      'Saves a mission test: a persona and a goal for a caller that finds its own way, and the acceptance criterion. Places no call.',
    input: createMissionTestConfigSchema,
    output: missionTestConfigSchema,
    rest: { method: 'post', path: '/testing/mission-test-configs', status: 201 },
    errors: [404, 409],
    scope: 'testing:write',
    tool: writes,
  }),
  getMissionTestConfig: reading('/testing/mission-test-configs/{id}', {
    title: 'Read a mission test',
    description: 'Reads a saved mission test.',
    input: idSchema,
    output: missionTestConfigSchema,
    scope: 'testing:read',
  }),
  listMissionTestConfigs: reading('/testing/mission-test-configs', {
    title: 'List mission tests',
    description: 'Lists saved mission tests without their full texts, newest first, with filters.',
    input: listMissionTestConfigsSchema,
    output: missionTestConfigPageSchema,
    scope: 'testing:read',
  }),
  updateMissionTestConfig: operation({
    title: 'Edit a mission test',
    description: 'Changes the given members.',
    input: updateMissionTestConfigSchema,
    output: missionTestConfigSchema,
    rest: { method: 'patch', path: '/testing/mission-test-configs/{id}', status: 200 },
    errors: [409],
    scope: 'testing:write',
    tool: sets,
  }),
  deleteMissionTestConfig: operation({
    title: 'Delete a mission test',
    description: 'Deletes a saved mission test. Its runs are kept.',
    input: idSchema,
    output: deletedSchema,
    rest: { method: 'delete', path: '/testing/mission-test-configs/{id}', status: 200 },
    scope: 'testing:write',
  }),
  runMissionTest: calling('/testing/mission-test-configs/{configId}/runs', {
    title: 'Run a mission test',
    description:
      'Places a real call for a mission and judges it; getMissionTestRun has the verdict. Without a language model, the words of the menus steer the caller.',
    input: runMissionTestSchema.safeExtend(waits),
    output: missionTestRunSchema,
    errors: [402, 409],
    scope: 'testing:write',
  }),
  rejudgeRun: operation({
    title: 'Judge a mission run again',
    description:
      'Judges the stored call of an ended mission run again, by another criterion. Places no call and changes nothing: returns the run with the new verdict.',
    input: rejudgeRunSchema.safeExtend(waits),
    output: missionTestRunSchema,
    rest: { method: 'post', path: '/testing/mission-test-runs/{runId}/rejudge', status: 200 },
    errors: [402, 409],
    scope: 'testing:write',
    tool: writes,
  }),
  createTestConfig: operation({
    title: 'Save a scripted test',
    description:
      'Saves a scripted test: steps that dial, press, say, wait, expect, collect and hang up. With rows, it runs once for each row. Places no call.',
    input: createTestConfigSchema,
    output: testConfigSchema,
    rest: { method: 'post', path: '/testing/test-configs', status: 201 },
    errors: [404, 409],
    scope: 'testing:write',
    tool: writes,
  }),
  getTestConfig: reading('/testing/test-configs/{id}', {
    title: 'Read a scripted test',
    description: 'Reads a saved scripted test with its steps.',
    input: idSchema,
    output: testConfigSchema,
    scope: 'testing:read',
  }),
  listTestConfigs: reading('/testing/test-configs', {
    title: 'List scripted tests',
    description: 'Lists scripted tests, newest first. Use limit and detail=rows: with all their steps, tests are long.',
    input: listTestConfigsSchema,
    output: testConfigListSchema,
    brief: ({ items, ...page }) => ({
      items: items.map(({ id, name, phoneNumber, ...has }) => {
        return { id, name, phoneNumber, steps: has.steps?.length, rows: has.rows?.length };
      }),
      ...page,
    }),
    scope: 'testing:read',
  }),
  updateTestConfig: operation({
    title: 'Edit a scripted test',
    description: 'Changes the given members. 409 if the test has changed since expectedUpdatedAt.',
    input: updateTestConfigSchema,
    output: testConfigSchema,
    rest: { method: 'patch', path: '/testing/test-configs/{id}', status: 200 },
    errors: [409],
    scope: 'testing:write',
  }),
  deleteTestConfig: operation({
    title: 'Delete a scripted test',
    description: 'Deletes a saved scripted test. Its runs are kept.',
    input: idSchema,
    output: deletedSchema,
    rest: { method: 'delete', path: '/testing/test-configs/{id}', status: 200 },
    scope: 'testing:write',
  }),
  runTest: calling('/testing/test-configs/{configId}/runs', {
    title: 'Run a scripted test',
    description:
      'Places real calls: runs a scripted test, once for each row if it has rows. getRunResults has the results.',
    input: runTestSchema.safeExtend(waits),
    output: launchedRunsSchema,
    errors: [402, 409],
    scope: 'testing:write',
  }),
  healTest: operation({
    title: 'Repair a failing test',
    description:
      'Compares a failed run of a scripted test with one that passed: what changed, and steps that keep the meaning. Run the test again first. Places no call and saves nothing.',
    input: healTestSchema,
    output: healingSchema,
    rest: { method: 'post', path: '/testing/heal', status: 200 },
    errors: [404],
    scope: 'testing:read',
    tool: reads,
  }),
  guideTestRun: calling('/testing/runs/{runId}/steps', {
    title: 'Give a guided run its next step',
    description:
      'Appends a step to a run that runTest launched with guided; getRunResults has its result. Without a step for 120 s, the call ends.',
    input: guideTestRunSchema,
    output: runResultsSchema,
    errors: [409],
    scope: 'testing:write',
  }),
  cancelTestRun: operation({
    title: 'Cancel a test run',
    description: 'Hangs up the call of a test run, or removes it from the queue. Keeps what was heard.',
    input: cancelTestRunSchema,
    output: runResultsSchema,
    rest: { method: 'post', path: '/testing/runs/{runId}/cancel', status: 200 },
    scope: 'testing:write',
    tool: sets,
  }),
  deleteTestRun: operation({
    title: 'Delete a test run',
    description: 'Deletes a run that has ended, with its recording. 409 while the run is in progress.',
    input: runIdSchema,
    output: deletedSchema,
    rest: { method: 'delete', path: '/testing/runs/{runId}', status: 200 },
    errors: [409],
    scope: 'testing:write',
  }),
  listRuns: operation({
    title: 'List runs of all kinds',
    description:
      'Lists runs of tests and load tests by start, newest first, with what they have in common, for lists that people read. getRunResults, getMissionTestRun and getLoadTest have the details.',
    input: listRunsSchema,
    output: runListSchema,
    rest: { method: 'get', path: '/runs', status: 200 },
    scope: 'testing:read',
  }),
  getRun: operation({
    title: 'Read a run of any kind',
    description: 'Reads what all runs have in common, as listRuns returns it.',
    input: idOfRunSchema,
    output: runSchema,
    rest: { method: 'get', path: '/runs/{id}', status: 200 },
    scope: 'testing:read',
  }),
  listTestRuns: reading('/testing/runs', {
    title: 'List test runs',
    description:
      'Lists mission, compliance and scripted (standard, param) runs, newest first, with filters. For load tests, use listLoadTests.',
    input: listTestRunsSchema,
    output: testRunPageSchema,
    scope: 'testing:read',
  }),
  aggregateTestRuns: reading('/testing/runs/aggregate', {
    title: 'Count test runs',
    description:
      'Counts runs, and their share of the total, by a field; with timeBucket, also by the day, week or month (UTC) of their start. Returns the 100 largest groups.',
    input: aggregateTestRunsSchema,
    output: aggregateSchema,
    scope: 'testing:read',
  }),
  getRunResults: reading('/testing/runs/{runId}', {
    title: 'Read the results of a run',
    description:
      'Reads a run of any type with its steps: outcome, reason, what was heard. The verdict on a mission is in getMissionTestRun.',
    input: runIdSchema.extend(waits),
    output: runResultsSchema,
    brief: briefResults,
    scope: 'testing:read',
  }),
  getMissionTestRun: reading('/testing/mission-test-runs/{runId}', {
    title: 'Read a mission run',
    description: 'Reads a mission run: verdict, reasoning, evidence, transcript.',
    input: runIdSchema.extend(waits),
    output: missionTestRunSchema,
    brief: briefMission,
    scope: 'testing:read',
  }),
  runLoadTest: calling('/testing/load-tests', {
    title: 'Run a load test',
    description:
      'Places many simultaneous real calls to one number, and measures set-up, times and audio. getLoadTest has the figures. 409 while another load test is running.',
    input: runLoadTestSchema.safeExtend(waits),
    output: loadTestSchema,
    errors: [402, 404, 409],
    scope: 'testing:write',
  }),
  cancelLoadTest: operation({
    title: 'Cancel a load test',
    description: 'Hangs up all calls of a load test.',
    input: idSchema,
    output: loadTestSchema,
    rest: { method: 'post', path: '/testing/load-tests/{id}/cancel', status: 200 },
    scope: 'testing:write',
    tool: sets,
  }),
  deleteLoadTest: operation({
    title: 'Delete a load test',
    description: 'Deletes a load test that has ended. 409 while it is running.',
    input: idSchema,
    output: deletedSchema,
    rest: { method: 'delete', path: '/testing/load-tests/{id}', status: 200 },
    errors: [409],
    scope: 'testing:write',
  }),
  listLoadTests: reading('/testing/load-tests', {
    title: 'List load tests',
    description: 'Lists load tests, newest first.',
    input: listLoadTestsSchema,
    output: loadTestPageSchema,
    scope: 'testing:read',
  }),
  getLoadTest: reading('/testing/load-tests/{id}', {
    title: 'Read a load test',
    description: 'Reads a load test with its figures.',
    input: idSchema.extend(waits),
    output: loadTestSchema,
    scope: 'testing:read',
  }),
  planCalls: operation({
    title: 'Plan calls',
    description:
      'Reports what a launch would do: maximum calls, seconds and cost, consent, forbidden and risky keys, what is left of the minutes and budgets, and the refusal it would get. Places no call.',
    input: planCallsSchema,
    output: callPlanSchema,
    rest: { method: 'post', path: '/testing/plan', status: 200 },
    errors: [404],
    scope: 'testing:read',
    tool: reads,
  }),
  listComplianceCatalogue: reading('/compliance/catalogue', {
    title: 'List the compliance probes',
    description: 'Lists the compliance probes with id, sector and description.',
    input: z.strictObject({}),
    output: z.strictObject({ items: z.array(catalogueEntrySchema) }),
    scope: 'testing:read',
  }),
  runComplianceTest: calling('/compliance/runs', {
    title: 'Run a compliance probe',
    description:
      'Places a real call: runs a compliance probe against a number. getRunResults has a step for each check, with its evidence. A probe with mode receive waits up to five minutes for a call at awaitsCallAt.',
    input: runComplianceTestSchema.safeExtend(waits),
    output: testRunSchema,
    errors: [402, 404, 409],
    scope: 'compliance:run',
  }),
} as const;
