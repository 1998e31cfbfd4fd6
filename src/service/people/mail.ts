export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** Sends plain mails. Rejects if the mail server didn't accept one. */
export interface MailSender {
  send(mail: Mail): Promise<void>;
}

/** For development: prints the mail for the person who runs the server, and never to the log. */
export function consoleMail(write: (line: string) => void): MailSender {
  return {
    send({ to, subject, text }) {
      write(`Mail to ${to}: ${subject}\n${text}\n`);
      return Promise.resolve();
    },
  };
}
