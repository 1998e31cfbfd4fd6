import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Check } from '../../../../src/contract/checks.ts';
import { dialtree, type CliResult } from '../dialtree.ts';

describe('dialtree judge', () => {
  let folder: string;
  const file = (name: string): string => path.join(folder, name);
  before(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'dialtree-judge-'));
    const transcript = [
      { speaker: 'them', text: 'Welcome to the library. We are closed. Goodbye.', startMs: 500, endMs: 4000 },
    ];
    const hangUp = { by: 'them', atMs: 4500, sentence: 'The called side hung up.' };
    await writeFile(file('call.json'), JSON.stringify({ id: 'any', status: 'completed', transcript, hangUp }));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const judged = async (checks: readonly Check[], rest = {}, ...more: readonly string[]): Promise<CliResult> => {
    const mission = { name: 'M', phoneNumber: '+12025550101', mission: 'Ask for the hours', checks, ...rest };
    await writeFile(file('a.mission.json'), JSON.stringify(mission));
    return dialtree(['judge', file('call.json'), file('a.mission.json'), ...more]);
  };
  const welcome: Check = { kind: 'says', text: 'welcome to the library' };

  it('prints each check with the words that decided it, and exits with the verdict', async () => {
    const { code, stdout } = await judged([welcome]);
    assert.equal(code, 0);
    assert.match(
      stdout,
      /^✔ PASS .*\n {2}✔ It says “welcome to the library”\.\n.*\n {6}“Welcome to the library.*” \(0\.5 s\)\n$/,
    );
    const failed = await judged([welcome, { kind: 'says', text: 'press one for loans' }], {}, '--json');
    const { verdict, checks } = JSON.parse(failed.stdout) as {
      readonly verdict: string;
      readonly checks: readonly { readonly verdict: string }[];
    };
    assert.deepEqual([failed.code, verdict, checks.map((one) => one.verdict)], [1, 'fail', ['pass', 'fail']]);
    assert.equal((await judged([{ kind: 'answersWithin', seconds: 5 }])).code, 2, 'the call has no such time');
  });

  it('reads the mission in an environment', async () => {
    const numbers = { library: '+12025550101' };
    await writeFile(
      file('dialtree.env.json'),
      JSON.stringify({ environments: { dev: { numbers }, live: { numbers } } }),
    );
    const inEnvironment = { phoneNumber: '${env:library}' };
    assert.equal((await judged([welcome], inEnvironment, '--env', 'dev')).code, 0);
    assert.match((await judged([welcome], inEnvironment)).stderr, /Choose an environment/);
  });

  it('says in which file something is wrong', async () => {
    await writeFile(file('broken.json'), '{ "transcript": 1 }');
    for (const [args, message] of [
      [['none.json', 'a.mission.json'], /none\.json: Couldn't read the file \(ENOENT\)/],
      [['broken.json', 'a.mission.json'], /broken\.json:1:17: transcript: This is a number, but must be a list/],
      [['call.json', 'call.json'], /^Give two files: .*\nUsage: dialtree judge /],
    ] as const) {
      const { code, stderr } = await dialtree(['judge', ...args.map(file)]);
      assert.equal(code, 2, args.join(' '));
      assert.match(stderr, message);
    }
  });
});
