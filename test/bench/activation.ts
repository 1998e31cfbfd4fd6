import { readFileSync, statSync } from 'node:fs';
import Module from 'node:module';
import path from 'node:path';
import { Script } from 'node:vm';

const budgetMs = 20;
const budgetBytes = 500_000;

interface Loader { _load(request: string, parent: unknown, isMain: boolean): unknown }

/** A stand-in for the editor's API in which everything exists and does nothing: what is measured is the extension's own work. */
function inertEditor(): unknown {
  const anything: unknown = new Proxy(function inert() { /* does nothing */ }, {
    get: (target, name) => {
      if (name === Symbol.toPrimitive) return () => '';
      if (name === Symbol.iterator) return [][Symbol.iterator].bind([]);
      if (name === 'then') return undefined;
      if (name === 'prototype') return target.prototype;
      return anything;
    },
    apply: () => anything,
    construct: () => anything as object,
  });
  return anything;
}

/** Times loading the production bundle and `activate` against reading and compiling a file of the same size. */
export async function measureActivation(): Promise<void> {
  const file = path.resolve(import.meta.dirname, '../../dist/extension.js');
  const loader = Module as unknown as Loader;
  const load = loader._load.bind(loader);
  loader._load = (request, parent, isMain) => (request === 'vscode' ? inertEditor() : load(request, parent, isMain));
  try {
    const reference = performance.now();
    new Script(readFileSync(file, 'utf8'));
    const compileMs = performance.now() - reference;
    const loading = performance.now();
    const extension = Module.createRequire(import.meta.url)(file) as { activate(context: unknown): unknown };
    const loadMs = performance.now() - loading;
    const context = { subscriptions: [], extensionPath: path.dirname(path.dirname(file)), ...(inertContext), extensionUri: { fsPath: path.dirname(path.dirname(file)) }, globalStorageUri: { fsPath: '/nonexistent' }, extension: { id: 'dialtree', packageJSON: { version: '0' } } };
    const activating = performance.now();
    extension.activate(context);
    const activateMs = performance.now() - activating;
    const { size } = statSync(file);
    console.log(`  activate ${(activateMs / budgetMs).toFixed(2)} × budget of ${budgetMs} ms; load ${(loadMs / compileMs).toFixed(1)} × compiling the same file; bundle ${(size / budgetBytes).toFixed(2)} × budget of 500 kB`);
    await Promise.resolve();
  } finally {
    loader._load = load;
  }
}

const inertContext = new Proxy({}, { ownKeys: () => ['secrets', 'globalState', 'workspaceState', 'environmentVariableCollection'], getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }), get: () => inertEditor() });
