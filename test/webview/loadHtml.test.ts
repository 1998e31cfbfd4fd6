import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { htmlLoadReport } from '../../src/cli/load/htmlReport.ts';
import { reportLoad } from '../../src/cli/load/report.ts';
import { withPage } from '../host/chromiumPage.ts';
import { testedLoad } from './loadRecords.ts';
import { withSharedBrowser } from './sharedBrowser.ts';
import { artifacts } from './webviewPage.ts';

describe("a load test's HTML report", () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'dialtree-load-html-'));
  });
  after(async () => {
    await rm(folder, { recursive: true });
  });

  for (const colorScheme of ['light', 'dark'] as const)
    it(`shows the page of the editor in a browser with a ${colorScheme} theme`, async () => {
      const name = 'Bank </script><b>one</b>';
      const html = await htmlLoadReport(
        reportLoad({ file: 'bank.calltest.json', name, target: '+12025550101', test: testedLoad().test }),
      );
      const file = path.join(folder, `${colorScheme}.html`);
      await writeFile(file, html);
      const problems: string[] = [];
      await withSharedBrowser((browser) =>
        withPage(
          async (page) => {
            page.on('pageerror', (error) => problems.push(String(error)));
            page.on('console', (message) => {
              if (message.type() === 'error') problems.push(message.text());
            });
            page.on('request', (request) => {
              if (request.url() !== pathToFileURL(file).href) problems.push(request.url());
            });
            await page.goto(pathToFileURL(file).href);
            await page.getByRole('region', { name: 'Results of the test' }).waitFor();
            assert.equal(await page.getByRole('heading', { level: 1 }).innerText(), name);
            const text = await page.locator('body').innerText();
            for (const part of [
              'Criteria not met',
              '487 of 493 calls passed the test.',
              'All circuits are <b>busy</b>.',
            ])
              assert.ok(text.includes(part), part);
            assert.ok(!html.includes('127.0.0.1:1'), 'addresses of recordings');
            for (const button of ['Cancel', 'Run again', 'Play call 41'])
              assert.equal(await page.getByRole('button', { name: button }).isVisible(), false, button);
            await page.screenshot({ path: path.join(artifacts, `load-html-${colorScheme}.png`) });
          },
          { browser, context: { colorScheme } },
        ),
      );
      assert.deepEqual(problems, []);
    });
});
