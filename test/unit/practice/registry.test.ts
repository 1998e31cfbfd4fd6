import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEcho } from '../../../src/practice/echo.ts';
import { PracticeRegistry } from '../../../src/practice/registry.ts';

const isAnswered = (registry: PracticeRegistry, host: string, port: number): boolean =>
  registry.answererAt(host, port) !== undefined;
const chown = (path: string): void => {
  chownSync(path, 65_534, 65_534);
};

describe('the registry of practice servers', () => {
  let base = '';
  let folder = '';
  beforeEach(() => {
    base = mkdtempSync(join(tmpdir(), 'dialtree-registry-'));
    folder = join(base, 'practice');
  });
  afterEach(() => rmSync(base, { recursive: true, force: true }));
  const files = (): string[] => readdirSync(folder).map((name) => join(folder, name));
  const place = { host: '127.0.0.1', port: 5070 };

  it('contains a server from when it listens until it closes, in a folder that only its user can access', async () => {
    const registry = new PracticeRegistry([folder]);
    const other = new PracticeRegistry([folder]);
    assert.equal(isAnswered(other, '127.0.0.1', 5070), false);
    const echo = await startEcho({ port: 0, registry });
    assert.equal(isAnswered(other, '127.0.0.1', echo.port), true);
    assert.equal(statSync(folder).mode & 0o777, 0o700);
    await echo.close();
    assert.equal(isAnswered(other, '127.0.0.1', echo.port), false);
    assert.deepEqual(files(), []);
  });

  it('distinguishes addresses and ports, and knows what a server on all addresses occupies', () => {
    const registry = new PracticeRegistry([folder]);
    registry.announce(place);
    registry.announce({ host: '0.0.0.0', port: 5080 });
    registry.announce({ host: '::', port: 5090 });
    for (const [host, port, answers] of [
      ['127.0.0.1', 5070, true],
      ['localhost', 5070, true],
      ['LOCALHOST', 5070, true],
      ['127.0.0.2', 5070, false],
      ['::1', 5070, false],
      ['127.0.0.1', 5071, false],
      ['127.0.0.1', 5080, true],
      ['127.9.9.9', 5080, true],
      ['localhost', 5080, true],
      ['::1', 5080, false],
      ['::1', 5090, true],
      ['127.0.0.1', 5090, false],
      ['192.168.1.5', 5080, false],
      ['trunk.example.com', 5080, false],
      ['0.0.0.0', 5080, false],
      ['../127.0.0.1', 5070, false],
    ] as const)
      assert.equal(isAnswered(registry, host, port), answers, `${host}:${String(port)}`);
  });

  it('ignores an ended process, and removes its entry at the next start', async () => {
    const source = `import { PracticeRegistry } from ${JSON.stringify(new URL('../../../src/practice/registry.ts', import.meta.url).href)};
      new PracticeRegistry([process.argv[1]]).announce({ host: '127.0.0.1', port: 5070 }); process.stdout.write('noted'); setInterval(() => {}, 1000);`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', source, folder], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const exited = once(child, 'exit');
    const registry = new PracticeRegistry([folder]);
    try {
      await once(child.stdout, 'data');
      assert.equal(isAnswered(registry, '127.0.0.1', 5070), true);
    } finally {
      child.kill('SIGKILL');
      await exited;
    }
    assert.equal(isAnswered(registry, '127.0.0.1', 5070), false);
    const left = readFileSync(files()[0]!, 'utf8');
    registry.announce({ host: '127.0.0.1', port: 5071 });
    assert.equal(files().length, 1);
    // Its PID now belongs to another process.
    writeFileSync(join(folder, '127.0.0.1_5070'), JSON.stringify({ ...JSON.parse(left), pid: process.pid }), {
      mode: 0o600,
    });
    if (process.platform === 'linux') assert.equal(isAnswered(registry, '127.0.0.1', 5070), false);
  });

  it("ignores an ended process whose parent hasn't reaped it", async function () {
    if (process.platform !== 'linux') this.skip();
    const source = `import { PracticeRegistry } from ${JSON.stringify(new URL('../../../src/practice/registry.ts', import.meta.url).href)};
      new PracticeRegistry([process.argv[1]]).announce({ host: '127.0.0.1', port: 5070 }); process.stdout.write(String(process.pid)); setInterval(() => {}, 1000);`;
    // A shell that becomes a program that never reaps its children.
    const parent = spawn(
      '/bin/sh',
      ['-c', '"$0" --input-type=module -e "$1" "$2" & exec tail -f /dev/null', process.execPath, source, folder],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    const exited = once(parent, 'exit');
    const registry = new PracticeRegistry([folder]);
    try {
      const [told] = (await once(parent.stdout, 'data')) as [Buffer];
      const pid = Number(told.toString());
      assert.equal(isAnswered(registry, '127.0.0.1', 5070), true);
      process.kill(pid, 'SIGKILL');
      while (!/\) [ZX] /.test(readFileSync(`/proc/${String(pid)}/stat`, 'utf8')))
        await new Promise((resolve) => {
          setImmediate(resolve);
        });
      assert.equal(isAnswered(registry, '127.0.0.1', 5070), false);
    } finally {
      parent.kill('SIGKILL');
      await exited;
    }
  });

  it('ignores an entry of another machine, and one whose process is gone without proof', async () => {
    const registry = new PracticeRegistry([folder]);
    registry.announce(place);
    const [file = ''] = files();
    const note = JSON.parse(readFileSync(file, 'utf8')) as object;
    const child = spawn(process.execPath, ['-e', '']);
    await once(child, 'exit');
    writeFileSync(file, JSON.stringify({ id: 'left', pid: child.pid }));
    assert.equal(isAnswered(registry, '127.0.0.1', 5070), false, 'a process that has ended');
    writeFileSync(file, JSON.stringify({ ...note, machine: 'another' }));
    assert.equal(isAnswered(registry, '127.0.0.1', 5070), false, 'another machine');
    writeFileSync(file, JSON.stringify(note));
    assert.equal(isAnswered(registry, '127.0.0.1', 5070), true);
  });

  it('keeps the entry of a later server at the same place', () => {
    const registry = new PracticeRegistry([folder]);
    const first = registry.announce(place),
      second = registry.announce(place);
    first();
    assert.equal(isAnswered(registry, '127.0.0.1', 5070), true);
    second();
    assert.equal(isAnswered(registry, '127.0.0.1', 5070), false);
  });

  it('lists the IVRs that are running, the first hundred of a server, and none of a damaged entry', () => {
    const registry = new PracticeRegistry([folder, join(base, 'missing')]);
    const [bank, airline] = ['bank', 'airline'].map((name) => ({ name, uri: `sip:${name}@127.0.0.1:5070` }));
    assert.ok(bank && airline);
    registry.announce(place, [bank, airline]);
    registry.announce({ host: '127.0.0.1', port: 5071 });
    assert.deepEqual(new PracticeRegistry([folder]).running(), [airline, bank]);
    const [file = ''] = files();
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll('sip:', 'http:'));
    assert.deepEqual([registry.running(), isAnswered(registry, '127.0.0.1', 5070)], [[], true]);
    const longest = { name: '\u0001'.repeat(200), uri: `sip:${'a'.repeat(200)}@127.0.0.1:5070` };
    registry.announce(place, Array<typeof longest>(150).fill(longest));
    assert.equal(registry.running().length, 100);
  });

  it('trusts no folder or file that others could have written', function () {
    if (process.platform === 'win32') this.skip();
    const registry = new PracticeRegistry([folder]);
    registry.announce(place);
    assert.equal(isAnswered(registry, '127.0.0.1', 5070), true);
    for (const mode of [0o750, 0o702, 0o707]) {
      chmodSync(folder, mode);
      assert.equal(isAnswered(registry, '127.0.0.1', 5070), false, mode.toString(8));
      assert.throws(() => registry.announce(place), { code: 'practice_registry' });
    }
    chmodSync(folder, 0o700);
    const aside = join(base, 'link');
    symlinkSync(folder, aside);
    assert.equal(isAnswered(new PracticeRegistry([aside]), '127.0.0.1', 5070), false, 'a link');
    const [file = ''] = files();
    symlinkSync(file, join(folder, '127.0.0.1_5072'));
    assert.equal(isAnswered(registry, '127.0.0.1', 5072), false, 'a link to a note');
    for (const [port, text] of [
      [5073, ''],
      [5074, '{}'],
      [5075, 'null'],
      [5076, '{"id":1,"pid":1}'],
      [5077, `${readFileSync(file, 'utf8')}${' '.repeat(1_000_000)}`],
    ] as const) {
      writeFileSync(join(folder, `127.0.0.1_${String(port)}`), text);
      assert.equal(isAnswered(registry, '127.0.0.1', port), false, text);
    }
    mkdirSync(join(folder, '127.0.0.1_5078'));
    assert.equal(isAnswered(registry, '127.0.0.1', 5078), false, 'a folder');
  });

  it("ignores another user's entry", function () {
    if (process.getuid?.() !== 0) this.skip();
    const registry = new PracticeRegistry([folder]);
    registry.announce(place);
    const [file = ''] = files();
    linkSync(file, join(folder, '127.0.0.1_5079'));
    assert.equal(isAnswered(registry, '127.0.0.1', 5079), true);
    rmSync(join(folder, '127.0.0.1_5079'));
    const child = join(base, 'foreign');
    mkdirSync(child, { mode: 0o700 });
    writeFileSync(join(child, '127.0.0.1_5070'), readFileSync(file));
    assert.equal(isAnswered(new PracticeRegistry([child]), '127.0.0.1', 5070), true);
    chown(join(child, '127.0.0.1_5070'));
    assert.equal(isAnswered(new PracticeRegistry([child]), '127.0.0.1', 5070), false, 'a file of somebody else');
    chownSync(join(child, '127.0.0.1_5070'), 0, 0);
    chown(child);
    assert.equal(isAnswered(new PracticeRegistry([child]), '127.0.0.1', 5070), false, 'a folder of somebody else');
  });

  it("registers a server in the next folder if the first can't be written, and reads both", () => {
    const blocked = join(base, 'file');
    writeFileSync(blocked, '');
    const registry = new PracticeRegistry([join(blocked, 'practice'), folder]);
    const withdraw = registry.announce(place);
    assert.equal(isAnswered(registry, '127.0.0.1', 5070), true);
    withdraw();
    assert.throws(() => new PracticeRegistry([join(blocked, 'practice')]).announce(place), {
      code: 'practice_registry',
      message: /Make that folder writable only for you/,
    });
  });

  it("lets no server run that it can't register", async () => {
    const blocked = join(base, 'file');
    writeFileSync(blocked, '');
    await assert.rejects(startEcho({ port: 0, registry: new PracticeRegistry([join(blocked, 'practice')]) }), {
      code: 'practice_registry',
    });
  });
});
