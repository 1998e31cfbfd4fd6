import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { loadTests, writeIds } from '../../../src/cli/runFiles.ts';
import { findTestFiles, globPattern } from '../../../src/cli/runPaths.ts';
import { CliProcess, dialtree, repositoryFile, type CliResult } from './dialtree.ts';
import { FakeService } from './fakeService.ts';

const ids = ['7d1f2c1e-8f7b-4b1e-9a39-0d2c5f6a1b3c', '1c9a0d7e-2b53-4f0a-8d3e-5f6a7b8c9d0e'] as const;
const steps = [{ name: 'Call', action: { type: 'dial' }, expectedTranscript: 'Welcome' }, { name: 'Sales', action: { type: 'press', keys: '1' }, expectedTranscript: 'Sales' }];
const test = (rest: object = {}): object => ({ id: ids[0], name: 'One', phoneNumber: '+12025550101', steps, ...rest });

describe('dialtree run', function () {
  this.timeout(60_000);
  const service = new FakeService();
  let folder: string;
  let url: string;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'dialtree-run-test-'));
    service.reset();
    url = await service.start();
  });
  afterEach(async () => {
    await service.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function put(files: Readonly<Record<string, object | string>>): Promise<void> {
    for (const [name, content] of Object.entries(files)) {
      await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
      await writeFile(path.join(folder, name), typeof content === 'string' ? content : JSON.stringify(content, null, 2));
    }
  }
  const env = { DIALTREE_API_KEY: 'dt_test' };
  const run = (...args: string[]): Promise<CliResult> => dialtree(['run', ...args], '', { cwd: folder, env });
  const onService = (...args: string[]): Promise<CliResult> => run('--url', url, ...args);
  const lines = (text: string): string[] => text.trimEnd().split('\n');

  describe('finds', () => {
    it('files, folders and patterns, each once, and nothing in hidden folders and node_modules', async () => {
      await put({ 'a.calltest.json': '', 'b/c.mission.json': '', 'b/d/e.calltest.json': '', 'b/f.json': '', '.git/g.calltest.json': '', 'node_modules/h/i.calltest.json': '', 'b/.j.calltest.json': '' });
      const found = async (...args: string[]): Promise<string[]> => (await findTestFiles(args, folder)).map((file) => path.relative(folder, file));
      assert.deepEqual(await found('.'), ['a.calltest.json', 'b/.j.calltest.json', 'b/c.mission.json', 'b/d/e.calltest.json']);
      assert.deepEqual(await found('b/d', 'a.calltest.json', './b/d/e.calltest.json'), ['b/d/e.calltest.json', 'a.calltest.json']);
      assert.deepEqual(await found('**/*.calltest.json'), ['a.calltest.json', 'b/.j.calltest.json', 'b/d/e.calltest.json']);
      assert.deepEqual(await found('b/{c,x}.mission.json', path.join(folder, '*.calltest.json')), ['b/c.mission.json', 'a.calltest.json']);
      assert.deepEqual(await found('./b/?/e*'), ['b/d/e.calltest.json']);
    });

    it('reads patterns as shells do', () => {
      for (const [glob, file, fits] of [
        ['**/x', 'x', true], ['**/x', 'a/b/x', true], ['*/x', 'a/b/x', false], ['a**', 'a/b', true], ['a.b', 'axb', false], ['{a,b{c,d}}', 'bd', true], ['a,b', 'a,b', true], ['a(b)+', 'a(b)+', true], ['[a]', '[a]', true],
      ] as const) assert.equal(globPattern(glob).test(file), fits, `${glob} ${file}`);
    });

    it('nothing, and says so as bad use', async () => {
      await put({ 'b/f.json': {} });
      for (const [argument, wanted] of [['none', /There is no file or folder none/], ['b', /There is no \*\.calltest\.json or \*\.mission\.json in b/], ['b/f.json', /b\/f\.json is no test file/], ['b/*', /fits b\/\*/]] as const) {
        const { code, stdout, stderr } = await run(argument);
        assert.deepEqual([code, stdout], [2, ''], argument);
        assert.match(stderr, wanted);
      }
      assert.match((await run()).stderr, /Give test files, or folders/);
    });
  });

  describe('refuses', () => {
    it('every wrong file in one go, each thing at its place, and calls nobody', async () => {
      await put({
        'good.calltest.json': test(), 'broken.calltest.json': '{\n  "name": "x"\n  "steps": []\n}', 'typo.mission.json': '{ "name": "n", "phoneNumber": "+12025550101", "mision": "a", "acceptance": "b" }',
        'rows.calltest.json': JSON.stringify(test({ id: ids[1], rowsFile: 'rows.csv' })), 'rows.csv': 'a,b\n1\n', 'copy.calltest.json': test({ name: 'Two' }),
        'latin.calltest.json': '',
      });
      await writeFile(path.join(folder, 'latin.calltest.json'), Buffer.from('{"name":"caf\xe9"}', 'latin1'));
      const { code, stdout, stderr } = await onService('.');
      assert.deepEqual([code, stdout, service.changes], [2, '', []]);
      assert.deepEqual(lines(stderr), [
        'broken.calltest.json:3:3: Not valid JSON. A comma is missing before this.',
        'latin.calltest.json: The file is not text in UTF-8. Save it as UTF-8.',
        'rows.csv:2:1: This row has 1 field; there are 2 columns (a, b).',
        'typo.mission.json:1:47: There is no member "mision" here. Did you mean "mission"?',
        'good.calltest.json:2:9: id: copy.calltest.json has this id too. Take it out of the copy: the next run writes a new one.',
      ]);
    });

    it('a practice IVR that is missing, wrong, or speaks with a wav that is none', async () => {
      const ivr = (name: string): object => ({ name, ivr: `${name}.ivr.json`, steps });
      await put({
        'none.calltest.json': ivr('none'), 'wrong.calltest.json': ivr('wrong'), 'wav.calltest.json': ivr('wav'),
        'wrong.ivr.json': '{\n  "name": "W", "start": "main",\n  "states": { "main": { "prompt": "P", "keyz": {} } }\n}',
        'wav.ivr.json': { name: 'W', start: 'main', states: { main: { prompt: { wav: 'a.wav', text: 'A' }, end: 'hangup' } } }, 'a.wav': 'no sound',
      });
      const { code, stderr } = await run('.');
      assert.equal(code, 2);
      assert.match(stderr, /^none\.calltest\.json:3:10: ivr: There is no practice IVR none\.ivr\.json/m);
      assert.match(stderr, /^wrong\.ivr\.json:3:40: states\.main: There is no member "keyz" here\. Did you mean "keys"\?/m);
      assert.match(stderr, /wav\.ivr\.json: the recording .*a\.wav cannot be used/);
      assert.doesNotMatch(stderr, /\n {4}at /);
    });

    it('bad options, and a service without a key or in the clear', async () => {
      await put({ 'a.calltest.json': test(), 'p.calltest.json': { name: 'P', ivr: 'p.ivr.json', steps }, 'p.ivr.json': { name: 'P', start: 'a', states: { a: { prompt: 'P', end: 'hangup' } } } });
      for (const [args, wanted] of [
        [['--reporter', 'tap'], /--reporter is one of spec, json, junit, sarif/], [['--repeat', '0'], /--repeat takes a whole number from 1 to 1000/], [['--url', 'http://example.com'], /takes an https address/],
        [['--url', 'nowhere'], /takes the address of a service/], [['--url', url, '--routes', '{}'], /has its own/], [['--grep', 'zzz'], /No test's name or file holds "zzz"/], [['--baseline', 'none.json'], /none\.json/],
      ] as const) {
        const { code, stdout, stderr } = await run('a.calltest.json', ...args);
        assert.deepEqual([code, stdout], [2, ''], args.join(' '));
        assert.match(stderr, wanted);
      }
      const keyless = await dialtree(['run', 'a.calltest.json', '--url', url], '', { cwd: folder, env: { DIALTREE_API_KEY: '' } });
      assert.deepEqual([keyless.code, keyless.stderr.includes('DIALTREE_API_KEY')], [2, true]);
      assert.match((await run('p.calltest.json', '--url', 'https://dialtree.example.com')).stderr, /^p\.calltest\.json:3:10: ivr: A practice IVR is played on this machine/);
      assert.deepEqual(service.changes, []);
    });
  });

  it('tells the plan with --dry-run, and neither calls nor writes', async () => {
    const text = JSON.stringify({ name: 'New', phoneNumber: '+12025550101', steps });
    await put({ 'a.calltest.json': text, 'm.mission.json': { name: 'M', phoneNumber: '+12025550102', mission: 'a', acceptance: 'b' }, 'r.calltest.json': test({ rows: [{ a: '1' }, { a: '2' }] }) });
    const { code, stdout } = await onService('.', '--dry-run', '--repeat', '2');
    assert.equal(code, 0);
    assert.deepEqual(lines(stdout), [
      'a.calltest.json  New', '    +12025550101: 2 calls, at most 10.1 minutes', 'm.mission.json  M', '    +12025550102: 2 calls, at most 25.5 minutes', 'r.calltest.json  One', '    +12025550101: 4 calls, at most 20.1 minutes',
      '3 tests, 8 calls to 2 numbers, at most 55.7 minutes. Nothing was dialled.',
    ]);
    assert.deepEqual(JSON.parse((await onService('r.calltest.json', '--dry-run', '--reporter', 'json')).stdout), {
      tests: [{ file: 'r.calltest.json', name: 'One', calls: 2, phoneNumber: '+12025550101', minutesAtMost: 10.1 }], calls: 2, minutesAtMost: 10.1,
    });
    const rated = await run('.', '--dry-run', '--routes', '{"+12025550101": {"uri": "sip:x@127.0.0.1", "costPerMinute": 0.3}, "+1*": "sip:{number}@127.0.0.1"}');
    assert.deepEqual(lines(rated.stdout), [
      'a.calltest.json  New', '    +12025550101: 1 call, at most 5.1 minutes, cost at most 1.51', 'm.mission.json  M', '    +12025550102: 1 call, at most 12.8 minutes', 'r.calltest.json  One', '    +12025550101: 2 calls, at most 10.1 minutes, cost at most 3.01',
      '3 tests, 4 calls to 2 numbers, at most 28 minutes, cost at most 4.52. Nothing was dialled.',
    ]);
    assert.deepEqual([service.changes, await readFile(path.join(folder, 'a.calltest.json'), 'utf8')], [[], text]);
  });

  describe('calls', () => {
    it('every test under its id, with the key of the environment, and ends with 0 where all pass', async () => {
      await put({ 'a.calltest.json': '{\n  // keep\n  "name": "New", "phoneNumber": "+12025550101",\n  "steps": [{ "name": "Call", "action": { "type": "dial" } }]\n}\n', 'b.calltest.json': test() });
      const { code, stderr } = await onService('.');
      assert.equal(code, 0, stderr);
      assert.deepEqual([service.changes, [...service.keys]], [['createTestConfig', 'runTest', 'createTestConfig', 'runTest'], ['dt_test']]);
      const text = await readFile(path.join(folder, 'a.calltest.json'), 'utf8');
      assert.match(text, /^\{\n {2}"id": "[0-9a-f-]{36}",\n {2}\/\/ keep\n/);
      assert.deepEqual([...service.configs.keys()], [/"id": "(.*?)"/.exec(text)?.[1], ids[0]]);
      assert.deepEqual([(await onService('.')).code, service.changes.filter((name) => name.startsWith('update') || name.startsWith('delete'))], [0, []], 'the same again changes nothing');
    });

    it('goes on without an id where the file cannot be written, and says which', async () => {
      await put({ 'gone/a.calltest.json': { name: 'New', phoneNumber: '+12025550101', steps } });
      const tests = await loadTests([path.join(folder, 'gone/a.calltest.json')], folder);
      await rm(path.join(folder, 'gone'), { recursive: true });
      const told: string[] = [];
      await writeIds(tests, folder, (line) => told.push(line));
      assert.match(told.join('\n'), new RegExp(`^gone/a\\.calltest\\.json: its new id could not be written .*"id": "${tests[0]?.id ?? ''}"$`));
    });

    it('puts the file in the place of what the service holds, and shows what that was', async () => {
      await put({ 'a.calltest.json': test({ tags: ['x'] }) });
      await onService('.');
      const held = service.configs.get(ids[0]);
      assert.ok(held);
      service.configs.set(ids[0], { ...held, name: 'Edited elsewhere' });
      const edited = await onService('.');
      assert.match(edited.stderr, /a\.calltest\.json: the service held another version of this test\. The file's takes its place:\n {2}- name: "Edited elsewhere"\n {2}\+ name: "One"\n/);
      assert.deepEqual([edited.code, service.configs.get(ids[0])?.name, service.changes.at(-2)], [0, 'One', 'updateTestConfig']);
      service.configs.set(ids[0], { ...held, rows: [{ pin: '4711' }] });
      const rows = await onService('.');
      assert.deepEqual([rows.code, service.configs.get(ids[0])?.rows, service.changes.filter((name) => name.startsWith('delete'))], [0, undefined, []]);
      assert.doesNotMatch(rows.stderr, /4711/);
    });

    it('ends with 1 where a test fails or stays undecided, and tells which step', async () => {
      await put({ 'a.calltest.json': test(), 'b.calltest.json': test({ id: ids[1], name: 'Two' }) });
      for (const outcome of ['FAIL', 'ERROR', 'INCONCLUSIVE'] as const) {
        service.ending = ({ name }) => (name === 'One' ? { outcome, reason: 'Step “Sales”: Dead air.', steps: [{ name: 'Call', outcome: 'PASS' }, { name: 'Sales', outcome }] } : { outcome: 'PASS' });
        const { code, stderr } = await onService('.');
        assert.equal(code, 1);
        assert.match(stderr, new RegExp(`^${outcome} +One {2}4 s\\n {6}a\\.calltest\\.json:19:29: Step “Sales”: Dead air\\.\\n`, 'm'));
        assert.match(stderr, /^PASS {2}Two/m);
      }
    });

    it('ends with 1 where a test gave no results: refused, not launched, or fewer calls than rows', async () => {
      await put({ 'a.calltest.json': test({ rows: [{ a: '1' }, { a: '2' }] }), 'b.calltest.json': test({ id: ids[1], name: 'Two' }) });
      service.refuse = (name) => (name === 'runTest' && service.configs.size === 1 ? { status: 402, body: { message: 'No minutes are left.', requestId: 'r' } } : undefined);
      const refused = await onService('.');
      assert.equal(refused.code, 1);
      assert.match(refused.stderr, /^NONE {2}One: No minutes are left\.$/m);
      assert.match(refused.stderr, /^PASS {2}Two/m, 'the others are called all the same');
      service.refuse = (name) => (name === 'runTest' ? { status: 202, body: { items: [] } } : undefined);
      const none = await onService('a.calltest.json');
      assert.equal(none.code, 1);
      assert.equal(none.stderr.match(/The service placed 0 of 2 calls\./g)?.length, 2);
    });

    it('says so where the id belongs to another workspace', async () => {
      await put({ 'a.calltest.json': test() });
      service.refuse = (name) => (name === 'createTestConfig' ? { status: 409, body: { message: 'This id is taken.', code: 'id_taken', requestId: 'r' } } : undefined);
      const { code, stderr } = await onService('.');
      assert.equal(code, 1);
      assert.match(stderr, /a\.calltest\.json: another workspace of this service has a test with this id\. Take the id out of the file/);
    });

    it('nobody more once the service is gone', async () => {
      await put({ 'a.calltest.json': test(), 'b.calltest.json': test({ id: ids[1], name: 'Two' }) });
      await service.close();
      const { code, stderr } = await onService('.');
      assert.equal(code, 1);
      assert.match(stderr, /^NONE {2}One: The service cannot be reached/m);
      assert.doesNotMatch(stderr, /Two:/);
    });

    it('missions too', async () => {
      await put({ 'm.mission.json': { id: ids[1], name: 'Mission', phoneNumber: '+12025550102', mission: 'a', acceptance: 'b' } });
      assert.deepEqual([(await onService('.')).code, service.changes], [0, ['createMissionTestConfig', 'runMissionTest']]);
      service.endingOfMission = () => ({ outcome: 'INCONCLUSIVE', reason: 'No model decides this.' });
      const { code, stderr } = await onService('.');
      assert.equal(code, 1);
      assert.match(stderr, /^INCONCLUSIVE Mission {2}9 s\n {6}m\.mission\.json:6:17: No model decides this\.$/m);
    });

    it('repeats, and stops at the first failure with --bail', async () => {
      await put({ 'a.calltest.json': test(), 'b.calltest.json': test({ id: ids[1], name: 'Two' }) });
      service.ending = (_config, index) => ({ outcome: index === 1 ? 'FAIL' : 'PASS' });
      const repeated = await onService('.', '--repeat', '3');
      assert.deepEqual([repeated.code, service.runs.size], [1, 6]);
      assert.match(repeated.stderr, /^FAIL {2}One \(2 of 3\)/m);
      service.reset();
      service.ending = (_config, index) => ({ outcome: index === 1 ? 'FAIL' : 'PASS' });
      assert.deepEqual([(await onService('.', '--repeat', '3', '--bail')).code, service.runs.size], [1, 2]);
    });

    it('and tells of each call as it ends', async () => {
      await put({ 'a.calltest.json': test() });
      service.ending = (_config, index) => (index === 0 ? { outcome: 'PASS' } : undefined);
      const command = new CliProcess(['run', '.', '--url', url, '--repeat', '2'], { cwd: folder, env });
      try {
        await command.says(/^PASS {2}One \(1 of 2\)/m);
        command.signal('SIGINT');
        assert.equal((await command.result()).code, 1);
      } finally {
        await command.kill();
      }
    });

    it('only what --grep names', async () => {
      await put({ 'a.calltest.json': test(), 'deep/b.calltest.json': test({ id: ids[1], name: 'Two' }) });
      assert.equal((await onService('.', '--grep', 'ONE')).code, 0);
      assert.deepEqual([...service.configs.keys()], [ids[0]]);
      await onService('.', '--grep', 'deep/');
      assert.equal(service.configs.size, 2);
    });

    it('no more after Ctrl+C: the running call is cancelled, and what there is is told', async () => {
      await put({ 'a.calltest.json': test({ rows: [{ a: '1' }, { a: '2' }] }), 'b.calltest.json': test({ id: ids[1], name: 'Two' }) });
      service.ending = () => undefined;
      const waiting = new Promise<void>((resolve) => { service.onWaiting = resolve; });
      const command = new CliProcess(['run', '.', '--url', url], { cwd: folder, env });
      try {
        await waiting;
        command.signal('SIGINT');
        const { code, stdout, stderr } = await command.result();
        assert.equal(code, 1);
        assert.equal(service.cancelled.length, 2);
        assert.match(stdout, /Two {2}The run was ended before this test\./);
        assert.match(stderr, /^ERROR One \[1\]\n {6}a\.calltest\.json:\d+:\d+: Cancelled\. What was heard is kept\.$/m);
        assert.deepEqual([...service.configs.keys()], [ids[0]], 'the second test was not begun');
      } finally {
        await command.kill();
      }
    });
  });

  describe('reports', () => {
    const failing = { outcome: 'FAIL' as const, steps: [{ name: 'Call', outcome: 'PASS' as const }, { name: 'Sales', outcome: 'FAIL' as const, reason: 'Dead air.', expectedTranscript: 'Sales' }] };
    beforeEach(async () => { await put({ 'a.calltest.json': test(), 'b.calltest.json': test({ id: ids[1], name: 'Two', rows: [{ a: '1' }, { a: '2' }] }) }); });

    it('for people on stdout, and nothing else there', async () => {
      service.ending = ({ name }) => (name === 'One' ? failing : { outcome: 'PASS' });
      const { code, stdout } = await onService('.');
      assert.equal(code, 1);
      assert.match(stdout, /^a\.calltest\.json\n {2}✖ One {2}4\.0 s\n {6}fail {2}Sales: Dead air\. {2}a\.calltest\.json:19\n/);
      assert.match(stdout, /\n {2}✔ Two \[a=1\] .*\n {2}✔ Two \[a=2\] .*\n\n2 of 3 tests passed, 1 failing, 3 calls, 12\.0 s\n$/);
    });

    it('JSON, JUnit and SARIF, into a file whose folder it makes', async () => {
      service.ending = ({ name }) => (name === 'One' ? failing : { outcome: 'PASS' });
      for (const [reporter, wanted] of [['json', /"file": "a\.calltest\.json"/], ['junit', /<testsuite name="a\.calltest\.json" tests="1" failures="1"/], ['sarif', /"startLine": 19/]] as const) {
        const { code, stdout } = await onService('.', '--reporter', reporter, '--output', `out/${reporter}.txt`);
        assert.deepEqual([code, stdout], [1, '']);
        assert.match(await readFile(path.join(folder, `out/${reporter}.txt`), 'utf8'), wanted);
      }
    });

    it('a file that cannot be written before anybody is called', async () => {
      const { code, stderr } = await onService('a.calltest.json', '--output', 'b.calltest.json/out.txt');
      assert.equal(code, 2);
      assert.match(stderr, /^Cannot write b\.calltest\.json\/out\.txt/);
      assert.deepEqual(service.changes, []);
    });

    it('against a baseline: only what has become worse fails the run, and what was not called', async () => {
      service.ending = (_config, index) => ({ outcome: index % 2 === 0 ? 'PASS' : 'FAIL' });
      assert.equal((await onService('a.calltest.json', '--repeat', '10', '--write-baseline', 'base.json')).code, 1);
      const same = await onService('a.calltest.json', '--repeat', '10', '--baseline', 'base.json');
      assert.equal(same.code, 0, same.stdout);
      assert.match(same.stdout, /One {2}5 of 10 passed .* flaky/);
      service.ending = () => ({ outcome: 'FAIL' });
      const worse = await onService('a.calltest.json', '--repeat', '10', '--baseline', 'base.json');
      assert.equal(worse.code, 1);
      assert.match(worse.stdout, /Regression: 5 of 10 in the baseline/);
      service.refuse = (name) => (name === 'runTest' ? { status: 402, body: { message: 'No minutes are left.', requestId: 'r' } } : undefined);
      const missing = await onService('a.calltest.json', '--baseline', 'base.json');
      assert.deepEqual([missing.code, missing.stdout.includes('No minutes are left.')], [1, true]);
    });
  });

  it('runs the samples of the repository as they are', async () => {
    const before = await readFile(repositoryFile('media/samples/bank.calltest.json'), 'utf8');
    const { code, stderr } = await onService(repositoryFile('media/samples/bank.calltest.json'));
    assert.equal(code, 0, stderr);
    assert.equal(await readFile(repositoryFile('media/samples/bank.calltest.json'), 'utf8'), before);
    assert.match([...service.configs.values()][0]?.phoneNumber ?? '', /^sip:harbour-bank@127\.0\.0\.1:\d+$/);
  });
});
