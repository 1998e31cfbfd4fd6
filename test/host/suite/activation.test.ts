import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { commandIds } from '../../../src/editor/basics/commandTable.ts';
import { dialtree } from './support.ts';

describe('activation', () => {
  it('starts no process and takes a negligible time', async () => {
    const { activationMs, practice } = await dialtree();
    console.log(`      activate took ${activationMs.toFixed(1)} ms`);
    assert.deepEqual(practice.running, []);
  });

  it('registers every command of the table', async () => {
    await dialtree();
    const known = new Set(await vscode.commands.getCommands(true));
    assert.deepEqual(
      commandIds.filter((id) => !known.has(id)),
      [],
    );
  });
});
