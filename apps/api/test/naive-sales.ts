import { sql } from 'kysely'
import type { Db } from '../src/db/database.ts'

/** What one event counts for; amounts in cents and centavos. */
export type Counted = {
  day: string
  agent: number
  office: number
  type: number
  sales: number
  bonuses: number
  avp: number
  earning: number
  bonusEarning: number
  payout: number
  bonusPayout: number
  lpp: number
}

const numbers = [
  'sales',
  'bonuses',
  'avp',
  'earning',
  'bonusEarning',
  'payout',
  'bonusPayout',
  'lpp',
] as const

/** What the reversal of a sale or bonus counts for, apart from AVP. */
export function negated(one: Omit<Counted, 'day'>): Omit<Counted, 'day'> {
  const negative = { ...one }
  for (const number of numbers) negative[number] = 0 - one[number]
  return { ...negative, avp: 0 }
}

/** What a reversal deducts from the week of its sale. */
export function outOfWeek(sale: Counted): Counted {
  const nothing = Object.fromEntries(numbers.map((number) => [number, 0]))
  return { ...sale, ...nothing, avp: 0 - sale.avp }
}

export const dayInNewYork = (iso: string): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' }).format(new Date(iso))

/** Sorted, so that lists can be compared. */
export const sorted = (rows: readonly Counted[]): Counted[] =>
  rows.toSorted((a, b) => (JSON.stringify(ordered(a)) < JSON.stringify(ordered(b)) ? -1 : 1))

const ordered = (row: Counted) => Object.entries(row).toSorted(([a], [b]) => (a < b ? -1 : 1))

/** By day, agent, office and link type. */
export function summed(rows: readonly Counted[]): Counted[] {
  const sums = new Map<string, Counted>()
  for (const row of rows) {
    const key = `${row.day} ${row.agent} ${row.office} ${row.type}`
    const sum = sums.get(key)
    if (!sum) {
      sums.set(key, { ...row })
      continue
    }
    for (const number of numbers) sum[number] += row[number]
  }
  return sorted([...sums.values()])
}

/** The events of a site as the database has them. */
export async function recordedEvents(db: Db, siteId: number): Promise<Counted[]> {
  const { rows } = await sql<Counted>`
    select
      to_char(occurred_at at time zone 'America/New_York', 'YYYY-MM-DD') as day,
      agent_id as agent, office_id as office, type_id as type,
      case when event_type = 0 then quantity else 0 end as sales,
      case when event_type = 1 then quantity else 0 end as bonuses,
      case when event_type = 0 and avp and quantity = 1 then 1 else 0 end as avp,
      case when event_type = 0 then earning_cents else 0 end as earning,
      case when event_type = 1 then earning_cents else 0 end as "bonusEarning",
      case when event_type = 0 then payout_centavos else 0 end as payout,
      case when event_type = 1 then payout_centavos else 0 end as "bonusPayout",
      lpp
    from sale_events
    where site_id = ${siteId}
  `.execute(db)
  return sorted(rows)
}

/** The pending totals of a site, summed. */
export async function recordedTotals(db: Db, siteId: number): Promise<Counted[]> {
  const { rows } = await sql<Counted>`
    select
      day, agent_id as agent, office_id as office, type_id as type,
      sum(sales) as sales, sum(bonus_sales) as bonuses, sum(avp_sales) as avp,
      sum(earning_cents)::bigint as earning, sum(bonus_earning_cents)::bigint as "bonusEarning",
      sum(payout_centavos)::bigint as payout, sum(bonus_payout_centavos)::bigint as "bonusPayout",
      sum(lpp) as lpp
    from totals_pending
    where site_id = ${siteId}
    group by day, agent_id, office_id, type_id
  `.execute(db)
  return sorted(rows)
}

/** Earning, payout and points of one event. */
export type Worth = readonly [earning: number, payout: number, lpp: number]

/** What a sale or bonus must count for. */
export function naiveEvent(event: {
  isSale: boolean
  isAvp: boolean
  agent: number
  office: number
  type: number
  worth: { sale: Worth; bonus: Worth }
}): Omit<Counted, 'day'> {
  const { isSale, isAvp, agent, office, type } = event
  const [earning, payout, lpp] = isSale ? event.worth.sale : event.worth.bonus
  return {
    agent,
    office,
    type,
    sales: isSale ? 1 : 0,
    bonuses: isSale ? 0 : 1,
    avp: isSale && isAvp ? 1 : 0,
    earning: isSale ? earning : 0,
    bonusEarning: isSale ? 0 : earning,
    payout: isSale ? payout : 0,
    bonusPayout: isSale ? 0 : payout,
    lpp,
  }
}
