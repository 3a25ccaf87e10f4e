import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { join, resolve } from 'node:path'
import { BRAND_KEYS, DEFAULT_BRAND } from '@tallyroom/domain/brands/index'
import { hostNameOf } from '@tallyroom/domain/web-origin'
import { z } from 'zod'
import { LOG_FORMATS } from './lib/log/make-logger.ts'
import { OperatorError } from './lib/operator-error.ts'
import { parseAllowedTargets } from './lib/net/public-address.ts'

export type Config = ReturnType<typeof parseConfig>

/** Invalid environment variables. The message lists all of them, one sentence each. */
export class ConfigError extends OperatorError {
  override readonly name = 'ConfigError'
  readonly mistakes: string[]

  constructor(mistakes: string[]) {
    const count = mistakes.length === 1 ? 'one mistake' : `${mistakes.length} mistakes`
    super([`The configuration has ${count}:`, ...mistakes.map((text) => `  ${text}`)].join('\n'))
    this.mistakes = mistakes
  }
}

/**
 * What may have a password inside. Each can also be in a file that the variable with `_FILE` names, as containers have their
 * secrets: the environment of a process is easier to see than a file.
 */
export const secretVariables = [
  'DATABASE_URL',
  'APP_DATABASE_URL',
  'REPORT_DATABASE_URL',
  'SMTP_URL',
  'PARTNER_SECRET',
  'OIDC_CLIENT_SECRET',
] as const

/**
 * Reads the configuration from the environment. An empty variable counts as unset. docs/operations.md describes
 * each variable.
 *
 * @throws {ConfigError} listing every mistake, without repeating values that may contain a password.
 */
export function parseConfig(environment: NodeJS.ProcessEnv) {
  const set = Object.fromEntries(
    Object.entries(environment)
      .map(([name, value]) => [name, value?.trim()])
      .filter(([, value]) => value !== ''),
  )
  const { given, mistakes: unread } = withSecretFiles(set)
  const parsed = variables.safeParse(given)
  const mistakes = [
    ...unread,
    ...(parsed.error?.issues ?? []).map(({ path, message }) => `${path.join('.')} ${message}`),
    ...contradictions(given),
  ]
  if (!parsed.success || mistakes.length > 0) throw new ConfigError(mistakes)

  const env = parsed.data
  const dataDir = resolve(env.DATA_DIR ?? defaultDataDir())
  const isEmbedded = env.DATABASE_URL === undefined
  return {
    /** 0 picks any free port. */
    port: env.PORT,
    host: env.HOST,
    /** Absolute path of the embedded database, the secret key and the click spool. */
    dataDir,
    /** Undefined for the embedded engine. */
    databaseUrl: env.DATABASE_URL,
    /** The same database, for the app's own sessions: as a user who can't become the owner. */
    appDatabaseUrl: env.APP_DATABASE_URL,
    /** A replica for reports. */
    reportDatabaseUrl: env.REPORT_DATABASE_URL,
    /** The origin that browsers and merchants use, without a trailing slash. */
    publicUrl: env.PUBLIC_URL ?? `http://${hostInUrl(env.HOST)}:${env.PORT}`,
    /** Host names that show the back office, besides loopback. `any`: every host name. */
    backOfficeHosts: backOfficeHostsOf(env),
    brand: env.BRAND,
    /** Seed data for an empty database. */
    seed: env.SEED ?? (isEmbedded && !isPublic(given) ? 'demo' : 'none'),
    /** Whether what lets anybody in is allowed: nobody else can reach the server, or the operator wants it. */
    allowsInsecure: !isPublic(given) || env.ALLOW_INSECURE_HOST === 'yes',
    /** Whether made-up visitors are started with the server (demo world only). */
    demoTraffic: env.DEMO_TRAFFIC,
    /** `off` is for automation only. */
    captcha: env.CAPTCHA,
    /** `reveal` shows a password only on request. `off` stores only hashes. */
    passwordColumn: env.PASSWORD_COLUMN,
    /** If undefined, mails are written to the outbox folder in `dataDir`. */
    smtpUrl: env.SMTP_URL,
    /** The sender of mails. */
    mailFrom: env.MAIL_FROM,
    /** The secret with which a partner system signs sign-ins; undefined if there is no partner. */
    partnerSecret: env.PARTNER_SECRET,
    /** The `iss` of its tokens. */
    partnerIssuer: env.PARTNER_ISSUER,
    /** Through which staff can sign in (OpenID Connect); undefined if there is none. */
    provider: providerOf(env),
    secretKeyFile: resolve(env.SECRET_KEY_FILE ?? join(dataDir, 'secret.key')),
    webConcurrency: env.WEB_CONCURRENCY,
    /** Event loop delay in milliseconds above which back-office calls get 503; 0 for never. */
    busyAfterMs: env.BUSY_AFTER_MS,
    /** Maximum clicks of one subscriber on one link that count per minute; 0 for no limit. */
    clicksAMinute: env.CLICKS_A_MINUTE,
    /** Maximum calls of one API token per minute, in each process. */
    tokenCallsAMinute: env.TOKEN_CALLS_A_MINUTE,
    logLevel: env.LOG_LEVEL,
    /** Undefined: what suits whoever reads the output. */
    logFormat: env.LOG,
    /** Whose X-Forwarded-For is trusted: nobody's, that of the given number of proxies, or of these addresses. */
    trustProxy: env.TRUST_PROXY,
    /** Where webhooks may go, beyond public web servers. Postbacks to partners may only use its further ports. */
    webhookAllow: env.WEBHOOK_ALLOW,
    archiveDir: resolve(env.ARCHIVE_DIR ?? join(dataDir, 'archive')),
    /** The age in months at which clicks are archived; undefined for never. */
    archiveAfterMonths: env.ARCHIVE_AFTER_MONTHS,
    /** If undefined, /metrics is not served. */
    metricsPort: env.METRICS_PORT,
  }
}

/** Whether a server that listens on `host` is reachable only from this machine. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d+){3}$/.test(host)
}

/**
 * Whether a connection to this database leaves the machine unencrypted, according to `sslmode`. For a socket,
 * the host (or the `host` parameter) is its percent-encoded folder.
 */
export function travelsOpenly(databaseUrl: string): boolean {
  const url = new URL(databaseUrl)
  const host = url.searchParams.get('host') ?? decodeURIComponent(url.hostname)
  if (host === '' || host.startsWith('/') || isLoopback(host.replace(/^\[(.*)\]$/, '$1')))
    return false
  const mode = url.searchParams.get('sslmode') ?? process.env['PGSSLMODE'] ?? 'disable'
  // The driver uses TLS for every other mode.
  return mode === 'disable' && !/^(1|true)$/.test(url.searchParams.get('ssl') ?? '')
}

/** Whether other machines can reach the server, directly or through a proxy. */
function isPublic(given: NodeJS.ProcessEnv): boolean {
  const origin = URL.parse(given['PUBLIC_URL'] ?? '')?.hostname.replace(/^\[(.*)\]$/, '$1')
  return !isLoopback(given['HOST'] ?? 'localhost') || (origin !== undefined && !isLoopback(origin))
}

const port = (lowest: number) =>
  z
    .string()
    .regex(/^\d{1,5}$/, `must be a port number from ${lowest} to 65535`)
    .transform(Number)
    .refine((value) => value >= lowest && value <= 65_535, {
      error: `must be a port number from ${lowest} to 65535`,
      abort: true,
    })

const oneOf = <const Values extends readonly string[]>(values: Values) =>
  z.enum(values, { error: `must be one of ${values.join(', ')}` })

const url = (protocols: string[], message: string) =>
  z.string().refine((text) => protocols.includes(URL.parse(text)?.protocol ?? ''), message)

const postgresUrl = url(
  ['postgres:', 'postgresql:'],
  'must be the URL of a PostgreSQL server, such as postgres://user:password@host:5432/database',
)

const proxyMessage =
  'must be off, on (one proxy), a number of proxies, or a list of proxy addresses such as 10.0.0.0/8,::1'

const trustProxy = z.string().transform((text, context): false | number | string[] => {
  if (/^(off|false|0)$/i.test(text)) return false
  if (/^(on|true)$/i.test(text)) return 1
  if (/^\d{1,2}$/.test(text)) return Number(text)
  const addresses = text.split(',').map((address) => address.trim())
  if (!addresses.every(isNetwork)) context.addIssue(proxyMessage)
  return addresses
})

const webhookAllow = z.string().transform((text, context) => {
  const allowed = parseAllowedTargets(text)
  if (allowed) return allowed
  context.addIssue(
    'must be a list of hosts or networks with their port, and of ports of public addresses, such as 10.1.2.3:8080,10.2.0.0/16:8080,*:8443',
  )
  return z.NEVER
})

const variables = z.object({
  PORT: port(0).default(3000),
  HOST: z
    .string()
    .refine((host) => isIP(host) !== 0 || /^[a-z\d]([a-z\d.-]*[a-z\d])?$/i.test(host), {
      error: 'must be an address or a host name to listen on, such as 127.0.0.1 or 0.0.0.0',
    })
    .default('127.0.0.1'),
  DATA_DIR: z.string().optional(),
  ARCHIVE_DIR: z.string().optional(),
  DATABASE_URL: postgresUrl.optional(),
  APP_DATABASE_URL: postgresUrl.optional(),
  REPORT_DATABASE_URL: postgresUrl.optional(),
  PUBLIC_URL: z
    .string()
    .refine(isOrigin, 'must be an address without a path, such as https://office.example.com')
    .transform((text) => new URL(text).origin)
    .optional(),
  BACK_OFFICE_HOSTS: z
    .string()
    .transform((text) =>
      text
        .toLowerCase()
        .split(',')
        .map((host) => host.trim()),
    )
    .refine((hosts) => (hosts.length === 1 && hosts[0] === '*') || hosts.every(isHostName), {
      error:
        'must be a list of host names such as office.example.com,10.0.0.5, or * for every host name',
    })
    .optional(),
  BRAND: oneOf(BRAND_KEYS).default(DEFAULT_BRAND),
  SEED: oneOf(['demo', 'big', 'none']).optional(),
  CAPTCHA: oneOf(['on', 'off']).default('on'),
  DEMO_TRAFFIC: oneOf(['on', 'off']).default('off'),
  ALLOW_INSECURE_HOST: oneOf(['yes', 'no']).default('no'),
  PASSWORD_COLUMN: oneOf(['on', 'reveal', 'off']).default('on'),
  SMTP_URL: url(
    ['smtp:', 'smtps:'],
    'must be the URL of a mail server, such as smtp://user:password@host:587',
  ).optional(),
  MAIL_FROM: z.email('must be the email address of the sender').optional(),
  PARTNER_SECRET: z.string().min(32, 'must have at least 32 characters').optional(),
  PARTNER_ISSUER: z.string().max(200, 'must have at most 200 characters').optional(),
  OIDC_ISSUER: z
    .string()
    .refine(
      isIssuer,
      'must be the https address that the provider calls its issuer, such as https://login.example.com',
    )
    .optional(),
  OIDC_CLIENT_ID: z.string().max(200, 'must have at most 200 characters').optional(),
  OIDC_CLIENT_SECRET: z.string().max(500, 'must have at most 500 characters').optional(),
  OIDC_NAME: z
    .string()
    .regex(
      /^[^\p{C}\p{Z}](?:[^\p{C}]{0,28}[^\p{C}\p{Z}])?$/u,
      'must be a name of at most 30 characters',
    )
    .optional(),
  SECRET_KEY_FILE: z.string().optional(),
  WEB_CONCURRENCY: z
    .string()
    .regex(/^([1-9]|[1-5]\d|6[0-4])$/, 'must be a number of processes from 1 to 64')
    .transform(Number)
    .default(1),
  BUSY_AFTER_MS: z
    .string()
    .regex(/^(0|[1-9]\d{2,4})$/, 'must be 0, or a number of milliseconds from 100 to 99999')
    .transform(Number)
    .default(2_000),
  CLICKS_A_MINUTE: z
    .string()
    .regex(/^\d{1,6}$/, 'must be a number of clicks from 0 (no limit) to 999999')
    .transform(Number)
    .default(600),
  TOKEN_CALLS_A_MINUTE: z
    .string()
    .regex(/^[1-9]\d{0,5}$/, 'must be a number of calls from 1 to 999999')
    .transform(Number)
    .default(600),
  LOG: oneOf(LOG_FORMATS).optional(),
  LOG_LEVEL: oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  TRUST_PROXY: trustProxy.default(false),
  WEBHOOK_ALLOW: webhookAllow.default({ hosts: [], ports: [] }),
  METRICS_PORT: port(1).optional(),
  ARCHIVE_AFTER_MONTHS: z
    .string()
    .regex(/^(off|[2-9]|[1-9]\d{1,2})$/, 'must be off, or a number of months from 2 to 999')
    .transform((text) => (text === 'off' ? undefined : Number(text)))
    .optional(),
})

/** All of it, or nothing. */
function providerOf({
  OIDC_ISSUER: issuer,
  OIDC_CLIENT_ID: clientId,
  OIDC_CLIENT_SECRET: clientSecret,
  OIDC_NAME: name,
}: z.output<typeof variables>) {
  return issuer && clientId && clientSecret && name
    ? { issuer, clientId, clientSecret, name }
    : undefined
}

/** Without a public address, nobody knows at which name the back office is. */
function backOfficeHostsOf(env: z.output<typeof variables>): readonly string[] | 'any' {
  const { BACK_OFFICE_HOSTS: named = [], PUBLIC_URL: publicUrl } = env
  if (named.includes('*') || (named.length === 0 && publicUrl === undefined)) return 'any'
  const host = publicUrl === undefined ? [] : [hostNameOf(publicUrl)]
  if (named.length === 0 && host.every((one) => isLoopback(one.replace(/^\[(.*)\]$/, '$1'))))
    return 'any'
  // An IPv6 address has several spellings, of which browsers send the shortest.
  return [
    ...host,
    ...named.map((name) => (name.startsWith('[') ? hostNameOf(`http://${name}`) : name)),
  ]
}

const isHostName = (text: string): boolean =>
  /^(?:[a-z\d](?:[a-z\d.-]*[a-z\d])?|\[[\da-f:.]+\])$/.test(text) && URL.canParse(`http://${text}`)

/** The variables that are set, and those in files. */
function withSecretFiles(set: NodeJS.ProcessEnv) {
  const given = { ...set }
  const mistakes: string[] = []
  for (const name of secretVariables) {
    const file = set[`${name}_FILE`]
    if (file === undefined) continue
    if (set[name] !== undefined) {
      mistakes.push(`${name} and ${name}_FILE are both set: choose one`)
      continue
    }
    const text = readSecret(file)
    if (text) given[name] = text
    else
      mistakes.push(`${name}_FILE ${text === '' ? 'is an empty file' : 'cannot be read'}: ${file}`)
  }
  return { given, mistakes }
}

function readSecret(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    return undefined
  }
}

/** Conflicts between variables. */
function contradictions(given: NodeJS.ProcessEnv): string[] {
  const found: string[] = []
  if (given['SEED'] === 'big' && given['DATABASE_URL'] === undefined) {
    found.push('SEED big needs a separate PostgreSQL server: set DATABASE_URL')
  }
  if (given['REPORT_DATABASE_URL'] !== undefined && given['DATABASE_URL'] === undefined) {
    found.push('REPORT_DATABASE_URL needs DATABASE_URL: the embedded database has no replica')
  }
  if (given['APP_DATABASE_URL'] !== undefined && given['DATABASE_URL'] === undefined) {
    found.push(
      'APP_DATABASE_URL needs DATABASE_URL: the app has its own login to the embedded database',
    )
  }
  if (given['METRICS_PORT'] !== undefined && given['METRICS_PORT'] === (given['PORT'] ?? '3000')) {
    found.push('METRICS_PORT must differ from PORT')
  }
  if ((given['PARTNER_SECRET'] === undefined) !== (given['PARTNER_ISSUER'] === undefined)) {
    found.push(
      'PARTNER_SECRET and PARTNER_ISSUER belong together: set both, or none if no partner system signs users in',
    )
  }
  const ofProvider = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET', 'OIDC_NAME']
  const unset = ofProvider.filter((name) => given[name] === undefined)
  if (unset.length > 0 && unset.length < ofProvider.length) {
    found.push(
      `${unset.join(', ')} must be set as well: the variables of a sign-in provider belong together`,
    )
  }
  if (isPublic(given) && given['ALLOW_INSECURE_HOST'] !== 'yes') {
    const unless =
      'while others can reach this server. To allow it anyway, set ALLOW_INSECURE_HOST=yes'
    if (given['SEED'] === 'demo' || given['SEED'] === 'big') {
      found.push(
        `SEED ${given['SEED']} creates accounts with publicly known passwords, which is refused ${unless}`,
      )
    }
    if (given['CAPTCHA'] === 'off') {
      found.push(`CAPTCHA off lets programs guess passwords, which is refused ${unless}`)
    }
  }
  return found
}

function defaultDataDir(): string {
  // The user that runs the database under root usually cannot enter root's home folder.
  return process.getuid?.() === 0 ? '/var/lib/tallyroom' : './data'
}

function hostInUrl(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost'
  return isIP(host) === 6 ? `[${host}]` : host
}

function isOrigin(text: string): boolean {
  const parsed = URL.parse(text)
  return (
    parsed !== null && /^https?:$/.test(parsed.protocol) && /^https?:\/\/[^/?#@\\]+\/?$/i.test(text)
  )
}

/** Without TLS only on this machine, where nobody reads along. */
function isIssuer(text: string): boolean {
  const parsed = URL.parse(text)
  // A name of this machine is never connected to: who answers by it depends on the machine.
  if (!parsed || /[?#@\s]/.test(text) || /(^|\.)localhost\.?$/.test(parsed.hostname)) return false
  return (
    parsed.protocol === 'https:' || (parsed.protocol === 'http:' && isLoopback(parsed.hostname))
  )
}

function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const version = isIP(address)
  if (version === 0 || rest.length > 0) return false
  return (
    bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
  )
}
