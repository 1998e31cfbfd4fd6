import { createHash } from 'node:crypto';
import { withJsonServer, withTomlServer, type Edit } from './serverConfig.ts';

export const agentClients = ['vscode', 'claude', 'codex'] as const;
export type AgentClient = (typeof agentClients)[number];

interface ClientFiles {
  readonly label: string;
  /** The file with the MCP configuration. */
  readonly config: string;
  /** The property of a JSON configuration that contains its servers. Without one, the configuration is TOML. */
  readonly member?: 'servers' | 'mcpServers';
  readonly skills: string;
  readonly agent?: (name: string) => string;
}

/**
 * https://code.visualstudio.com/docs/agents/reference/custom-agent-file-reference, https://code.claude.com/docs/en/skills,
 * https://developers.openai.com/codex/skills
 */
export const clientFiles: Readonly<Record<AgentClient, ClientFiles>> = {
  vscode: {
    label: 'VS Code',
    config: '.vscode/mcp.json',
    member: 'servers',
    skills: '.github/skills',
    agent: (name) => `.github/agents/dialtree-${name}.agent.md`,
  },
  claude: {
    label: 'Claude Code',
    config: '.mcp.json',
    member: 'mcpServers',
    skills: '.claude/skills',
    agent: (name) => `.claude/agents/dialtree-${name}.md`,
  },
  codex: { label: 'Codex', config: '.codex/config.toml', skills: '.agents/skills' },
};

/** In `media/skills`, which the extension contributes too, and in `media/agents`. */
const skills = ['map-ivr', 'write-call-tests', 'read-failing-run', 'audit-compliance'];
const agents = ['planner', 'generator', 'healer'];

export interface FileChange {
  /** Relative to the folder, with `/`. */
  readonly path: string;
  readonly before: string | undefined;
  /** Undefined: the file is deleted. */
  readonly after: string | undefined;
}

interface Planned {
  readonly changes: readonly FileChange[];
  /** Files whose part of Dialtree a person changed. They stay as they are. */
  readonly kept: readonly string[];
}

interface PlanParts {
  readonly clients: readonly AgentClient[];
  /** Removes what was written, if no person changed it. */
  readonly undo: boolean;
  /** Reads a file of the folder. */
  readonly read: (path: string) => Promise<string | undefined>;
  /** Reads a file of `media`. */
  readonly shipped: (path: string) => Promise<string>;
}

/**
 * Returns what setting up these clients changes in a folder. Writes nothing.
 * @throws HumanError if a configuration can't be read
 */
export async function planAgentFiles({ clients, undo, read, shipped }: PlanParts): Promise<Planned> {
  const texts = async (names: readonly string[], place: (name: string) => string) =>
    Promise.all(names.map(async (name) => ({ name, edit: withText(await shipped(place(name))) })));
  const skillTexts = await texts(skills, (name) => `skills/${name}/SKILL.md`);
  const agentTexts = await texts(agents, (name) => `agents/${name}.md`);
  const edits = clients.flatMap((client): [string, Edit][] => {
    const { config, member, skills: folder, agent } = clientFiles[client];
    return [
      [config, member ? withJsonServer(config, member) : withTomlServer],
      ...skillTexts.map(({ name, edit }): [string, Edit] => [`${folder}/${name}/SKILL.md`, edit]),
      ...(agent ? agentTexts.map(({ name, edit }): [string, Edit] => [agent(name), edit]) : []),
    ];
  });
  const changes: FileChange[] = [];
  const kept: string[] = [];
  for (const [path, edit] of edits) {
    const before = await read(path);
    const edited = edit(before, undo);
    if (!edited) kept.push(path);
    else if (edited.after !== before) changes.push({ path, before, after: edited.after });
  }
  return { changes, kept };
}

const markPattern = /\n<!-- dialtree agents init ([0-9a-f]{16}) -->\n$/;
const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);

/** The last line of a written file has the hash of the lines before it, which shows whether a person changed them. */
const withText =
  (text: string): Edit =>
  (before, undo) => {
    const plain = before?.replaceAll('\r\n', '\n');
    const mark = plain === undefined ? undefined : markPattern.exec(plain);
    if (plain !== undefined && mark?.[1] !== hashOf(plain.slice(0, mark?.index))) return undefined;
    if (undo) return { after: undefined };
    const body = text.trimEnd();
    const after = `${body}\n<!-- dialtree agents init ${hashOf(body)} -->\n`;
    return { after: after === plain ? before : after };
  };
