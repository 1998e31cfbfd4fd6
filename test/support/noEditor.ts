import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import path from 'node:path';

// For mocha's --require: outside the editor, its module `vscode` is one in which everything is callable and can be
// extended. Each of its members is the same value, which has itself as every member.

const types = path.resolve(import.meta.dirname, '../../node_modules/@types/vscode/index.d.ts');

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'vscode' ? { url: moduleUrl(), shortCircuit: true } : next(specifier, context),
});

let url: string | undefined;
function moduleUrl(): string {
  if (url === undefined) {
    const declared = readFileSync(types, 'utf8').matchAll(/^\texport (?:\w+ )*?(?:class|enum|namespace|const) (\w+)/gm);
    const names = new Set([...declared].map(([, name]) => name ?? ''));
    const text = `const any = new Proxy(class {}, {
      get: (target, name) => (name in target ? target[name] : name === 'then' ? undefined : any), apply: () => any });
      export { ${[...names].map((name) => `any as ${name}`).join(', ')} };`;
    url = `data:text/javascript,${encodeURIComponent(text)}`;
  }
  return url;
}
