import { consoleSender, twilioSender } from '../service/workspaces/sms.ts';
import type { SmsSender } from '../service/workspaces/sms.ts';
import { UsageError } from './command.ts';

/** The sender that `--sms` names; what it must keep secret comes from the environment, never from the command line. */
export function readSms(kind: string, environment: Readonly<Record<string, string | undefined>>): SmsSender {
  if (kind === 'log')
    return consoleSender((line) => {
      process.stderr.write(line);
    });
  if (kind !== 'twilio') throw new UsageError(`--sms takes twilio or log, not "${kind}".`);
  const demand = (name: string): string => {
    const value = environment[name];
    if (value === undefined || value === '') throw new UsageError(`--sms twilio needs ${name} in the environment.`);
    return value;
  };
  const baseUrl = environment['DIALTREE_TWILIO_URL'];
  if (baseUrl !== undefined && !/^https?:\/\/[^/\s]+$/.test(baseUrl))
    throw new UsageError('DIALTREE_TWILIO_URL is an address such as https://api.example.com, without a path.');
  return twilioSender({
    accountSid: demand('DIALTREE_TWILIO_ACCOUNT_SID'),
    authToken: demand('DIALTREE_TWILIO_AUTH_TOKEN'),
    from: demand('DIALTREE_TWILIO_FROM'),
    ...(baseUrl !== undefined && { baseUrl }),
  });
}
