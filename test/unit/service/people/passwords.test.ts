import assert from 'node:assert/strict';
import { hashPassword, passwordTrouble, verifyPassword } from '../../../../src/service/people/passwords.ts';

describe('passwords', () => {
  it('match a salted hash', async () => {
    const stored = await hashPassword('correct horse battery');
    assert.match(stored, /^\$scrypt\$ln=15,r=8,p=1\$[\w-]{22}\$[\w-]{43}$/);
    assert.notEqual(await hashPassword('correct horse battery'), stored);
    assert.equal(await verifyPassword('correct horse battery', stored), true);
    assert.equal(await verifyPassword('correct horse batterY', stored), false);
    assert.equal(await verifyPassword('correct horse battery', undefined), false);
    await assert.rejects(verifyPassword('correct horse battery', 'plain'), /wrong form/);
  });

  it('match in any Unicode composition', async () =>
    assert.equal(
      await verifyPassword('cafe\u0301 au lait, please', await hashPassword('caf\u00e9 au lait, please')),
      true,
    ));

  it('hashed at a lower cost keep working', async () => {
    // RFC 7914, section 12: "pleaseletmein", "SodiumChloride", N 16384, r 8, p 1, 64 bytes.
    const hash = Buffer.from(
      '7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2d5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887',
      'hex',
    ).toString('base64url');
    assert.equal(
      await verifyPassword(
        'pleaseletmein',
        `$scrypt$ln=14,r=8,p=1$${Buffer.from('SodiumChloride').toString('base64url')}$${hash}`,
      ),
      true,
    );
  });

  it('have 12 to 200 characters', () => {
    assert.match(passwordTrouble('x'.repeat(11)) ?? '', /at least 12/);
    assert.match(passwordTrouble('x'.repeat(201)) ?? '', /up to 200/);
    for (const length of [12, 200]) assert.equal(passwordTrouble('😀'.repeat(length)), undefined);
  });
});
