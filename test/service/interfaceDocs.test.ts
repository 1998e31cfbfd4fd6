import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { freeGrant, limits, quotas, serverLimits, tiers } from '../../src/contract/limits.ts';
import type { Operation, ToolHints } from '../../src/contract/operation.ts';
import { operations } from '../../src/contract/operations.ts';
import { scopes } from '../../src/contract/scopes.ts';
import { assertTestsExist, rowsOf, sectionsOf } from '../support/namedTests.ts';
import { listed } from '../support/listed.ts';

const root = join(import.meta.dirname, '../..');
/** They end `dialtree serve` before it answers requests. */
const beforeServing = new Set(
  listed(`
  database_url remote_host cannot_listen data_folder key_file public_url not_owner owner_elsewhere owner_silent
`),
);

const hintsOf = (tool: ToolHints | undefined): string => {
  if (!tool) return '–';
  return ['yes', tool.readOnly && 'read-only', tool.destructive && 'destructive', tool.openWorld && 'open world']
    .filter((word) => word !== false)
    .join(', ');
};

/** A row of the operations table as the contract defines it. */
function rowOf(name: string, { tool, rest, scope, input }: Operation): string {
  const { properties = {}, required = [] } = z.toJSONSchema(input, { io: 'input' }) as {
    properties?: object;
    required?: string[];
  };
  const given = Object.keys(properties)
    .map((field) => `\`${field}${required.includes(field) ? '' : '?'}\``)
    .sort();
  const status = rest.status === 200 ? '' : ` → ${String(rest.status)}`;
  return [
    `\`${name}\``,
    hintsOf(tool),
    `\`${rest.method.toUpperCase()} ${rest.path}\`${status}`,
    scope,
    given.length === 0 ? '–' : given.join(', '),
  ].join(' | ');
}

interface Proof {
  readonly kind: string;
  readonly what: string;
  readonly file: string;
  readonly title: string;
}

describe('the document of the interface', () => {
  let sections: ReadonlyMap<string, string>;
  let proofs: readonly Proof[];

  before(async () => {
    sections = sectionsOf(await readFile(join(root, 'docs/interface.md'), 'utf8'));
    proofs = rows('What proves it').map(([kind = '', what = '', file = '', title = '']) => ({
      kind,
      what,
      file,
      title,
    }));
  });

  const section = (title: string): string => sections.get(title) ?? assert.fail(`There is no section ${title}.`);
  const rows = (title: string): string[][] => rowsOf(section(title));
  const proven = (kind: string): string[] => proofs.filter((proof) => proof.kind === kind).map(({ what }) => what);
  const contains = (title: string, ...phrases: readonly string[]): void => {
    for (const phrase of phrases) assert.ok(section(title).includes(phrase), `${title}: ${phrase}`);
  };

  it('lists exactly the operations of the contract', () => {
    const written = rows('Operations').map(([name = '', tool = '', rest = '', scope = '', given = '']) =>
      [name, tool, rest, scope, given.split(', ').sort().join(', ')].join(' | '),
    );
    assert.deepEqual(
      written.sort(),
      Object.entries<Operation>(operations)
        .map(([name, operation]) => rowOf(name, operation))
        .sort(),
    );
  });

  it('names an existing test in every row', async () => {
    assert.ok(proofs.length > Object.keys(operations).length);
    await assertTestsExist(proofs.map(({ kind, what, ...test }) => ({ what: `${kind} ${what}`, ...test })));
    assert.deepEqual([...new Set(proofs.map(({ kind }) => kind))].sort(), ['error', 'limit', 'route', 'state', 'tool']);
    const twice = proofs
      .map(({ kind, what }) => `${kind} ${what}`)
      .filter((row, index, all) => all.indexOf(row) !== index);
    assert.deepEqual(twice, []);
  });

  it('covers every tool and every route', async () => {
    const named = (kind: string): string[] =>
      proven(kind)
        .flatMap((what) => /^`(\w+)`$/.exec(what)?.[1] ?? [])
        .sort();
    const ofContract = (offered: boolean): string[] =>
      Object.entries<Operation>(operations)
        .filter(([, { tool }]) => (tool !== undefined) === offered)
        .map(([name]) => name)
        .sort();
    assert.deepEqual(named('tool'), ofContract(true));
    assert.deepEqual(named('route'), ofContract(false));
    const served = [...(await sourcesOf('src/service/http')).matchAll(/\b(?:app\.)?(get|post)\(\s*'(\/[^']+)'/g)].map(
      ([, method = '', path = '']) => `${method.toUpperCase()} ${path}`,
    );
    assert.deepEqual(
      proven('route')
        .flatMap((what) => /^`([A-Z]+ \/.+)`$/.exec(what)?.[1] ?? [])
        .sort(),
      served.sort(),
    );
  });

  it('lists and covers every error that the service returns', async () => {
    const listed = rows('Errors')
      .flatMap(([status = '', codes = '']) => codes.split(', ').map((code) => `${status} ${code}`))
      .sort();
    assert.deepEqual(proven('error').sort(), listed);
    const source = await sourcesOf('src/service');
    const answered = new Set([...source.matchAll(/\bcode: '([a-z][\w-]+)'/g)].map(([, code = '']) => code));
    for (const [, codes = ''] of source.matchAll(/type NumberRefusal =([^;]+);/g))
      for (const [, code = ''] of codes.matchAll(/'(\w+)'/g)) answered.add(code);
    const written = new Set(listed.flatMap((row) => /`(.+)`/.exec(row)?.[1] ?? []));
    assert.deepEqual([...written].sort(), [...answered].filter((code) => !beforeServing.has(code)).sort());
    for (const [reason = ''] of rows('Anchors').filter((cells) => cells.length === 3))
      assert.ok(written.has(reason.replaceAll('`', '')), reason);
  });

  it('covers every limit of the contract', () => {
    const bounds = Object.entries({ ...limits, ...serverLimits, tiers, freeGrant }).flatMap(([name, value]) =>
      name === 'anchors' ? Object.keys(value).map((part) => `anchors.${part}`) : [name],
    );
    assert.deepEqual(
      proven('limit')
        .flatMap((what) => /^`([\w.]+)`$/.exec(what)?.[1] ?? [])
        .sort(),
      bounds.sort(),
    );
  });

  it("quotes the contract's figures", () => {
    assert.deepEqual(
      rows('Tiers'),
      Object.entries(tiers).map(([tier, { requestsPerMinute, runs, streams, modelTokensPerDay }]) => [
        `\`${tier}\``,
        ...[requestsPerMinute, runs, streams, modelTokensPerDay].map(String),
      ]),
    );
    const amount = (quota: string, value: number): string =>
      quota.endsWith('Bytes') ? `${String(value / 1e6)} MB` : String(value);
    assert.deepEqual(
      rows('Quotas'),
      quotas.map((quota) => [
        `\`${quota}\``,
        ...Object.values(tiers).map(({ stored }) => amount(quota, stored[quota])),
      ]),
    );
    for (const [pool, minutes] of Object.entries(freeGrant.minutes))
      assert.match(section('Capacity'), new RegExp(`\\b${String(minutes)} (?:minutes )?\`${pool}\``));
    contains('Capacity', `${String(freeGrant.enrichmentTokens)} enrichment tokens`);
    contains('Keys and scopes', `Scopes: ${scopes.map((scope) => `\`${scope}\``).join(', ')}.`);
    const span = ({ min, max }: { readonly min: number; readonly max: number }): string =>
      `${String(min)}–${String(max)}`;
    contains(
      'Bounds',
      `\`name\` | ${span(limits.name)} characters`,
      `at most ${String(limits.description.max)} characters`,
      `${span(limits.missionText)} characters each`,
      `up to ${String(limits.tags.max)}, each`,
      `${span(limits.steps)} steps, ${span(limits.rows)} rows`,
      `${span(limits.loadTest.calls)} calls, ramp ${span(limits.loadTest.rampSeconds)} s, hold ${span(limits.loadTest.holdSeconds)} s, \`callsPerSecond\` ${span(limits.loadTest.callsPerSecond)}`,
      `${span(limits.list)} rows, default ${String(limits.list.default)}`,
      `groups that \`aggregateTestRuns\` returns | up to ${String(serverLimits.aggregateGroups)} `,
      `\`audioUrl\` | valid for ${String(serverLimits.audioUrlSeconds)} s`,
      `claim link | valid for ${String(serverLimits.claimLinkSeconds)} s`,
      `${String(serverLimits.keys.max)} active keys`,
      `newest ${String(serverLimits.kept.revokedKeys)} revoked`,
      `newest ${String(serverLimits.kept.claimLinks)} links of a workspace and the newest ${String(serverLimits.kept.sessions)} sessions`,
      `${String(serverLimits.launchBytes / 1_048_576)} MiB in total`,
      `MCP batch | ${span(serverLimits.batch)} messages`,
      `requests without a valid key | ${String(serverLimits.visitsPerMinute)} a minute`,
    );
    for (const [name, bound] of Object.entries({
      maxDepth: limits.maxDepth,
      maxCalls: limits.maxCalls,
      maxCallSeconds: limits.maxCallSeconds,
      ringSeconds: limits.ringSeconds,
      concurrency: limits.concurrency,
    }))
      contains('Bounds', `\`config.${name}\` | ${span(bound)}, default ${String(bound.default)}`);
    const { anchors } = limits;
    contains(
      'Anchors',
      `${String(anchors.codeDigits)} digits, which is valid for ${String(anchors.codeSeconds)} s`,
      `up to ${String(anchors.max)} verified people`,
      `${String(anchors.codesAnHour)} codes an hour and ${String(anchors.codesEver)} in total`,
      `${String(anchors.wrongTries)} wrong attempts`,
    );
    const { textMessages } = serverLimits;
    contains(
      'Anchors',
      `${String(textMessages.numberAnHour)} an hour, ${String(textMessages.numberADay)} a day`,
      `${String(textMessages.networkAnHour)} an hour, including`,
      `${String(textMessages.serverADay)} a day`,
    );
    const { signUp } = serverLimits;
    contains(
      'Signing up',
      `a code of ${String(signUp.codeDigits)} digits to this address`,
      `The code is valid for ${String(signUp.codeSeconds / 60)} minutes`,
      `${String(signUp.codesAnHour)} codes an hour to one address`,
      `${String(signUp.codesAnHourPerNetwork)} an hour for one network`,
      `${String(signUp.codesADay)} a day`,
      'Five wrong codes',
    );
    contains(
      'Getting in',
      `registers up to ${String(serverLimits.registrations.networkAnHour)} new workspaces an hour and ${String(serverLimits.registrations.networkADay)} a day`,
      `up to ${String(serverLimits.registrations.serverADay)} a day in total`,
      `${String(serverLimits.networksOfSite)} times as many`,
      `${String(serverLimits.bodyBytes / 1_048_576)} MiB`,
    );
  });
});

async function sourcesOf(folder: string): Promise<string> {
  const names = (await readdir(join(root, folder), { recursive: true })).filter((name) => name.endsWith('.ts'));
  return (await Promise.all(names.map((name) => readFile(join(root, folder, name), 'utf8')))).join('\n');
}
