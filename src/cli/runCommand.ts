import type { Command } from './command.ts';
import { consentHelp } from './consents.ts';

export const runCommand: Command = {
  usage:
    'run FILES|FOLDERS|PATTERNS… [--reporter spec|json|junit|sarif] [--output FILE] [--repeat N] [--baseline FILE] [--grep TEXT] [--dry-run]',
  summary: 'Calls the tests of *.calltest.json and *.mission.json files and tells which passed.',
  help: `A folder stands for all test files below it; patterns with *, ** and {a,b} are understood, quoted too. A test calls the number of its file,
or the practice IVR that it names, which is played on loopback for the run. A file without an id gets one.

  --reporter KIND        spec (default), json, junit or sarif
  --output FILE          writes the report there instead of on stdout
  --repeat N             calls each test N times, 1 to 1000
  --baseline FILE        compares with the figures in FILE: a test fails the run only where its pass rate has become worse, where all
                         its calls passed and none does now, or where FILE does not have it and it does not pass
  --write-baseline FILE  writes the figures of this run as a baseline, unless it was cut off; 6 calls a test tell much more than one (--repeat)
  --grep TEXT            only tests whose name or file holds TEXT, in upper or lower case
  --bail                 ends with the first test that fails the run
  --dry-run              checks the files and prints the plan (numbers, calls, minutes at most) as spec or json; calls nobody
  --routes FILE|JSON     dial plan: {"+12025550100": "sip:practice@127.0.0.1:5070"}
  --consent TARGET       ${consentHelp}
  --url URL              runs the tests on that service; its key is read from DIALTREE_API_KEY
  --replace              puts the files in the place of what was edited on that service, and keeps that in a file; without it nobody is called then

Ctrl+C hangs up, and reports what there is. Exit code 0: all passed; 1: a test failed, was not decided, or gave no results
(with --baseline: has become worse, is not in it and failed, or gave no results); 2: bad use, or a bad file.`,
  // Loaded when it is needed: the other commands start faster without it.
  run: async (args) => (await import('./run.ts')).run(args),
};
