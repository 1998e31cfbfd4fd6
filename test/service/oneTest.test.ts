import assert from 'node:assert/strict';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { systemClock } from '../../src/base/clock.ts';
import { readTestFile } from '../../src/model/tests/testFile.ts';
import { runTest } from '../../src/runner/runTest.ts';
import { testIdOf } from '../../src/runner/testId.ts';
import { connectAgent } from '../support/connectAgent.ts';
import { scriptInput } from '../support/savedInputs.ts';
import { ScriptedCalls } from '../support/scriptedCalls.ts';
import { ServiceFixture } from '../support/serviceFixture.ts';
import { dialtree } from '../unit/cli/dialtree.ts';

const file = 'tests/balance.calltest.json';

describe('a test of a repository', function () {
  const fixture = new ServiceFixture();
  afterEach(() => fixture.close());

  it('has one history for the command line, the editor, an agent and a clone, and its file stays as it is', async () => {
    const calls = new ScriptedCalls();
    const endAll = async (): Promise<never> => {
      for (;;) (await calls.next()).end({ callSeconds: 1 });
    };
    void endAll();
    const service = await fixture.start({ parts: { perform: calls.perform } });
    const folder = await fixture.folder();
    const [own, clone] = [path.join(folder, 'own'), path.join(folder, 'clone')];
    await mkdir(path.join(own, '.git'), { recursive: true });
    await mkdir(path.join(own, 'tests'));
    await writeFile(path.join(own, '.git/config'), '[remote "origin"]\n\turl = git@example.com:team/repo.git\n');
    const textOf = (name: string): string => `${JSON.stringify(scriptInput('+12025550101', { name }), undefined, 2)}\n`;
    await writeFile(path.join(own, file), textOf('Balance'));
    await cp(own, clone, { recursive: true });

    const byCommand = async (place: string): Promise<void> => {
      const env = { DIALTREE_API_KEY: service.apiKey };
      const { code, stderr } = await dialtree(['run', file, '--url', service.baseUrl], '', { cwd: place, env });
      assert.equal(code, 0, stderr);
    };
    await byCommand(own);
    await byCommand(clone);
    await writeFile(path.join(own, file), textOf('Balance in English'));
    await byCommand(own);

    const test = await readTestFile(textOf('Balance in English'), file, () => Promise.reject(new Error('none')));
    assert.ok('kind' in test && test.kind === 'calltest');
    const id = await testIdOf(undefined, path.join(clone, file));
    const { client } = service;
    const outcomes: unknown[] = [];
    await runTest(
      {
        client,
        follow: (followed, onRead, signal) => client.follow(followed, onRead, signal),
        clock: systemClock,
        warn: (text) => assert.fail(text),
      },
      { file: test, id, phoneNumber: '+12025550101' },
      {
        repeat: 1,
        signal: new AbortController().signal,
        on: {
          ended: (_call, { results }) => outcomes.push(results.outcome),
          lost: (_call, error) => assert.fail(String(error)),
        },
      },
    );
    const agent = await connectAgent(service);
    await agent.callTool({ name: 'runTest', arguments: { configId: id } });
    await agent.close();

    const [saved, ...others] = (await client.call('listTestConfigs', {})).items;
    assert.deepEqual([outcomes, saved?.id, saved?.name, others], [['PASS'], id, 'Balance in English', []]);
    const { items } = await client.call('listTestRuns', { testConfigId: id });
    assert.equal(items.length, 5);
    assert.equal(await readFile(path.join(own, file), 'utf8'), textOf('Balance in English'));
    assert.equal(await readFile(path.join(clone, file), 'utf8'), textOf('Balance'));
  });
});
