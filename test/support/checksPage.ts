import path from 'node:path';
import { checkKinds } from '../../src/contract/checks.ts';

export const checksPage = path.resolve(import.meta.dirname, '../../docs/checks.md');

const begin = '<!-- Written by npm run generate, from src/contract/checks.ts. -->\n';
const end = '<!-- The end of what npm run generate writes. -->\n';

/** Returns the page of checks with a section for each kind between its marks. */
export function withCheckKinds(page: string): string {
  const [before = '', rest = ''] = page.split(begin);
  const [, after = ''] = rest.split(end);
  return [before, begin, ...checkKinds.map(sectionOf), end, after].join('');
}

function sectionOf({ kind, hears, open, example, members }: (typeof checkKinds)[number]): string {
  const rows = members.map(({ name, description }) => `| \`${name}\` | ${description.replaceAll('|', '\\|')} |\n`);
  return [
    `### \`${kind}\`\n\n${hears}\n\nInconclusive: ${open}\n\n`,
    '```json\n',
    `${JSON.stringify(example)}\n`,
    '```\n\n',
    ...(rows.length === 0 ? [] : ['| member | meaning |\n|---|---|\n', ...rows, '\n']),
  ].join('');
}
