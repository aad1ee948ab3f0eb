import js from '@eslint/js'
import reactHooks from 'eslint-plugin-react-hooks'
import tseslint from 'typescript-eslint'

const time = 'Time and chance are ports: take a Clock or Randomness from main/platform/ports.ts.'
const ports = [
  { selector: "CallExpression[callee.object.name='Date'][callee.property.name='now']", message: time },
  { selector: "NewExpression[callee.name='Date'][arguments.length=0]", message: time },
  { selector: "CallExpression[callee.name='Date']", message: time },
  { selector: 'CallExpression[callee.name=/^(setTimeout|setInterval)$/]', message: time },
  { selector: "CallExpression[callee.object.name='Math'][callee.property.name='random']", message: time },
  { selector: "CallExpression[callee.object.name='performance'][callee.property.name='now']", message: time },
]
const importNames = ['setTimeout', 'setInterval', 'scheduler']
const timersPackage = [
  'error',
  { paths: ['node:timers', 'node:timers/promises'].map((name) => ({ name, importNames, message: time })) },
]

const sql = 'SQL stands in main/store: write a small named function there.'
const statements = [
  { selector: 'CallExpression[callee.property.name=/^(prepare|pragma)$/]', message: sql },
  {
    selector: "CallExpression[callee.property.name='exec'][arguments.0.type=/^(Literal|TemplateLiteral)$/]",
    message: sql,
  },
]

export default tseslint.config(
  { ignores: ['out/', 'dist/', 'coverage/', 'node_modules/', 'test-results/', 'playwright-report/'] },
  js.configs.recommended,
  ...tseslint.configs.strict,
  {
    files: ['**/*.{ts,tsx}'],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'separate-type-imports' }],
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { attributes: false } }],
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      // The compiler already makes every index a question; `!` is the answer where a loop's bounds give it.
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-invalid-void-type': 'off',
      'no-console': 'error',
      eqeqeq: ['error', 'always', { null: 'ignore' }],
    },
  },
  {
    files: ['main/**/*.ts'],
    ignores: ['main/platform/**', 'main/commands/**'],
    rules: { 'no-restricted-syntax': ['error', ...ports, ...statements], 'no-restricted-imports': timersPackage },
  },
  {
    files: ['main/store/**/*.ts'],
    rules: { 'no-restricted-syntax': ['error', ...ports] },
  },
  {
    files: ['main/platform/**/*.ts', 'main/commands/**/*.ts'],
    rules: { 'no-restricted-syntax': ['error', ...statements] },
  },
  {
    // A pure core: nothing it does may depend on the machine it runs on.
    files: ['shared/**/*.ts', 'main/analysis/**/*.ts'],
    rules: {
      'no-restricted-syntax': ['error', ...ports],
      'no-restricted-globals': ['error', 'process', 'Buffer', 'window', 'document', 'fetch'],
    },
  },
  {
    files: ['renderer/**/*.{ts,tsx}'],
    plugins: { 'react-hooks': reactHooks },
    rules: { 'react-hooks/rules-of-hooks': 'error', 'react-hooks/exhaustive-deps': 'error' },
  },
  {
    files: ['test/**/*.{ts,tsx}'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: 'CallExpression[callee.property.name=/^(only|waitForTimeout)$/]',
          message: 'Not in a finished test.',
        },
      ],
    },
  },
  {
    files: ['main/commands/**', 'test/support/**', 'test/bench/**'],
    rules: { 'no-console': 'off' },
  },
  {
    files: ['resources/chat-page/*.js'],
    languageOptions: {
      globals: Object.fromEntries(
        ['AbortController', 'AbortSignal', 'clearTimeout', 'crypto', 'document', 'fetch', 'window'].map((name) => [
          name,
          'readonly',
        ]),
      ),
    },
  },
  {
    files: ['**/*.{js,mjs,cjs}'],
    languageOptions: {
      globals: {
        process: 'readonly',
        console: 'readonly',
        URL: 'readonly',
        setTimeout: 'readonly',
        setInterval: 'readonly',
        clearInterval: 'readonly',
      },
    },
  },
)
