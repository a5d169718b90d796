// What the compiler does not see: values nobody uses, promises nobody waits for, and the like. Layout is prettier's.

import tseslint from 'typescript-eslint';

export default tseslint.config(
  { ignores: ['dist/', 'node_modules/', 'public/', 'public-site/', 'src/api/schema.ts'] },
  tseslint.configs.recommended,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    files: ['src/**/*.{ts,tsx}', 'tests/**/*.ts', 'wasm/**/*.ts'],
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      eqeqeq: ['error', 'always', { null: 'ignore' }],
    },
  },
  {
    // Programs of Node that hand functions to a browser: the compiler does not read them.
    files: ['**/*.mjs'],
    rules: { 'no-undef': 'off' },
  },
);
