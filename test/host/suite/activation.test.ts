import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { dialtree } from './support.ts';

interface Manifest {
  readonly contributes: { readonly commands: readonly { readonly command: string }[] };
}

describe('activation', () => {
  it('starts no process and takes a negligible time', async () => {
    const { activationMs, practice } = await dialtree();
    console.log(`      activate took ${activationMs.toFixed(1)} ms`);
    assert.deepEqual(practice.running, []);
  });

  it('registers every command of the manifest', async () => {
    await dialtree();
    const manifest = vscode.extensions.getExtension('dialtree.dialtree')?.packageJSON as Manifest;
    const known = new Set(await vscode.commands.getCommands(true));
    assert.deepEqual(
      manifest.contributes.commands.filter(({ command }) => !known.has(command)),
      [],
    );
  });
});
