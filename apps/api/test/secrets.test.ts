import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Endpoint } from '@tallyroom/contract/endpoint'
import { type EndpointName, endpoints } from '@tallyroom/contract/endpoints'
import { TOKEN_GROUPS } from '@tallyroom/contract/token-groups'
import { type Credential, handingOf, type SecretKind } from '@tallyroom/domain/secrets'
import { roleNumber } from '@tallyroom/domain/roles'
import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import { buildApp } from '../src/app.ts'
import { inTransaction } from '../src/db/transaction.ts'
import { webhookSeals } from '../src/desk/partner-postbacks/webhook-secret.ts'
import { accountOf } from '../src/people/accounts/account.ts'
import { selectAccounts } from '../src/people/accounts/accounts.queries.ts'
import { passwordColumn } from '../src/people/accounts/password-column.ts'
import { openSession } from '../src/people/sessions/open-session.ts'
import { makeSiteKeys } from '../src/tracking/site-keys/site-keys.ts'
import {
  accountOfCaller,
  buildFirstLink,
  buildHome,
  callers,
  type Home,
  objects,
  tokenOfCaller,
} from './access-matrix-world.ts'
import { type Case, matrix } from './access-matrix.ts'
import { buildAccount } from './build-world.ts'
import { testDatabase } from './database.ts'
import { send } from './send.ts'
import { testServices } from './services.ts'

const database = await testDatabase()
const { db } = database
const dataDir = await mkdtemp(join(tmpdir(), 'tallyroom-secrets-'))
const services = testServices(database, {
  environment: { DATA_DIR: dataDir, TOKEN_CALLS_A_MINUTE: '999999' },
})
const { secret } = services
await buildFirstLink(db)
const root = await buildAccount(db, { username: 'root' })
/** Each line of the server's log, of all levels. */
const logged: string[] = []
const app = await buildApp(services, {
  logger: { level: 'trace', stream: { write: (line: string) => void logged.push(line) } },
})
afterAll(async () => {
  await app.close()
  await rm(dataDir, { recursive: true })
})

const holders = ['agent', 'office', 'admin with all flags', 'superadmin who may delete'] as const
type Holder = (typeof holders)[number]
const isStaff = (holder: Holder) => holder !== 'agent' && holder !== 'office'

const TEN_MINUTES_MS = 10 * 60_000

/** How a holder makes a call. Partners and *Sign in as* know no staff. */
const ways: Record<
  Exclude<Credential, 'nobody'>,
  (holder: Holder, home: Home) => Promise<string>
> = {
  token: (holder, home) => tokenOfCaller(services, holder, home, TOKEN_GROUPS),
  'Sign in as': (holder, home) => sessionOf(holder, home, { by: 'superadmin' }),
  'partner session': (holder, home) => sessionOf(holder, home, { by: 'partner' }),
  'proved partner session': (holder, home) =>
    sessionOf(holder, home, { by: 'partner', provedMs: 0 }),
  'older session': (holder, home) => sessionOf(holder, home, { provedMs: TEN_MINUTES_MS }),
  // The last one, as its calls are not refused.
  'proved session': (holder, home) => sessionOf(holder, home, { provedMs: 0 }),
}
const credentials = Object.keys(ways) as (keyof typeof ways)[] // the keys of a constant
const notOfStaff: ReadonlySet<Credential> = new Set([
  'Sign in as',
  'partner session',
  'proved partner session',
])

/** What is looked for in answers. Secrets that are made by the call itself are known by their form. */
const planted = {
  password: 'Planted-Passw0rd-7731',
  'account number': '1234567890',
  'delivery token': 'planted-token-of-deliveries',
} as const satisfies Partial<Record<SecretKind, string>>
const forms = {
  'webhook secret': /whsec_[\w+/=]{20}/,
  'API token': /tly_\w{20}/,
} as const satisfies Partial<Record<SecretKind, RegExp>>

const siteKeys = makeSiteKeys(services)
const passwords = passwordColumn(services)

const table: Record<EndpointName, Endpoint> = endpoints
const names = (Object.keys(endpoints) as EndpointName[]).filter(
  (name) => table[name].ability !== 'public',
)

/** The kinds that some answer had, so that the search is known to find them. */
const found = new Set<SecretKind>()

// What is answered does not depend on where rows are.
describe.skipIf(database.layout === 'distributed').each(names)('%s', (name) => {
  test.each(matrix[name].map((one) => [one.kind ?? 'nothing', one] as const))(
    'about %s hands a secret only to whom the table does',
    async (_, one) => {
      for (const holder of holders) expect(await wronglyHanded(holder, name, one)).toEqual([])
    },
    300_000,
  )
})

test.skipIf(database.layout === 'distributed')(
  'the search finds each kind where it belongs',
  () => {
    expect([...found].toSorted()).toEqual(
      [...Object.keys(planted), ...Object.keys(forms), 'postback key'].toSorted(),
    )
  },
)

test.skipIf(database.layout === 'distributed')(
  'nothing that is logged, mailed or kept about these calls has one',
  async () => {
    expect(logged.length).toBeGreaterThan(0)
    for (const line of logged) expect([line, await secretsIn(line)]).toEqual([line, []])
    await expect.poll(findUnsent).toEqual([])
    const outbox = join(dataDir, 'outbox')
    const mails = await readdir(outbox)
    expect(mails.length).toBeGreaterThan(0)
    for (const mail of mails) {
      const text = await readFile(join(outbox, mail), 'utf8')
      expect([text, await secretsIn(text)]).toEqual([text, []])
    }
    for (const name of ['audit_log', 'facts', 'deliveries', 'postbacks', 'mails']) {
      const { rows } = await sql<{ text: string }>`
        select to_jsonb(kept)::text as text from ${sql.table(name)} as kept
      `.execute(db)
      const all = rows.map(({ text }) => text).join('\n')
      expect([name, rows.length > 0, await secretsIn(all)]).toEqual([name, true, []])
    }
  },
)

const findUnsent = () =>
  db.selectFrom('mails').select('subject').where('next_try_at', 'is not', null).execute()

type Handed = { holder: Holder; credential: Credential; wrong: SecretKind[] }

/** What is handed although the table does not say so. Makes a call in every way of a holder that the matrix lets make it, each about an object of its own. */
async function wronglyHanded(
  holder: Holder,
  name: EndpointName,
  { kind, sentFor, answers }: Case,
): Promise<Handed[]> {
  const all: Handed[] = []
  const target = 'own' in answers ? 'own' : 'any'
  if ((answers[target] ?? '').split(' ')[callers.indexOf(holder)] !== '200') return all
  for (const credential of credentials) {
    if (isStaff(holder) && notOfStaff.has(credential)) continue
    const home = await buildHome(db)
    await objects.partnerPostback.own(db, home)
    const build = kind && (objects[kind] as Record<string, typeof objects.office.own>)[target]
    const sent = sentFor((await build?.(db, home)) as never)
    await plant()
    const token = await ways[credential](holder, home)
    const answer = await send(app, table[name], sent, { token, ip: nextAddress() })
    const told = `${JSON.stringify(answer.headers)}\n${answer.body}`
    const handed = await secretsIn(told)
    const wrong = handed.filter((one) => handingOf(one, credential) !== 'now')
    if (wrong.length > 0) all.push({ holder, credential, wrong })
    for (const one of handed) found.add(one)
  }
  return all
}

async function secretsIn(told: string): Promise<SecretKind[]> {
  const kinds: SecretKind[] = []
  for (const [kind, text] of entriesOf(planted)) if (told.includes(text)) kinds.push(kind)
  for (const [kind, form] of entriesOf(forms)) if (form.test(told)) kinds.push(kind)
  const keys = [...(await siteKeys.findAll()).values()].flat()
  if (keys.some((key) => told.includes(key))) kinds.push('postback key')
  return kinds
}

const entriesOf = <Key extends string, Value>(record: Record<Key, Value>) =>
  Object.entries(record) as [Key, Value][] // Object.entries forgets the key type

/** Gives every account that can have one a readable password, every site a key, and every target its token. */
async function plant(): Promise<void> {
  const accounts = await db
    .selectFrom('accounts')
    .select('id')
    .where('password_sealed', 'is', null)
    .where('role', '<>', roleNumber('superadmin'))
    .where('pay', '=', false)
    .execute()
  for (const { id } of accounts) {
    const sealed = passwords.seal(id, planted.password)
    await db.updateTable('accounts').set({ password_sealed: sealed }).where('id', '=', id).execute()
  }
  const keyless = await db
    .selectFrom('sites')
    .select('id')
    .where('deleted_at', 'is', null)
    .where('id', 'not in', db.selectFrom('site_keys').select('site_id'))
    .execute()
  for (const { id } of keyless) await siteKeys.provide(id)
  const seals = webhookSeals(services)
  const targets = await db
    .selectFrom('postback_targets')
    .select(['id', 'format'])
    .where('token', 'not like', `${planted['delivery token']}%`)
    .execute()
  for (const { id, format } of targets) {
    const token = `${planted['delivery token']}-${id}`
    const sealed = seals.seal(token, `whsec_${'A'.repeat(44)}`)
    await db
      .updateTable('postback_targets')
      .set({ token, ...(format === 'webhook' && { sealed_secret: sealed }) })
      .where('id', '=', id)
      .execute()
  }
}

/** A session as one was opened, without its ceremony. */
async function sessionOf(
  holder: Holder,
  home: Home,
  { by, provedMs }: { by?: 'partner' | 'superadmin'; provedMs?: number },
): Promise<string> {
  const { accountId } = await accountOfCaller(db, holder, home)
  const account = await selectAccounts(db)
    .where('accounts.id', '=', accountId)
    .executeTakeFirstOrThrow()
  return inTransaction(db, async (tx) => {
    const visit = { ip: '203.0.113.7', userAgent: 'a test', now: tx.now, secret }
    const own =
      by === 'superadmin'
        ? { signedInBy: { accountId: root, sessionId: await rootSession() } }
        : {
            byPartner: by === 'partner',
            provedBy: provedMs === undefined ? undefined : ('password' as const),
          }
    const token = await openSession(tx, { account: accountOf(account), ...visit, ...own })
    if (provedMs)
      await tx
        .updateTable('sessions')
        .set({ proved_at: new Date(tx.now.getTime() - provedMs) })
        .where('account_id', '=', accountId)
        .where('proved_at', 'is not', null)
        .execute()
    return token
  })
}

/** The superadmin’s own, from which *Sign in as* begins. */
async function rootSession(): Promise<string> {
  const account = await selectAccounts(db).where('accounts.id', '=', root).executeTakeFirstOrThrow()
  await inTransaction(db, (tx) =>
    openSession(tx, {
      account: accountOf(account),
      ip: '203.0.113.7',
      userAgent: 'a test',
      now: tx.now,
      secret,
      provedBy: 'password',
    }),
  )
  const { id } = await db
    .selectFrom('sessions')
    .select('id')
    .where('account_id', '=', root)
    .where('ended_at', 'is', null)
    .limit(1)
    .executeTakeFirstOrThrow()
  return id
}

let calls = 0
const nextAddress = () => `10.2.${Math.floor(++calls / 250)}.${calls % 250}`
