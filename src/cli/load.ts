import { ServiceError } from '../client/errors.ts';
import { describeIssues, HumanError } from '../contract/errors.ts';
import { limits } from '../contract/limits.ts';
import { loadKeysSchema } from '../contract/loadTests.ts';
import type { OperationInput } from '../contract/operations.ts';
import { PracticeRegistry } from '../practice/registry.ts';
import { resolveTarget, strangerAt } from '../service/numbers/dialGate.ts';
import { consentRequired } from '../service/runs/permission.ts';
import { decimal, integer, note, readArguments, UsageError } from './command.ts';
import { consentOption, readConsents } from './consents.ts';
import { criterionOptions, judgeLoad, readLimits } from './loadCriteria.ts';
import { followLoad } from './loadFollow.ts';
import { planLoad, planText, type LoadRequest } from './loadPlan.ts';
import { withPracticeProcess } from './loadPractice.ts';
import { reportLoad } from './loadReport.ts';
import { isLoadReporterName, loadReporterNames, loadReporters } from './loadReporters.ts';
import { readLoadTarget, type LoadTarget } from './loadTarget.ts';
import { deliver, prepareFiles } from './outputFile.ts';
import { paletteFor } from './report/specReport.ts';
import { readRoutes } from './routes.ts';
import { remoteService, withService, type ServiceChoice } from './runService.ts';
import { interruption } from './signals.ts';

const options = {
  concurrency: { type: 'string' },
  ramp: { type: 'string' },
  hold: { type: 'string' },
  'calls-per-second': { type: 'string' },
  'call-seconds': { type: 'string' },
  replace: { type: 'boolean' },
  keys: { type: 'string', multiple: true },
  'abort-failures': { type: 'string' },
  'abort-lateness': { type: 'string' },
  reporter: { type: 'string' },
  output: { type: 'string' },
  json: { type: 'boolean' },
  'dry-run': { type: 'boolean' },
  routes: { type: 'string' },
  url: { type: 'string' },
  ...consentOption,
  ...criterionOptions,
} as const;
type Values = ReturnType<typeof readArguments<typeof options>>['values'];

const defaultConcurrency = 10;
const defaultHoldSeconds = 10;

export async function load(args: readonly string[]): Promise<number> {
  const { values, positionals } = readArguments(args, options);
  const reporter = values.reporter ?? (values.json === true ? 'json' : 'spec');
  if (!isLoadReporterName(reporter)) throw new UsageError(`--reporter is one of ${loadReporterNames.join(', ')}.`);
  if (values.json === true && reporter !== 'json')
    throw new UsageError('--json is --reporter json; leave one of them out.');
  if (values['dry-run'] === true && reporter === 'junit')
    throw new UsageError(
      '--dry-run prints a plan, not a report: --reporter junit does not go with it, spec and json do.',
    );
  if (values.url !== undefined && values.routes !== undefined)
    throw new UsageError(
      '--routes is the dial plan of the service that this command starts; the service at --url has its own.',
    );
  if (values.url !== undefined && values.consent !== undefined)
    throw new UsageError(
      '--consent is for the service that this command starts; the service at --url keeps consents of its own.',
    );
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0)
    throw new UsageError('Give one *.calltest.json, *.mission.json or *.ivr.json.');
  const request = readRequest(values);
  const asked = readLimits(values);
  const remote = values.url === undefined ? undefined : remoteService(values.url, process.env['DIALTREE_API_KEY']);
  const routes = values.routes === undefined ? {} : await readRoutes(values.routes);
  const consents = await readConsents(values.consent, routes);

  const target = await readLoadTarget(file, process.cwd());
  if (remote?.isLocal === false && target.ivr)
    throw new HumanError(
      'A practice IVR is played on this machine, and the service of --url does not reach it. Leave --url out, or give a file with a phoneNumber.',
      { status: 400, code: 'practice_elsewhere' },
    );
  const dialling =
    remote || target.phoneNumber === undefined
      ? undefined
      : resolveTarget(target.phoneNumber, { routes, practices: new PracticeRegistry() });
  const consentFor =
    dialling?.consentFor === undefined || consents.includes(dialling.consentFor) ? undefined : dialling.consentFor;
  const place = dialling && strangerAt(dialling);
  const rate =
    remote && target.phoneNumber !== undefined && values['dry-run'] !== true
      ? await rateOn(remote, { ...request, phoneNumber: target.phoneNumber })
      : dialling?.costPerMinute === undefined
        ? {}
        : { costPerMinute: dialling.costPerMinute };
  const plan = planLoad(target, request, {
    limits: asked,
    ...rate,
    ...(consentFor !== undefined && { consentFor, ...(place !== undefined && { place }) }),
    ...(remote && { service: remote.baseUrl }),
  });
  if (values['dry-run'] === true) {
    await prepareFiles([values.output]);
    return (await deliver(
      reporter === 'json' ? `${JSON.stringify(plan, null, 2)}\n` : `${planText(plan)}\nNothing was dialled.\n`,
      values.output,
    ))
      ? 0
      : 1;
  }
  note(planText(plan));
  if (consentFor !== undefined && dialling && place !== undefined) throw consentRequired(consentFor, dialling);
  if (consentFor !== undefined)
    throw new HumanError(
      `The service that this command starts holds no consent for ${consentFor}. Use --url with a service that does.`,
      { status: 403, code: 'consent_required' },
    );
  await prepareFiles([values.output]);

  const signal = interruption();
  const test = await withTarget(target, signal, (phoneNumber) =>
    withService(remote ?? { routes, consents }, async (client) => {
      if (signal.aborted) throw new HumanError('Cancelled before any call was placed.');
      return await followLoad(client, { ...request, phoneNumber }, { signal, tell: note });
    }),
  );
  const report = reportLoad({
    file: target.file,
    name: target.name,
    target: target.phoneNumber ?? `practice IVR ${target.ivr?.name ?? ''}`,
    test,
    verdicts: judgeLoad(test, asked),
  });
  const isDelivered = await deliver(
    loadReporters[reporter](report, values.output === undefined ? paletteFor(process.stdout, process.env) : undefined),
    values.output,
  );
  return isDelivered && report.failures.length === 0 ? 0 : 1;
}

/** What a service knows of a call's cost. What else it says to the plan, it says to the launch. */
async function rateOn(
  remote: ServiceChoice,
  load: OperationInput<'runLoadTest'>,
): Promise<{ readonly costPerMinute?: number; readonly currency?: string }> {
  try {
    const { cost } = await withService(remote, (client) => client.call('planCalls', { load }));
    return cost ? { costPerMinute: cost.perMinute, currency: cost.currency } : {};
  } catch (error) {
    if (error instanceof ServiceError) return {};
    throw error;
  }
}

const withTarget = <Result>(
  { phoneNumber, ivr }: LoadTarget,
  signal: AbortSignal,
  work: (phoneNumber: string) => Promise<Result>,
): Promise<Result> =>
  ivr
    ? withPracticeProcess(
        ivr.file,
        signal,
        () => {
          note('The practice IVR has ended unexpectedly: its calls break off.');
        },
        work,
      )
    : work(phoneNumber ?? '');

function readRequest(values: Values): LoadRequest {
  const { calls, rampSeconds, holdSeconds, callsPerSecond, tickLatenessMs } = limits.loadTest;
  const callSeconds = decimal(values['call-seconds'], 'call-seconds', holdSeconds.min, holdSeconds.max);
  const failureShare = decimal(values['abort-failures'], 'abort-failures', 0.01, 1);
  const lateness = decimal(values['abort-lateness'], 'abort-lateness', tickLatenessMs.min, tickLatenessMs.max);
  if (values.keys && values.keys.length > limits.loadTest.keys)
    throw new UsageError(`--keys may be given ${String(limits.loadTest.keys)} times.`);
  return {
    concurrency: integer(values.concurrency, 'concurrency', calls.min, calls.max) ?? defaultConcurrency,
    rampSeconds: decimal(values.ramp, 'ramp', rampSeconds.min, rampSeconds.max) ?? 0,
    holdSeconds: decimal(values.hold, 'hold', holdSeconds.min, holdSeconds.max) ?? defaultHoldSeconds,
    callsPerSecond:
      decimal(values['calls-per-second'], 'calls-per-second', callsPerSecond.min, callsPerSecond.max) ??
      callsPerSecond.max,
    ...(callSeconds !== undefined && { callSeconds }),
    ...(values.replace === true && { replace: true }),
    ...(values.keys && { keys: values.keys.map(readKeys) }),
    ...((failureShare !== undefined || lateness !== undefined) && {
      abortWhen: {
        ...(failureShare !== undefined && { failureShare }),
        ...(lateness !== undefined && { tickLatenessMs: lateness }),
      },
    }),
  };
}

/** `2:1#`: one second number, a colon, and the keys. */
function readKeys(text: string): { afterSeconds: number; digits: string } {
  const [, after = '', digits = ''] = /^(\d+(?:\.\d+)?):(.*)$/.exec(text) ?? [];
  const keys = loadKeysSchema.safeParse({ afterSeconds: Number(after), digits });
  if (after === '')
    throw new UsageError(`--keys takes seconds after the answer, a colon and keys, such as 2:1#, not "${text}".`);
  if (!keys.success) throw new UsageError(`--keys ${text}: ${describeIssues(keys.error)}`);
  return keys.data;
}
