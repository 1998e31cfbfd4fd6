import { HumanError } from '../../contract/errors.ts';
import type { LoadTest } from '../../contract/loadTests.ts';
import { limits } from '../../contract/limits.ts';
import { consentHelp } from '../calling/consents.ts';
import {
  isRemote,
  reachesThisMachine,
  readService,
  serviceOptions,
  withService,
  type ServiceChoice,
} from '../calling/serviceChoice.ts';
import { readArguments, UsageError, type Command } from '../command.ts';
import { readReporter } from '../report/readReporter.ts';
import { note } from '../terminal/output.ts';
import { deliver, prepareFiles } from '../terminal/outputFile.ts';
import { paletteFor } from '../terminal/palette.ts';
import { interruption } from '../terminal/signals.ts';
import { criterionOptions, judgeLoad, readLimits } from './criteria.ts';
import { followLoad } from './follow.ts';
import { outlookOf } from './outlook.ts';
import { planLoad, planText, type LoadPlan } from './plan.ts';
import { withPracticeProcess } from './practiceProcess.ts';
import { reportLoad } from './report.ts';
import { loadReporterNames, loadReporters, type LoadReporterName } from './reporters.ts';
import { readRequest, requestOptions, type LoadRequest } from './request.ts';
import { readLoadTarget, type LoadTarget } from './target.ts';

const options = {
  ...serviceOptions,
  ...requestOptions,
  ...criterionOptions,
  reporter: { type: 'string' },
  output: { type: 'string' },
  json: { type: 'boolean' },
  'dry-run': { type: 'boolean' },
} as const;

const { calls, rampSeconds, holdSeconds, callsPerSecond } = limits.loadTest;

export const load: Command = {
  help: `FILE is a *.calltest.json or *.mission.json, whose steps are not carried out, or an *.ivr.json. A practice IVR is played in a process of its own for the test.

  --concurrency N          calls at once, ${String(calls.min)} to ${String(calls.max)}; default 10
  --ramp S                 the calls start evenly over S seconds, ${String(rampSeconds.min)} to ${String(rampSeconds.max)}; default 0
  --hold S                 they are held for S seconds from then on, ${String(holdSeconds.min)} to ${String(holdSeconds.max)}; default 10
  --calls-per-second N     calls are never placed faster, ${String(callsPerSecond.min)} to ${String(callsPerSecond.max)} (default); stretches the ramp where it must
  --call-seconds S         each call is hung up S seconds after its answer
  --replace                a call that has ended is followed by another: with --call-seconds a steady rate
  --keys S:KEYS            each call presses KEYS S seconds after its answer; may be given again

It ends early when half of at least 20 calls have failed:
  --abort-failures SHARE   when this share of them has failed, 0.01 to 1
  --abort-lateness MS      when this machine is too slow: its 20 ms tick is so late (p99 of 5 s)

Exit code 1, with a sentence each, where this is not kept:
  --min-setup-success SHARE  answered calls over those placed, such as 0.99; without --replace a call that nobody answered by the end of the hold is none
  --max-post-dial-p95 S      from the INVITE to the first ringing
  --max-answer-p95 S         from the INVITE to the answer
  --max-prompt-p95 S         from the answer to the first sound
  --max-loss SHARE           lost and late packets over those expected
  --max-jitter-p95 MS        RFC 3550, of each call at its end
  --min-mos MOS              estimated (E-model) for 19 of 20 calls, 1 to 4.5

  --reporter KIND          spec (default), json or junit; --json is --reporter json
  --output FILE            writes the report there instead of on stdout
  --dry-run                checks the file and prints the plan; calls nobody
  --routes FILE|JSON       dial plan: {"+12025550100": "sip:practice@127.0.0.1:5070"}
  --consent TARGET         ${consentHelp}
  --url URL                the test is carried out by that service; its key is read from DIALTREE_API_KEY

Ctrl+C hangs up all calls, and reports what was measured. Exit code 0: passed; 1: not carried through, no call answered, or something was not kept; 2: bad use, or a bad file.`,
  async run(args) {
    const { values, positionals } = readArguments(args, options);
    const { output, 'dry-run': isDryRun = false } = values;
    const reporter = readLoadReporter(values.reporter, values.json === true, isDryRun);
    const file = onlyFile(positionals);
    const request = readRequest(values);
    const asked = readLimits(values);
    const service = await readService(values);

    const target = await readLoadTarget(file, process.cwd());
    if (!reachesThisMachine(service) && target.ivr)
      throw new HumanError(
        'A practice IVR is played on this machine, and the service of --url does not reach it. Leave --url out, or give a file with a phoneNumber.',
        { status: 400, code: 'practice_elsewhere' },
      );
    const { refusal, ...outlook } = await outlookOf(target.phoneNumber, service, request, isDryRun);
    const plan = planLoad(target, request, {
      limits: asked,
      ...outlook,
      ...(isRemote(service) && { service: service.baseUrl }),
    });
    if (isDryRun) {
      await prepareFiles([output]);
      return (await deliver(planAs(reporter, plan), output)) ? 0 : 1;
    }
    note(planText(plan));
    if (refusal) throw refusal;
    await prepareFiles([output]);

    const test = await callAll(target, service, request);
    const report = reportLoad({
      file: target.file,
      name: target.name,
      target: target.phoneNumber ?? `practice IVR ${target.ivr?.name ?? ''}`,
      test,
      verdicts: judgeLoad(test, asked),
    });
    const palette = output === undefined ? paletteFor(process.stdout, process.env) : undefined;
    const isDelivered = await deliver(loadReporters[reporter](report, palette), output);
    return isDelivered && report.failures.length === 0 ? 0 : 1;
  },
};

function readLoadReporter(given: string | undefined, isJson: boolean, isDryRun: boolean): LoadReporterName {
  const reporter = readReporter(given ?? (isJson ? 'json' : 'spec'), loadReporterNames, isDryRun);
  if (isJson && reporter !== 'json') throw new UsageError('--json is --reporter json; leave one of them out.');
  return reporter;
}

function onlyFile([file, ...more]: readonly string[]): string {
  if (file === undefined || more.length > 0)
    throw new UsageError('Give one *.calltest.json, *.mission.json or *.ivr.json.');
  return file;
}

const planAs = (reporter: LoadReporterName, plan: LoadPlan): string =>
  reporter === 'json' ? `${JSON.stringify(plan, null, 2)}\n` : `${planText(plan)}\nNothing was dialled.\n`;

async function callAll(target: LoadTarget, service: ServiceChoice, request: LoadRequest): Promise<LoadTest> {
  const signal = interruption();
  const callNumber = (phoneNumber: string): Promise<LoadTest> =>
    withService(service, async (client) => {
      if (signal.aborted) throw new HumanError('Cancelled before any call was placed.');
      return await followLoad(client, { ...request, phoneNumber }, { signal, tell: note });
    });
  const noteLost = (): void => {
    note('The practice IVR has ended unexpectedly: its calls break off.');
  };
  const { ivr, phoneNumber = '' } = target;
  return ivr ? withPracticeProcess(ivr.file, signal, noteLost, callNumber) : callNumber(phoneNumber);
}
