import { randomBytes } from 'node:crypto';
import { l10n, lm, Uri, workspace, McpHttpServerDefinition, type McpServerDefinitionProvider } from 'vscode';
import { HumanError } from '../../contract/errors.ts';
import type { Basics } from '../basics/createBasics.ts';
import type { DisposableStore } from '../basics/lifetime.ts';
import { describeCause } from '../basics/log/logger.ts';
import { withoutValues, workspaceFile } from '../folders/workspaceFile.ts';
import { ApiKeys } from '../host/apiKeys.ts';
import type { Host } from '../host/createHost.ts';
import { createServiceClient } from '../host/serviceClient.ts';
import type { WorkspaceFeed } from '../store/workspaceFeed.ts';
import type { Testing } from '../testing/createTesting.ts';
import { AgentAccess } from './agentAccess.ts';
import { AgentKey } from './agentKey.ts';
import { CallGate } from './callGate.ts';
import { registerTools } from './languageModelTools.ts';
import { McpServer, mcpProviderId } from './mcpServer.ts';
import type { AgentTool } from './tools/agentTool.ts';

interface AgentsParts
  extends Basics, Pick<Host, 'connection' | 'embedded' | 'practice' | 'samples' | 'assertCallsFromHere'> {
  readonly feed: WorkspaceFeed;
  readonly testing: Pick<Testing, 'runnerWith'>;
}

/** The part of `package.json` that is used here. A test compares its tools with those of `tools/agentTools.ts`. */
interface Manifest {
  readonly version: string;
  readonly contributes: { readonly languageModelTools: readonly { readonly name: string }[] };
}

export interface Agents {
  readonly mcp: ReturnType<typeof mcpProvider>;
  readonly access: AgentAccess;
  readonly key: AgentKey;
}

/** The embedded service has another port at each start, but keeps its keys. */
const embeddedPlace = 'http://localhost';

/** Creates what agents use: the MCP server, the tools, and the limited key of both. Starts nothing. */
export function createAgents(parts: AgentsParts, held: DisposableStore): Agents {
  const {
    context,
    secrets,
    settings,
    connection,
    embedded,
    feed,
    practice,
    samples,
    assertCallsFromHere,
    testing,
    dialogs,
    log,
    formats,
  } = parts;
  const isRemote = (): boolean => settings().service.mode === 'remote';
  const enabled = (): boolean => settings().agents.enabled;
  const key = new AgentKey({
    owner: connection,
    keys: new ApiKeys(secrets, 'agentKey'),
    l10n,
    place: () => (isRemote() ? settings().service.url : undefined) ?? embeddedPlace,
    isOwn: () => !isRemote(),
  });
  const access = held.add(
    new AgentAccess({
      settings: () => settings().service,
      enabled,
      isTrusted: () => workspace.isTrusted,
      embedded,
      key,
      createClient: createServiceClient,
      l10n,
    }),
  );
  const settle = (): void => {
    void access.settle().catch((error: unknown) => log.warn(describeCause(error)));
  };

  const { version, contributes } = context.extension.packageJSON as Manifest;
  const mcp = mcpProvider(
    held.add(new McpServer({ access, isRemote, enabled, isTrusted: () => workspace.isTrusted, version, l10n })),
  );
  held.add(lm.registerMcpServerDefinitionProvider(mcpProviderId, mcp));

  const gate = new CallGate({ agents: access, owner: connection, key, dialogs, formats, l10n });
  const buildTools = async (): Promise<AgentTool[]> =>
    (await import('./tools/agentTools.ts')).agentTools({
      client: access,
      gate,
      feed,
      l10n,
      testFile,
      runner: testing.runnerWith({
        client: access,
        withConsent: async (subject, work) => {
          await gate.pass(subject);
          return work();
        },
      }),
      practice: {
        get running() {
          return practice.running;
        },
        play: (wanted) => {
          assertCallsFromHere();
          return practice.start(
            'file' in wanted ? inWorkspace(wanted.file).fsPath : samples.fileOf(wanted.sample, l10n),
          );
        },
      },
    });
  let tools: Promise<AgentTool[]> | undefined;
  const toolOf = async (name: string): Promise<AgentTool> => {
    tools ??= buildTools();
    const tool = (await tools).find((one) => one.name === name);
    if (!tool) throw new Error(`There is no tool ${name}.`);
    return tool;
  };
  const names = contributes.languageModelTools.map(({ name }) => name);
  for (const registration of registerTools(names, toolOf, {
    formats,
    log,
    mode: () => settings().service.mode,
    l10n,
    nonce: () => randomBytes(12).toString('hex'),
  }))
    held.add(registration);

  held.add(connection.onDidReplace(() => access.reset()));
  held.add(
    connection.onDidChangeState(({ kind }) => {
      if (kind === 'ready') settle();
    }),
  );
  held.add(
    workspace.onDidChangeConfiguration((change) => {
      if (!change.affectsConfiguration('dialtree.agents')) return;
      access.reset();
      settle();
    }),
  );
  return { mcp, access, key };
}

const testFile = (path: string): ReturnType<typeof workspaceFile> => {
  const file = workspaceFile(inWorkspace(path));
  return { ...file, environment: withoutValues(file.environment) };
};

/** A model can pass any path, including `..`. It is limited to the folders that the user has opened. */
function inWorkspace(path: string): Uri {
  const folders = workspace.workspaceFolders ?? [];
  const candidates = /^(?:\/|[A-Za-z]:[\\/])/.test(path)
    ? [Uri.joinPath(Uri.file(path), '.')]
    : folders.map(({ uri }) => Uri.joinPath(uri, path.replaceAll('\\', '/')));
  const found = candidates.find((uri) => workspace.getWorkspaceFolder(uri) !== undefined);
  if (!found)
    throw new HumanError(
      folders.length === 0
        ? l10n.t('No folder is open in the editor. Open the folder that contains the file first.')
        : l10n.t('The path {0} is outside the workspace. Use a path inside it.', path),
      { status: 400, code: 'bad_path' },
    );
  return found;
}

const mcpProvider = (server: McpServer) =>
  ({
    onDidChangeMcpServerDefinitions: server.onDidChange,
    provideMcpServerDefinitions() {
      const { offered } = server;
      return offered
        ? [new McpHttpServerDefinition(offered.label, Uri.parse(offered.url), { ...offered.headers }, offered.version)]
        : [];
    },
    async resolveMcpServerDefinition(definition: McpHttpServerDefinition) {
      const { url, headers } = await server.started();
      definition.uri = Uri.parse(url);
      definition.headers = { ...headers };
      return definition;
    },
  }) satisfies McpServerDefinitionProvider<McpHttpServerDefinition>;
