import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');

/** The modules that each module may import, and the webview. There are no cycles. */
const modules = {
  base: [],
  contract: [],
  model: ['contract'],
  telephony: [],
  speech: [],
  language: ['contract', 'model'],
  engine: ['contract', 'model', 'telephony', 'speech', 'language'],
  practice: ['telephony', 'speech', 'contract'],
  service: ['contract', 'model', 'telephony', 'speech', 'language', 'engine', 'practice'],
  client: ['contract'],
  runner: ['client', 'contract', 'model'],
  editor: ['runner', 'client', 'contract', 'model'],
  cli: ['contract', 'client', 'runner', 'service', 'model', 'practice', 'telephony', 'speech', 'language'],
  webview: ['contract', 'model'],
};

/**
 * The layers of a module, from the lowest: each folder, and the folders of its module that it may import. Files outside
 * a folder are the top layer: they may import every folder, and no folder may import them.
 */
const layers = {
  editor: {
    basics: '',
    folders: 'basics',
    host: 'basics',
    store: 'basics host',
    calls: 'basics host store',
    testing: 'basics folders host store calls',
    trees: 'basics folders host store calls testing',
    panels: 'basics host store calls testing trees',
    views: 'basics host store testing',
    files: 'basics folders host testing',
    lines: 'basics host store calls views',
    profiles: 'basics host',
    issue: 'basics host',
    agents: 'basics folders host store calls testing',
    commands: 'basics folders host store calls testing trees panels views files lines profiles issue agents',
  },
  service: {
    basics: '',
    store: 'basics',
    numbers: '',
    lines: 'numbers',
    workspaces: 'basics store lines',
    people: 'basics store workspaces',
    runs: 'basics store numbers lines workspaces',
    mapping: 'basics store numbers lines workspaces runs',
    testing: 'basics store numbers lines workspaces runs mapping',
    load: 'basics store lines workspaces runs mapping testing',
    planning: 'store numbers lines workspaces runs mapping testing load',
    transfer: 'basics store workspaces people runs',
    http: 'basics store workspaces people runs',
  },
};

/** Returns why one file may not import the other, or undefined if it may. */
function whyNot(from, to) {
  if (to.module !== from.module) {
    // Every module except the contract may import `base`.
    const open = [...modules[from.module], ...(from.module === 'contract' ? [] : ['base'])];
    return open.includes(to.module) ? undefined : `${nameOf(from.module)} may not import ${nameOf(to.module)}.`;
  }
  const table = layers[from.module];
  if (!table || from.layer === undefined || from.layer === to.layer) return undefined;
  const here = `src/${from.module}/${from.layer}`;
  const open = table[from.layer]?.split(' ');
  if (!open) return `${here} has no row in the table of layers (test/lint/imports.mjs).`;
  if (to.layer === undefined) return `${here} may not import files at the top of src/${to.module}.`;
  if (open.includes(to.layer)) return undefined;
  return `${here} may not import src/${to.module}/${to.layer}, only these layers: ${open.join(', ') || 'none'}.`;
}

const nameOf = (module) => (module === 'webview' ? module : `src/${module}`);

/** Returns the module and the layer of a file, or undefined outside `src` and `webview`. A file of no module is one. */
function locate(file) {
  const [source, module, ...rest] = path.relative(root, file).split(path.sep);
  if (source === 'webview') return { module: source };
  return source === 'src' ? { module, layer: rest.length > 1 ? rest[0] : undefined } : undefined;
}

/** A rule that checks all imports against the two tables, including types and dynamic imports. */
const imports = {
  create(context) {
    const from = locate(context.filename);
    if (!from || !modules[from.module]) return {};
    const check = (source) => {
      if (typeof source?.value !== 'string') return;
      const message = source.value.startsWith('.') ? whyNotRelative(source.value) : whyNotPackage(source.value);
      if (message) context.report({ node: source, message });
    };
    const whyNotRelative = (name) => {
      const to = locate(path.join(path.dirname(context.filename), name));
      return to && whyNot(from, to);
    };
    // The contract has no folders.
    const whyNotPackage = (name) =>
      from.module === 'contract' && name !== 'zod' ? 'src/contract imports zod and nothing else.' : undefined;
    return {
      ImportDeclaration: (node) => check(node.source),
      ExportNamedDeclaration: (node) => check(node.source),
      ExportAllDeclaration: (node) => check(node.source),
      ImportExpression: (node) => check(node.source),
      TSImportType: (node) => check(node.source),
    };
  },
};

export default { meta: { name: 'dialtree' }, rules: { imports } };
