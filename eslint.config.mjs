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
  cli: ['contract', 'client', 'service', 'model', 'practice', 'speech', 'language'],
};
// `base` is the ground floor: every room but the contract stands on it.
const others = (room) =>
  Object.keys(rooms).filter(
    (other) => other !== room && !rooms[room].includes(other) && (other !== 'base' || room === 'contract'),
  );
const vscodeOnlyInEditor = {
  name: 'vscode',
  message: 'Only src/extension.ts, src/editor and test/host may import vscode.',
};

const arrows = Object.keys(rooms).map((room) => ({
  files: [`src/${room}/**/*.ts`],
  rules: {
    'no-restricted-imports': [
      'error',
      {
        paths: room === 'editor' ? [] : [vscodeOnlyInEditor],
        patterns: [
          ...others(room).map((other) => ({
            regex: `^(\\.\\./)+${other}/`,
            message: `src/${room} may not import src/${other}.`,
          })),
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
  ...arrows,
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
