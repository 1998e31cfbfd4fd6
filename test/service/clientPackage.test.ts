import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { operations } from '../../src/contract/operations.ts';
import { ServiceFixture } from '../support/serviceFixture.ts';
import { leafNode, rootNode, statsOf } from '../support/serviceScript.ts';

const root = join(import.meta.dirname, '../..');
const run = promisify(execFile);
const lab = '+12025550101';

/** The files that the tests need from the package; the speech models stay in the tarball. */
const unpacked = ['package/package.json', 'package/dist/client.js', 'package/dist/client.d.ts', 'package/dist/client'];

/**
 * Compares the declared types with those of the contract, in both directions for results; a difference is a type error.
 */
const comparison = (): string =>
  [
    "import type * as packed from 'dialtree/client';",
    `import type * as contract from ${JSON.stringify(join(root, 'src/contract/operations.ts'))};`,
    'type Takes<Wide, Narrow> = [Narrow] extends [Wide] ? true : false;',
    'const right = <Answers extends true>(...answers: Answers[]): void => { void answers; };',
    'right<Takes<packed.OperationName, contract.OperationName>>(true);',
    ...Object.keys(operations).map(
      (name) => `right<Takes<contract.OperationInput<'${name}'>, packed.OperationInput<'${name}'>>
  & Takes<contract.OperationOutput<'${name}'>, packed.OperationOutput<'${name}'>> & Takes<packed.OperationOutput<'${name}'>, contract.OperationOutput<'${name}'>>>(true);`,
    ),
  ].join('\n');

/** Uses that must be errors, each below a line that expects one. */
const refusals = `
import { DialtreeClient } from 'dialtree/client';
import type { ListItem, MappingJob, TestRun, TreeNode } from 'dialtree/client';
const client = new DialtreeClient({ baseUrl: '', apiKey: '' });
const job: MappingJob = await client.call('getMapping', { id: '', version: 2 });
const row: ListItem<'listTestRuns'> = {} as TestRun;
const status: 'running' | 'completed' | 'failed' | 'limited' | undefined = job.currentRun?.status;
export { row, status };
// @ts-expect-error There is no such operation.
await client.call('getMappings', {});
// @ts-expect-error The id is missing.
await client.call('getMapping', {});
// @ts-expect-error A limit is a number.
await client.call('listMappings', { limit: '5' });
// @ts-expect-error This list has no pages.
client.all('listProfiles', {});
// @ts-expect-error A node has no such end.
export const end: TreeNode['end'] = 'goodbye';
// @ts-expect-error No such member.
job.currentRun?.nothing;
`;

describe('the packed client', function () {
  const fixture = new ServiceFixture();
  let folder = '';
  let examples: readonly string[] = [];
  let service: Awaited<ReturnType<ServiceFixture['start']>>;

  before(async () => {
    for (const file of ['client.js', 'client.d.ts']) {
      if (!(await stat(join(root, 'dist', file)).catch(() => undefined)))
        assert.fail(`dist/${file} is missing. Build first: npm run build.`);
    }
    folder = await mkdtemp(join(tmpdir(), 'dialtree-package-'));
    const { stdout } = await run(
      'npm',
      ['pack', '--ignore-scripts', '--offline', '--json', '--pack-destination', folder],
      { cwd: root },
    );
    const packed = JSON.parse(stdout) as
      Readonly<Record<string, { readonly filename: string }>> | readonly { readonly filename: string }[];
    const [tarball] = Object.values(packed);
    const target = join(folder, 'node_modules/dialtree');
    await mkdir(target, { recursive: true });
    await run('tar', [
      '-xzf',
      join(folder, tarball?.filename ?? ''),
      '-C',
      target,
      '--strip-components=1',
      ...unpacked,
    ]);
    const document = await readFile(join(root, 'docs/client.md'), 'utf8');
    examples = [...document.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, text = '']) => text);
    await Promise.all(examples.map((text, index) => writeFile(join(folder, `example${String(index)}.mts`), text)));
    service = await fixture.start();
  });
  after(async () => {
    await fixture.close();
    if (folder !== '') await rm(folder, { recursive: true, force: true });
  });

  /** Returns the file's output and its exit code. */
  async function execute(
    file: string,
    args: readonly string[] = [],
    apiKey = service.apiKey,
  ): Promise<{ readonly code: number; readonly printed: string; readonly errors: string }> {
    const env = { ...process.env, DIALTREE_URL: service.baseUrl, DIALTREE_KEY: apiKey };
    return await run(process.execPath, [join(folder, file), ...args], { cwd: folder, env }).then(
      ({ stdout, stderr }) => ({ code: 0, printed: stdout, errors: stderr }),
      (error: unknown) => {
        const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
        return { code, printed: stdout, errors: stderr };
      },
    );
  }

  it('maps a number with the first example of the document', async () => {
    const done = execute('example0.mts', [lab]);
    const crawl = await Promise.race([
      fixture.crawl.next(),
      done.then(({ errors }) => assert.fail(`The example began no run. ${errors}`)),
    ]);
    crawl.found(rootNode(), leafNode('1', { label: 'sales' }), leafNode('2', { label: 'billing', end: 'voicemail' }));
    crawl.end({ stats: statsOf({ callsPlaced: 3 }) });
    const { code, printed, errors } = await done;
    assert.equal(printed, ' main menu\n  1 sales [human]\n  2 billing [voicemail]\ncompleted, 3 calls\n', errors);
    assert.equal(code, 0);
  });

  it('ends the first example with 1 if the run fails', async () => {
    const done = execute('example0.mts', [lab]);
    const crawl = await Promise.race([
      fixture.crawl.next(),
      done.then(({ errors }) => assert.fail(`The example began no run. ${errors}`)),
    ]);
    crawl.found(rootNode());
    crawl.end({ status: 'failed', reason: 'Nobody answered.' });
    const { code, printed, errors } = await done;
    assert.match(printed, /failed, 0 calls: Nobody answered\.\n$/, errors);
    assert.equal(code, 1);
  });

  it('lists failed runs with the second example', async () => {
    const { code, printed, errors } = await execute('example1.mts');
    assert.equal(printed, `${lab}, run 1: Nobody answered.\n`, errors);
    assert.equal(code, 0);
  });

  it("says with the third example what to do if a run can't begin", async () => {
    const { apiKey } = await service.client.call('registerWorkspace', {});
    const { id } = await service.clientOf(apiKey).call('createMapping', { phoneNumber: lab });
    const { code, printed, errors } = await execute('example2.mts', [id], apiKey);
    assert.match(
      printed,
      /no minutes.*\nOpen this within an hour: http:\/\/127\.0\.0\.1:\d+\/claim\/\S+\n\(status 402, code capacity_exhausted, request \S+\)\n$/,
      errors,
    );
    assert.equal(code, 1);
    const nobody = await execute('example2.mts', [id], 'dt_no');
    assert.match(nobody.printed, /\(status 401, code unauthorized, request \S+\)\n$/, nobody.errors);
  });

  it('gives `require` and `import` the same classes', async () => {
    await writeFile(
      join(folder, 'use.cjs'),
      `
      const client = require('dialtree/client');
      const { DIALTREE_URL: baseUrl, DIALTREE_KEY: apiKey } = process.env;
      (async () => {
        const imported = await import('dialtree/client');
        const page = await new client.DialtreeClient({ baseUrl, apiKey }).call('listMappings', {});
        const error = await new imported.DialtreeClient({ baseUrl, apiKey }).call('getMapping', { id: page.items[0].profileId }).catch((error) => error);
        console.log(JSON.stringify([page.items.length, error instanceof client.NotFoundError, Object.keys(client).filter((name) => client[name] !== imported[name])]));
      })();`,
    );
    const { printed, errors } = await execute('use.cjs');
    assert.equal(printed, '[2,true,[]]\n', errors);
  });

  it('declares every operation as the contract does, and its examples compile against it', async () => {
    assert.equal(examples.length, 3);
    await writeFile(join(folder, 'comparison.mts'), comparison());
    await writeFile(join(folder, 'refusals.mts'), refusals);
    await writeFile(
      join(folder, 'required.cts'),
      "import client = require('dialtree/client');\nexport const error: client.ServiceError = new client.CapacityError('');\n",
    );
    const compilerOptions = {
      target: 'es2023',
      module: 'nodenext',
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      skipLibCheck: false,
      noEmit: true,
      types: ['node'],
      typeRoots: [join(root, 'node_modules/@types')],
    };
    const check = async (name: string, files: readonly string[], further: object = {}): Promise<void> => {
      await writeFile(
        join(folder, name),
        JSON.stringify({ compilerOptions: { ...compilerOptions, ...further }, files }),
      );
      await run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', join(folder, name)]).catch(
        (error: unknown) => assert.fail(`${name}\n${(error as { stdout: string }).stdout}`),
      );
    };
    await check('tsconfig.json', ['example0.mts', 'example1.mts', 'example2.mts', 'refusals.mts', 'required.cts']);
    await check('tsconfig.bundler.json', ['example0.mts'], { module: 'preserve', moduleResolution: 'bundler' });
    await check('tsconfig.comparison.json', ['comparison.mts'], {
      allowImportingTsExtensions: true,
      erasableSyntaxOnly: true,
      skipLibCheck: true,
    });
  });
});
