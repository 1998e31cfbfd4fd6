import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openApiDocument } from '../../src/service/http/openApi.ts';
import { clientsOrSkip, runClient } from './installClients.ts';

interface Report {
  readonly problems: readonly {
    readonly ruleId: string;
    readonly message: string;
    readonly location: readonly { readonly pointer?: string }[];
  }[];
}

describe('the OpenAPI document', () => {
  before(async function () {
    await clientsOrSkip(this);
  });

  it("passes Redocly's recommended rules", async () => {
    const folder = await mkdtemp(join(tmpdir(), 'dialtree-openapi-'));
    try {
      const file = join(folder, 'openapi.json');
      await writeFile(file, JSON.stringify(openApiDocument('http://127.0.0.1:8021/v1')));
      const { stdout, stderr } = await runClient(
        '@redocly/cli/bin/cli.js',
        ['lint', file, '--extends', 'recommended', '--format', 'json'],
        { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
      );
      const { problems } = JSON.parse(stdout || stderr) as Report;
      assert.deepEqual(
        problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} (${location[0]?.pointer ?? ''})`),
        [],
      );
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
