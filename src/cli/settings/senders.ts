import { consoleMail, type MailSender } from '../../service/people/mail.ts';
import { consoleSender, twilioSender, type SmsSender } from '../../service/people/sms.ts';
import { UsageError } from '../command.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Returns the sender that `--mail` names. Its secrets come from the environment, never from the command line. */
export async function readMail(kind: string, environment: Environment): Promise<MailSender> {
  if (kind === 'log')
    return consoleMail((line) => {
      process.stderr.write(line);
    });
  if (kind !== 'smtp') throw new UsageError(`--mail takes smtp or log, not "${kind}".`);
  const from = environment['DIALTREE_MAIL_FROM'] ?? '';
  if (!/^[^\r\n]*[^\s@<>]+@[^\s@<>]+>?$/.test(from))
    throw new UsageError(
      '--mail smtp needs DIALTREE_MAIL_FROM in the environment: the sender, such as ops@example.com.',
    );
  const url = smtpUrl(environment);
  if (!url)
    throw new UsageError(
      '--mail smtp needs DIALTREE_SMTP_URL in the environment: the mail server, such as smtps://user:password@mail.example.com or smtp://127.0.0.1:25.',
    );
  // Loaded on demand, so that a service without mail starts faster.
  const { smtpSender } = await import('../../service/people/smtp.ts');
  return smtpSender({ url, from });
}

/** Returns undefined if there is no address, or it isn't the address of a mail server. */
export function smtpUrl(environment: Environment): URL | undefined {
  const text = environment['DIALTREE_SMTP_URL'] ?? '';
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  return /^smtps?:$/.test(url.protocol) &&
    url.hostname !== '' &&
    /^\/?$/.test(url.pathname) &&
    url.search === '' &&
    isEncoded(url)
    ? url
    : undefined;
}

/** A percent sign that doesn't begin a code would change the password. */
function isEncoded({ username, password }: URL): boolean {
  try {
    decodeURIComponent(username + password);
    return true;
  } catch {
    return false;
  }
}

/** Returns the sender that `--sms` names. Its secrets come from the environment, never from the command line. */
export function readSms(kind: string, environment: Environment): SmsSender {
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
    throw new UsageError('DIALTREE_TWILIO_URL takes an address such as https://api.example.com, without a path.');
  return twilioSender({
    accountSid: demand('DIALTREE_TWILIO_ACCOUNT_SID'),
    authToken: demand('DIALTREE_TWILIO_AUTH_TOKEN'),
    from: demand('DIALTREE_TWILIO_FROM'),
    ...(baseUrl !== undefined && { baseUrl }),
  });
}
