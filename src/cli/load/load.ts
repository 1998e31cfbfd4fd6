import { withoutUndefined } from '../../base/withoutUndefined.ts';
import type { DialtreeClient } from '../../client/client.ts';
import { ServiceError } from '../../client/errors.ts';
import type { PlannedCalls } from '../../contract/callPlan.ts';
import { planAt } from '../../runner/planAt.ts';
import { launchOf } from '../../runner/runTest.ts';
import { HumanError } from '../../contract/errors.ts';
import { type LoadCriteria, type LoadTest, loadCriteriaSchema, type RunLoadTest } from '../../contract/loadTests.ts';
import { limits } from '../../contract/limits.ts';
import { consentHelp } from '../calling/consents.ts';
import { cancelled, patiently } from '../calling/patiently.ts';
import { isRemote, reachesThisMachine, readService, serviceOptions, withService } from '../calling/serviceChoice.ts';
import { readArguments, UsageError, type CliCommand, decimalOption } from '../command.ts';
import { readReporter } from '../report/readReporter.ts';
import { callsAtOnce } from '../run/callTests.ts';
import type { LoadedTest } from '../run/testFiles.ts';
import { envHelp, environmentOptions, readEnvironment } from '../settings/environment.ts';
import { linesHelp } from '../settings/lines.ts';
import { note } from '../terminal/output.ts';
import { deliver, prepareFiles } from '../terminal/outputFile.ts';
import { paletteFor } from '../terminal/palette.ts';
import { interruption } from '../terminal/signals.ts';
import type { CriterionName } from '../../model/load/criteria.ts';
import { assertHearsAll, liveCallsAtMost } from '../../service/load/liveLoad.ts';
import { followLoad } from './follow.ts';
import { loadPlanJson, loadPlanText, type PlannedLoad } from './plan.ts';
import { withPracticeProcess } from './practiceProcess.ts';
import { reportLoad } from './report.ts';
import { loadReporterNames, loadReporters, type LoadReporterName } from './reporters.ts';
import { readRequest, requestOptions, type LoadRequest } from './request.ts';
import { readLoadTarget, type LoadTarget } from './target.ts';

/** `maxPostDialP95Seconds` is the option `max-post-dial-p95`. */
const optionOf = (name: CriterionName): string =>
  name.replace(/(?:Seconds|Ms)$/, '').replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
const criterionNames = loadCriteriaSchema.keyof().options;

const options = {
  ...serviceOptions,
  env: environmentOptions.env,
  ...requestOptions,
  ...Object.fromEntries(criterionNames.map((name) => [optionOf(name), { type: 'string' } as const])),
  reporter: { type: 'string' },
  output: { type: 'string' },
  json: { type: 'boolean' },
  'dry-run': { type: 'boolean' },
  steps: { type: 'boolean' },
} as const;

const { rows, calls, rampSeconds, holdSeconds, callsPerSecond } = limits.loadTest;
const range = ({ min, max }: { readonly min: number; readonly max: number }): string =>
  `${String(min)} to ${String(max)}`;

export const load: CliCommand = {
  help: `FILE is a *.calltest.json, *.mission.json or *.ivr.json file. Without --steps, the command only calls the number
in a test or mission file. A practice IVR runs in its own process during the test.

  --steps                  each call carries out the test or mission. A test can have up to ${String(rows)} rows. Two reference
                           calls for each row come first; if one doesn't pass, no other call is placed. The hold
                           must be longer than the test. The calls of a mission have no reference: each is heard
                           live, so this machine can place at most ${String(liveCallsAtMost())} of them at the same time
  --row-order ORDER        with --steps: the calls take the rows inOrder (default) or at random
  --concurrency N          simultaneous calls, ${range(calls)}; default 10
  --ramp S                 the calls start evenly over S seconds, ${range(rampSeconds)}; default 0
  --hold S                 all calls are then held for S seconds, ${range(holdSeconds)}; default 10
  --stage N:RAMP:HOLD      then moves to N calls over RAMP seconds and holds them for HOLD seconds; can be repeated, such
                           as for steps, or for a spike and back
  --calls-per-second N     maximum calls per second, ${range(callsPerSecond)}; default: the highest; may lengthen the ramp
  --call-seconds S         hangs up each call S seconds after it is answered
  --replace                a new call replaces each call that ends; with --call-seconds, this gives a steady rate
  --keys S:KEYS            each call presses KEYS S seconds after it is answered; can be repeated

The test ends early if half of at least 20 calls have failed. To change this:
  --abort-failures SHARE   ends the test if this share of the calls has failed, 0.01 to 1
  --abort-lateness MS      also ends the test if this machine's 20 ms timer is MS milliseconds late (p99 of 5 s)
  --abort-criteria         also ends the test if one of the criteria below is broken after 20 calls

Criteria (if one of them isn't met, the report says so and the exit code is 1):
  --min-passed SHARE         with --steps: calls whose test passed, divided by calls whose test ended; default 1
  --min-setup-success SHARE  answered calls divided by calls placed, such as 0.99; without --replace, a call
                             must be answered before the end of the hold
  --max-post-dial-p95 S      from the INVITE to the first ringing response
  --max-answer-p95 S         from the INVITE to the answer
  --max-prompt-p95 S         from the answer to the first sound
  --max-response-p95 S       with --steps: from the caller's action to the prompt, at the slowest step
  --max-loss SHARE           lost and late packets divided by expected packets
  --max-jitter-p95 MS        jitter of each call, measured at the end of the call (RFC 3550)
  --min-mos MOS              estimated MOS (E-model) that 19 of 20 calls reach, 1 to 4.5

  --reporter KIND          spec (default), json, junit, html (the page of the editor) or csv (the calls of each
                           second); --json is --reporter json
  --output FILE            writes the report to FILE instead of stdout
  --env NAME               ${envHelp}
  --dry-run                checks the file, asks the service and prints the plan; doesn't place calls
  --routes FILE|JSON       dial plan: {"+12025550100": "sip:practice@127.0.0.1:5070"}
  --lines FILE|JSON        ${linesHelp}
  --consent TARGET         ${consentHelp}
  --url URL                runs the test on that service; put its key in DIALTREE_API_KEY

Ctrl+C hangs up all calls and reports what was measured. Exit code 0: passed; 1: not completed, no call
answered, or a criterion broken or not measured; 2: wrong usage, or an invalid file.`,
  async run(args) {
    const { values, positionals } = readArguments(args, options);
    const { output, 'dry-run': isDryRun = false } = values;
    const reporter = readLoadReporter(values.reporter, values.json === true, isDryRun);
    const file = onlyFile(positionals);
    const criteria = { ...(values.steps === true && everyCallPasses), ...readCriteria(values) };
    const asked = { ...readRequest(values), ...(Object.keys(criteria).length > 0 && { criteria }) };
    const environment = await readEnvironment(values, process.env);
    const service = { ...(await readService(values)), hidden: environment.values };

    const target = await readLoadTarget(file, process.cwd(), environment);
    // The environment's line counts even if the calls carry out nothing.
    const { line } = target.script?.source.launch ?? {};
    const request = { ...asked, ...(line !== undefined && { line }) };
    const script = values.steps === true ? readScript(target, request) : undefined;
    const isLive = script?.source.kind === 'mission';
    if (isLive && !isRemote(service)) assertHearsAll([{ type: 'mission' }], request);
    if (!reachesThisMachine(service) && target.ivr)
      throw new HumanError(
        "The practice IVR runs on this machine, where the service at --url can't reach it. Leave out --url, or give a file with a phoneNumber.",
        { status: 400, code: 'practice_elsewhere' },
      );
    await prepareFiles([output]);
    const facts = {
      target,
      request,
      testRows: script ? callsAtOnce(script) : 0,
      isLive,
      ...(isRemote(service) && { service: service.baseUrl }),
    };
    const signal = interruption();
    const planOf = async (client: DialtreeClient): Promise<PlannedCalls> => {
      const askFor = (phoneNumber: string): Promise<PlannedCalls> =>
        client.call('planCalls', { load: { ...request, ...calledAt(phoneNumber, script) } }, { signal });
      const plan = await patiently(() => planAt(target.phoneNumber, askFor), signal);
      if (!plan) throw cancelled();
      return plan;
    };
    if (isDryRun) {
      const plan = await withService(service, planOf);
      return (await deliver(planAs(reporter, { ...facts, plan }), output)) ? 0 : 1;
    }

    const test = await withService(service, async (client) => {
      const plan = await planOf(client).catch(withoutPlan);
      note(loadPlanText({ ...facts, ...(plan && { plan }) }));
      return callAll(client, target, request, script, signal);
    });
    const report = reportLoad({
      file: target.file,
      name: target.name,
      target: target.phoneNumber ?? `practice IVR ${target.ivr?.name ?? ''}`,
      test,
    });
    const palette = output === undefined ? paletteFor(process.stdout, process.env) : undefined;
    const isDelivered = await deliver(await loadReporters[reporter](report, palette), output);
    return isDelivered && report.failures.length === 0 ? 0 : 1;
  },
};

function readLoadReporter(given: string | undefined, isJson: boolean, isDryRun: boolean): LoadReporterName {
  const reporter = readReporter(given ?? (isJson ? 'json' : 'spec'), loadReporterNames, isDryRun);
  if (isJson && reporter !== 'json')
    throw new UsageError('--json means --reporter json. Leave out one of the two options.');
  return reporter;
}

function onlyFile([file, ...more]: readonly string[]): string {
  if (file === undefined || more.length > 0)
    throw new UsageError('Give one *.calltest.json, *.mission.json or *.ivr.json file.');
  return file;
}

const planAs = (reporter: LoadReporterName, planned: PlannedLoad): string =>
  reporter === 'json'
    ? `${JSON.stringify(loadPlanJson(planned), null, 2)}\n`
    : `${loadPlanText(planned)}\nNo calls were placed.\n`;

const everyCallPasses: LoadCriteria = { minPassed: 1 };

function readScript({ file, script }: LoadTarget, { keys, callSeconds }: LoadRequest): LoadedTest {
  if (!script) throw new UsageError(`--steps needs a *.calltest.json or *.mission.json file, not ${file}.`);
  if (keys !== undefined || callSeconds !== undefined)
    throw new UsageError(
      '--steps excludes --keys and --call-seconds: the test presses its own keys and hangs up itself.',
    );
  return script;
}

/** If the service has no plan, the launch says why. */
function withoutPlan(error: unknown): undefined {
  if (!(error instanceof ServiceError)) throw error;
}

/** Returns what the calls carry out, and whom they call. */
const calledAt = (
  phoneNumber: string,
  script: LoadedTest | undefined,
): Pick<RunLoadTest, 'phoneNumber'> | Pick<RunLoadTest, 'test' | 'mission'> =>
  script ? launchOf({ file: script.source, id: script.id, phoneNumber }) : { phoneNumber };

async function callAll(
  client: DialtreeClient,
  { ivr, phoneNumber = '' }: LoadTarget,
  request: LoadRequest,
  script: LoadedTest | undefined,
  signal: AbortSignal,
): Promise<LoadTest> {
  const callNumber = async (number: string): Promise<LoadTest> => {
    if (signal.aborted) throw cancelled();
    return followLoad(client, { ...request, ...calledAt(number, script) }, { signal, tell: note });
  };
  const noteLost = (): void => {
    note('The practice IVR ended unexpectedly, so its calls were cut off.');
  };
  return ivr ? withPracticeProcess(ivr.file, signal, noteLost, callNumber) : callNumber(phoneNumber);
}

export function readCriteria(values: Readonly<Record<string, unknown>>): LoadCriteria {
  return withoutUndefined(
    Object.fromEntries(
      criterionNames.map((name) => {
        const option = optionOf(name);
        const { minValue, maxValue } = loadCriteriaSchema.shape[name].unwrap();
        return [name, decimalOption(values[option] as string | undefined, option, minValue ?? 0, maxValue ?? Infinity)];
      }),
    ),
  );
}
