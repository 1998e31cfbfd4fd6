import { ExtensionMode, workspace, type ExtensionContext } from 'vscode';
import { createAgents } from './agents/createAgents.ts';
import { createEditorModels } from './agents/models/createEditorModels.ts';
import { createBasics } from './basics/createBasics.ts';
import type { DisposableStore } from './basics/lifetime.ts';
import { createConsent } from './calls/consent.ts';
import { MappingActions } from './calls/mappingActions.ts';
import { keepContext } from './commands/contextKeys.ts';
import type { Editor } from './commands/editor.ts';
import { askHowToCall } from './commands/profileCommands.ts';
import { registerCommands } from './commands/registerCommands.ts';
import { pickTarget } from './commands/targets/pickTarget.ts';
import { workbench } from './commands/workbench.ts';
import { createFiles } from './files/createFiles.ts';
import { CrashNotice, type UnderWay } from './host/crashNotice.ts';
import { editorIndex } from './folders/editorIndex.ts';
import { Environments } from './folders/environments.ts';
import { useEnvironment } from './folders/workspaceFile.ts';
import { WorkspaceIndex } from './folders/workspaceIndex.ts';
import { createHost } from './host/createHost.ts';
import { createServiceClient } from './host/serviceClient.ts';
import { TestSecrets } from './host/testSecrets.ts';
import { endpointOf } from './host/modelChoice.ts';
import { LineList } from './lines/lineList.ts';
import { LinesView } from './lines/linesView.ts';
import { createPanels } from './panels/createPanels.ts';
import { MappingStore } from './store/mappingStore.ts';
import { runName } from '../model/calls/targetName.ts';
import { isRunning } from './store/snapshot.ts';
import { WorkspaceFeed } from './store/workspaceFeed.ts';
import { createTesting } from './testing/createTesting.ts';
import { editorTreeFiles } from './trees/editorTreeFiles.ts';
import { OutlineDocuments } from './trees/outlineDocuments.ts';
import { readTreePlace } from './trees/treeSource.ts';
import { createViews } from './views/createViews.ts';

/**
 * Builds the extension half and owns its lifetimes. Starts no process and no network requests; what needs the service
 * starts it.
 */
export function createContainer(context: ExtensionContext, held: DisposableStore): Editor {
  const basics = createBasics(context, held);
  const { settings, run } = basics;
  const editorModels = createEditorModels(basics, held);
  const host = createHost({ ...basics, openEditorModels: editorModels.open }, held);
  const { connection, modelKeys, linePasswords, restart } = host;
  const feed = held.add(new WorkspaceFeed({ ...basics, client: connection }));
  const store = held.add(new MappingStore({ ...basics, client: connection, feed }));

  const consent = createConsent({ ...basics, client: connection });
  const actions = new MappingActions({
    ...basics,
    client: connection,
    store,
    practice: host.practice,
    consent,
    defaults: () => settings().mapping,
    isRemote: () => settings().service.mode === 'remote',
    openTree: (place) => run('dialtree.mapping.openTree', place),
    raiseLimit: (place) => run('dialtree.mapping.raiseLimit', place),
  });
  const environments = held.add(
    new Environments({
      log: basics.log,
      memory: context.workspaceState,
      secrets: new TestSecrets(basics.secrets, workbench.workspaceId),
    }),
  );
  useEnvironment(environments);
  const index = held.add(new WorkspaceIndex(editorIndex, basics.log));
  const shared = { ...basics, ...host, client: connection, feed, store, index, environments, actions, consent };
  const askLoadSize = async () => (await import('./commands/tests/loadForm.ts')).askLoadSize(basics);
  const testing = createTesting({ ...shared, askLoadSize }, held);
  const shownIn = createPanels({ ...shared, testing }, held);
  const treeFiles = { ...editorTreeFiles, find: index.find.bind(index) };
  const outlines = held.add(
    new OutlineDocuments(store, (place) => readTreePlace(place, { ...basics, store, files: treeFiles })),
  );
  const views = createViews(shared, held);
  const { runs } = views;
  const files = createFiles({ ...shared, history: testing.history }, held);
  held.add(new CrashNotice({ ...shared, underWay }));
  const lines = held.add(
    new LineList({
      ...shared,
      lines: () => settings().lines,
      wrongLines: () => settings().wrongLines,
      passwords: linePasswords,
      onDidChange: feed.onDidChange,
    }),
  );
  held.add(new LinesView(lines));
  const agents = createAgents({ ...shared, testing }, held);
  const editor: Editor = {
    ...{ ...shared, ...testing, ...shownIn, ...views },
    ...{ editorModels, treeFiles, outlines, files, lines, agents, workbench },
    createClient: createServiceClient,
    isTrusted: () => workspace.isTrusted,
    pickTarget: (question) => pickTarget(editor, question),
    askHowToCall: () => askHowToCall(editor),
    issueFacts: async () =>
      (await import('./issue/issueFacts.ts')).collectIssueFacts({ ...basics, connection, secrets: readSecrets }),
  };
  for (const registration of registerCommands(editor)) held.add(registration);

  keepContext(editor, held);
  held.add(
    connection.onDidReplace(() => {
      store.reset();
      runs.reset();
      feed.reset();
    }),
  );
  held.add(
    connection.onDidChangeState((state) => {
      if (state.kind === 'ready') feed.wake();
      if (state.kind === 'unreachable') shownIn.panels.notice(state.message, 'error');
    }),
  );
  held.add(
    workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration('dialtree.service')) connection.reset();
      if (change.affectsConfiguration('dialtree.telephony') || change.affectsConfiguration('dialtree.model'))
        restart.soon();
      if (change.affectsConfiguration('dialtree.telephony.lines')) {
        host.practice.keepOnLines(settings().lines);
        lines.refreshSoon();
      }
    }),
  );

  function underWay(): UnderWay {
    const running = runs.rows.filter(({ status }) => status === 'running');
    return {
      mappings: store.jobs.filter(isRunning).map(({ job }) => job.name),
      tests: [...new Set([...testing.going(), ...running.map(runName)])],
    };
  }

  /** Reads the secrets, to find them where they must not appear. */
  async function readSecrets(): Promise<readonly string[]> {
    const endpoint = endpointOf(settings().model);
    return [
      await host.ownKey(),
      await agents.key.read(),
      endpoint === undefined ? undefined : await modelKeys.read(endpoint),
      ...(await linePasswords.readAll(settings().lines)),
    ].filter((key) => key !== undefined);
  }

  return editor;
}

export const isUnderTest = (context: Pick<ExtensionContext, 'extensionMode'>): boolean =>
  context.extensionMode === ExtensionMode.Test;
