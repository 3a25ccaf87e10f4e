import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { ConfigError, isLoopback, parseConfig, secretVariables, travelsOpenly } from './config.ts'

const folder = mkdtempSync(join(tmpdir(), 'tallyroom-config-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function mistakesOf(environment: NodeJS.ProcessEnv): string[] {
  try {
    parseConfig(environment)
  } catch (error) {
    if (error instanceof ConfigError) return error.mistakes
    throw error
  }
  return []
}

test('without any variables, the configuration is complete', () => {
  const dataDir = process.getuid?.() === 0 ? '/var/lib/tallyroom' : resolve('data')
  expect(parseConfig({})).toEqual({
    port: 3000,
    archiveDir: `${dataDir}/archive`,
    archiveAfterMonths: undefined,
    host: '127.0.0.1',
    dataDir,
    databaseUrl: undefined,
    appDatabaseUrl: undefined,
    reportDatabaseUrl: undefined,
    publicUrl: 'http://127.0.0.1:3000',
    backOfficeHosts: 'any',
    brand: expect.any(String),
    seed: 'demo',
    allowsInsecure: true,
    demoTraffic: 'off',
    captcha: 'on',
    passwordColumn: 'on',
    smtpUrl: undefined,
    secretKeyFile: `${dataDir}/secret.key`,
    webConcurrency: 1,
    busyAfterMs: 2_000,
    clicksAMinute: 600,
    tokenCallsAMinute: 600,
    logLevel: 'info',
    trustProxy: false,
    metricsPort: undefined,
    webhookAllow: { hosts: [], ports: [] },
  })
})

test('a secret may be in a file, as containers have theirs', () => {
  const read = Object.fromEntries(
    Object.entries({
      DATABASE_URL: 'postgres://tallyroom:a@db.internal/tallyroom',
      APP_DATABASE_URL: 'postgres://tallyroom_app:e@db.internal/tallyroom',
      REPORT_DATABASE_URL: 'postgres://tallyroom:b@replica.internal/tallyroom',
      SMTP_URL: 'smtp://user:c@mail.internal:587',
      PARTNER_SECRET: 'd'.repeat(32),
      OIDC_CLIENT_SECRET: 'f',
    }).map(([name, value]) => {
      const file = join(folder, name)
      writeFileSync(file, `${value}\n`)
      return [`${name}_FILE`, file]
    }),
  )
  expect(Object.keys(read)).toEqual(secretVariables.map((name) => `${name}_FILE`))
  const others = {
    PARTNER_ISSUER: 'https://partner.example',
    OIDC_ISSUER: 'https://login.example.com',
    OIDC_CLIENT_ID: 'tallyroom',
    OIDC_NAME: 'Example',
  }
  expect(parseConfig({ ...read, ...others })).toMatchObject({
    databaseUrl: 'postgres://tallyroom:a@db.internal/tallyroom',
    reportDatabaseUrl: 'postgres://tallyroom:b@replica.internal/tallyroom',
    smtpUrl: 'smtp://user:c@mail.internal:587',
    partnerSecret: 'd'.repeat(32),
    provider: { clientSecret: 'f' },
  })
})

test('compose.yaml runs this version with a configuration that it understands', () => {
  const root = join(import.meta.dirname, '../../..')
  const compose = readFileSync(join(root, 'compose.yaml'), 'utf8')
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    version: string
  } // ours
  const [, service = ''] = /\n  tallyroom:\n([\s\S]*?)\n {2}\w+:\n/.exec(compose) ?? []
  expect(service).toContain(`:-tallyroom:${version}}`)

  const secrets = join(folder, 'secrets')
  mkdirSync(secrets)
  for (const name of ['database_url', 'app_database_url'])
    writeFileSync(join(secrets, name), `postgres://${name}:x@database/tallyroom`)
  const environment = [...service.matchAll(/^ {6}([A-Z_]+): (.+)$/gm)].map(
    ([, name, value = '']) => [
      name,
      value
        .replace(/\$\{HOST_NAME:[^}]*\}/, 'office.example.com')
        .replace('/run/secrets', secrets)
        .replaceAll("'", ''),
    ],
  )
  expect(parseConfig({ ...Object.fromEntries(environment), DATA_DIR: folder })).toMatchObject({
    publicUrl: 'https://office.example.com',
    trustProxy: 1,
    seed: 'none',
    databaseUrl: 'postgres://database_url:x@database/tallyroom',
    appDatabaseUrl: 'postgres://app_database_url:x@database/tallyroom',
  })
})

test('a secret is in one place, and a file that has none is a mistake', () => {
  const [empty, full, missing] = ['empty', 'full', 'missing'].map((name) => join(folder, name))
  writeFileSync(empty ?? '', ' \n')
  writeFileSync(full ?? '', 'postgres://user:hunter2@db/tallyroom')
  expect(mistakesOf({ DATABASE_URL: 'postgres://user@other/db', DATABASE_URL_FILE: full })).toEqual(
    ['DATABASE_URL and DATABASE_URL_FILE are both set: choose one'],
  )
  expect(mistakesOf({ DATABASE_URL_FILE: empty })).toEqual([
    `DATABASE_URL_FILE is an empty file: ${empty}`,
  ])
  expect(mistakesOf({ SMTP_URL_FILE: missing })).toEqual([
    `SMTP_URL_FILE cannot be read: ${missing}`,
  ])
})

test('a value in a file has the rules of its variable, and is not repeated', () => {
  const file = join(folder, 'mysql')
  writeFileSync(file, 'mysql://user:hunter2@db/tallyroom')
  expect(mistakesOf({ DATABASE_URL_FILE: file })).toEqual([
    expect.stringMatching(/^DATABASE_URL must be the URL of a PostgreSQL server/),
  ])
  expect(mistakesOf({ DATABASE_URL_FILE: file }).join(' ')).not.toContain('hunter2')
})

test('an empty variable counts as unset', () => {
  expect(parseConfig({ PORT: '', HOST: ' ', DATABASE_URL: '', SEED: '' })).toEqual(parseConfig({}))
})

test.each([
  ['ARCHIVE_AFTER_MONTHS', '1', 'months from 2'],
  ['BACK_OFFICE_HOSTS', 'https://office.example.com', 'host names'],
  ['BACK_OFFICE_HOSTS', 'office.example.com,*', 'host names'],
  ['BACK_OFFICE_HOSTS', 'office.example.com:443', 'host names'],
  ['BACK_OFFICE_HOSTS', '[2001:db8]', 'host names'],
  ['PORT', 'abc', 'port number'],
  ['PORT', '-1', 'port number'],
  ['PORT', '65536', 'port number'],
  ['PORT', '3000.5', 'port number'],
  ['PORT', '1e3', 'port number'],
  ['HOST', 'http://localhost', 'address or a host name'],
  ['HOST', '127.0.0.1:3000', 'address or a host name'],
  ['DATABASE_URL', 'mysql://x/y', 'URL of a PostgreSQL server'],
  ['DATABASE_URL', 'localhost:5432', 'URL of a PostgreSQL server'],
  ['PUBLIC_URL', 'example.com', 'address without a path'],
  ['PUBLIC_URL', 'ftp://example.com', 'address without a path'],
  ['PUBLIC_URL', 'https://example.com/app', 'address without a path'],
  ['PUBLIC_URL', 'https://me:pw@example.com', 'address without a path'],
  ['BRAND', 'acme', 'one of'],
  ['SEED', 'yes', 'one of demo, big, none'],
  ['SEED', 'big', 'set DATABASE_URL'],
  ['CAPTCHA', 'false', 'one of on, off'],
  ['PASSWORD_COLUMN', 'no', 'one of on, reveal, off'],
  ['SMTP_URL', 'mail.example.com', 'URL of a mail server'],
  ['WEB_CONCURRENCY', '0', 'number of processes'],
  ['WEB_CONCURRENCY', '65', 'number of processes'],
  ['BUSY_AFTER_MS', '99', '0, or a number of milliseconds'],
  ['BUSY_AFTER_MS', '2s', 'number of milliseconds'],
  ['LOG', 'xml', 'one of json, pretty'],
  ['LOG_LEVEL', 'loud', 'one of fatal'],
  ['TRUST_PROXY', 'yes please', 'number of proxies'],
  ['TRUST_PROXY', '10.0.0.0/33', 'number of proxies'],
  ['TRUST_PROXY', '10.0.0.1,nonsense', 'number of proxies'],
  ['METRICS_PORT', '0', 'port number'],
  ['METRICS_PORT', '3000', 'differ from PORT'],
  ['REPORT_DATABASE_URL', 'postgres://h/d', 'needs DATABASE_URL'],
])('%s=%s is refused in plain words', (name, value, words) => {
  const mistakes = mistakesOf({ [name]: value })
  expect(mistakes).toHaveLength(1)
  expect(mistakes[0]).toMatch(new RegExp(`^${name} `))
  expect(mistakes[0]).toContain(words)
})

test('all mistakes are reported at once', () => {
  const environment = { PORT: 'x', SEED: 'big', CAPTCHA: 'maybe', LOG_LEVEL: 'loud' }
  expect(mistakesOf(environment).map((text) => text.split(' ')[0])).toEqual([
    'PORT',
    'CAPTCHA',
    'LOG_LEVEL',
    'SEED',
  ])
  expect(() => parseConfig(environment)).toThrow(/^The configuration has 4 mistakes:\n {2}PORT /)
})

test('a password is not repeated', () => {
  const [mistake] = mistakesOf({ DATABASE_URL: 'mysql://me:hunter2@host/db' })
  expect(mistake).not.toContain('hunter2')
})

test.each([
  [{}, 'demo'],
  [{ HOST: 'localhost' }, 'demo'],
  [{ HOST: '0.0.0.0' }, 'none'],
  [{ DATABASE_URL: 'postgres://host/db' }, 'none'],
  [{ PUBLIC_URL: 'https://office.example.com' }, 'none'],
  [{ PUBLIC_URL: 'http://[::1]:3000' }, 'demo'],
  [{ HOST: '0.0.0.0', SEED: 'demo', ALLOW_INSECURE_HOST: 'yes' }, 'demo'],
  [{ SEED: 'none' }, 'none'],
])('%o is seeded with %s', (environment, seed) => {
  expect(parseConfig(environment).seed).toBe(seed)
})

test.each([
  [{}, true],
  [{ HOST: '0.0.0.0' }, false],
  [{ PUBLIC_URL: 'https://office.example.com' }, false],
  [{ PUBLIC_URL: 'https://office.example.com', ALLOW_INSECURE_HOST: 'yes' }, true],
])('%o allows what lets anybody in: %s', (environment, allowed) => {
  expect(parseConfig(environment).allowsInsecure).toBe(allowed)
})

test.each([
  [{ HOST: '0.0.0.0', SEED: 'demo' }, /^SEED demo creates accounts .*ALLOW_INSECURE_HOST=yes$/],
  [{ HOST: '10.0.0.1', CAPTCHA: 'off' }, /^CAPTCHA off lets programs .* ALLOW_INSECURE_HOST=yes$/],
  [{ PUBLIC_URL: 'https://office.example.com', CAPTCHA: 'off' }, /^CAPTCHA off/],
  [{ HOST: '::', SEED: 'big', DATABASE_URL: 'postgres://h/d' }, /^SEED big/],
])('%o is refused because others can reach it', (environment, words) => {
  const mistakes = mistakesOf(environment)
  expect(mistakes).toHaveLength(1)
  expect(mistakes[0]).toMatch(words)
  expect(mistakesOf({ ...environment, ALLOW_INSECURE_HOST: 'no' })).toEqual(mistakes)
  expect(() => parseConfig({ ...environment, ALLOW_INSECURE_HOST: 'yes' })).not.toThrow()
})

test.each([
  ['postgres://u:p@db.internal/d', true],
  ['postgres://u:p@10.0.0.1/d?ssl=true', false],
  ['postgres://u:p@db.internal/d?sslmode=disable', true],
  ['postgres://u:p@db.internal/d?sslmode=require', false],
  ['postgres://u:p@db.internal/d?sslmode=verify-full', false],
  ['postgres://u:p@127.0.0.1/d', false],
  ['postgres://u:p@[::1]/d', false],
  ['postgres://u@%2Fvar%2Frun%2Fpostgresql/d', false],
  ['postgres://u@localhost/d?host=db.internal', true],
])('%s is unencrypted: %s', (url, openly) => {
  expect(travelsOpenly(url)).toBe(openly)
})

test.each([
  [{ PORT: '8080' }, 'http://127.0.0.1:8080'],
  [{ HOST: '::1' }, 'http://[::1]:3000'],
  [{ HOST: '0.0.0.0' }, 'http://localhost:3000'],
  [{ PUBLIC_URL: 'https://Office.Example.com/' }, 'https://office.example.com'],
])('%o is reached at %s', (environment, publicUrl) => {
  expect(parseConfig(environment).publicUrl).toBe(publicUrl)
})

test.each([
  ['off', false],
  ['0', false],
  ['on', 1],
  ['2', 2],
  ['10.0.0.0/8, ::1', ['10.0.0.0/8', '::1']],
])('TRUST_PROXY=%s', (text, trustProxy) => {
  expect(parseConfig({ TRUST_PROXY: text }).trustProxy).toEqual(trustProxy)
})

test('the key is in the data folder unless specified otherwise', () => {
  expect(parseConfig({ DATA_DIR: '/srv/t' }).secretKeyFile).toBe('/srv/t/secret.key')
  expect(parseConfig({ SECRET_KEY_FILE: '/run/key' }).secretKeyFile).toBe('/run/key')
})

test('loopback addresses are those that only this machine can reach', () => {
  expect(['127.0.0.1', '127.8.8.8', '::1', 'localhost'].every(isLoopback)).toBe(true)
  expect(['0.0.0.0', '::', '10.0.0.1', '127.example.com'].some(isLoopback)).toBe(false)
})

test.each([
  [{}, 'any'],
  [{ PUBLIC_URL: 'http://localhost:3000' }, 'any'],
  [{ PUBLIC_URL: 'http://[::1]:3000' }, 'any'],
  [{ PUBLIC_URL: 'https://office.example.com:8443' }, ['office.example.com']],
  [
    { PUBLIC_URL: 'https://office.example.com', BACK_OFFICE_HOSTS: ' Staff.example.com, 10.0.0.5' },
    ['office.example.com', 'staff.example.com', '10.0.0.5'],
  ],
  [{ PUBLIC_URL: 'https://office.example.com.' }, ['office.example.com']],
  [{ BACK_OFFICE_HOSTS: '[2001:DB8:0::1]' }, ['[2001:db8::1]']],
  [{ PUBLIC_URL: 'https://office.example.com', BACK_OFFICE_HOSTS: '*' }, 'any'],
  [{ BACK_OFFICE_HOSTS: 'office.example.com' }, ['office.example.com']],
])('%o shows the back office at %s', (variables, hosts) => {
  expect(parseConfig(variables).backOfficeHosts).toEqual(hosts)
})

test.each(['http://login.example.com', 'http://localhost:8080', 'https://localhost'])(
  'the provider’s issuer is not %s',
  (OIDC_ISSUER) => {
    const others = { OIDC_CLIENT_ID: 'a', OIDC_CLIENT_SECRET: 'b', OIDC_NAME: 'c' }
    expect(mistakesOf({ OIDC_ISSUER, ...others })).toEqual([
      expect.stringMatching(/^OIDC_ISSUER must be the https address/),
    ])
  },
)
