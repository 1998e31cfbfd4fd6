import { ServiceError } from '../client/errors.ts';
import { HumanError } from '../contract/errors.ts';
import { SpeechError } from '../speech/ear.ts';
import { note, print, UsageError, type Command } from './command.ts';
import { adminCommand } from './adminCommand.ts';
import { diff } from './diff.ts';
import { cassette } from './cassette.ts';
import { exportCommand } from './exportCommand.ts';
import { importCommand } from './importCommand.ts';
import { loadCommand } from './loadCommand.ts';
import { map } from './map.ts';
import { practice } from './practice.ts';
import { read } from './read.ts';
import { runCommand } from './runCommand.ts';
import { score } from './score.ts';
import { serveCommand } from './serveCommand.ts';
import { transcribe } from './transcribe.ts';
import { tree } from './tree.ts';

const commands: Readonly<Record<string, Command>> = {
  map,
  diff,
  tree,
  run: runCommand,
  load: loadCommand,
  practice,
  cassette,
  score,
  transcribe,
  read,
  serve: serveCommand,
  admin: adminCommand,
  export: exportCommand,
  import: importCommand,
};

const overview = (): string =>
  [
    'dialtree: map, hear and test phone menus (IVR).',
    '',
    ...Object.values(commands).map(({ usage, summary }) => `  dialtree ${usage}\n      ${summary}`),
    '',
    'dialtree COMMAND --help tells more. Results go to stdout, progress to stderr. Exit code: 0 done, 1 the work failed, 2 bad use.',
  ].join('\n');

/** Runs one command line; never throws. */
export async function main(argv: readonly string[]): Promise<number> {
  const [name, ...args] = argv;
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    (name === undefined ? note : print)(overview());
    return name === undefined ? 2 : 0;
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) {
    note(`There is no command "${name}".\n\n${overview()}`);
    return 2;
  }
  if (args.includes('--help') || args.includes('-h')) {
    print(`Usage: dialtree ${command.usage}\n\n${command.summary}\n\n${command.help}`);
    return 0;
  }
  try {
    return await command.run(args);
  } catch (error) {
    if (error instanceof UsageError) {
      note(`${error.message}\nUsage: dialtree ${command.usage}`);
      return 2;
    }
    if (error instanceof ServiceError) {
      note(error.message);
      return 1;
    }
    if (error instanceof HumanError || error instanceof SpeechError) {
      note(error.message);
      return error instanceof HumanError && error.status === 400 ? 2 : 1;
    }
    note(`Internal error: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    return 1;
  }
}
