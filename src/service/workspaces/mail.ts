export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** Sends plain mails. Rejects where the mail server did not take one. */
export interface MailSender {
  send(mail: Mail): Promise<void>;
}

/** For development: shows the mail to whoever runs the server, beside the log and never in it. */
export function consoleMail(write: (line: string) => void): MailSender {
  return {
    send({ to, subject, text }) {
      write(`Mail to ${to}: ${subject}\n${text}\n`);
      return Promise.resolve();
    },
  };
}
