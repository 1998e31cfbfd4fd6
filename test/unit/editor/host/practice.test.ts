import assert from 'node:assert/strict';
import { mkdtemp, readdir, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { HumanError } from '../../../../src/contract/errors.ts';
import { PracticeIvrs } from '../../../../src/editor/host/practice.ts';
import { english, fakeSpawn, recordingLogger, settle } from '../fakes.ts';
import type { FakeChild, FakeSpawn } from '../fakes.ts';

describe('PracticeIvrs', () => {
  let spawning: FakeSpawn, practice: PracticeIvrs, changes: number, folder: string;
  let onSpawn: (child: FakeChild) => void;
  let isTrusted = true;
  const ready = (child: FakeChild): void => {
    child.say({
      event: 'ready',
      host: '127.0.0.1',
      port: 40000,
      targets: [
        {
          name: 'Harbour Bank',
          number: '+12025550101',
          uri: 'sip:harbour-bank@127.0.0.1:40000',
          file: 'bank.ivr.json',
        },
      ],
    });
  };

  const openWindow = (): PracticeIvrs =>
    new PracticeIvrs({
      spawn: spawning.spawn,
      log: recordingLogger(),
      l10n: english,
      script: 'dist/cli.js',
      shared: path.join(folder, 'shared'),
      sampleOf: (file) => (/^\/(kept|samples)\/bank/.test(file) ? '/samples/bank.ivr.json' : undefined),
      isTrusted: () => isTrusted,
    });

  beforeEach(async () => {
    folder = await realpath(await mkdtemp(path.join(tmpdir(), 'dialtree-practice-')));
    onSpawn = ready;
    isTrusted = true;
    spawning = fakeSpawn((child) => onSpawn(child));
    practice = openWindow();
    changes = 0;
    practice.onDidChange(() => (changes += 1));
  });
  afterEach(async () => {
    practice.dispose();
    await rm(folder, { recursive: true });
  });

  it('starts a file once, as a child process that ends with the window', async () => {
    const [one, other] = await Promise.all([practice.start('/w/bank.ivr.json'), practice.start('/w/bank.ivr.json')]);
    assert.equal(one, other);
    assert.deepEqual(one, {
      addresses: [],
      file: '/w/bank.ivr.json',
      name: 'Harbour Bank',
      number: '+12025550101',
      uri: 'sip:harbour-bank@127.0.0.1:40000',
    });
    assert.deepEqual(spawning.starts, [
      {
        script: 'dist/cli.js',
        args: ['practice', '/w/bank.ivr.json', '--port', '0', '--json'],
        survives: false,
        environment: { DIALTREE_MODEL_KEY: '', DIALTREE_API_KEY: '' },
      },
    ]);
    assert.deepEqual(practice.running, [one]);
    assert.equal(changes, 1);
  });

  it('answers the calls of a line with its password in the environment, until the line changes', async () => {
    const line = { kind: 'pbx' as const, host: 'pbx.example.com', numbers: [], user: '201', register: true };
    const office = { name: 'office', line, password: 's3cret' };
    const { signal } = new AbortController();
    await practice.answerOn(office, '/w/bank.ivr.json', signal);
    const [start] = spawning.starts;
    assert.deepEqual(start?.args.slice(2, 7), ['--port', '0', '--json', '--line', 'office']);
    assert.equal(start?.environment?.['DIALTREE_LINE_PASSWORD_OFFICE'], 's3cret');
    assert.ok(!start?.args.join(' ').includes('s3cret'));
    assert.deepEqual([practice.onLine('office')?.name, practice.running], ['Harbour Bank', []]);
    practice.keepOnLines({ office: line });
    assert.deepEqual(spawning.children[0]?.signals, []);
    practice.keepOnLines({ office: { ...line, user: '202' } });
    assert.deepEqual(spawning.children[0]?.signals, ['SIGTERM']);
    await settle();
    assert.equal(practice.onLine('office'), undefined);
  });

  it('starts no file of an untrusted workspace, but does start samples', async () => {
    isTrusted = false;
    await assert.rejects(practice.start('/w/bank.ivr.json'), { status: 403, code: 'untrusted' });
    assert.deepEqual(spawning.starts, []);
    await practice.start('/samples/bank.ivr.json');
    isTrusted = true;
    await practice.start('/w/bank.ivr.json');
    assert.equal(spawning.starts.length, 2);
  });

  it('stops one and waits for its end', async () => {
    await practice.start('/w/bank.ivr.json');
    await practice.stop('/w/bank.ivr.json');
    await practice.stop('/w/other.ivr.json');
    assert.deepEqual(spawning.children[0]?.signals, ['SIGTERM']);
    assert.deepEqual(practice.running, []);
  });

  it('drops one that ended by itself, and can restart it', async () => {
    await practice.start('/w/bank.ivr.json');
    spawning.children[0]?.end(1);
    await settle();
    assert.deepEqual(practice.running, []);
    await practice.start('/w/bank.ivr.json');
    assert.equal(spawning.children.length, 2);
  });

  it("reports the error in a file that doesn't start", async () => {
    onSpawn = (child) => {
      child.stderr.write(
        'bank.ivr.json, line 3: states.main.keys: “9” leads to “nowhere”, which does not exist.\nThe file has 1 mistake.\n',
      );
      child.end(1);
    };
    await assert.rejects(
      practice.start('/w/bank.ivr.json'),
      (error: unknown) => error instanceof HumanError && error.message.includes('1 mistake'),
    );
    assert.deepEqual(practice.running, []);
  });

  it('ends all of them with the window, including one that is still starting', async () => {
    await practice.start('/w/bank.ivr.json');
    onSpawn = () => undefined;
    const starting = practice.start('/w/slow.ivr.json');
    practice.dispose();
    assert.deepEqual(
      spawning.children.map(({ signals }) => signals),
      [['SIGTERM'], ['SIGTERM']],
    );
    await assert.rejects(starting);
  });

  it('ends an IVR with the last tests that play it', async () => {
    const [one, other] = [{}, {}];
    await Promise.all([practice.start('/w/bank.ivr.json', one), practice.start('/w/bank.ivr.json', other)]);
    practice.letGo(one);
    assert.deepEqual(spawning.children[0]?.signals, []);
    practice.letGo(other);
    assert.deepEqual(spawning.children[0]?.signals, ['SIGTERM']);
    assert.deepEqual(practice.running, []);
  });

  for (const [when, first, second] of [
    ['before', undefined, {}],
    ['after', {}, undefined],
  ] as const)
    it(`keeps an IVR that the user started ${when} the tests`, async () => {
      await practice.start('/w/bank.ivr.json', first);
      await practice.start('/w/bank.ivr.json', second);
      practice.letGo(first ?? second ?? {});
      assert.deepEqual([spawning.children.length, spawning.children[0]?.signals], [1, []]);
    });

  it('starts an IVR again while the stopped one still ends', async () => {
    const tests = {};
    await practice.start('/w/bank.ivr.json', tests);
    spawning.children[0]!.obedient = false;
    practice.letGo(tests);
    await practice.start('/w/bank.ivr.json');
    spawning.children[0]!.end(0);
    await settle();
    assert.deepEqual([spawning.children.length, practice.running.length], [2, 1]);
  });

  it('plays a file once, whatever leads to it, and an unchanged copy of a sample as the sample', async () => {
    const file = path.join(folder, 'bank.ivr.json');
    await writeFile(file, '{}');
    await symlink(folder, path.join(folder, 'link'));
    await practice.start(path.join(folder, 'link', 'bank.ivr.json'));
    await practice.start(file);
    await practice.start('/kept/bank.ivr.json');
    await practice.start('/samples/bank.ivr.json');
    assert.deepEqual(
      practice.running.map((ivr) => ivr.file),
      [file, '/samples/bank.ivr.json'],
    );
    assert.equal(practice.find('/kept/bank.ivr.json')?.file, '/samples/bank.ivr.json');
    assert.equal(practice.find('/w/other.ivr.json'), undefined);
  });

  it('shows another window what the user started, and starts no second one there', async () => {
    onSpawn = (child) => {
      // A process that runs.
      Object.assign(child, { pid: process.pid });
      ready(child);
    };
    await practice.start('/w/test.ivr.json', {});
    const ivr = await practice.start('/w/bank.ivr.json');
    const other = openWindow();
    assert.deepEqual(other.running, [{ ...ivr, isElsewhere: true }]);
    assert.deepEqual(await other.start('/w/bank.ivr.json'), { ...ivr, isElsewhere: true });
    await other.stop('/w/bank.ivr.json');
    other.dispose();
    assert.deepEqual([spawning.children.length, spawning.children[1]?.signals], [2, []]);
    practice.lookElsewhere();
    const before = practice.running.length;
    await practice.stop('/w/bank.ivr.json');
    assert.equal(practice.running.length, before - 1, 'its own note does not count as another window');
    assert.deepEqual(openWindow().running, []);
  });

  it("ignores a note of a process that has ended, and one that can't be read", async () => {
    onSpawn = (child) => {
      // No process has this number, because it is above the largest one.
      Object.assign(child, { pid: 2 ** 30 });
      ready(child);
    };
    await practice.start('/w/bank.ivr.json');
    const [name = ''] = await readdir(path.join(folder, 'shared'));
    await writeFile(path.join(folder, 'shared', `${String(process.pid)}.json`), '{"file": 7}');
    assert.equal(name, `${String(2 ** 30)}.json`);
    assert.deepEqual(openWindow().running, []);
  });
});
