import { ServiceError } from '../client/errors.ts';
import { HumanError } from '../contract/errors.ts';
import { SpeechError } from '../speech/ear.ts';
import { UsageError } from './command.ts';
import { commands } from './commands.ts';
import { note, print } from './terminal/output.ts';

const overview = (): string =>
  [
    'dialtree: map, hear and test phone menus (IVR).',
    '',
    ...Object.values(commands).map(({ usage, summary }) => `  dialtree ${usage}\n      ${summary}`),
    '',
    'For help with a command, run dialtree COMMAND --help. Results go to stdout, progress to stderr. ' +
      'Exit codes: 0 success, 1 failure, 2 wrong usage.',
  ].join('\n');

const asksForHelp = (argument: string): boolean => argument === '--help' || argument === '-h';

/** Runs one command line. Never throws. */
export async function main([name, ...args]: readonly string[]): Promise<number> {
  if (name === undefined) {
    note(overview());
    return 2;
  }
  if (asksForHelp(name) || name === 'help') {
    print(overview());
    return 0;
  }
  const listed = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!listed) {
    note(`"${name}" isn't a command.\n\n${overview()}`);
    return 2;
  }
  const { usage, summary } = listed;
  try {
    const command = await listed.load();
    if (!args.some(asksForHelp)) return await command.run(args);
    print(`Usage: dialtree ${usage}\n\n${summary}\n\n${command.help}`);
    return 0;
  } catch (error) {
    note(error instanceof UsageError ? `${error.message}\nUsage: dialtree ${usage}` : sentenceOf(error));
    return isBadUse(error) ? 2 : 1;
  }
}

function sentenceOf(error: unknown): string {
  if (error instanceof ServiceError || error instanceof HumanError || error instanceof SpeechError)
    return error.message;
  return `Internal error: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
}

const isBadUse = (error: unknown): boolean =>
  error instanceof UsageError || (error instanceof HumanError && error.status === 400);
