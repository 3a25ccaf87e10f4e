import { randomInt, randomUUID } from 'node:crypto'
import type { ClickIdFields } from '@tallyroom/domain/click-id'
import { couponKey, couponLook } from '@tallyroom/domain/coupons'
import { roleNumber } from '@tallyroom/domain/roles'
import type { Insertable } from 'kysely'
import type { DbOrTx } from '../src/db/database.ts'
import type { DB } from '../src/db/types.ts'
import { recordGrant } from '../src/people/accounts/pay-grants.queries.ts'

/**
 * Builders of a small world. Each inserts one row with sensible defaults and unique names and returns its id;
 * `values` overrides the columns a test is about.
 */
type Values<Table extends keyof DB> = Partial<Insertable<DB[Table]>>
type ValuesWith<
  Table extends keyof DB,
  Needed extends keyof Insertable<DB[Table]>,
> = Values<Table> & Pick<Insertable<DB[Table]>, Needed>

/** The default creation time: before every day that tests use. */
const longAgo = new Date('2020-01-01T12:00:00Z')

/**
 * An office with its account. It may sell all sites, built before or later (see {@link buildSite}), or with `sells`
 * only those.
 */
export async function buildOffice(
  db: DbOrTx,
  values: Values<'offices'> & { username?: string; sells?: readonly number[] } = {},
): Promise<number> {
  const { username, sells, ...columns } = values
  const { id } = await db
    .insertInto('offices')
    .values({ name: unique('Office'), created_at: longAgo, ...columns })
    .returning('id')
    .executeTakeFirstOrThrow()
  await buildAccount(db, {
    role: roleNumber('company'),
    office_id: id,
    ...(username && { username }),
  })
  const siteIds = sells ?? (await idsOf(db, 'sites'))
  await offer(
    db,
    siteIds.map((siteId) => ({ office_id: id, site_id: siteId })),
  )
  return id
}

/** An approved, active agent with an account. */
export async function buildAgent(
  db: DbOrTx,
  values: ValuesWith<'agents', 'office_id'> & { username?: string },
): Promise<number> {
  const { username, ...columns } = values
  const { id } = await db
    .insertInto('agents')
    .values({ approved_at: longAgo, created_at: longAgo, ...columns })
    .returning('id')
    .executeTakeFirstOrThrow()
  await buildAccount(db, { role: roleNumber('agent'), agent_id: id, ...(username && { username }) })
  return id
}

const hashOfNothing =
  '$argon2id$v=19$m=8,t=1,p=1$ohFH9f1J9LYeVNdKOnabLQ$LEBBVr3IK8RzasStInOnK0jm7QwbSOGmNu99kXAAlLs'

/** A superadmin unless `values` say otherwise. Nobody knows the password. */
export async function buildAccount(db: DbOrTx, values: Values<'accounts'> = {}): Promise<number> {
  const role = values.role ?? roleNumber('superadmin')
  const { id } = await db
    .insertInto('accounts')
    .values({
      role,
      username: unique('user'),
      password_hash: hashOfNothing,
      created_at: longAgo,
      ...values,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  if (role === roleNumber('superadmin') || values.pay)
    await recordGrant(db, { accountId: id, granted: true, by: 'operator', at: longAgo })
  return id
}

/** An active domain. */
export async function buildDomain(
  db: DbOrTx,
  values: Values<'preferred_domains'> = {},
): Promise<number> {
  const { id } = await db
    .insertInto('preferred_domains')
    .values({ domain: `https://${unique('go')}.example`, created_at: longAgo, ...values })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** An active site that every office built so far may sell, or with `soldBy` only those. */
export async function buildSite(
  db: DbOrTx,
  values: Values<'sites'> & { soldBy?: readonly number[] } = {},
): Promise<number> {
  const { soldBy, ...columns } = values
  const name = unique('site')
  const { id } = await db
    .insertInto('sites')
    .values({
      sitename: `${name}.example`,
      shortname: name,
      abbr: name.slice(-10),
      url: `https://${name}.example`,
      type: 'DATING',
      created_at: longAgo,
      ...columns,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const officeIds = soldBy ?? (await idsOf(db, 'offices'))
  await offer(
    db,
    officeIds.map((officeId) => ({ office_id: officeId, site_id: id })),
  )
  return id
}

async function idsOf(db: DbOrTx, table: 'offices' | 'sites'): Promise<number[]> {
  const rows = await db.selectFrom(table).select('id').execute()
  return rows.map(({ id }) => id)
}

async function offer(db: DbOrTx, rows: Insertable<DB['office_sites']>[]): Promise<void> {
  if (rows.length > 0) await db.insertInto('office_sites').values(rows).execute()
}

/** The manual of a site: `<p>Smile.</p>`. */
export async function buildManual(
  db: DbOrTx,
  values: ValuesWith<'site_manuals', 'site_id'>,
): Promise<number> {
  const { id } = await db
    .insertInto('site_manuals')
    .values({ title: 'How to sell', html: '<p>Smile.</p>', updated_at: longAgo, ...values })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** A code of an agent for all link types of a site, always in force. */
export async function buildCoupon(
  db: DbOrTx,
  values: ValuesWith<'coupons', 'site_id' | 'agent_id'>,
): Promise<number> {
  const { code = unique('CODE') } = values
  const { id } = await db
    .insertInto('coupons')
    .values({
      code,
      code_key: couponKey(code),
      look: couponLook(code),
      starts_at: longAgo,
      made_at: longAgo,
      made_by: 1,
      ...values,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** An active link type without bonus: ₱500.00, $25.00, 1 point. */
export async function buildLinkType(
  db: DbOrTx,
  values: ValuesWith<'link_types', 'site_id'> & Amounts,
): Promise<number> {
  const name = unique('type')
  const [amounts, columns] = parted(values)
  const { id } = await db
    .insertInto('link_types')
    .values({
      typename: name,
      typealias: name,
      url: `https://landing.example/${name}`,
      created_at: longAgo,
      ...columns,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await buildRate(db, { type_id: id, ...amounts })
  return id
}

/**
 * A link type's default rates, always in force: ₱500.00, $25.00, 1 point, no bonus. Replaces those
 * it had.
 */
export async function buildRate(
  db: DbOrTx,
  values: ValuesWith<'rates', 'type_id'>,
): Promise<number> {
  const { id } = await db
    .insertInto('rates')
    .values({
      payout_centavos: 500_00,
      earning_cents: 25_00,
      lpp: 1,
      bonus_payout_centavos: 0,
      bonus_earning_cents: 0,
      bonus_lpp: 0,
      ...values,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

type Amounts = Partial<Record<(typeof amountColumns)[number], number>>

const amountColumns = [
  'payout_centavos',
  'earning_cents',
  'lpp',
  'bonus_payout_centavos',
  'bonus_earning_cents',
  'bonus_lpp',
] as const

/** The amounts, plus all other columns. */
function parted<Given extends Amounts>(values: Given): [Amounts, Omit<Given, keyof Amounts>] {
  const {
    payout_centavos,
    earning_cents,
    lpp,
    bonus_payout_centavos,
    bonus_earning_cents,
    bonus_lpp,
    ...others
  } = values
  const amounts = {
    payout_centavos,
    earning_cents,
    lpp,
    bonus_payout_centavos,
    bonus_earning_cents,
    bonus_lpp,
  }
  const given = Object.entries(amounts).filter(([, amount]) => amount !== undefined)
  return [Object.fromEntries(given), others]
}

/**
 * An office's own rates for a link type, enabled and always in force: ₱700.00, $35.00, 2 points;
 * bonus ₱70.00, $3.50, 1 point. Replaces those it had.
 */
export const buildFee = (
  db: DbOrTx,
  values: ValuesWith<'rates', 'type_id' | 'office_id'>,
): Promise<number> =>
  buildRate(db, {
    payout_centavos: 700_00,
    earning_cents: 35_00,
    lpp: 2,
    bonus_payout_centavos: 70_00,
    bonus_earning_cents: 3_50,
    bonus_lpp: 1,
    ...values,
  })

/** A backdating from a time without any sales. Returns its id. */
export async function buildBackdating(
  db: DbOrTx,
  { type_id, office_id }: { type_id: number; office_id: number | null },
): Promise<number> {
  const { id } = await db
    .insertInto('rate_backdatings')
    .values({
      type_id,
      office_id,
      valid_from: longAgo,
      reason: 'Agreed by phone',
      request_id: randomUUID(),
      sales: 0,
      payout_centavos: 0,
      earning_cents: 0,
      made_at: longAgo,
      made_by: 1,
      made_by_name: 'superadmin',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await buildRate(db, { type_id, office_id, valid_from: longAgo, backdating_id: id })
  return id
}

/**
 * The row of a counted, unique click, without its totals. Its site, which is that of its link type, is ignored. Returns
 * the fields of its public id.
 */
export async function buildClick(
  db: DbOrTx,
  given: ValuesWith<'clicks', 'agent_id' | 'office_id' | 'type_id'> & {
    clicked_at?: Date
    site_id?: number
  },
): Promise<ClickIdFields> {
  const { clicked_at: clickedAt = longAgo, nonce = randomInt(2 ** 25), ...values } = given
  delete values.site_id
  await db
    .insertInto('clicks')
    .values({
      is_unique: true,
      ip: '203.0.113.7',
      ...values,
      clicked_at: clickedAt,
      nonce,
    })
    .execute()
  return {
    clickedAtMs: clickedAt.getTime(),
    agentId: values.agent_id,
    typeId: values.type_id,
    nonce,
  }
}

let built = 0

const unique = (what: string) => `${what}-${++built}`
