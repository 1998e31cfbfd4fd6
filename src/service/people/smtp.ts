import { createTransport } from 'nodemailer';
import { HumanError } from '../../contract/errors.ts';
import { isLoopback } from '../../base/loopback.ts';
import type { MailSender } from './mail.ts';

interface SmtpSettings {
  /** `smtp://user:password@host:port`, or `smtps:` for TLS from the first byte. */
  readonly url: URL;
  /** `ops@example.com`, or with a name: `Dialtree <ops@example.com>`. */
  readonly from: string;
}

const answerWithinMs = 10_000;

/** A mail server (RFC 5321). Passwords and mail to other machines need TLS (RFC 3207 STARTTLS, or RFC 8314 `smtps`). */
export function smtpSender({ url, from }: SmtpSettings): MailSender {
  const secure = url.protocol === 'smtps:';
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const transport = createTransport({
    host,
    port: url.port === '' ? (secure ? 465 : 587) : Number(url.port),
    secure,
    requireTLS: !secure && !isLoopback(host),
    ...(url.username !== '' && {
      auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) },
    }),
    connectionTimeout: answerWithinMs,
    greetingTimeout: answerWithinMs,
    socketTimeout: answerWithinMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    async send({ to, subject, text }) {
      try {
        await transport.sendMail({ from, to: { name: '', address: to }, subject, text });
      } catch (cause) {
        throw new HumanError(
          "The mail server didn't accept the mail, so nothing was sent. Try again in a minute. If it fails again, contact the operator of this server.",
          { status: 502, code: 'mail_failed', cause },
        );
      }
    },
  };
}
