import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');

/** Returns code as a case of a lint rule's test, as if it stood in this file of the repository. */
export const inFile = (file: string, code: string) => ({
  name: `${code} in ${file}`,
  code,
  filename: path.join(root, file),
  languageOptions: { parserOptions: { lang: 'ts' as const } },
});
