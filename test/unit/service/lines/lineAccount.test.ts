import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type * as z from 'zod';
import { lineSchema } from '../../../../src/contract/lines.ts';
import { accountOf } from '../../../../src/service/lines/lineAccount.ts';
import { selfSigned } from '../../../support/selfSigned.ts';

const account = (line: z.input<typeof lineSchema>, password?: string): ReturnType<typeof accountOf> =>
  accountOf(lineSchema.parse(line), password, 'desk');
const desk = { kind: 'pbx', host: 'pbx.example.com:5080', user: '600' } as const;
const identity = { from: 'sip:600@pbx.example.com' };

describe('the account of a line', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'line-'));
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('has everything that its INVITEs obey', () => {
    assert.deepEqual(
      account(
        {
          ...desk,
          register: true,
          callerId: '+12025550100',
          displayName: 'Ann',
          privacy: true,
          headers: { 'X-Tenant': 'a' },
          outboundProxy: 'edge.example.com:5070',
          transport: 'tcp',
          srtp: 'require',
          publicAddress: '203.0.113.7',
          stunServer: 'stun.example.com',
          dtmf: 'info',
        },
        'secret',
      ),
      {
        line: 'desk',
        from: 'sip:+12025550100@pbx.example.com',
        preferredIdentity: 'sip:+12025550100@pbx.example.com',
        displayName: 'Ann',
        privacy: true,
        headers: { 'X-Tenant': 'a' },
        outboundProxy: 'sip:edge.example.com:5070;transport=tcp;lr',
        srtp: 'require',
        nat: { publicHost: '203.0.113.7', stunServer: 'stun.example.com' },
        keysBy: 'info',
        credentials: { user: '600', password: 'secret' },
      },
    );
    assert.deepEqual(account(desk), identity, 'without settings, nothing');
    assert.deepEqual(account({ kind: 'uri', uri: 'sip:ivr@example.com' }), {}, 'without a user, anonymous');
  });

  it('encrypts audio over TLS if the called side can, unless the line says otherwise', () => {
    assert.equal(account({ ...desk, transport: 'tls' }).srtp, 'prefer');
    assert.equal(account({ ...desk, transport: 'tls', srtp: 'off' }).srtp, undefined);
    assert.equal(account({ ...desk, srtp: 'prefer' }).srtp, 'prefer');
  });

  it('has the text of its certificate, and says what is wrong with the files', () => {
    const file = (name: string, text: string): string => {
      writeFileSync(path.join(folder, name), text);
      return path.join(folder, name);
    };
    const own = selfSigned({ names: ['desk.example.com'] });
    const [cert, key] = [file('cert.pem', own.cert), file('key.pem', own.key)];
    const withFiles = (clientCertificate: { cert: string; key: string }) => () =>
      account({ ...desk, transport: 'tls', clientCertificate }).clientCertificate;
    assert.deepEqual(withFiles({ cert, key })(), { cert: own.cert, key: own.key });
    const otherKey = file('other.pem', selfSigned({ names: ['other.example.com'] }).key);
    const noPem = file('no.pem', 'secret words');
    const missing = path.join(folder, 'missing.pem');
    for (const [files, words] of [
      [{ cert: missing, key }, /^Couldn't use .*missing\.pem as the line's certificate, .*: ENOENT/],
      [{ cert: noPem, key }, /^Couldn't use .*no\.pem as .*: .*no start line/],
      [{ cert, key: noPem }, /with .*no\.pem as its private key: /],
      [
        { cert, key: otherKey },
        /: .*key values mismatch\. Correct the line's clientCertificate\. .* without a passphrase/,
      ],
    ] as const)
      assert.throws(withFiles(files), (error: Error & { code?: string }) => {
        assert.equal(error.code, 'line_certificate');
        assert.match(error.message, words);
        return !error.message.includes('secret');
      });
  });

  it('needs a user to register, an exchange, and TLS for a certificate', () => {
    for (const [line, words] of [
      [{ kind: 'pbx', host: 'a', register: true }, /A line that registers needs a user/],
      [{ kind: 'uri', uri: 'sip:a@b', user: 'c', register: true }, /of kind uri is a single address/],
      [{ ...desk, clientCertificate: { cert: 'a', key: 'b' } }, /only over TLS/],
    ] as const)
      assert.match(String(lineSchema.safeParse(line).error), words);
  });
});
