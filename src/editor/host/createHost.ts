import { join } from 'node:path';
import { env, UIKind, Uri, window, workspace } from 'vscode';
import { HumanError } from '../../contract/errors.ts';
import type { Basics } from '../basics/createBasics.ts';
import type { DisposableStore } from '../basics/lifetime.ts';
import { callsFromHere, type ServiceSettings } from '../basics/settings.ts';
import { ApiKeys } from './apiKeys.ts';
import { callOrigin } from './callOrigin.ts';
import { Connection } from './connection.ts';
import { EmbeddedService } from './embeddedService.ts';
import { lineEnvironment, LinePasswords } from './linePasswords.ts';
import { endpointOf, modelEnvironment, type OpenEditorModels } from './modelChoice.ts';
import { PracticeIvrs } from './practice.ts';
import { SampleCopies } from './sampleCopies.ts';
import { Samples } from './samples.ts';
import { createServiceClient, inLanguage } from './serviceClient.ts';
import { ServiceRestart, StartSettings } from './serviceRestart.ts';
import { endProcess, spawnNode } from './spawnNode.ts';

interface HostParts extends Basics {
  readonly openEditorModels: OpenEditorModels;
}

export interface Host {
  /** Keys of remote services and language models. */
  readonly keys: ApiKeys;
  readonly modelKeys: ApiKeys;
  readonly linePasswords: LinePasswords;
  readonly embedded: EmbeddedService;
  readonly connection: Connection;
  readonly restart: ServiceRestart;
  readonly samples: Samples;
  readonly copies: SampleCopies;
  readonly practice: PracticeIvrs;
  /** The service in use can call the practice IVRs of this machine. */
  readonly callsFromHere: () => boolean;
  /** @throws HumanError `practice_remote` if it can't */
  readonly assertCallsFromHere: () => void;
  /** Says in a sentence which machine calls leave from with these settings. */
  readonly origin: (service: ServiceSettings) => string;
  readonly ownKey: () => Promise<string | undefined>;
}

/** Builds the connection to the service, and the parts that run beside the editor. Starts no process. */
export function createHost(parts: HostParts, held: DisposableStore): Host {
  const { context, secrets, settings, l10n, openEditorModels } = parts;
  const inExtension = (...path: string[]): string => join(context.extensionUri.fsPath, ...path);
  const inStorage = (folder: string): string => Uri.joinPath(context.globalStorageUri, folder).fsPath;

  const keys = new ApiKeys(secrets, 'key');
  const modelKeys = new ApiKeys(secrets, 'modelKey');
  const linePasswords = new LinePasswords(secrets);
  const startSettings = new StartSettings(async () => {
    const { routes, lines, model } = settings();
    const endpoint = endpointOf(model);
    return JSON.stringify([
      routes,
      lines,
      model,
      endpoint === undefined ? undefined : await modelKeys.read(endpoint),
      await lineEnvironment(lines, linePasswords),
    ]);
  });
  const embedded = held.add(
    new EmbeddedService({
      ...parts,
      spawn: spawnNode,
      endProcess,
      script: inExtension('dist', 'service.js'),
      dataFolder: inStorage('service'),
      assetsFolder: inExtension('dist', 'assets'),
      routes: () => settings().routes,
      lines: () => settings().lines,
      environment: async () => {
        await startSettings.note();
        return {
          ...(await modelEnvironment(settings().model, modelKeys, openEditorModels)),
          ...(await lineEnvironment(settings().lines, linePasswords)),
        };
      },
    }),
  );
  const connection = held.add(
    new Connection({
      settings: () => settings().service,
      keys,
      embedded,
      createClient: (address) => inLanguage(createServiceClient(address), parts),
      isTrusted: () => workspace.isTrusted,
      l10n,
      startPractice: (file) => practice.start(file),
    }),
  );
  const samples = new Samples(inExtension('media', 'samples'));
  const copies = new SampleCopies(inExtension('media', 'samples'), inStorage('samples'));
  const practice: PracticeIvrs = held.add(
    new PracticeIvrs({
      ...parts,
      spawn: spawnNode,
      script: inExtension('dist', 'cli.js'),
      shared: inStorage('practice'),
      sampleOf: (file) => samples.all.find((sample) => sample.file === file)?.file ?? copies.originalOf(file),
      isTrusted: () => workspace.isTrusted,
    }),
  );
  const restart = held.add(
    new ServiceRestart({
      ...parts,
      connection,
      embedded,
      isFocused: () => window.state.focused,
      // The settings of a process that another window started aren't known.
      isCurrent: async () => embedded.childPid !== undefined && (await startSettings.isCurrent()),
    }),
  );
  return {
    keys,
    modelKeys,
    linePasswords,
    embedded,
    connection,
    restart,
    samples,
    copies,
    practice,
    callsFromHere: () => callsFromHere(settings().service),
    assertCallsFromHere() {
      if (!callsFromHere(settings().service))
        throw new HumanError(
          l10n.t(
            "Practice IVRs run on this machine, so the remote service can't call them. Choose the embedded service first.",
          ),
          { status: 400, code: 'practice_remote' },
        );
    },
    origin: (service) => callOrigin(service, { remoteName: env.remoteName, isWeb: env.uiKind === UIKind.Web }, l10n),
    async ownKey() {
      const { mode, url } = settings().service;
      if (mode === 'remote') return url === undefined ? undefined : keys.read(url);
      return embedded.state.kind === 'ready' ? embedded.state.address.apiKey : undefined;
    },
  };
}
