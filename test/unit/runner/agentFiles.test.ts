import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { operations } from '../../../src/contract/operations.ts';
import type { Operation } from '../../../src/contract/operation.ts';
import { dialtree, repositoryFile, type CliResult } from '../cli/dialtree.ts';
import { commandsIn } from '../editor/fakeEditor.ts';
import { FakeDialogs, type Answer } from '../editor/fakeDialogs.ts';

describe('the files for agents in a folder', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'dialtree-agents-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const init = (...args: string[]): Promise<CliResult> => dialtree(['agents', 'init', ...args], '', { cwd: folder });
  const put = async (file: string, text: string): Promise<void> => {
    await mkdir(path.join(folder, path.dirname(file)), { recursive: true });
    await writeFile(path.join(folder, file), text);
  };
  const get = (file: string): Promise<string> => readFile(path.join(folder, file), 'utf8');
  const all = async (): Promise<Record<string, string>> => {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const names = entries.map(({ parentPath, name }) => path.relative(folder, path.join(parentPath, name))).sort();
    return Object.fromEntries(
      await Promise.all(names.map(async (name) => [name, await get(name).catch(() => 'a folder')] as const)),
    );
  };

  it('contain no key, stay the same on a second run, and disappear with --undo', async () => {
    const dry = await init('--dry-run');
    assert.deepEqual([dry.code, await all()], [0, {}]);
    assert.equal((await init()).code, 0);
    const written = await all();
    assert.deepEqual(JSON.parse(written['.vscode/mcp.json'] ?? ''), {
      servers: { dialtree: { type: 'stdio', command: 'dialtree', args: ['mcp'] } },
    });
    assert.match(
      written['.codex/config.toml'] ?? '',
      /^\[mcp_servers\.dialtree\]\ncommand = "dialtree"\nargs = \["mcp"\]\n/,
    );
    for (const file of [
      '.github/skills/map-ivr/SKILL.md',
      '.agents/skills/map-ivr/SKILL.md',
      '.claude/agents/dialtree-healer.md',
      '.github/agents/dialtree-planner.agent.md',
    ])
      assert.match(written[file] ?? '', /^---\nname: .*<!-- dialtree agents init [0-9a-f]{16} -->\n$/s, file);
    for (const line of dry.stdout.matchAll(/^write +(\S+)$/gm)) assert.ok(written[line[1] ?? ''], line[0]);
    assert.doesNotMatch((await init()).stdout, /^write/m);
    assert.deepEqual(await all(), written);
    assert.equal((await init('--undo')).code, 0);
    assert.deepEqual(await all(), {});
  });

  it('keep what a person wrote: comments, other servers, edited skills and edited entries', async () => {
    const own = {
      '.vscode/mcp.json': '{\n  // Ours\n  "servers": {\n    "other": { "command": "x" }\n  }\n}\n',
      '.mcp.json': '{\r\n  "inputs": []\r\n}\r\n',
      '.codex/config.toml': 'model = "x"\r\n\r\n[mcp_servers.other]\r\ncommand = "y"\r\n',
      '.claude/skills/map-ivr/SKILL.md': 'Our own skill\n',
    };
    for (const [file, text] of Object.entries(own)) await put(file, text);
    assert.match((await init()).stdout, /^keep +\.claude\/skills\/map-ivr\/SKILL\.md \(changed by you\)$/m);
    assert.match(await get('.vscode/mcp.json'), /\/\/ Ours[^]*"other"[^]*"dialtree"/);
    assert.match(await get('.mcp.json'), /"inputs"[^]*"mcpServers"/);
    assert.match(await get('.codex/config.toml'), /command = "y"\r\n\r\n\[mcp_servers\.dialtree\]\r\n/);
    await init('--undo');
    const left = await all();
    for (const [file, text] of Object.entries(own))
      assert.equal(left[file]?.replaceAll(/\s/g, ''), text.replaceAll(/\s/g, ''), file);
    assert.deepEqual(
      Object.keys(left)
        .filter((name) => left[name] !== 'a folder')
        .sort(),
      Object.keys(own).sort(),
    );

    await init();
    const edits = ['.mcp.json', '.codex/config.toml', '.claude/agents/dialtree-planner.md'];
    for (const file of edits) await put(file, (await get(file)).replace(/"mcp"|Explores/, '"mcp", "--data", "x"'));
    const edited = await Promise.all(edits.map(get));
    for (const args of [[], ['--undo']]) {
      const { stdout } = await init(...args);
      for (const file of edits) assert.ok(stdout.includes(`keep    ${file} (changed by you)`), `${file}: ${stdout}`);
      assert.deepEqual(await Promise.all(edits.map(get)), edited);
    }
  });

  it('stay unwritten if one of the configurations is broken', async () => {
    for (const broken of ['{ "mcpServers": ', '[]', '{ "mcpServers": 3 }']) {
      await put('.mcp.json', broken);
      const { code, stderr } = await init();
      assert.equal(code, 2);
      assert.match(stderr, /^\.mcp\.json isn't a valid MCP configuration\. Correct it/);
      assert.deepEqual(await all(), { '.mcp.json': broken });
    }
  });

  it('stay unwritten if a link leads out of the folder, and follow links inside it', async () => {
    const elsewhere = await mkdtemp(path.join(tmpdir(), 'dialtree-elsewhere-'));
    try {
      await writeFile(path.join(elsewhere, 'file'), 'Ours\n');
      for (const [link, target] of [
        ['.claude', elsewhere],
        ['.mcp.json', path.join(elsewhere, 'file')],
        ['.vscode', path.join(elsewhere, 'nothing')],
      ] as const) {
        await symlink(target, path.join(folder, link));
        for (const args of [[], ['--undo']]) {
          const { code, stderr } = await init(...args);
          assert.deepEqual([code, stderr.startsWith(`${link} is a link that leads out of`)], [2, true], stderr);
        }
        await rm(path.join(folder, link));
      }
      assert.deepEqual([await readdir(elsewhere), await all()], [['file'], {}]);
    } finally {
      await rm(elsewhere, { recursive: true });
    }
    await mkdir(path.join(folder, 'shared'));
    await symlink('shared', path.join(folder, '.claude'));
    assert.equal((await init('--for', 'claude')).code, 0);
    assert.match(await get('shared/agents/dialtree-healer.md'), /dialtree agents init/);
  });

  it('restore earlier texts if writing fails half-way', async () => {
    await put('.mcp.json', '{}');
    // A file in the place of a folder can't be written even as root.
    await put('.agents', 'in the way');
    const before = await all();
    assert.equal((await init()).code, 2);
    assert.deepEqual(await all(), before);
  });

  it('come from the editor too, after the user has seen their names, and go again', async () => {
    let opened: string | undefined;
    const setUp = async (...answers: Answer[]): Promise<string[]> => {
      const dialogs = new FakeDialogs(...answers);
      await commandsIn({
        dialogs,
        context: { extensionUri: { fsPath: repositoryFile('.').replace(/\/$/, '') } },
        workbench: {
          diskFolders: () => ['/elsewhere', folder],
          openFile: (uri) => {
            opened = uri;
            return Promise.resolve();
          },
        },
      })['dialtree.agents.setUp']();
      dialogs.done();
      return dialogs.shown;
    };
    await setUp({ pick: folder }, { pick: 'Claude Code' }, { agree: false });
    assert.deepEqual(await all(), {});
    const shown = await setUp(
      { pick: folder },
      { pick: 'Claude Code' },
      { agree: true },
      { press: 'Open Configuration' },
    );
    assert.match(shown.join('\n'), /\.claude\/skills\/write-call-tests\/SKILL\.md/);
    assert.match(opened ?? '', /\/\.mcp\.json$/);
    assert.equal((await init('--for', 'claude', '--dry-run')).stdout.includes('write '), false, 'both write the same');
    await setUp({ pick: folder }, { pick: 'Remove what Dialtree wrote' }, { agree: true });
    assert.deepEqual(await all(), {});
    await assert.rejects(
      commandsIn({ isTrusted: () => false, workbench: { diskFolders: () => [folder] } })['dialtree.agents.setUp'](),
      /trust the workspace first/,
    );
  });

  it('have valid front matter, are contributed, and name tools that exist', async () => {
    const { contributes } = JSON.parse(await readFile(repositoryFile('package.json'), 'utf8')) as {
      contributes: { chatSkills: { path: string }[] };
    };
    const tools = new Set(Object.entries<Operation>(operations).flatMap(([name, { tool }]) => (tool ? [name] : [])));
    const skills = (await readdir(repositoryFile('media/skills'))).map(
      (name) => [name, `media/skills/${name}/SKILL.md`] as const,
    );
    assert.deepEqual(
      skills.map(([, file]) => `./${file}`).sort(),
      contributes.chatSkills.map(({ path: file }) => file).sort(),
    );
    const agents = ['planner', 'generator', 'healer'].map(
      (name) => [`dialtree-${name}`, `media/agents/${name}.md`] as const,
    );
    for (const [name, file] of [...skills, ...agents]) {
      const text = await readFile(repositoryFile(file), 'utf8');
      const [, said, description = ''] = /^---\nname: (.+)\ndescription: ([^:\n]+)\n---\n/.exec(text) ?? [];
      assert.equal(said, name, file);
      assert.ok(description.length > 40 && description.length <= 1024, file);
      assert.ok(text.split('\n').length <= 60, file);
      const named = [
        ...text.matchAll(
          /`((?:list|get|run|start|create|update|cancel|plan|compare|generate|rejudge|heal)(?!Id)[A-Z]\w+)`/g,
        ),
      ].map(([, word = '']) => word);
      assert.ok(named.length >= 2, file);
      for (const tool of named) assert.ok(tools.has(tool), `${file} names ${tool}`);
    }
  });
});
