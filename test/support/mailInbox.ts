import type { Mail, MailSender } from '../../src/service/people/mail.ts';
import { noteSecret } from './secretRegistry.ts';

/** Mails as they arrive in the inboxes of a test. */
export class MailInbox implements MailSender {
  readonly mails: Mail[] = [];
  /** If set, the mail server rejects with this error. */
  failure: Error | undefined;

  send(mail: Mail): Promise<void> {
    noteSecret(mail.to);
    noteSecret(/\b\d{8}\b/.exec(mail.text)?.[0]);
    if (this.failure) return Promise.reject(this.failure);
    this.mails.push(mail);
    return Promise.resolve();
  }

  lastFor(address: string): Mail {
    const mail = this.mails.findLast(({ to }) => to === address);
    if (!mail) throw new Error('no mail was sent to this address');
    return mail;
  }

  codeFor(address: string): string {
    const code = /\b\d{8}\b/.exec(this.lastFor(address).text)?.[0];
    if (code === undefined) throw new Error('the last mail to this address holds no code');
    return code;
  }
}
