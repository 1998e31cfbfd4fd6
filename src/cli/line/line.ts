import type { LineCheck, LineEcho } from '../../contract/lines.ts';
import { consentHelp, consentOption, readConsents } from '../calling/consents.ts';
import { withOwnService } from '../calling/ownService.ts';
import { readArguments, UsageError, type CliCommand } from '../command.ts';
import { linesHelp, linesOption, readGivenLines } from '../settings/lines.ts';
import { jsonText } from '../terminal/controlCharacters.ts';
import { print } from '../terminal/output.ts';
import { interruption } from '../terminal/signals.ts';
import { keepRegistered, lineToRegister } from './registration.ts';

const options = {
  ...linesOption,
  ...consentOption,
  number: { type: 'string' },
  json: { type: 'boolean' },
} as const;

export const line: CliCommand = {
  help: `  line check NAME        asks the called side of the line whether it works, and what is wrong if it doesn't
  line echo NAME         calls a number that sends back what it hears, and reports the delay and the packet loss
  line register NAME     registers the line, as a phone does, until you press Ctrl+C; prints until when, or why not

  --lines FILE|JSON    ${linesHelp}
  --number NUMBER      with echo: the number or extension of the echo service; a line of kind uri needs none
  --consent TARGET     with echo: ${consentHelp}
  --json               prints JSON: the check, the echo call, or one line for each change of the registration

Exit code 0: the line works, or its registration ended with Ctrl+C; 1: it doesn't work, no echo was heard, or it
couldn't register; 2: wrong usage, or invalid lines.`,
  async run(args) {
    const { values, positionals } = readArguments(args, options);
    const [action, name, ...more] = positionals;
    if ((action !== 'check' && action !== 'echo' && action !== 'register') || name === undefined || more.length > 0)
      throw new UsageError('Give what to do (check, echo or register) and the name of one line.');
    if (values.lines === undefined) throw new UsageError('Give the lines with --lines.');
    if (action !== 'echo' && (values.number ?? values.consent) !== undefined)
      throw new UsageError('Use --number and --consent only with echo.');
    const given = await readGivenLines(values.lines, process.env);
    if (action === 'register') return keepRegistered(lineToRegister(name, given), values.json === true);
    const consents = await readConsents(values.consent, {}, given.lines);
    const { number } = values;
    const signal = interruption();
    const answer = await withOwnService<LineCheck | LineEcho>({ ...given, consents, routes: {} }, (client) =>
      action === 'check'
        ? client.call('checkLine', { name }, { signal })
        : client.call('callLineEcho', { name, ...(number !== undefined && { number }) }, { signal }),
    );
    print(values.json ? jsonText(answer, 2) : `${name}: ${answer.message}`);
    const works = 'outcome' in answer ? answer.outcome === 'heard' : answer.state !== 'failed';
    return works ? 0 : 1;
  },
};
