import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { createVSIX } from '@vscode/vsce';
import * as z from 'zod';
import { parseIvr } from '../../src/practice/ivrSource.ts';
import { startPractice } from '../../src/practice/server.ts';
import type { PracticeServer } from '../../src/practice/server.ts';
import { createSpeechEngine } from '../../src/speech/engine.ts';
import { repositoryRoot } from '../host/cache.ts';
import type { InstalledEditor } from '../host/vsix.ts';
import { lookOf } from '../host/workbench.ts';
import type { Theme, Workbench } from '../host/workbench.ts';
import { shopNow } from './shop.ts';

/** The shop's phone number, which leads to this machine. */
const number = '+12025550104';
const mcpConfigSchema = z.object({
  mcpServers: z.object({ dialtree: z.object({ url: z.string(), headers: z.record(z.string(), z.string()) }) }),
});

/** Packs another extension that uses tools. */
export async function withAgent<T>(work: (vsix: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(path.join(tmpdir(), 'dialtree-agent-'));
  try {
    const vsix = path.join(folder, 'agent.vsix');
    await createVSIX({
      cwd: fileURLToPath(new URL('agent', import.meta.url)),
      packagePath: vsix,
      dependencies: false,
      skipLicense: true,
      allowMissingRepository: true,
    });
    return await work(vsix);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Plays the shop behind a phone number, which isn't a practice IVR to the editor. */
export async function withShop<T>(work: (shop: PracticeServer) => Promise<T>): Promise<T> {
  const speech = createSpeechEngine({
    assetsDir: path.join(repositoryRoot, '.assets/speech'),
    workerUrl: new URL('../../src/speech/worker.ts', import.meta.url),
  });
  try {
    const file = 'shop.ivr.json';
    const shop = await startPractice([{ ivr: parseIvr(shopNow, file), file, recordings: new Map() }], {
      port: 0,
      speech,
      speakFirst: true,
    });
    try {
      return await work(shop);
    } finally {
      await shop.close();
    }
  } finally {
    await speech.close();
  }
}

export const routeTo = ({ host, port }: PracticeServer): Record<string, unknown> => ({
  'dialtree.telephony.routes': { [number]: `sip:{number}@${host}:${String(port)}` },
  'chat.disableAIFeatures': false,
});

/**
 * Allows agents, with a limited key. One asks for a number, and the user allows it; another connects over MCP, with its
 * own key.
 */
export async function letAgents({ workbench }: InstalledEditor, theme: Theme): Promise<void> {
  const { page, box } = workbench;
  const keep = (step: string): Promise<string> => workbench.screenshot(`agents-${step}-${lookOf(theme)}`);
  const dialog = page.locator('.monaco-dialog-box');
  const shown = (text: string): ReturnType<Workbench['quickPick']> =>
    page.locator('.editor-instance .view-lines').filter({ hasText: text });
  await workbench.wears(theme);
  await workbench.openTab('Dialtree');

  // Shows what they may do, turns them off, and on again.
  await workbench.runCommand('Dialtree: Let Agents Use Dialtree…');
  const row = (text: string | RegExp): ReturnType<Workbench['quickPick']> =>
    box.locator('.monaco-list-row').filter({ hasText: text });
  await row(/Numbers that agents can call.*practice IVRs on this machine/).waitFor({ timeout: 60_000 });
  await row(/Calls per day.*300/).waitFor();
  await keep('1-allowed');
  await row('Turn Off…').click();
  await row('Turn off and revoke the key').click({ timeout: 30_000 });
  await row("Agents can't use Dialtree").waitFor({ timeout: 30_000 });
  await keep('2-off');
  await page.keyboard.press('Escape');
  await useTool(workbench, 'dialtree_planCalls', { phoneNumber: number });
  await shown("Refused: Agents can't use Dialtree").waitFor({ timeout: 30_000 });
  await keep('3-refused');
  await page.keyboard.press('Control+F4');
  await workbench.runCommand('Dialtree: Let Agents Use Dialtree…');
  await row("Agents can't use Dialtree").click();
  await row(/Numbers that agents can call.*practice IVRs on this machine/).waitFor({ timeout: 30_000 });
  await page.keyboard.press('Escape');

  // A number that isn't a practice IVR: Dialtree asks whether agents may call it.
  await useTool(workbench, 'dialtree_mapNumber', {
    phoneNumber: number,
    name: 'Garden Centre',
    maxDepth: 1,
    maxCalls: 10,
  });
  await dialog.getByText(`An agent wants to call ${number}.`).waitFor({ timeout: 30_000 });
  await dialog.getByText(/Up to 10 calls/).waitFor();
  await keep('5-consent');
  await workbench.answerDialog('Let Agents Call It');
  await workbench.treeItem(/^Garden Centre, running/).waitFor({ timeout: 30_000 });
  await keep('6-mapping');
  await shown('deliveries').waitFor({ timeout: 120_000 });
  await keep('7-told');

  // Shows what was allowed, and revokes it.
  await workbench.runCommand('Dialtree: Let Agents Use Dialtree…');
  await row(`practice IVRs on this machine, ${number}`).click();
  await row(number).waitFor();
  await keep('8-numbers');
  await row(number).click();
  await row(/Numbers that agents can call/).waitFor();
  assert.equal(await row(number).count(), 0);
  await page.keyboard.press('Escape');
  await workbench.runCommand('Dialtree: Manage API Keys…');
  await row("Editor's agent").waitFor({ timeout: 30_000 });
  await keep('9-keys');
  await page.keyboard.press('Escape');

  // Over MCP, like any client with the configuration.
  await workbench.runCommand('Dialtree: Copy MCP Configuration…');
  await workbench.quickPick('Claude Code').click();
  await workbench.quickPick('With a new key').waitFor({ timeout: 30_000 });
  await keep('10-configuration');
  await workbench.quickPick('With a new key').click();
  await workbench.quickPick('mapping:read').waitFor({ timeout: 30_000 });
  await page.keyboard.press('Enter');
  await workbench.notification(/Copied the configuration with the key/).waitFor({ timeout: 30_000 });
  await keep('11-copied');
  const {
    mcpServers: { dialtree },
  } = mcpConfigSchema.parse(JSON.parse(await page.evaluate<string>('navigator.clipboard.readText()')));
  const request = (method: string, params: object): Promise<Response> =>
    fetch(dialtree.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...dialtree.headers,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
  assert.equal((await request('tools/list', {})).status, 200);

  // The editor's own list of MCP servers.
  await workbench.runCommand('MCP: List Servers');
  await box.getByRole('option', { name: /^Dialtree, Stopped/ }).waitFor({ timeout: 30_000 });
  await keep('12-mcp-servers');
  await page.keyboard.press('Escape');

  // Off: their keys aren't accepted any more.
  await workbench.runCommand('Dialtree: Let Agents Use Dialtree…');
  await row('Turn Off…').click({ timeout: 30_000 });
  await row('Turn off, and revoke the keys of other clients too').waitFor({ timeout: 30_000 });
  await keep('13-revoke');
  await row('Turn off, and revoke the keys of other clients too').click();
  await row("Agents can't use Dialtree").waitFor({ timeout: 30_000 });
  assert.equal((await request('tools/list', {})).status, 401);
  await page.keyboard.press('Escape');
}

/** Like a model's choice of a tool. */
async function useTool(workbench: Workbench, tool: string, input: object): Promise<void> {
  await workbench.runCommand('Agent: Use Tool…');
  await workbench.asked('Which tool, with what?');
  await workbench.answer(JSON.stringify({ tool, ...input }));
}
