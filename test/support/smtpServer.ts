import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';

export interface TakenMail {
  readonly from: string;
  readonly to: readonly string[];
  readonly user: string | undefined;
  readonly text: string;
}

/** A mail server on loopback (RFC 5321) that can accept a mail: with AUTH PLAIN and without TLS. */
export class SmtpServer {
  readonly mails: TakenMail[] = [];
  /** Everything that clients sent. */
  received = '';
  /** The answer to recipients; 250 accepts them. */
  recipientAnswer = '250 OK';
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  constructor() {
    this.#server = createServer((socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => {
        this.#sockets.delete(socket);
      });
      socket.on('error', () => undefined);
      this.#call(socket);
    });
  }

  async listen(): Promise<number> {
    await once(this.#server.listen(0, '127.0.0.1'), 'listening');
    return (this.#server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => {
      this.#server.close(resolve);
    });
  }

  #call(socket: Socket): void {
    let pending = '';
    let data: string[] | undefined;
    let mail: { from: string; to: string[]; user: string | undefined } = { from: '', to: [], user: undefined };
    const say = (line: string): void => {
      socket.write(`${line}\r\n`);
    };
    const take = (line: string): void => {
      if (data) {
        if (line !== '.') {
          data.push(line.replace(/^\.\./, '.'));
          return;
        }
        this.mails.push({ ...mail, text: data.join('\n') });
        mail = { from: '', to: [], user: mail.user };
        data = undefined;
        say('250 queued');
        return;
      }
      const [verb = '', ...rest] = line.split(' ');
      switch (verb.toUpperCase()) {
        case 'EHLO':
          say('250-mail.test');
          say('250 AUTH PLAIN');
          return;
        case 'AUTH':
          mail.user = Buffer.from(rest[1] ?? '', 'base64')
            .toString()
            .split('\0')[1];
          say('235 welcome');
          return;
        case 'MAIL':
          mail.from = /<([^>]*)>/.exec(line)?.[1] ?? '';
          say('250 OK');
          return;
        case 'RCPT':
          mail.to.push(/<([^>]*)>/.exec(line)?.[1] ?? '');
          say(this.recipientAnswer);
          return;
        case 'DATA':
          data = [];
          say('354 go on');
          return;
        case 'QUIT':
          say('221 bye');
          socket.end();
          return;
        default:
          say('500 unknown');
      }
    };
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      this.received += chunk;
      const lines = (pending + chunk).split('\r\n');
      pending = lines.pop() ?? '';
      lines.forEach(take);
    });
    say('220 mail.test ESMTP');
  }
}
