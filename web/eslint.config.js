// Lint rules for the scripts of the tests. `make lint` runs ESLint in the root, so paths are relative to it.
import globals from 'globals'

export default [
  { ignores: ['**/records/', '**/golden/'] },
  {
    files: ['tests/**/*.js', 'tests/**/*.mjs'],
    languageOptions: { ecmaVersion: 2024 },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      'no-undef': 'error',
      'no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      'no-const-assign': 'error',
      'no-dupe-keys': 'error',
      'no-redeclare': 'error',
      'no-shadow': 'error',
      'no-unreachable': 'error',
      'no-var': 'error',
      'prefer-const': 'error',
      eqeqeq: 'error',
      'array-callback-return': 'error',
      'no-constant-condition': 'error',
      'no-unsafe-optional-chaining': 'error',
      'max-len': ['error', { code: 160 }],
    },
  },
  { files: ['tests/**/*.js'], languageOptions: { globals: globals.browser } },
  { files: ['tests/**/*.mjs'], languageOptions: { globals: globals.node } },
]
