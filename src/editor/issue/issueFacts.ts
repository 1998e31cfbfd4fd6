import { arch, homedir, platform, release, userInfo } from 'node:os';
import { env, UIKind, version, workspace, type ExtensionContext } from 'vscode';
import * as z from 'zod';
import type { LogTail } from '../basics/log/logTail.ts';
import type { Connection } from '../host/connection.ts';
import { describeSettings, type IssueFacts } from './issueReport.ts';

interface IssueFactParts {
  readonly context: Pick<ExtensionContext, 'extension' | 'extensionUri' | 'globalStorageUri'>;
  readonly connection: Pick<Connection, 'state' | 'mode'>;
  readonly tail: LogTail;
  /** Keys of services and models in use. */
  readonly secrets: () => Promise<readonly string[]>;
}

const propertySchema = z.object({ enum: z.array(z.string()).optional(), default: z.unknown() });
const manifestSchema = z.object({
  version: z.string(),
  contributes: z.object({ configuration: z.array(z.object({ properties: z.record(z.string(), propertySchema) })) }),
});

export async function collectIssueFacts({ context, connection, tail, secrets }: IssueFactParts): Promise<IssueFacts> {
  const manifest = manifestSchema.parse(context.extension.packageJSON);
  const configuration = workspace.getConfiguration('dialtree');
  const properties = Object.fromEntries(
    manifest.contributes.configuration.flatMap((group) => Object.entries(group.properties)),
  );
  const { state } = connection;
  return {
    environment: [
      ['Extension', manifest.version],
      [
        'Editor',
        `${env.appName} ${version} (${env.appHost}, ${env.uiKind === UIKind.Web ? 'web' : 'desktop'}${env.remoteName === undefined ? '' : `, remote: ${env.remoteName}`})`,
      ],
      ['System', `${platform()} ${release()} ${arch()}, Node ${process.versions.node}`],
      ['Display language', env.language],
      [
        'Workspace',
        `${String(workspace.workspaceFolders?.length ?? 0)} folders (${[...new Set(workspace.workspaceFolders?.map(({ uri }) => uri.scheme))].join(', ')}), ${workspace.isTrusted ? 'trusted' : 'restricted'}`,
      ],
      ['Service', `${connection.mode}, ${state.kind}${state.kind === 'unreachable' ? `: ${state.message}` : ''}`],
    ],
    settings: describeSettings(properties, configuration),
    log: tail.lines,
    private: {
      folders: [
        ...(workspace.workspaceFolders ?? []).map(({ uri }) => [uri.fsPath, '<workspace>'] as const),
        [context.globalStorageUri.fsPath, '<storage>'],
        [context.extensionUri.fsPath, '<extension>'],
        [homedir(), '~'],
      ],
      names: [
        ...(await secrets()),
        userInfo().username,
        ...Object.keys(properties).flatMap((name) =>
          properties[name]?.enum
            ? []
            : namesIn(configuration.get(name.replace(/^dialtree\./, '')), properties[name]?.default),
        ),
      ],
    },
  };
}

/** Returns the texts of a setting and the hosts in them. Default values name no one. */
function namesIn(value: unknown, fallback: unknown): string[] {
  if (JSON.stringify(value) === JSON.stringify(fallback)) return [];
  if (typeof value === 'string') {
    const host = /^(?:\w+:(?:\/\/)?)?(?:[^@/\s]*@)?([\w.-]+\.\w+)/.exec(value)?.[1];
    return [value, ...(host === undefined ? [] : [host])];
  }
  return typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([name, member]) => [
        ...(/^\w+$/.test(name) ? [] : [name]),
        ...namesIn(member, undefined),
      ])
    : [];
}
