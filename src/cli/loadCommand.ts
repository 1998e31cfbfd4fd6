import { limits } from '../contract/limits.ts';
import type { Command } from './command.ts';
import { consentHelp } from './consents.ts';

const { calls, rampSeconds, holdSeconds, callsPerSecond } = limits.loadTest;

export const loadCommand: Command = {
  usage:
    'load FILE [--concurrency N] [--ramp S] [--hold S] [--calls-per-second N] [--min-setup-success SHARE] [--reporter spec|json|junit] [--dry-run]',
  summary: 'Calls the number or practice IVR of a file many times at once, and tells how it bore that.',
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
  // Loaded when it is needed: the other commands start faster without it.
  run: async (args) => (await import('./load.ts')).load(args),
};
