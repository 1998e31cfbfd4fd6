import path from 'node:path';
import tseslint from 'typescript-eslint';

/** Who may import whom: a room, and the rooms it may look into. None runs backwards. */
const rooms = {
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
 * Rooms that are built in floors, from the ground up: a folder, and the folders of its room that it may look into. What
 * lies in no folder is the top: it may look into all of them, and none of them into it.
 */
const floors = {
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

/** Why a file of one place may not import one of another; undefined where it may. */
function whyNot(from, to) {
  if (to.room !== from.room) {
    // `base` is the ground floor: every room but the contract stands on it.
    const open = [...rooms[from.room], ...(from.room === 'contract' ? [] : ['base'])];
    return rooms[to.room] && !open.includes(to.room) ? `src/${from.room} may not import src/${to.room}.` : undefined;
  }
  const table = floors[from.room];
  if (!table || from.floor === undefined || from.floor === to.floor) return undefined;
  const here = `src/${from.room}/${from.floor}`;
  const open = table[from.floor]?.split(' ');
  if (!open) return `${here} has no row in the table of floors (eslint.config.mjs).`;
  if (to.floor === undefined) return `${here} may not import what lies at the top of src/${to.room}.`;
  if (open.includes(to.floor)) return undefined;
  return `${here} may not import src/${to.room}/${to.floor}: of its room it imports ${open.join(', ') || 'nothing'}.`;
}

/** The room and the floor of a file; undefined outside of the rooms. */
function placeOf(file) {
  const [source, room, ...rest] = path.relative(import.meta.dirname, file).split(path.sep);
  if (source !== 'src' || !rooms[room]) return undefined;
  return { room, floor: rest.length > 1 ? rest[0] : undefined };
}

/** Holds imports of all kinds against the two tables: also those of types alone, and those at run time. */
const arrows = {
  create(context) {
    const from = placeOf(context.filename);
    const check = (source) => {
      if (!from || typeof source?.value !== 'string' || !source.value.startsWith('.')) return;
      const to = placeOf(path.join(path.dirname(context.filename), source.value));
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

const packages = Object.keys(rooms).map((room) => ({
  files: [`src/${room}/**/*.ts`],
  rules: {
    'no-restricted-imports': [
      'error',
      {
        paths: room === 'editor' ? [] : [vscodeOnlyInEditor],
        patterns: [
          ...(room === 'contract'
            ? [{ regex: '^(?!\\./|zod$)', message: 'src/contract imports zod and nothing else.' }]
            : []),
          ...(['base', 'model'].includes(room)
            ? [{ regex: '^node:', message: `src/${room} is pure: no Node modules.` }]
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
      // Takes `this` and a class registered as a custom element for strangers.
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      // Does not see what a callback changes between two looks at a variable.
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
    files: ['src/**/*.ts'],
    plugins: { dialtree: { rules: { arrows } } },
    rules: { 'dialtree/arrows': 'error' },
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
