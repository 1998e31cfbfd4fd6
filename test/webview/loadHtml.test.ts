import assert from 'node:assert/strict';
import path from 'node:path';
import { htmlLoadReport } from '../../src/cli/load/htmlReport.ts';
import { reportLoad } from '../../src/cli/load/report.ts';
import { testedLoad } from './loadRecords.ts';
import { artifacts, withFile } from './webviewPage.ts';

describe("a load test's HTML report", () => {
  for (const colorScheme of ['light', 'dark'] as const)
    it(`shows the page of the editor in a browser with a ${colorScheme} theme`, async () => {
      const name = 'Bank </script><b>one</b>';
      const html = await htmlLoadReport(
        reportLoad({ file: 'bank.calltest.json', name, target: '+12025550101', test: testedLoad().test }),
      );
      assert.ok(!html.includes('127.0.0.1:1'), 'addresses of recordings');
      await withFile(
        html,
        async (page) => {
          await page.getByRole('region', { name: 'Results of the test' }).waitFor();
          assert.equal(await page.getByRole('heading', { level: 1 }).innerText(), name);
          const text = await page.locator('body').innerText();
          for (const part of ['Criteria not met', '487 of 493 calls passed the test.', 'The line <b>failed</b>.'])
            assert.ok(text.includes(part), part);
          for (const button of ['Cancel', 'Run again', 'Play call 41'])
            assert.equal(await page.getByRole('button', { name: button }).isVisible(), false, button);
          await page.screenshot({ path: path.join(artifacts, `load-html-${colorScheme}.png`) });
        },
        { colorScheme },
      );
    });
});
