import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { WebviewPage } from './webviewPage.ts';

interface Violation {
  id: string;
  impact: string | null;
  nodes: { target: unknown; failureSummary?: string }[];
}

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Serious and critical findings of axe-core. */
export async function findings({ page }: WebviewPage): Promise<string[]> {
  await page.evaluate(axe);
  // Cards fade in; a half-faded card has half the contrast.
  await page.evaluate(
    'Promise.all(document.getAnimations().filter((animation) => animation.effect.getTiming().iterations !== Infinity).map((animation) => animation.finished))',
  );
  const violations = await page.evaluate<Violation[]>(
    'axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) => violations)',
  );
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id} at ${JSON.stringify(target)}: ${failureSummary ?? ''}`),
    );
}
