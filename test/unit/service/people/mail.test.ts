import assert from 'node:assert/strict';
import { readMail, smtpUrl } from '../../../../src/cli/settings/senders.ts';
import { HumanError } from '../../../../src/contract/errors.ts';
import { consoleMail } from '../../../../src/service/people/mail.ts';
import { smtpSender } from '../../../../src/service/people/smtp.ts';
import { SmtpServer } from '../../../support/smtpServer.ts';

const mail = { to: 'ann@example.com', subject: 'Your code', text: '12345678 is your code.\n\n.\n' };

describe('mails', () => {
  let server: SmtpServer;
  let port = 0;

  beforeEach(async () => {
    server = new SmtpServer();
    port = await server.listen();
  });
  afterEach(() => server.close());

  const failureOf = async (url: string): Promise<HumanError> => {
    const error: unknown = await smtpSender({ url: new URL(url), from: 'ops@example.com' })
      .send(mail)
      .catch((thrown: unknown) => thrown);
    assert.ok(error instanceof HumanError, String(error));
    return error;
  };

  it('go to a mail server, with the login from its address', async () => {
    await smtpSender({
      url: new URL(`smtp://post%40ops:s%2Fecret@127.0.0.1:${String(port)}`),
      from: 'Dialtree <ops@example.com>',
    }).send(mail);
    const [taken = assert.fail('nothing arrived')] = server.mails;
    assert.deepEqual([taken.from, taken.to, taken.user], ['ops@example.com', ['ann@example.com'], 'post@ops']);
    assert.ok(server.received.includes(Buffer.from('\0post@ops\0s/ecret').toString('base64')));
    assert.match(taken.text, /^Subject: Your code$/m);
    assert.match(taken.text, /^From: Dialtree <ops@example\.com>$/m);
    assert.ok(taken.text.includes('\n\n12345678 is your code.\n\n.'), taken.text);
  });

  it('log in only to the requested server', async () => {
    await smtpSender({ url: new URL(`smtp://127.0.0.1:${String(port)}`), from: 'ops@example.com' }).send(mail);
    assert.deepEqual(
      server.mails.map(({ user }) => user),
      [undefined],
    );
  });

  it('report a refusing or missing server, without its password', async () => {
    server.recipientAnswer = '550 no such user';
    for (const url of [`smtp://a:secret@127.0.0.1:${String(port)}`, 'smtp://a:secret@127.0.0.1:1']) {
      const { status, code, message } = await failureOf(url);
      assert.deepEqual([status, code], [502, 'mail_failed']);
      assert.doesNotMatch(message, /secret/);
    }
    assert.deepEqual(server.mails, []);
  });

  it("reveal no password if TLS was requested and isn't available", async () => {
    assert.equal((await failureOf(`smtps://a:secret@127.0.0.1:${String(port)}`)).code, 'mail_failed');
    assert.doesNotMatch(server.received, /AUTH/);
    // A way to write 127.0.0.1 that isn't recognised as this machine: it stands for a mail server elsewhere, which
    // offers no STARTTLS.
    assert.equal((await failureOf(`smtp://a:secret@127.1:${String(port)}`)).code, 'mail_failed');
    assert.match(server.received, /EHLO/);
    assert.doesNotMatch(server.received, /AUTH|MAIL FROM/);
  });

  it("appear in a developer's console", async () => {
    const lines: string[] = [];
    await consoleMail((line) => lines.push(line)).send(mail);
    assert.deepEqual(lines, [`Mail to ann@example.com: Your code\n${mail.text}\n`]);
  });

  it('need an option, and secrets in the environment', async () => {
    const from = { DIALTREE_MAIL_FROM: 'Dialtree <ops@example.com>' };
    await assert.rejects(readMail('pigeon', {}), /smtp or log/);
    await assert.rejects(readMail('smtp', { DIALTREE_SMTP_URL: 'smtp://127.0.0.1' }), /DIALTREE_MAIL_FROM/);
    await assert.rejects(readMail('smtp', { ...from, DIALTREE_MAIL_FROM: 'a@b\r\nBcc: c@d' }), /DIALTREE_MAIL_FROM/);
    for (const wrong of [
      '',
      'nonsense',
      'https://mail.example.com',
      'smtp://mail.example.com/path',
      'smtp://a:50%@mail.example.com',
    ]) {
      await assert.rejects(readMail('smtp', { ...from, DIALTREE_SMTP_URL: wrong }), /DIALTREE_SMTP_URL/, wrong);
    }
    assert.equal(smtpUrl({ DIALTREE_SMTP_URL: 'smtps://a:p%40ss@mail.example.com' })?.password, 'p%40ss');
    await (await readMail('smtp', { ...from, DIALTREE_SMTP_URL: `smtp://127.0.0.1:${String(port)}` })).send(mail);
    assert.equal(server.mails.length, 1);
  });
});
