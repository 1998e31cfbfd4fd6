import assert from 'node:assert/strict';
import { callOrigin } from '../../../../src/editor/host/callOrigin.ts';
import { english } from '../fakes.ts';

describe('the origin of calls', () => {
  const embedded = { mode: 'embedded', url: undefined } as const;
  for (const [remoteName, isWeb, said] of [
    [undefined, false, 'Dialtree places calls from this machine.'],
    [undefined, true, 'Dialtree places calls from the machine that hosts this editor.'],
    ['ssh-remote', false, 'Dialtree places calls from the remote machine (SSH), not from yours.'],
    ['dev-container', false, 'Dialtree places calls from the container, over the host network.'],
    ['attached-container', true, 'Dialtree places calls from the container, over the host network.'],
    ['wsl', false, 'Dialtree places calls from WSL on this machine.'],
    ['codespaces', true, 'Dialtree places calls from the codespace, not from your machine.'],
    ['tunnel', true, 'Dialtree places calls from the machine at the other end of the tunnel.'],
    ['k8s', false, 'Dialtree places calls from the remote machine (k8s), not from yours.'],
  ] as const) {
    it(`names ${remoteName ?? 'a local window'}${isWeb ? ' in a browser' : ''}`, () =>
      assert.equal(callOrigin(embedded, { remoteName, isWeb }, english), said));
  }

  it('names the remote service if one is used, wherever the editor runs', () => {
    const place = { remoteName: 'ssh-remote', isWeb: false };
    assert.equal(
      callOrigin({ mode: 'remote', url: 'https://calls.example.com/v1' }, place, english),
      'Dialtree places calls from the service at calls.example.com.',
    );
    assert.equal(
      callOrigin({ mode: 'remote', url: undefined }, place, english),
      'Dialtree places calls from a remote service.',
    );
  });
});
