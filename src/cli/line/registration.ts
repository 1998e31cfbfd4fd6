import { systemClock } from '../../base/clock.ts';
import { callingHosts } from '../../base/loopback.ts';
import type { Line } from '../../contract/lines.ts';
import { passwordVariable } from '../../model/calls/linePlan.ts';
import { accountOf, registerOptionsOf } from '../../service/lines/lineAccount.ts';
import { shownRegistration } from '../../service/lines/lineWords.ts';
import { leavesMachine } from '../../service/numbers/dialGate.ts';
import { startSipAgent } from '../../telephony/agent.ts';
import type { RegisterOptions, RegistrationState } from '../../telephony/call.ts';
import { UsageError } from '../command.ts';
import type { GivenLines } from '../settings/lines.ts';
import { jsonText } from '../terminal/controlCharacters.ts';
import { print } from '../terminal/output.ts';
import { interruption } from '../terminal/signals.ts';

/** A line that registers, with the addresses of this machine at which its calls can arrive. */
export interface LineToRegister {
  readonly name: string;
  readonly settings: Line;
  readonly hosts: ReturnType<typeof callingHosts>;
  readonly options: RegisterOptions;
}

/** Returns how a line registers. Rejects lines that can't, and those without a password, with a UsageError. */
export function lineToRegister(name: string, { lines, linePasswords }: GivenLines): LineToRegister {
  const line = Object.hasOwn(lines, name) ? lines[name] : undefined;
  if (!line) throw new UsageError(`--lines has no line called "${name}". Its lines: ${Object.keys(lines).join(', ')}.`);
  const { kind, user } = line;
  if (kind === 'uri' || user === undefined)
    throw new UsageError(`The line ${name} can't register. Use a line of kind pbx or trunk with a user.`);
  if (!Object.hasOwn(linePasswords, name))
    throw new UsageError(`The line ${name} needs a password. Put it in the environment as ${passwordVariable(name)}.`);
  return {
    name,
    settings: line,
    hosts: callingHosts(leavesMachine({}, { [name]: line })),
    options: registerOptionsOf(line, accountOf(line, linePasswords[name])),
  };
}

/** Keeps a line registered until a signal, or until its registrar refuses for good. Returns the exit code. */
export async function keepRegistered(line: LineToRegister, json: boolean): Promise<number> {
  const { name, hosts, options } = line;
  const signal = interruption();
  const agent = await startSipAgent(hosts);
  try {
    return await new Promise<number>((resolve) => {
      signal.addEventListener('abort', () => resolve(0), { once: true });
      agent.register(name, options, (state) => {
        print(registrationText(line, state, json));
        if (state.state === 'failed' && state.retryAt === undefined) resolve(1);
      });
    });
  } finally {
    await agent.close();
  }
}

/** Returns the state in words, or as JSON. */
export function registrationText({ name, settings }: LineToRegister, now: RegistrationState, json: boolean): string {
  const shown = shownRegistration(now, settings, systemClock);
  if (json) return jsonText({ event: 'registration', line: name, ...shown });
  switch (shown.state) {
    case 'registering':
      return `${name}: registering…`;
    case 'registered':
      return `${name}: registered since ${timeOf(shown.since)}, until ${timeOf(shown.until)}`;
    case 'failed':
      return `${name}: not registered. ${shown.message ?? ''}${now.retryAt === undefined ? '' : ' Another attempt follows.'}`;
    case 'closed':
      return `${name}: unregistered`;
  }
}

const timeOf = (iso = ''): string => new Date(iso).toTimeString().slice(0, 8);
