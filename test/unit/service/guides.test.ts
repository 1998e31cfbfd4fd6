import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { HumanError } from '../../../src/contract/errors.ts';
import { guideSchema } from '../../../src/contract/guides.ts';
import type { Guide } from '../../../src/contract/guides.ts';
import { freeGrant, limits, serverLimits, tiers } from '../../../src/contract/limits.ts';
import type { Operation } from '../../../src/contract/operation.ts';
import { operations } from '../../../src/contract/operations.ts';
import { mobileNumber } from '../../../src/service/people/mobileNumber.ts';
import { Guides } from '../../../src/service/http/guides.ts';
import { listed } from '../../support/listed.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const mediaDir = join(root, 'media');
const table = new Map(Object.entries<Operation>(operations));
const fixedRoutes = ['GET /v1/openapi.json', 'GET /v1/events'];
/** Members of resources that look like operations. */
const members = new Set(['runType', 'requestId']);
const groups = ['Start', 'Mapping', 'Testing', 'Workspace', 'Reference'];

const readAll = async (): Promise<Guide[]> => {
  const guides = new Guides(mediaDir);
  return await Promise.all((await guides.list()).map(({ slug }) => guides.get(slug)));
};
const textOf = ({ title, summary, sections }: Guide): string =>
  [title, summary, ...sections.flatMap((section) => [section.title, section.where, section.text])].join('\n');

describe('guides', () => {
  it('include every file, named after its slug, by group and slug', async () => {
    const files = (await readdir(join(mediaDir, 'guides'))).map((name) => name.replace(/\.json$/, ''));
    const items = await new Guides(mediaDir).list();
    assert.deepEqual(items.map(({ slug }) => slug).sort(), files.sort());
    assert.deepEqual(
      items.map(({ group, slug }) => ({ group, slug })),
      [...items]
        .sort(
          (one, other) => groups.indexOf(one.group) - groups.indexOf(other.group) || (one.slug < other.slug ? -1 : 1),
        )
        .map(({ group, slug }) => ({ group, slug })),
    );
    assert.deepEqual([...new Set(items.map(({ group }) => group))], groups);
    for (const item of items) assert.deepEqual(Object.keys(item), ['slug', 'kind', 'group', 'title', 'summary']);
  });

  it('name in every section the page, menu, button or field to use', async () => {
    const places =
      /^(?:(?:MCP tools?|Fields?|Page|Body|Views?|Tooltip|Test Explorer|Terminal|Output|Response|GET|POST|PATCH|DELETE)\b|(?:Activity bar|Chat view|Command Palette|Dialog|Editor|Editor tab, or View Mappings|Settings?|Tree|Your MCP client):|[a-z]+[A-Z]\w*$)/;
    for (const { slug, sections } of await readAll())
      for (const { title, where } of sections) assert.match(where, places, `${slug}: ${title}`);
  });

  it('number at least 12, with the reference pages in a separate group', async () => {
    const items = await new Guides(mediaDir).list();
    const slugs = (kind: string): string[] => items.filter((item) => item.kind === kind).map(({ slug }) => slug);
    assert.ok(slugs('guide').length >= 12, String(slugs('guide').length));
    assert.deepEqual(slugs('reference'), ['faq', 'limits', 'pricing']);
    for (const { kind, group } of items) assert.equal(group === 'Reference', kind === 'reference');
    for (const slug of listed(`
      getting-started mapping missions scripted-tests compliance load reading-results capacity keys claiming
    `))
      assert.ok(slugs('guide').includes(slug), slug);
  });

  it('can be read in full', async () => {
    const guide = await new Guides(mediaDir).get('getting-started');
    assert.deepEqual(
      guide,
      guideSchema.parse(JSON.parse(await readFile(join(mediaDir, 'guides/getting-started.json'), 'utf8'))),
    );
  });

  it('name only existing operations, tools, routes and commands', async () => {
    const titles = Object.values(
      JSON.parse(await readFile(join(root, 'package.nls.json'), 'utf8')) as Record<string, string>,
    );
    const routes = [
      ...fixedRoutes,
      ...[...table.values()].map(({ rest }) => `${rest.method.toUpperCase()} /v1${rest.path}`),
    ];
    for (const guide of await readAll()) {
      const text = textOf(guide);
      for (const [name] of text.matchAll(
        /\b(?:get|list|create|update|delete|start|cancel|register|request|verify|record|revoke|aggregate|run)[A-Z]\w*/g,
      )) {
        assert.ok(table.has(name) || members.has(name), `${guide.slug}: ${name}`);
      }
      for (const [, name = ''] of text.matchAll(/MCP tool (\w+)/g))
        assert.ok(table.get(name)?.tool, `${guide.slug}: ${name} is no tool`);
      for (const [, methods = '', path = ''] of text.matchAll(
        /((?:GET|POST|PATCH|DELETE)(?: or (?:PATCH|DELETE))?) (\/v1[\w/{}.-]*)/g,
      )) {
        for (const method of methods.split(' or '))
          assert.ok(routes.includes(`${method} ${path}`), `${guide.slug}: ${method} ${path}`);
      }
      for (const { where } of guide.sections) {
        const command = /Dialtree: (.+)$/.exec(where)?.[1];
        if (command !== undefined) assert.ok(titles.includes(command), `${guide.slug}: ${command}`);
      }
    }
  });

  it('show arguments that the operations accept', async () => {
    let shown = 0;
    for (const guide of await readAll()) {
      for (const { code = '' } of guide.sections) {
        const [, name = '', json = ''] = /^(\w+) (\{.*\})$/s.exec(code) ?? [];
        const row = table.get(name);
        if (!row) continue;
        const input = row.input.safeParse(JSON.parse(json));
        assert.deepEqual(input.error?.issues ?? [], [], `${guide.slug}: ${code}`);
        if (name.endsWith('AnchorCode')) {
          const { phoneNumber } = input.data as { phoneNumber: string };
          assert.equal(mobileNumber(phoneNumber), phoneNumber);
        }
        shown += 1;
      }
    }
    assert.ok(shown >= 10, String(shown));
  });

  it("quote the contract's figures", async () => {
    const guides = new Guides(mediaDir);
    const [limitsPage, pricing] = [textOf(await guides.get('limits')), textOf(await guides.get('pricing'))];
    for (const page of [limitsPage, pricing]) {
      for (const [tier, { requestsPerMinute, runs }] of Object.entries(tiers))
        assert.match(
          page,
          new RegExp(`${tier}:? ${String(requestsPerMinute)}(?: requests per minute)? and ${String(runs)}\\b`),
        );
    }
    for (const [pool, minutes] of Object.entries(freeGrant.minutes))
      assert.match(pricing, new RegExp(`\\b${String(minutes)} (?:minutes )?of ${pool}\\b`));
    assert.match(pricing, new RegExp(`\\b${String(freeGrant.enrichmentTokens)} enrichment tokens`));
    for (const [name, { min, max, default: usual }] of Object.entries({
      maxDepth: limits.maxDepth,
      maxCalls: limits.maxCalls,
      maxCallSeconds: limits.maxCallSeconds,
      ringSeconds: limits.ringSeconds,
      concurrency: limits.concurrency,
    })) {
      assert.ok(limitsPage.includes(`${name} ${String(min)} to ${String(max)}, default ${String(usual)}.`), name);
    }
    const { anchors } = limits;
    for (const phrase of [
      `${String(limits.name.min)} to ${String(limits.name.max)} characters`,
      `up to ${String(limits.description.max)},`,
      `${String(limits.missionText.min)} to ${String(limits.missionText.max)} each`,
      `up to ${String(limits.tags.max)} tags`,
      `${String(limits.steps.min)} to ${String(limits.steps.max)} steps`,
      `${String(limits.rows.min)} to ${String(limits.rows.max)} rows`,
      `${String(limits.loadTest.calls.min)} to ${String(limits.loadTest.calls.max)} calls`,
      `ramp of ${String(limits.loadTest.rampSeconds.min)} to ${String(limits.loadTest.rampSeconds.max)} seconds`,
      `hold of ${String(limits.loadTest.holdSeconds.min)} to ${String(limits.loadTest.holdSeconds.max)} seconds`,
      `${String(limits.loadTest.callsPerSecond.min)} to ${String(limits.loadTest.callsPerSecond.max)} calls per second`,
      `${String(limits.list.min)} to ${String(limits.list.max)} rows, default ${String(limits.list.default)}.`,
      `${String(serverLimits.aggregateGroups)} largest groups`,
      `${String(serverLimits.bodyBytes)} bytes`,
      `recording address is valid for ${String(serverLimits.audioUrlSeconds)} seconds`,
      `claim link is valid for ${String(serverLimits.claimLinkSeconds)} seconds`,
      `up to ${String(serverLimits.keys.max)} keys`,
      `${String(serverLimits.registrations.networkAnHour)} workspaces per hour and ${String(serverLimits.registrations.networkADay)} per day`,
      `${String(serverLimits.networksOfSite)} times as many`,
      `${String(serverLimits.registrations.serverADay)} workspaces per day`,
      `${String(anchors.max)} verified people`,
      `${String(anchors.codeDigits)} digits, is valid for ${String(anchors.codeSeconds)} seconds`,
      `${String(anchors.codesAnHour)} codes per hour and ${String(anchors.codesEver)} in total`,
      `${String(anchors.wrongTries)} wrong attempts`,
    ])
      assert.ok(limitsPage.includes(phrase), phrase);
  });

  it('answer an unknown slug with 404, even one that is a path', async () => {
    const guides = new Guides(mediaDir);
    for (const slug of ['no-such-guide', '../guides/faq', 'faq.json', '../compliance/gdpr-notice', '']) {
      await assert.rejects(
        guides.get(slug),
        (error) =>
          error instanceof HumanError &&
          error.status === 404 &&
          error.code === 'not_found' &&
          error.message.includes('listGuides'),
        slug,
      );
    }
  });

  describe('from another folder', () => {
    let folder = '';
    const guide = {
      slug: 'one',
      kind: 'guide',
      group: 'Elsewhere',
      title: 'One',
      summary: 'One guide.',
      sections: [{ title: 'First', where: 'Page One', text: 'Do it.' }],
    };
    const write = (name: string, content: unknown): Promise<void> =>
      writeFile(join(folder, 'guides', name), typeof content === 'string' ? content : JSON.stringify(content));
    const refuses = (pattern: RegExp): Promise<void> =>
      assert.rejects(
        new Guides(folder).list(),
        (error) => error instanceof HumanError && error.status === 503 && pattern.test(error.message),
      );

    beforeEach(async () => {
      folder = await mkdtemp(join(tmpdir(), 'dialtree-guides-'));
      await mkdir(join(folder, 'guides'));
    });
    afterEach(async () => {
      await rm(folder, { recursive: true, force: true });
    });

    it('names a broken file', async () => {
      await write('one.json', guide);
      await write('two.json', '{"slug": ');
      await refuses(/guides\/two\.json/);
      await write('two.json', { ...guide, slug: 'two', sections: [] });
      await refuses(/guides\/two\.json.*sections/);
      await write('two.json', { ...guide, slug: 'three' });
      await refuses(/guides\/two\.json.*three/);
    });

    it('names a folder that is missing', async () => {
      await rm(join(folder, 'guides'), { recursive: true });
      await refuses(/guides/);
    });

    it('load once, and again after a failure; an unknown group comes last', async () => {
      await write('one.json', '{');
      const guides = new Guides(folder);
      await assert.rejects(guides.list(), HumanError);
      await write('one.json', guide);
      await write('two.json', { ...guide, slug: 'two', group: 'Reference' });
      assert.deepEqual(
        (await guides.list()).map(({ slug }) => slug),
        ['two', 'one'],
      );
      await rm(join(folder, 'guides'), { recursive: true });
      assert.equal((await guides.get('one')).title, 'One');
    });
  });
});
