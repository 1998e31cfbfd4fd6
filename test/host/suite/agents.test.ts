import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { DialtreeTestApi } from '../../../src/editor/testApi.ts';
import { changeSetting, dialtree, eventually, ticking } from './support.ts';

interface Manifest {
  readonly contributes: { readonly languageModelTools: readonly { readonly name: string }[] };
}

describe('agents', function () {
  let api: DialtreeTestApi;
  const never = new vscode.CancellationTokenSource();
  const definition = async (): Promise<vscode.McpHttpServerDefinition> => {
    const [offered] = api.agents.mcp.provideMcpServerDefinitions();
    assert.ok(offered, 'no MCP server is offered');
    return api.agents.mcp.resolveMcpServerDefinition(offered);
  };
  const ask = async (
    { uri, headers }: vscode.McpHttpServerDefinition,
    method: string,
    params: object = {},
  ): Promise<{ status: number; result?: Record<string, unknown> }> => {
    const response = await fetch(uri.toString(true), {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    const text = await response.text();
    return {
      status: response.status,
      ...(response.ok && { result: (JSON.parse(text) as { result: Record<string, unknown> }).result }),
    };
  };
  const useTool = async (name: string, input: object): Promise<string> => {
    const { content } = await vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined }, never.token);
    return content.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : '')).join('');
  };
  /** No dialog can be answered in a test, so the editor's own setting for this confirms tools. */
  const approve = async (value: true | undefined): Promise<void> => {
    await vscode.commands.executeCommand('setContext', 'vscode.chat.tools.global.autoApprove.testMode', value === true);
    await vscode.workspace
      .getConfiguration('chat')
      .update('tools.global.autoApprove', value, vscode.ConfigurationTarget.Global);
  };
  const made: string[] = [];

  before(async () => {
    api = await dialtree();
    await approve(true);
  });
  after(async () => {
    await approve(undefined);
    for (const id of made) await api.connection.call('deleteMapping', { id });
    for (const { file } of api.practice.running) await api.practice.stop(file);
  });

  it('get an MCP server that answers initialize and lists its tools, with their own limited key', async () => {
    const started = await definition();
    const initialised = await ask(started, 'initialize', {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'suite', version: '1' },
    });
    assert.equal((initialised.result?.['serverInfo'] as { name: string }).name, 'dialtree');
    const { result } = await ask(started, 'tools/list');
    assert.ok((result?.['tools'] as unknown[]).length > 20);
    const { items } = await api.connection.call('listApiKeys', {});
    const key = items.find(({ keyPrefix }) => started.headers['x-api-key']?.startsWith(`${keyPrefix}_`) === true);
    assert.deepEqual([key?.name, key?.limits?.numbers], ["Editor's agent", ['practice']]);
  });

  it("reach it with the editor's own MCP client, which starts it and lists its tools", async () => {
    await vscode.commands.executeCommand('workbench.mcp.startServer', 'dialtree.dialtree/Dialtree', {
      waitForLiveTools: true,
    });
    const listing = await eventually('the tools of the MCP server are there', ticking, () =>
      vscode.lm.tools.find(({ name }) => /^mcp_.*_listMappings$/.test(name)),
    );
    assert.match(await useTool(listing.name, {}), /"items"/);
  });

  it('find their tools in the editor', () => {
    const declared = (
      vscode.extensions.getExtension('dialtree.dialtree')?.packageJSON as Manifest
    ).contributes.languageModelTools.map(({ name }) => name);
    assert.equal(declared.length, 4);
    const known = new Set(vscode.lm.tools.map(({ name }) => name));
    assert.deepEqual(
      declared.filter((name) => !known.has(name)),
      [],
    );
  });

  it('start a practice IVR, and map it by real calls @full', async () => {
    const started = await useTool('dialtree_startPractice', { sample: 'clinic' });
    const [, phoneNumber = ''] = /answers at (sip:\S+?)\.(?:\s|$)/.exec(started) ?? [];
    assert.match(phoneNumber, /^sip:.*@127\.0\.0\.1:\d+$/, started);
    const mapped = await useTool('dialtree_mapNumber', { phoneNumber, name: 'Clinic', maxDepth: 1, maxCalls: 4 });
    console.log(mapped.replaceAll(/^/gm, '      '));
    const [, mappingId = ''] = /^Mapping (\S+) “Clinic”/m.exec(mapped) ?? [];
    made.push(mappingId);
    assert.match(mapped, /run 1: (?:completed|limited)/);
    assert.match(mapped, /[├└]─ 1 /);
  });

  it('receive errors that say what to do', async () => {
    await assert.rejects(
      useTool('dialtree_mapNumber', { mappingId: '00000000-0000-4000-8000-00000000dead' }),
      /doesn't exist/,
    );
    await assert.rejects(useTool('dialtree_runTest', { file: '../outside.calltest.json' }), /is outside the workspace/);
  });

  it('lose the server, and their key is refused, once the user turns them off', async () => {
    const started = await definition();
    try {
      const changed = new Promise<void>((resolve) => {
        const listening = api.agents.mcp.onDidChangeMcpServerDefinitions(() => {
          listening.dispose();
          resolve();
        });
      });
      await changeSetting('agents.enabled', false);
      await changed;
      assert.deepEqual(api.agents.mcp.provideMcpServerDefinitions(), []);
      await api.agents.access.settle();
      assert.equal((await ask(started, 'tools/call', { name: 'listMappings', arguments: {} })).status, 401);
      await assert.rejects(api.agents.access.endpoint(), { code: 'agents_off' });
    } finally {
      await changeSetting('agents.enabled', undefined);
    }
    assert.equal((await ask(await definition(), 'tools/list')).status, 200);
  });
});
