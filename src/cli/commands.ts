import type { CliCommand } from './command.ts';

/** An entry in the list of commands. Its code loads when it is called, so that other commands start faster. */
interface ListedCommand {
  /** Name, arguments and options, without `dialtree`. */
  readonly usage: string;
  readonly summary: string;
  load(): Promise<CliCommand>;
}

/** All commands by name, in the order of `dialtree --help`. */
export const commands: Readonly<Record<string, ListedCommand>> = {
  map: {
    usage:
      'map NUMBER|sip:URI [--ivr FILE] [--max-depth N] [--max-calls N] [--concurrency N] [--mode MODE] ' +
      '[--allow LABEL]… [--press-unsure] [--routes FILE|JSON] [--lines FILE|JSON] [--consent TARGET] [--json] [--out FILE] ' +
      '[--save FILE.calltree.json]',
    summary: 'Calls an IVR, maps its menu tree and prints it.',
    load: async () => (await import('./tree/map.ts')).map,
  },
  diff: {
    usage: 'diff BASE.calltree.json CURRENT.calltree.json [--json]',
    summary: 'Compares two mapped trees of the same IVR.',
    load: async () => (await import('./tree/diff.ts')).diff,
  },
  tree: {
    usage: 'tree FILE.calltree.json [--format text|outline|mermaid|graphviz|csv]',
    summary: 'Prints a mapped tree.',
    load: async () => (await import('./tree/tree.ts')).tree,
  },
  run: {
    usage:
      'run FILES|FOLDERS|PATTERNS… [--reporter spec|json|junit|sarif] [--output FILE] [--repeat N] ' +
      '[--baseline FILE] [--grep TEXT] [--lines FILE|JSON] [--dry-run]',
    summary: 'Runs the tests in *.calltest.json, *.mission.json and *.probe.json files and reports which passed.',
    load: async () => (await import('./run/run.ts')).run,
  },
  heal: {
    usage: 'heal FILE.calltest.json [--write] [--routes FILE|JSON] [--lines FILE|JSON] [--consent TARGET] [--url URL]',
    summary: 'Runs a test, and if it fails, says what has changed and proposes a repair that tests the same.',
    load: async () => (await import('./run/heal.ts')).heal,
  },
  judge: {
    usage: 'judge CALL.json TEST.mission.json [--json]',
    summary: 'Judges a stored call by the checks of a mission file, without a new call.',
    load: async () => (await import('./run/judge.ts')).judgeCommand,
  },
  load: {
    usage:
      'load FILE [--concurrency N] [--ramp S] [--hold S] [--calls-per-second N] [--min-setup-success ' +
      'SHARE] [--lines FILE|JSON] [--reporter spec|json|junit] [--dry-run]',
    summary:
      'Places many simultaneous calls to the number or practice IVR in a file, and reports how well it handles them.',
    load: async () => (await import('./load/load.ts')).load,
  },
  practice: {
    usage:
      'practice FILE… [--host 127.0.0.1] [--port 5070] [--line NAME --lines FILE|JSON] [--speak-first] [--truth] [--json] | practice ' +
      'FILE --call SIP-URI [--consent SIP-URI] | practice --echo [--user NAME] [--port 5070] [--json]',
    summary: 'Answers SIP calls with the practice IVRs in the given *.ivr.json files.',
    load: async () => (await import('./ivr/practice.ts')).practice,
  },
  line: {
    usage: 'line check|echo|register NAME --lines FILE|JSON [--number N] [--consent TARGET] [--json]',
    summary: 'Checks a line, calls an echo number over it, or keeps it registered.',
    load: async () => (await import('./line/line.ts')).line,
  },
  cassette: {
    usage: 'cassette FILE.calltree.json --out NAME.ivr.json [--force] [--json]',
    summary: 'Creates a practice IVR from a mapped tree, with the same menus, keys, links and ends.',
    load: async () => (await import('./tree/cassette.ts')).cassette,
  },
  score: {
    usage: 'score --truth T.json --tree R.json [--json]',
    summary: 'Compares a mapped tree with the ground truth of a practice IVR.',
    load: async () => (await import('./tree/score.ts')).score,
  },
  transcribe: {
    usage: 'transcribe FILE.wav… [--json]',
    summary: 'Transcribes 8 kHz or 16 kHz recordings, with the time of each word and the keys that are mentioned.',
    load: async () => (await import('./prompt/transcribe.ts')).transcribe,
  },
  read: {
    usage: 'read [TEXT | FILE.txt…] [--json]',
    summary: 'Analyses the text of a menu prompt: which keys it offers, what you can say and what you can enter.',
    load: async () => (await import('./prompt/read.ts')).read,
  },
  serve: {
    usage:
      'serve [--host 127.0.0.1] [--port 0] [--data DIR] [--database-url URL] [--routes FILE|JSON] ' +
      '[--lines FILE|JSON] [--sms twilio|log] [--mail smtp|log] [--contact TEXT] [--repair]',
    summary: 'Serves the API (MCP and REST) on this machine until you stop it.',
    load: async () => (await import('./serve/serve.ts')).serve,
  },
  mcp: {
    usage: 'mcp [--data DIR] [--url URL]',
    summary: 'Speaks MCP on stdin and stdout, for agents that start a command.',
    load: async () => (await import('./agents/mcp.ts')).mcp,
  },
  agents: {
    usage: 'agents init [--for vscode|claude|codex] [--dry-run] [--undo]',
    summary: 'Writes the MCP configuration, skills and agents for coding agents into the current folder.',
    load: async () => (await import('./agents/agents.ts')).agents,
  },
  admin: {
    usage: 'admin workspaces|tier|grant [ID …] [--data DIR | --database-url URL] [--json]',
    summary: 'For the operator of a server: list workspaces, set their tier, add minutes.',
    load: async () => (await import('./store/admin.ts')).admin,
  },
  export: {
    usage: 'export WORKSPACE_ID FILE [--data DIR | --database-url URL] [--json]',
    summary:
      'Writes the content of a workspace to one file: mappings with their trees and recordings, saved tests, profiles and settings.',
    load: async () => (await import('./store/export.ts')).exportCommand,
  },
  import: {
    usage: 'import FILE [--data DIR | --database-url URL] [--json]',
    summary: 'Imports a workspace from a file that dialtree export wrote. If this fails, nothing is imported.',
    load: async () => (await import('./store/import.ts')).importCommand,
  },
};
