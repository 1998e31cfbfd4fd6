import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { lstat, mkdir, mkdtemp, open, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { text as textOf } from 'node:stream/consumers';
import { surviveOutputErrors } from '../../../../src/cli/terminal/output.ts';
import { UsageError } from '../../../../src/cli/command.ts';
import { findTestFiles } from '../../../../src/cli/run/testPaths.ts';
import { step } from '../../editor/testing/fakeRuns.ts';
import { CliProcess, dialtree, repositoryFile, type CliResult } from '../dialtree.ts';
import { FakeService } from '../fakeService.ts';

const ids = ['7d1f2c1e-8f7b-4b1e-9a39-0d2c5f6a1b3c', '1c9a0d7e-2b53-4f0a-8d3e-5f6a7b8c9d0e'] as const;
const steps = [
  { name: 'Call', action: { type: 'dial' }, expectedTranscript: 'Welcome' },
  { name: 'Sales', action: { type: 'press', keys: '1' }, expectedTranscript: 'Sales' },
];
const test = (rest: object = {}): object => ({ id: ids[0], name: 'One', phoneNumber: '+12025550101', steps, ...rest });

/** A file that can't be written, not even by root. */
const readOnly =
  process.platform === 'linux'
    ? ([
        ['/proc/sys/kernel/ostype', /Couldn't write \/proc\/sys\/kernel\/ostype\. Check the path, its permissions/],
      ] as const)
    : [];

describe('dialtree run', function () {
  const service = new FakeService();
  let folder: string;
  let url: string;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'dialtree-run-test-'));
    service.reset();
    url = await service.start();
  });
  const started: CliProcess[] = [];
  afterEach(async () => {
    await Promise.all(started.splice(0).map((command) => command.kill()));
    await service.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function put(files: Readonly<Record<string, object | string>>): Promise<void> {
    for (const [name, content] of Object.entries(files)) {
      await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
      await writeFile(
        path.join(folder, name),
        typeof content === 'string' ? content : JSON.stringify(content, null, 2),
      );
    }
  }
  const env = { DIALTREE_API_KEY: 'dt_test' };
  const run = (...args: string[]): Promise<CliResult> => dialtree(['run', ...args], '', { cwd: folder, env });
  const start = (...args: string[]): CliProcess => {
    const command = new CliProcess(['run', '.', '--url', url, ...args], { cwd: folder, env });
    started.push(command);
    return command;
  };
  /** Settles when a call waits that doesn't end by itself. */
  const untilWaiting = (): Promise<void> =>
    new Promise((resolve) => {
      service.onWaiting = resolve;
    });
  const onService = (...args: string[]): Promise<CliResult> => run('--url', url, ...args);
  const lines = (text: string): string[] => text.trimEnd().split('\n');

  describe('finds', () => {
    it('files, folders and patterns, each once, and nothing in hidden folders and node_modules', async () => {
      await put({
        'a.calltest.json': '',
        'b/c.mission.json': '',
        'b/d/e.calltest.json': '',
        'b/f.json': '',
        '.git/g.calltest.json': '',
        'node_modules/h/i.calltest.json': '',
        'b/.j.calltest.json': '',
      });
      const found = async (...args: string[]): Promise<string[]> =>
        (await findTestFiles(args, folder)).map((file) => path.relative(folder, file));
      assert.deepEqual(await found('.'), [
        'a.calltest.json',
        'b/.j.calltest.json',
        'b/c.mission.json',
        'b/d/e.calltest.json',
      ]);
      assert.deepEqual(await found('b/d', 'a.calltest.json', './b/d/e.calltest.json'), [
        'b/d/e.calltest.json',
        'a.calltest.json',
      ]);
      assert.deepEqual(await found('**/*.calltest.json'), [
        'a.calltest.json',
        'b/.j.calltest.json',
        'b/d/e.calltest.json',
      ]);
      assert.deepEqual(await found('b/{c,x}.mission.json', path.join(folder, '*.calltest.json')), [
        'b/c.mission.json',
        'a.calltest.json',
      ]);
      assert.deepEqual(await found('./b/?/e*'), ['b/d/e.calltest.json']);
    });

    it('files by patterns, like shells', async () => {
      for (const [pattern, file, fits] of [
        ['**/x*', 'x.calltest.json', true],
        ['**/x*', 'a/b/x.calltest.json', true],
        ['*/x*', 'a/b/x.calltest.json', false],
        ['{a,b{c,d}}*', 'bd.calltest.json', true],
        ['a,b?calltest.json', 'a,b.calltest.json', true],
        ['[ab]*', 'b.calltest.json', true],
        ['a(b)+*', 'a(b)+.calltest.json', true],
      ] as const) {
        await put({ [file]: '' });
        const found = await findTestFiles([pattern], folder).catch((error: unknown) => {
          assert.ok(error instanceof UsageError);
          return [];
        });
        assert.deepEqual(found, fits ? [path.join(folder, file)] : [], `${pattern} ${file}`);
        await rm(path.join(folder, file));
      }
    });

    it('no files, and reports wrong usage', async () => {
      await put({ 'b/f.json': {} });
      for (const [argument, wanted] of [
        ['none', /none doesn't exist/],
        ['b', /Couldn't find any \*\.calltest\.json or \*\.mission\.json or \*\.probe\.json files in b\./],
        ['b/f.json', /b\/f\.json isn't a test file/],
        ['b/*', /matches b\/\*/],
      ] as const) {
        const { code, stdout, stderr } = await run(argument);
        assert.deepEqual([code, stdout], [2, ''], argument);
        assert.match(stderr, wanted);
      }
      assert.match((await run()).stderr, /Give test files, or folders/);
    });
  });

  describe('rejects', () => {
    it('all wrong files together, each error at its place, without calling', async () => {
      await put({
        'good.calltest.json': test(),
        'broken.calltest.json': '{\n  "name": "x"\n  "steps": []\n}',
        'typo.mission.json': '{ "name": "n", "phoneNumber": "+12025550101", "mision": "a", "acceptance": "b" }',
        'rows.calltest.json': JSON.stringify(test({ id: ids[1], rowsFile: 'rows.csv' })),
        'rows.csv': 'a,b\n1\n',
        'copy.calltest.json': test({ name: 'Two' }),
        'latin.calltest.json': '',
      });
      await writeFile(path.join(folder, 'latin.calltest.json'), Buffer.from('{"name":"caf\xe9"}', 'latin1'));
      const { code, stdout, stderr } = await onService('.');
      assert.deepEqual([code, stdout, service.changes], [2, '', []]);
      assert.deepEqual(lines(stderr), [
        'broken.calltest.json:3:3: Not valid JSON. A comma is missing before this.',
        "latin.calltest.json: The file isn't UTF-8 text. Save it as UTF-8.",
        'rows.csv:2:1: This row has 1 field; there are 2 columns (a, b).',
        'typo.mission.json:1:47: The member "mision" isn\'t allowed here. Did you mean "mission"?',
        'good.calltest.json:2:9: id: copy.calltest.json also has this id. Remove the id from the copy, so that it has a history of its own.',
      ]);
    });

    it('a practice IVR that is missing or invalid, at its place', async () => {
      const ivr = (name: string): object => ({ name, ivr: `${name}.ivr.json`, steps });
      await put({
        'none.calltest.json': ivr('none'),
        'wrong.calltest.json': ivr('wrong'),
        'wrong.ivr.json':
          '{\n  "name": "W", "start": "main",\n  "states": { "main": { "prompt": "P", "keyz": {} } }\n}',
      });
      const { code, stderr } = await run('.');
      assert.equal(code, 2);
      assert.match(stderr, /^none\.calltest\.json:3:10: ivr: Couldn't read the practice IVR none\.ivr\.json/m);
      assert.match(
        stderr,
        /^wrong\.ivr\.json:3:40: states\.main: The member "keyz" isn't allowed here\. Did you mean "keys"\?/m,
      );
      assert.doesNotMatch(stderr, /\n {4}at /);
    });

    it('files that are too large to check, without reading them', async () => {
      const tooLarge = ' '.repeat(20_000_001);
      await put({
        'huge.calltest.json': tooLarge,
        'called.calltest.json': { name: 'called', ivr: 'huge.ivr.json', steps },
        'huge.ivr.json': tooLarge,
      });
      const { code, stderr } = await run('.');
      assert.equal(code, 2);
      for (const name of ['huge.calltest.json', 'huge.ivr.json'])
        assert.ok(stderr.includes(`${name}: The file is larger than 20 MB. Split it, or shorten it.`), stderr);
    });

    it('bad options, and a service without a key or without encryption', async () => {
      await put({
        'a.calltest.json': test(),
        'p.calltest.json': { name: 'P', ivr: 'p.ivr.json', steps },
        'p.ivr.json': { name: 'P', start: 'a', states: { a: { prompt: 'P', end: 'hangup' } } },
      });
      for (const [args, wanted] of [
        [['--reporter', 'tap'], /--reporter takes one of spec, json, junit, sarif/],
        [['--repeat', '0'], /--repeat takes a whole number from 1 to 1000/],
        [['--url', 'http://example.com'], /takes an https address/],
        [['--url', 'nowhere'], /takes the address of a service/],
        [['--url', url, '--routes', '{}'], /has its own/],
        [['--grep', 'zzz'], /No test has a name or file path that contains "zzz"/],
        [['--baseline', 'none.json'], /none\.json/],
      ] as const) {
        const { code, stdout, stderr } = await run('a.calltest.json', ...args);
        assert.deepEqual([code, stdout], [2, ''], args.join(' '));
        assert.match(stderr, wanted);
      }
      const keyless = await dialtree(['run', 'a.calltest.json', '--url', url], '', {
        cwd: folder,
        env: { DIALTREE_API_KEY: '' },
      });
      assert.deepEqual([keyless.code, keyless.stderr.includes('DIALTREE_API_KEY')], [2, true]);
      assert.match(
        (await run('p.calltest.json', '--url', 'https://dialtree.example.com')).stderr,
        /^p\.calltest\.json:3:10: ivr: The practice IVR runs on this machine/,
      );
      assert.deepEqual(service.changes, []);
    });
  });

  it('shows the plan with --dry-run, without calling or writing', async () => {
    const text = JSON.stringify({ name: 'New', phoneNumber: '+12025550101', steps });
    await put({
      'a.calltest.json': text,
      'm.mission.json': { name: 'M', phoneNumber: '+12025550102', mission: 'a', acceptance: 'b' },
      'r.calltest.json': test({ rows: [{ a: '1' }, { a: '2' }] }),
    });
    const { code, stdout } = await onService('.', '--dry-run', '--repeat', '2');
    assert.equal(code, 0);
    assert.deepEqual(lines(stdout), [
      'a.calltest.json  New',
      '    +12025550101',
      '    Up to 2 calls and 10 min.',
      'm.mission.json  M',
      '    +12025550102',
      '    Up to 2 calls and 10 min.',
      'r.calltest.json  One',
      '    +12025550101',
      '    Up to 4 calls and 20 min.',
      '3 tests, 2 numbers. Up to 8 calls and 40 min. No calls were placed.',
    ]);
    assert.deepEqual(JSON.parse((await onService('r.calltest.json', '--dry-run', '--reporter', 'json')).stdout), {
      tests: [{ file: 'r.calltest.json', name: 'One', phoneNumber: '+12025550101', calls: 2, minutesAtMost: 10 }],
      calls: 2,
      minutesAtMost: 10,
    });
    assert.deepEqual([service.changes, await readFile(path.join(folder, 'a.calltest.json'), 'utf8')], [[], text]);
  });

  it('shows with --dry-run what the service that it starts would do', async () => {
    await put({
      'a.calltest.json': test({ phoneNumber: '+14155550100' }),
      'shop.ivr.json': { name: 'Shop', start: 'main', states: { main: { prompt: 'Welcome.', end: 'hangup' } } },
      'b.calltest.json': test({ id: ids[1], name: 'Two', phoneNumber: undefined, ivr: 'shop.ivr.json' }),
    });
    const route = '{"+1*": {"uri": "sip:{number}@trunk.example.com", "costPerMinute": 0.3}}';
    const { code, stdout } = await run('.', '--dry-run', '--routes', route);
    assert.equal(code, 0);
    assert.match(
      lines(stdout).join('\n'),
      /^a\.calltest\.json {2}One\n {4}\+14155550100\n {4}Up to 1 call, 5\.1 min and 1\.51 [A-Z]{3}\.\n.*has no consent for \+14155550100\. Use --url.*\nb\.calltest\.json {2}Two\n {4}practice IVR Shop\n {4}Up to 1 call and 5\.1 min\.\n2 tests, 2 numbers\. /,
    );
  });

  it('writes the plan to --output, and no report', async () => {
    await put({ 'a.calltest.json': test() });
    const { code, stdout } = await onService(
      '.',
      '--dry-run',
      '--reporter',
      'json',
      '--output',
      'out/plan.json',
      '--write-baseline',
      'base.json',
    );
    assert.deepEqual(
      [
        code,
        stdout,
        (JSON.parse(await readFile(path.join(folder, 'out/plan.json'), 'utf8')) as { calls: number }).calls,
      ],
      [0, '', 1],
    );
    await assert.rejects(readFile(path.join(folder, 'base.json')), 'nothing was called');
    for (const reporter of ['junit', 'sarif']) {
      const refused = await onService('.', '--dry-run', '--reporter', reporter);
      assert.deepEqual([refused.code, refused.stdout], [2, '']);
      assert.match(refused.stderr, /--dry-run prints a plan, not a report/);
    }
  });

  it('escapes terminal sequences from files', async () => {
    const name = 'One\u001b[31m\u0007\u009b2J\nPASS  Two';
    await put({
      'a.calltest.json': test({
        name,
        phoneNumber: 'sip:x@127.0.0.1',
        steps: [{ name: 'Call\u001b[2J', action: { type: 'dial' } }],
      }),
    });
    service.ending = () => ({ outcome: 'FAIL', reason: 'Step “Call\u001b[2J”: no.' });
    for (const { stdout, stderr } of [
      await onService('.', '--dry-run'),
      await onService('.'),
      await onService('.', '--grep', '\u001b[31mnone'),
    ]) {
      assert.doesNotMatch(`${stdout}${stderr}`, /(?!\n)\p{Cc}/u);
      assert.doesNotMatch(`${stdout}${stderr}`, /^PASS/m);
    }
  });

  describe('calls', () => {
    it('after showing the plan', async () => {
      await put({
        'a.calltest.json': test(),
        'b.calltest.json': test({
          id: ids[1],
          name: 'Two',
          phoneNumber: '+12025550102',
          rows: [{ a: '1' }, { a: '2' }],
        }),
      });
      const { stderr } = await onService('.', '--repeat', '2');
      assert.deepEqual(lines(stderr).slice(0, 2), ['2 tests, 2 numbers.', '…     One: Up to 2 calls and 10 min.']);
      assert.match(stderr, /^…     Two: Up to 4 calls and 20 min\.$/m);
    });

    it('every test with one request, with the key of the environment, and exits with 0 if all pass', async () => {
      const text =
        '{\n  // keep\n  "name": "New", "phoneNumber": "+12025550101",\n  "steps": [{ "name": "Call", "action": { "type": "dial" } }]\n}\n';
      await put({ 'a.calltest.json': text, 'b.calltest.json': test() });
      const { code, stderr } = await onService('.');
      assert.equal(code, 0, stderr);
      assert.deepEqual([service.changes, [...service.keys]], [['runTest', 'runTest'], ['dt_test']]);
      assert.equal(await readFile(path.join(folder, 'a.calltest.json'), 'utf8'), text);
      const [given = '', own] = [...service.configs.keys()];
      assert.match(given, /^[0-9a-f]{8}-[0-9a-f]{4}-5/);
      assert.equal(own, ids[0]);
      await onService('.');
      assert.deepEqual([...service.configs.keys()], [given, own], 'the same again has the same ids');
    });

    it('and exits with 1 if a test fails or stays undecided, and names the step', async () => {
      await put({ 'a.calltest.json': test(), 'b.calltest.json': test({ id: ids[1], name: 'Two' }) });
      for (const outcome of ['FAIL', 'ERROR', 'INCONCLUSIVE'] as const) {
        service.ending = ({ name }) =>
          name === 'One'
            ? {
                outcome,
                reason: 'Step “Sales”: Dead air.',
                steps: [
                  { name: 'Call', outcome: 'PASS' },
                  { name: 'Sales', outcome },
                ],
              }
            : { outcome: 'PASS' };
        const { code, stderr } = await onService('.');
        assert.equal(code, 1);
        assert.match(
          stderr,
          new RegExp(`^${outcome} +One {2}4 s\\n {6}a\\.calltest\\.json:19:29: Step “Sales”: Dead air\\.\\n`, 'm'),
        );
        assert.match(stderr, /^PASS {2}Two/m);
      }
    });

    it('and exits with 1 if a test gave no results: refused, not launched, or fewer calls than rows', async () => {
      await put({
        'a.calltest.json': test({ rows: [{ a: '1' }, { a: '2' }] }),
        'b.calltest.json': test({ id: ids[1], name: 'Two' }),
      });
      service.refuse = (name) =>
        name === 'runTest' && !service.changes.includes('runTest')
          ? { status: 402, body: { message: 'No minutes are left.', requestId: 'r' } }
          : undefined;
      const refused = await onService('.');
      assert.equal(refused.code, 1);
      assert.match(refused.stderr, /^NONE {2}One: No minutes are left\.$/m);
      assert.match(refused.stderr, /^PASS {2}Two/m, 'the others are called all the same');
      service.refuse = (name) => (name === 'runTest' ? { status: 202, body: { items: [] } } : undefined);
      const none = await onService('a.calltest.json');
      assert.equal(none.code, 1);
      assert.equal(none.stderr.match(/The service placed 0 of 2 calls\./g)?.length, 2);
    });

    it('later what the service refuses in a minute with too many requests', async () => {
      await put({ 'a.calltest.json': test() });
      let refusals = 0;
      service.refuse = (name) => (name === 'runTest' && (refusals += 1) === 1 ? { status: 403 } : undefined);
      const { code, stderr } = await onService('.');
      assert.equal(code, 0, stderr);
      assert.deepEqual(service.changes, ['runTest', 'runTest']);
    });

    it('no further tests once the service is gone', async () => {
      await put({ 'a.calltest.json': test(), 'b.calltest.json': test({ id: ids[1], name: 'Two' }) });
      await service.close();
      const { code, stderr } = await onService('.');
      assert.equal(code, 1);
      assert.match(stderr, /^NONE {2}One: Couldn't reach the service/m);
      assert.doesNotMatch(stderr, /Two:/);
    });

    it('missions too', async () => {
      await put({
        'm.mission.json': { id: ids[1], name: 'Mission', phoneNumber: '+12025550102', mission: 'a', acceptance: 'b' },
      });
      assert.deepEqual([(await onService('.')).code, service.changes], [0, ['runMissionTest']]);
      service.endingOfMission = () => ({ outcome: 'INCONCLUSIVE', reason: 'No model decides this.' });
      const { code, stderr } = await onService('.');
      assert.equal(code, 1);
      assert.match(stderr, /^INCONCLUSIVE Mission {2}9 s\n {6}m\.mission\.json:6:17: No model decides this\.$/m);
    });

    it('probes too, and names the check that failed at its line', async () => {
      const checks = ['A', 'B'].map((name) => ({ kind: 'staysOn', within: 5, name }));
      const probe = { name: 'P', phoneNumber: '+12025550102', steps: [{ do: 'listen', id: 'a', seconds: 5 }], checks };
      await put({ 'p.probe.json': probe });
      assert.match((await onService('.', '--dry-run')).stdout, /\+12025550102\n {4}Up to 1 call and 5 min\./);
      assert.deepEqual([(await onService('.')).code, service.changes], [0, ['runComplianceTest']]);
      const steps = [step('A', {}), step('B', { outcome: 'FAIL', reason: 'It hung up.' })];
      service.endingOfMission = () => ({ outcome: 'FAIL', reason: '“B” was not met.', steps });
      const { code, stderr, stdout } = await onService('.', '--reporter', 'sarif');
      assert.equal(code, 1);
      assert.match(stderr, /^FAIL {2}P {2}9 s\n {6}p\.probe\.json:17:5: “B” was not met\.$/m);
      assert.match(stdout, /"startLine": 17\b/);
    });

    it('repeatedly, and stops at the first failure with --fail-fast', async () => {
      await put({ 'a.calltest.json': test(), 'b.calltest.json': test({ id: ids[1], name: 'Two' }) });
      service.ending = (_config, index) => ({ outcome: index === 1 ? 'FAIL' : 'PASS' });
      const repeated = await onService('.', '--repeat', '3');
      assert.deepEqual([repeated.code, service.runs.size], [1, 6]);
      assert.match(repeated.stderr, /^FAIL {2}One \(2 of 3\)/m);
      service.reset();
      service.ending = (_config, index) => ({ outcome: index === 1 ? 'FAIL' : 'PASS' });
      assert.deepEqual([(await onService('.', '--repeat', '3', '--fail-fast')).code, service.runs.size], [1, 2]);
    });

    it('what failed again with --retries, only those rows, and passes as flaky', async () => {
      await put({ 'a.calltest.json': test({ rows: [{ a: '1' }, { a: '2' }] }) });
      const launched: unknown[] = [];
      service.ending = (_config, index, row) => {
        launched.push(row?.['a']);
        return { outcome: index === 1 ? 'INCONCLUSIVE' : 'PASS', ...(row && { row: { ...row } }) };
      };
      const options = '--retries 2 --reporter spec --reporter json=r.json --reporter sarif=r.sarif'.split(' ');
      const { code, stdout, stderr } = await onService('.', ...options);
      assert.deepEqual([code, launched], [0, ['1', '2', '2']]);
      assert.match(stderr, /^PASS {2}One \[2\] \(retry 1 of 2\)/m);
      assert.match(stdout, /One \[a=2\] {2}flaky: passed on retry 1[^]*2 of 2 tests passed, 1 flaky/);
      assert.match(await readFile(path.join(folder, 'r.sarif'), 'utf8'), /flaky: passed on retry 1/);
      const { tests } = JSON.parse(await readFile(path.join(folder, 'r.json'), 'utf8'));
      assert.deepEqual(
        tests.map((one: { state: string }) => one.state),
        ['once', 'flaky'],
      );
    });

    it('no retry after Ctrl+C, and none that the service refuses', async () => {
      await put({ 'a.calltest.json': test(), 'b.calltest.json': test({ id: ids[1], name: 'Two' }) });
      service.ending = (_config, index) => (index === 0 ? { outcome: 'FAIL' } : undefined);
      const waiting = untilWaiting();
      const command = start('--retries', '5', '--fail-fast');
      await waiting;
      command.signal('SIGINT');
      const { code: stopped, stdout: cut } = await command.result();
      assert.deepEqual([stopped, service.runs.size], [1, 2]);
      assert.match(cut, /Not called\n[^]*✖ Two {2}The run ended before this test/, 'not skipped');
      await rm(path.join(folder, 'b.calltest.json'));
      service.ending = () => ({ outcome: 'FAIL' });
      service.refuse = (operation) =>
        operation === 'runTest' && service.runs.size > 2
          ? { status: 402, body: { message: 'No budget.', requestId: 'r' } }
          : undefined;
      const { code, stdout } = await onService('.', '--retries', '5');
      assert.deepEqual([code, service.runs.size], [1, 3]);
      assert.match(stdout, /No budget\. 1 of its 2 calls wasn't placed/);
    });

    it('each test in one shard, and refuses bad ones', async () => {
      await put({ 'a.calltest.json': test(), 'b.calltest.json': test({ id: ids[1], name: 'Two' }) });
      const counts: number[] = [];
      for (const part of ['1/3', '2/3', '3/3']) {
        const before = service.runs.size;
        const { code } = await onService('.', '--shard', part);
        assert.equal(code, 0, part);
        counts.push(service.runs.size - before);
      }
      assert.deepEqual([counts, service.configs.size], [[1, 1, 0], 2]);
      const { stderr: empty } = await onService('.', '--shard', '3/3', '--write-baseline', 'empty.json');
      assert.match(empty, /empty\.json wasn't written: Shard 3 of 3 has no tests/);
      for (const bad of ['0/2', '3/2', '1', 'a/b', '1/0']) {
        const { code, stderr } = await onService('.', '--shard', bad);
        assert.equal(code, 2, bad);
        assert.match(stderr, /--shard takes I\/N/);
      }
    });

    it('only what failed or was skipped before with --last-failed', async () => {
      await put({ 'a.calltest.json': test(), 'b.calltest.json': test({ id: ids[1], name: 'Two' }) });
      const lastRun = path.join(folder, '.dialtree/last-run.json');
      await mkdir(path.dirname(lastRun));
      await symlink('../a.calltest.json', lastRun);
      const without = await onService('.', '--last-failed');
      assert.equal(without.code, 2);
      assert.match(without.stderr, /needs the results of an earlier run/);
      service.ending = ({ name }) => ({ outcome: name === 'Two' ? 'FAIL' : 'PASS' });
      await onService('.');
      assert.equal(await readFile(path.join(folder, '.dialtree/.gitignore'), 'utf8'), '*\n');
      assert.ok((await lstat(lastRun)).isFile(), 'the link is replaced, and its file left alone');
      service.ending = () => ({ outcome: 'PASS' });
      assert.equal((await onService('.', '--last-failed')).code, 0);
      assert.equal(service.runs.size, 3);
      const again = await onService('.', '--last-failed');
      assert.deepEqual([again.code, service.runs.size], [0, 3]);
      assert.match(again.stdout, /Every test passed in the last run/);
    });

    it('rows with secrets, and numbers them', async () => {
      await put({
        'a.calltest.json': test({
          rows: [{ pin: '4711' }, { pin: '4712' }],
          steps: [{ name: 'PIN', action: { type: 'press', keys: '{pin}' }, secret: true }],
        }),
      });
      service.ending = (_config, index) => ({ outcome: index === 1 ? 'FAIL' : 'PASS', row: { pin: '••••' } });
      const { stdout, stderr } = await onService('.');
      assert.match(stderr, /^PASS {2}One \[••••, row 1\].*\nFAIL {2}One \[••••, row 2\]/m);
      assert.match(stdout, /✔ One \[pin=••••, row 1\].*\n {2}✖ One \[pin=••••, row 2\]/);
      assert.doesNotMatch(`${stdout}${stderr}`, /471/);
    });

    it("with --fail-fast past a failure that the baseline tolerates, until one that it doesn't", async () => {
      await put({ 'a.calltest.json': test(), 'b.calltest.json': test({ id: ids[1], name: 'Two' }) });
      service.ending = ({ name }) => ({ outcome: name === 'One' ? 'FAIL' : 'PASS' });
      assert.equal((await onService('.', '--write-baseline', 'base.json')).code, 1);
      const tolerated = await onService('.', '--baseline', 'base.json', '--fail-fast');
      assert.deepEqual([tolerated.code, service.runs.size], [0, 4], tolerated.stderr);
      service.ending = ({ name }) => ({ outcome: name === 'One' ? 'PASS' : 'FAIL' });
      await put({ 'a2.calltest.json': test({ id: '33333333-3333-4333-8333-333333333333', name: 'New' }) });
      const ended = await onService('.', '--baseline', 'base.json', '--fail-fast', '--repeat', '2');
      assert.equal(ended.code, 1);
      assert.equal(
        service.runs.size,
        4 + 2 + 2,
        'One passes twice, New is not in the baseline and fails when it is over',
      );
      assert.match(
        ended.stdout,
        /Two {2}The run ended before this test\.[^]*Cut off: The run ended after the first test that failed \(--fail-fast\)\./,
      );
    });

    it('and reports each call as it ends', async () => {
      await put({ 'a.calltest.json': test() });
      service.ending = (_config, index) => (index === 0 ? { outcome: 'PASS' } : undefined);
      const command = start('--repeat', '2');
      await command.told(/^PASS {2}One \(1 of 2\)/m);
      command.signal('SIGTERM');
      assert.equal((await command.result()).code, 1);
    });

    it('only what --grep names', async () => {
      await put({ 'a.calltest.json': test(), 'deep/b.calltest.json': test({ id: ids[1], name: 'Two' }) });
      assert.equal((await onService('.', '--grep', 'ONE')).code, 0);
      assert.deepEqual([...service.configs.keys()], [ids[0]]);
      await onService('.', '--grep', 'deep/');
      assert.equal(service.configs.size, 2);
    });

    it('nothing more after Ctrl+C: cancels the running call, and reports what there is', async () => {
      await put({
        'a.calltest.json': test({ rows: [{ a: '1' }, { a: '2' }] }),
        'b.calltest.json': test({ id: ids[1], name: 'Two' }),
      });
      service.ending = () => undefined;
      const waiting = untilWaiting();
      const command = start();
      await waiting;
      command.signal('SIGINT');
      const { code, stdout, stderr } = await command.result();
      assert.equal(code, 1);
      assert.equal(service.cancelled.length, 2);
      assert.match(stdout, /Two {2}The run ended before this test\./);
      assert.match(stderr, /^ERROR One \[1\]\n {6}a\.calltest\.json:\d+:\d+: Cancelled\. What was heard is kept\.$/m);
      assert.deepEqual([...service.configs.keys()], [ids[0]], 'the second test was not begun');
    });
  });

  describe('cut off while the service plans', () => {
    for (const [args, told] of [
      [['--dry-run'], /^Cancelled before any call was placed\.$/m],
      [[], /^… {5}One$/m],
    ] as const)
      it(`ends at once ${args.length > 0 ? 'with --dry-run' : 'and reports that nothing was called'}`, async () => {
        await put({ 'a.calltest.json': test() });
        const asked = Promise.withResolvers<undefined>();
        const answered = Promise.withResolvers<undefined>();
        service.before = async () => {
          asked.resolve(undefined);
          await answered.promise;
        };
        const command = start(...args);
        await asked.promise;
        command.signal('SIGINT');
        const { code, stdout, stderr } = await command.result();
        answered.resolve(undefined);
        assert.deepEqual([code, service.changes], [1, []], stderr);
        assert.match(stderr, told);
        if (args.length === 0) assert.match(stdout, /One {2}The run ended before this test\./);
      });
  });

  describe('cut off', () => {
    interface Cut {
      readonly passed: boolean;
      readonly cutOff?: string;
      readonly tests: readonly { readonly name: string; readonly of: number }[];
      readonly missing: readonly { readonly name: string; readonly reason: string; readonly calls?: number }[];
    }
    const old = '{"version":1,"tests":[]}';

    /** Sends the signal once a call waits that doesn't end by itself. */
    async function cutOff(signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP', ...args: string[]): Promise<CliResult> {
      const waiting = untilWaiting();
      const command = start(...args);
      await Promise.race([
        waiting,
        command.result().then(({ stderr }) => {
          throw new Error(stderr);
        }),
      ]);
      command.signal(signal);
      return await command.result();
    }

    it("reports the repeats that weren't called, doesn't pass, and leaves the baseline alone", async () => {
      await put({ 'a.calltest.json': test(), 'base.json': old });
      service.ending = (_config, index) => (index < 2 ? { outcome: 'PASS' } : undefined);
      const { code, stdout, stderr } = await cutOff(
        'SIGINT',
        '--repeat',
        '5',
        '--reporter',
        'json',
        '--write-baseline',
        'base.json',
      );
      assert.equal(code, 1);
      const { passed, cutOff: why, tests, missing } = JSON.parse(stdout) as Cut;
      assert.deepEqual([passed, why, tests.map(({ of }) => of)], [false, 'The run was interrupted.', [3]]);
      assert.deepEqual(
        missing.map(({ reason, calls }) => [reason, calls]),
        [
          ['A call was cut off when the run was interrupted.', undefined],
          ["The run ended early. 2 of its 5 calls weren't placed.", 2],
        ],
      );
      assert.match(
        stderr,
        /The baseline base\.json wasn't written: The run was interrupted\. A baseline needs a complete run\./,
      );
      assert.equal(await readFile(path.join(folder, 'base.json'), 'utf8'), old);
    });

    it('names the test that had just begun', async () => {
      await put({ 'a.calltest.json': test(), 'b.calltest.json': test({ id: ids[1], name: 'Two' }) });
      const command = start('--reporter', 'json');
      // The signal comes before the answer.
      service.before = async (name) => {
        if (name !== 'runTest') return;
        command.signal('SIGINT');
        await command.told(/^…/m);
        await new Promise<void>((resolve) => {
          setImmediate(resolve);
        });
      };
      const { code, stdout } = await command.result();
      assert.equal(code, 1);
      const { passed, tests, missing } = JSON.parse(stdout) as Cut;
      assert.equal(passed, false);
      assert.deepEqual(
        [...tests.map(({ name }) => name), ...missing.map(({ name }) => name)].sort(),
        tests.length === 0 ? ['One', 'Two'] : ['One', 'One', 'Two'],
      );
    });

    it('by a closed terminal: cancels the call too, and a second SIGHUP changes nothing', async () => {
      await put({ 'a.calltest.json': test() });
      service.ending = () => undefined;
      const waiting = untilWaiting();
      const command = start();
      await waiting;
      service.before = (name) => {
        if (name === 'cancelTestRun') command.signal('SIGHUP');
        return Promise.resolve();
      };
      command.close('stdout');
      command.close('stderr');
      command.signal('SIGHUP');
      assert.deepEqual([(await command.result()).code, service.cancelled.length], [1, 1]);
    });

    it('by --fail-fast, or left without a call: writes no baseline', async () => {
      await put({ 'a.calltest.json': test(), 'b.calltest.json': test({ id: ids[1], name: 'Two' }), 'base.json': old });
      service.ending = () => ({ outcome: 'FAIL' });
      assert.match(
        (await onService('.', '--fail-fast', '--write-baseline', 'base.json')).stderr,
        /base\.json wasn't written: The run ended after the first test that failed/,
      );
      service.refuse = (name) =>
        name === 'runTest' ? { status: 402, body: { message: 'No minutes are left.', requestId: 'r' } } : undefined;
      assert.match(
        (await onService('.', '--write-baseline', 'base.json')).stderr,
        /base\.json wasn't written: this run didn't place all its calls\./,
      );
      assert.equal(await readFile(path.join(folder, 'base.json'), 'utf8'), old);
    });
  });

  describe('with its output closed early', () => {
    it('exits with the code of its work, after making all calls and writing the baseline', async () => {
      await put({ 'a.calltest.json': test(), 'b.calltest.json': test({ id: ids[1], name: 'Two' }) });
      for (const outcome of ['FAIL', 'PASS'] as const) {
        for (const outputs of [['stdout'], ['stderr'], ['stdout', 'stderr']] as const) {
          service.reset();
          service.ending = () => ({ outcome });
          const command = start('--write-baseline', 'base.json');
          for (const output of outputs) command.close(output);
          const { code } = await command.result();
          const { tests } = JSON.parse(await readFile(path.join(folder, 'base.json'), 'utf8')) as {
            tests: readonly object[];
          };
          assert.deepEqual(
            [code, service.runs.size, tests.length],
            [outcome === 'FAIL' ? 1 : 0, 2, 2],
            `${outcome} ${outputs.join(' ')}`,
          );
          await rm(path.join(folder, 'base.json'));
        }
      }
    });

    it("reports once that its output is lost if it can't be written, as on a full disk", () => {
      const streams = [new EventEmitter(), new EventEmitter()] as const;
      const lost: string[] = [];
      surviveOutputErrors(...streams, ({ message }) => lost.push(message));
      const fail = (stream: 0 | 1, code: string): void => {
        streams[stream].emit('error', Object.assign(new Error(code), { code }));
      };
      fail(1, 'ENOSPC');
      for (const code of ['EPIPE', 'EIO', 'ENOSPC', 'ENOSPC']) fail(0, code);
      assert.deepEqual(lost, ['ENOSPC']);
    });

    if (process.platform === 'linux')
      it('exits with 1 if the disk is full', async () => {
        const full = await open('/dev/full', 'w');
        try {
          const child = spawn(process.execPath, [repositoryFile('src/cli/dialtree.ts'), '--help'], {
            stdio: ['ignore', full.fd, 'pipe'],
          });
          const [told, [code]] = await Promise.all([textOf(child.stderr as Readable), once(child, 'close')]);
          assert.deepEqual([code, /Couldn't write all results: ENOSPC/.test(told)], [1, true]);
        } finally {
          await full.close();
        }
      });

    it('writes to standard output if its file turns out not to be writable', async () => {
      await put({ 'a.calltest.json': test() });
      service.before = async (name) => {
        if (name === 'runTest')
          for (const file of ['out/report.txt', 'out/base.json'])
            await mkdir(path.join(folder, file), { recursive: true });
      };
      const { code, stdout, stderr } = await onService(
        '.',
        '--output',
        'out/report.txt',
        '--write-baseline',
        'out/base.json',
      );
      assert.equal(code, 1);
      assert.match(stdout, /1 of 1 test passed/);
      assert.match(stderr, /Couldn't write the baseline out\/base\.json[^]*Couldn't write out\/report\.txt/);
    });
  });

  describe('reports', () => {
    const failing = {
      outcome: 'FAIL' as const,
      steps: [
        { name: 'Call', outcome: 'PASS' as const },
        { name: 'Sales', outcome: 'FAIL' as const, reason: 'Dead air.', expectedTranscript: 'Sales' },
      ],
    };
    beforeEach(async () => {
      await put({
        'a.calltest.json': test(),
        'b.calltest.json': test({ id: ids[1], name: 'Two', rows: [{ a: '1' }, { a: '2' }] }),
      });
    });

    it('for people on stdout, and nothing else there', async () => {
      service.ending = ({ name }) => (name === 'One' ? failing : { outcome: 'PASS' });
      const { code, stdout } = await onService('.');
      assert.equal(code, 1);
      assert.match(
        stdout,
        /^a\.calltest\.json\n {2}✖ One {2}4\.0 s\n {6}fail {2}Sales: Dead air\. {2}a\.calltest\.json:19\n/,
      );
      assert.match(
        stdout,
        /\n {2}✔ Two \[a=1\] .*\n {2}✔ Two \[a=2\] .*\n\n2 of 3 tests passed, 1 failing, 3 calls, 12\.0 s\n$/,
      );
    });

    it('in JSON, JUnit and SARIF, into a file whose folder it creates', async () => {
      service.ending = ({ name }) => (name === 'One' ? failing : { outcome: 'PASS' });
      for (const [reporter, wanted] of [
        ['json', /"file": "a\.calltest\.json"/],
        ['junit', /<testsuite name="a\.calltest\.json" tests="1" failures="1"/],
        ['sarif', /"startLine": 19/],
      ] as const) {
        const { code, stdout } = await onService('.', '--reporter', reporter, '--output', `out/${reporter}.txt`);
        assert.deepEqual([code, stdout], [1, '']);
        assert.match(await readFile(path.join(folder, `out/${reporter}.txt`), 'utf8'), wanted);
      }
    });

    it("a file that can't be written before it calls", async () => {
      const { code, stderr } = await onService('a.calltest.json', '--output', 'b.calltest.json/out.txt');
      assert.equal(code, 2);
      assert.match(stderr, /^Couldn't write b\.calltest\.json\/out\.txt/);
      assert.deepEqual(service.changes, []);
    });

    it('a folder, a read-only file or one file for two purposes, likewise', async () => {
      await mkdir(path.join(folder, 'reports'));
      await put({ 'kept.json': 'kept' });
      for (const option of ['--output', '--write-baseline']) {
        for (const [file, told] of [['reports', /Couldn't write reports: it's a folder\./], ...readOnly] as const) {
          const { code, stderr } = await onService('a.calltest.json', option, file);
          assert.equal(code, 2, `${option} ${file}`);
          assert.match(stderr, told);
        }
      }
      assert.match(
        (await onService('a.calltest.json', '--output', 'x.json', '--write-baseline', './x.json')).stderr,
        /name the same file/,
      );
      assert.match(
        (await onService('a.calltest.json', '--output', 'x.json', '--reporter', 'json=y.json')).stderr,
        /Omit --output/,
      );
      assert.equal(
        (await onService('a.calltest.json', '--output', 'kept.json', '--write-baseline', 'reports')).code,
        2,
      );
      assert.deepEqual([service.changes, await readFile(path.join(folder, 'kept.json'), 'utf8')], [[], 'kept']);
    });

    it('against a baseline: only regressions and missing calls fail the run', async () => {
      service.ending = (_config, index) => ({ outcome: index % 2 === 0 ? 'PASS' : 'FAIL' });
      assert.equal((await onService('a.calltest.json', '--repeat', '10', '--write-baseline', 'base.json')).code, 1);
      const same = await onService('a.calltest.json', '--repeat', '10', '--baseline', 'base.json');
      assert.equal(same.code, 0, same.stdout);
      assert.match(same.stdout, /One {2}5 of 10 passed .* flaky/);
      service.ending = () => ({ outcome: 'FAIL' });
      const worse = await onService('a.calltest.json', '--repeat', '10', '--baseline', 'base.json');
      assert.equal(worse.code, 1);
      assert.match(worse.stdout, /Regression: 5 of 10 passed in the baseline/);
      service.refuse = (name) =>
        name === 'runTest' ? { status: 402, body: { message: 'No minutes are left.', requestId: 'r' } } : undefined;
      const missing = await onService('a.calltest.json', '--baseline', 'base.json');
      assert.deepEqual([missing.code, missing.stdout.includes('No minutes are left.')], [1, true]);
    });

    it('against a baseline that identifies tests by ID, in which what --grep leaves out is not gone', async () => {
      await onService('.', '--write-baseline', 'base.json');
      await rm(path.join(folder, 'a.calltest.json'));
      await put({ 'moved/z.calltest.json': test({ name: 'Renamed' }) });
      const part = await onService('.', '--baseline', 'base.json', '--grep', 'renamed');
      assert.deepEqual([part.code, part.stdout.includes('not in this run')], [0, false]);
    });

    it('against a baseline with a byte order mark, in UTF-8 or UTF-16', async () => {
      const text = '\uFEFF{"version":1,"tests":[{"file":"a.calltest.json","name":"One","passed":0,"of":1}]}';
      service.ending = () => ({ outcome: 'FAIL' });
      for (const encoding of ['utf8', 'utf16le'] as const) {
        await writeFile(path.join(folder, 'base.json'), text, encoding);
        const { code, stderr } = await onService('a.calltest.json', '--baseline', 'base.json');
        assert.equal(code, 0, stderr);
      }
    });

    it("in SARIF with places relative to the repository's root, from any working folder", async () => {
      await mkdir(path.join(folder, '.git'));
      await put({ 'tests/calls/a.calltest.json': test() });
      service.ending = () => ({ outcome: 'FAIL', reason: 'No.' });
      const { stdout } = await dialtree(['run', '../calls/a.calltest.json', '--url', url, '--reporter', 'sarif'], '', {
        cwd: path.join(folder, 'tests/calls'),
        env,
      });
      const { runs } = JSON.parse(stdout) as {
        runs: readonly { results: readonly { locations: readonly object[] }[] }[];
      };
      assert.deepEqual(runs[0]?.results[0]?.locations, [
        { physicalLocation: { artifactLocation: { uri: 'tests/calls/a.calltest.json' }, region: { startLine: 3 } } },
      ]);
    });
  });

  it("runs the repository's samples unchanged", async () => {
    const before = await readFile(repositoryFile('media/samples/bank.calltest.json'), 'utf8');
    const { code, stderr } = await onService(repositoryFile('media/samples/bank.calltest.json'));
    assert.equal(code, 0, stderr);
    assert.equal(await readFile(repositoryFile('media/samples/bank.calltest.json'), 'utf8'), before);
    assert.match([...service.configs.values()][0]?.phoneNumber ?? '', /^sip:harbour-bank@127\.0\.0\.1:\d+$/);
  });

  describe('and dialtree heal', () => {
    const text = `// Mine.\n${JSON.stringify(test(), null, 2)}\n`;
    let healing: object;
    beforeEach(async () => {
      await put({ 'a.calltest.json': text });
      healing = { finding: 'unclear', changes: [] };
      service.refuse = (name) =>
        name === 'healTest' ? { status: 200, body: { runId: ids[0], reason: 'Why.', ...healing } } : undefined;
    });
    const heal = async (...options: string[]): Promise<[number | null, string, string]> => {
      const { code, stdout } = await dialtree(['heal', 'a.calltest.json', '--url', url, ...options], '', {
        cwd: folder,
        env,
      });
      return [code, stdout, await readFile(path.join(folder, 'a.calltest.json'), 'utf8')];
    };

    it('propose an edit if the test fails twice, and with --write make it and run the test again', async () => {
      const changes = [{ step: 1, kind: 'keyMoved', before: '1: a', now: '3: a', regression: false, reason: 'Moved.' }];
      healing = {
        finding: 'repairable',
        changes,
        steps: [steps[0], { ...steps[1], action: { type: 'press', keys: '3' } }],
      };
      service.ending = (_config, index) => ({ outcome: index < 4 ? 'FAIL' : 'PASS' });
      const shown = `repairable: Why.\n  step 2, keyMoved: Moved. “1: a” → “3: a”
a.calltest.json:18\n- "keys": "1"\n+ "keys": "3"\n`;
      assert.deepEqual(await heal(), [1, shown, text]);
      const end = 'The file was written, and the test passes.\n';
      assert.deepEqual(await heal('--write'), [0, shown + end, text.replace('"keys": "1"', '"keys": "3"')]);
      assert.equal(service.changes.join(' '), 'runTest runTest healTest runTest runTest healTest runTest');
    });

    it('write nothing if the test passes, is flaky, or has no proposal', async () => {
      assert.deepEqual(await heal('--write'), [0, 'The test passed, so there is nothing to repair.\n', text]);
      service.ending = (_config, index) => ({ outcome: index === 2 ? 'PASS' : 'FAIL' });
      assert.deepEqual(await heal('--write'), [0, 'unclear: Why.\n', text]);
      assert.deepEqual(await heal('--write'), [1, 'unclear: Why.\n', text]);
    });
  });
});
