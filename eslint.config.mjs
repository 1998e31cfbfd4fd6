import path from 'node:path';
import tseslint from 'typescript-eslint';
import { plainWords } from './test/lint/plainWords.mjs';

/** The modules that each module may import. There are no cycles. */
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
  editor: ['client', 'contract', 'model'],
  cli: ['contract', 'client', 'service', 'model', 'practice', 'telephony', 'speech', 'language'],
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
    commands: 'basics host store calls testing trees panels views files profiles issue agents',
  },
  service: {
    basics: '',
    store: 'basics',
    queue: 'basics store',
    numbers: '',
    lines: 'numbers',
    workspaces: 'basics store lines',
    runs: 'basics store queue numbers lines workspaces',
    lists: 'basics store',
    mapping: 'basics store numbers lines workspaces runs lists',
    testing: 'basics store numbers lines workspaces runs lists mapping',
    guides: 'basics',
    transfer: 'basics store workspaces runs',
    http: 'basics store workspaces runs',
  },
};

const vscodeOnlyInEditor = {
  name: 'vscode',
  message: 'Only src/extension.ts, src/editor and test/host may import vscode.',
};

/** Returns why one file may not import the other, or undefined if it may. */
function whyNot(from, to) {
  if (to.module !== from.module) {
    // Every module except the contract may import `base`.
    const open = [...modules[from.module], ...(from.module === 'contract' ? [] : ['base'])];
    return modules[to.module] && !open.includes(to.module)
      ? `src/${from.module} may not import src/${to.module}.`
      : undefined;
  }
  const table = layers[from.module];
  if (!table || from.layer === undefined || from.layer === to.layer) return undefined;
  const here = `src/${from.module}/${from.layer}`;
  const open = table[from.layer]?.split(' ');
  if (!open) return `${here} has no row in the table of layers (eslint.config.mjs).`;
  if (to.layer === undefined) return `${here} may not import files at the top of src/${to.module}.`;
  if (open.includes(to.layer)) return undefined;
  return `${here} may not import src/${to.module}/${to.layer}, only these layers: ${open.join(', ') || 'none'}.`;
}

/** Returns the module and the layer of a file, or undefined outside the modules. */
function locate(file) {
  const [source, module, ...rest] = path.relative(import.meta.dirname, file).split(path.sep);
  if (source !== 'src' || !modules[module]) return undefined;
  return { module, layer: rest.length > 1 ? rest[0] : undefined };
}

/** Checks all imports against the two tables, including types and dynamic imports. */
const imports = {
  create(context) {
    const from = locate(context.filename);
    const check = (source) => {
      if (!from || typeof source?.value !== 'string' || !source.value.startsWith('.')) return;
      const to = locate(path.join(path.dirname(context.filename), source.value));
      const message = to && whyNot(from, to);
      if (message) context.report({ node: source, message });
    };
    return {
      ImportDeclaration: (node) => check(node.source),
      ExportNamedDeclaration: (node) => check(node.source),
      ExportAllDeclaration: (node) => check(node.source),
      ImportExpression: (node) => check(node.source),
      TSImportType: (node) => check(node.source),
    };
  },
};

const packages = Object.keys(modules).map((module) => ({
  files: [`src/${module}/**/*.ts`],
  rules: {
    'no-restricted-imports': [
      'error',
      {
        paths: module === 'editor' ? [] : [vscodeOnlyInEditor],
        patterns: [
          ...(module === 'contract'
            ? [{ regex: '^(?!\\./|zod$)', message: 'src/contract imports zod and nothing else.' }]
            : []),
          ...(['base', 'model'].includes(module)
            ? [{ regex: '^node:', message: `src/${module} is pure: no Node modules.` }]
            : []),
        ],
      },
    ],
  },
}));

export default tseslint.config(
  { ignores: ['dist/', 'node_modules/', '.vscode-test/', '.assets/', 'test/.artifacts/', 'test/host/workspace/'] },
  ...tseslint.configs.strictTypeChecked.map((config) => ({ ...config, files: ['**/*.ts'] })),
  {
    files: ['**/*.ts'],
    languageOptions: {
      parserOptions: { project: ['./tsconfig.json', './webview/tsconfig.json'], tsconfigRootDir: import.meta.dirname },
    },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-confusing-void-expression': [
        'error',
        { ignoreArrowShorthand: true, ignoreVoidReturningFunctions: true },
      ],
      '@typescript-eslint/no-misused-spread': ['error', { allow: ['string'] }],
      // Mistakes `this` and a class that is registered as a custom element for unrelated types.
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      // Doesn't see that a callback can change a variable between two reads.
      '@typescript-eslint/no-unnecessary-condition': 'off',
      'prefer-const': ['error', { ignoreReadBeforeAssign: true }],
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true },
      ],
      eqeqeq: 'error',
      'no-console': 'off',
    },
  },
  {
    files: ['**/*.ts', '**/*.mjs'],
    plugins: { words: { rules: { plain: plainWords } } },
    rules: { 'words/plain': 'error' },
  },
  {
    files: ['src/**/*.ts'],
    plugins: { dialtree: { rules: { imports } } },
    rules: { 'dialtree/imports': 'error' },
  },
  ...packages,
  {
    files: ['webview/**/*.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              regex: '^(\\.\\./)+src/(?!base/|contract/|model/)',
              message: 'The webview may import base, contract and model.',
            },
            { regex: '^node:', message: 'The webview runs in a browser.' },
          ],
        },
      ],
    },
  },
  {
    files: ['webview/**/*.ts'],
    ignores: ['webview/toolkit.ts'],
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        { paths: [{ name: '@vscode/webview-ui-toolkit', message: 'Import controls in webview/toolkit.ts.' }] },
      ],
    },
  },
  {
    files: ['test/**/*.ts'],
    rules: {
      '@typescript-eslint/no-floating-promises': [
        'error',
        { allowForKnownSafeCalls: [{ from: 'package', name: ['describe', 'it'], package: 'mocha' }] },
      ],
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-base-to-string': 'off',
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
    },
  },
);
