import { defineConfig } from 'oxlint'
import { rooms } from './scripts/project.mjs'

/** What an `import` may not name. `regex` is one of Rust's: it knows no lookahead. */
type Ban = { regex: string; message: string; allowTypeImports?: boolean }

const bans = (message: string, ...regexes: string[]): Ban[] =>
  regexes.map((regex) => ({ regex, message }))

/** One rule for these files; the last entry that fits a file counts, and replaces those before it. */
const imports = (files: string[], ...banned: Ban[][]) => ({
  files,
  rules: { 'no-restricted-imports': ['error', { patterns: banned.flat() }] as const },
})

const app = bans(
  'Server and web share the domain and the contract only.',
  '^@tallyroom/(api|web)(/|$)',
)
const ours = bans('The domain imports nothing of ours.', '^@tallyroom/')
const node = bans('The domain does no I/O (docs/ARCHITECTURE.md).', '^node:')
const sql: Ban[] = [
  { regex: '^(kysely|pg)$', message: 'SQL belongs in *.queries.ts.', allowTypeImports: true },
]
const http = bans('HTTP belongs in http/ and *.routes.ts.', '^(fastify|@fastify/.*)$')
/** The server's floors, bottom up: each may import those before it. Seven of them are rooms. */
const floors = [
  'db|lib',
  'errors',
  'access',
  'totals|seals|notices',
  'services|forms',
  'http',
  ...rooms,
  'app|start',
  'server|cli',
]
const above = (floor: string) =>
  bans(
    `Imports go one way: ${floors.map((one) => one.replace('|', ', ')).join(' → ')}.`,
    String.raw`^(\./|(\.\./)+)(${floors.slice(floors.indexOf(floor) + 1).join('|')})(/|\.ts$)`,
  )
/** `index.ts`, or anything else: what a room is used through. */
const inside = '([^i]|i[^n]|in[^d])'
const doors = bans(
  'From outside, a room is used through its index.ts.',
  String.raw`^(\./|(\.\./)+)(totals|seals|notices|${rooms.join('|')})/${inside}`,
)

const web = (folders: string) =>
  bans('Imports go one way: lib, ui → shared → rooms → app.', String.raw`^(\.\./)+(${folders})/`)

/** A room's own files: its SQL, its routes, and all else. */
const inRoom = (room: string) => {
  const banned = [app, above(room), doors]
  return [
    imports([`apps/api/src/${room}/**`], ...banned, sql, http),
    imports([`apps/api/src/${room}/**/*.queries.ts`], ...banned, http),
    imports([`apps/api/src/${room}/**/*.routes.ts`], ...banned, sql),
  ]
}

export default defineConfig({
  jsPlugins: ['./scripts/one-instant.mjs'],
  plugins: [
    'typescript',
    'unicorn',
    'oxc',
    'import',
    'react',
    'promise',
    'node',
    'vitest',
    'jsx-a11y',
  ],
  categories: { correctness: 'error', suspicious: 'error', perf: 'error' },
  env: { builtin: true },
  ignorePatterns: ['node_modules', 'dist', 'data', '.cache', 'apps/api/src/db/types.ts'],
  rules: {
    'typescript/no-explicit-any': 'error',
    'typescript/no-floating-promises': 'error',
    'typescript/no-misused-promises': 'error',
    'typescript/switch-exhaustiveness-check': [
      'error',
      { considerDefaultExhaustiveForUnions: true },
    ],
    'typescript/consistent-type-imports': 'error',
    'import/no-cycle': 'error',
    'react/exhaustive-deps': 'error',
    'react/rules-of-hooks': 'error',
    'no-console': 'error',
    eqeqeq: ['error', 'always', { null: 'ignore' }],
    'react/no-unstable-nested-components': ['error', { allowAsProps: true }],
    'jsx-a11y/control-has-associated-label': ['error', { ignoreElements: ['tr', 'td'] }],
    'react/react-in-jsx-scope': 'off',
    'no-await-in-loop': 'off',
    'import/no-named-as-default-member': 'off',
    'import/no-unassigned-import': 'off',
    'oxc/no-map-spread': 'off',
    'typescript/no-unsafe-type-assertion': 'off',
    'typescript/unbound-method': 'off',
    'typescript/consistent-return': 'off',
    'jsx-a11y/prefer-tag-over-role': 'off',
    'jsx-a11y/no-noninteractive-tabindex': 'off',
    'jsx-a11y/no-autofocus': 'off',
    'vitest/no-standalone-expect': 'off',
    'vitest/expect-expect': ['error', { assertFunctionNames: ['expect', 'expect*', 'until'] }],
    'typescript/require-array-sort-compare': ['error', { ignoreStringArrays: true }],
    'vitest/no-conditional-expect': 'off',
    'vitest/require-to-throw-message': 'off',
    'promise/always-return': 'off',
    'unicorn/consistent-function-scoping': 'off',
    'no-control-regex': 'off',
    'no-underscore-dangle': ['error', { allow: ['_zod', '_form'] }],
    'no-unmodified-loop-condition': 'off',
    'react/exhaustive-effect-dependencies': 'off',
    'react/globals': 'off',
  },
  overrides: [
    {
      files: ['packages/*/src/**', 'apps/web/src/**'],
      rules: { 'typescript/no-deprecated': 'error' },
    },
    imports(['packages/domain/src/**'], ours, node),
    imports(['packages/domain/src/**/*.test.ts'], ours),
    imports(['packages/contract/src/**'], app),

    imports(['apps/api/src/{db,lib}/**'], app, http, above('db|lib')),
    imports(['apps/api/src/access/**'], app, http, above('access')),
    imports(['apps/api/src/{totals,seals,notices}/**'], app, http, above('totals|seals|notices')),
    imports(['apps/api/src/http/**'], app, above('http')),
    ...rooms.flatMap(inRoom),
    imports(['apps/api/src/{start/**,app.ts,cli.ts,server.ts}'], app, doors),
    // The one redirects visitors before the program is loaded, so it loads only what that takes. The other chooses between one
    // server and a cluster, whose folders nothing else may name.
    imports(['apps/api/src/start/{first-stage,stores}.ts'], app),
    imports([`apps/api/src/{${rooms.join(',')},seals,totals,notices,start}/**/*.test.ts`], app),

    imports(['apps/web/src/{lib,ui}/**'], app, web(`shared|${rooms.join('|')}|app`)),
    imports(['apps/web/src/shared/**'], app, web(`${rooms.join('|')}|app`)),
    imports(
      [`apps/web/src/{${rooms.join(',')}}/**`],
      app,
      web('app'),
      bans(
        'Features of the browser do not import each other; what several need is in shared/.',
        String.raw`^\.\./(?!(lib|ui|shared)/)[a-z][a-z-]*/`,
        String.raw`^(\.\./)+(${rooms.join('|')})/`,
      ),
    ),
    imports(['apps/web/src/app/**'], app),

    {
      files: ['apps/api/{src,test}/**'],
      rules: { 'tallyroom/one-instant': 'error' },
    },
    {
      files: ['e2e/**'],
      rules: { 'react/rules-of-hooks': 'off', 'no-empty-pattern': 'off' },
    },
    {
      files: [
        'scripts/**',
        'bench/**',
        'apps/api/src/{cli,server}.ts',
        'apps/api/src/start/{announce,account-commands,archive-commands,commands,run,stores}.ts',
      ],
      rules: { 'no-console': 'off' },
    },
  ],
})
