import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import ts from 'typescript';
import { operations } from '../../contract/operations.ts';
import { contractTypes } from './contractTypes.ts';

const sources = join(import.meta.dirname, '..');
const contract = join(sources, '../contract');

/**
 * Writes `client.d.ts` and the folder `client/` into `folder`: the declarations of `dist/client.js`, which need neither
 * these sources nor another package. The client's declarations come from its sources one by one. Everything that it
 * imports from the contract comes from one file, generated from the schemas.
 */
export async function writeClientDeclarations(folder: string): Promise<void> {
  const target = join(folder, 'client');
  await rm(target, { recursive: true, force: true });
  await mkdir(target, { recursive: true });
  const modules = await Promise.all(
    (await namesIn(contract)).map(async (name) => (await import(join(contract, name))) as Record<string, unknown>),
  );
  await writeFile(join(target, 'contract.d.ts'), contractTypes(modules, operations));
  for (const name of await namesIn(sources)) {
    await writeFile(
      join(target, name.replace(/\.ts$/, '.d.ts')),
      declarationsOf(name, await readFile(join(sources, name), 'utf8')),
    );
  }
  await writeFile(
    join(folder, 'client.d.ts'),
    "export * from './client/package.js';\nexport * from './client/contract.js';\n",
  );
}

const namesIn = async (folder: string): Promise<string[]> =>
  (await readdir(folder)).filter((name) => name.endsWith('.ts')).sort();

function declarationsOf(fileName: string, source: string): string {
  const { outputText, diagnostics = [] } = ts.transpileDeclaration(source, {
    fileName,
    reportDiagnostics: true,
    compilerOptions: {
      target: ts.ScriptTarget.ES2023,
      module: ts.ModuleKind.NodeNext,
      strict: true,
      exactOptionalPropertyTypes: true,
      isolatedDeclarations: true,
      allowImportingTsExtensions: true,
    },
  });
  const [wrong] = diagnostics;
  if (wrong) throw new Error(`src/client/${fileName}: ${ts.flattenDiagnosticMessageText(wrong.messageText, ' ')}`);
  return outputText
    .replaceAll(/(['"])\.\.\/contract\/\w+\.ts\1/g, "'./contract.js'")
    .replaceAll(/(['"])\.\/(\w+)\.ts\1/g, "'./$2.js'");
}
