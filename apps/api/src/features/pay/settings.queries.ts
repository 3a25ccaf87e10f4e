import type { Day } from '@tallyroom/domain/new-york'
import type { AvpRule, Payees, PayLength } from '@tallyroom/domain/pay'
import { sql } from 'kysely'
import type { DbOrTx, Tx } from '../../db/database.ts'

/** When pay was switched on, and the first day of its first period. */
export type PayState = { startedAt: Date; firstDay: Day; epoch: number }

export type Settings = {
  payees: Payees
  length: PayLength
  avp: AvpRule
  minimumCentavos: number
  minimumCents: number
}

export type StoredSettings = Settings & {
  fromDay: Day
  setAt: Date
  setBy: string | null
}

export type ExchangeRate = {
  pesosE4: number
  source: string
  setById: number
  setBy: string | null
}

export type ClosedPeriod = {
  id: number
  name: string
  start: Day
  end: Day
  payees: Payees
  length: PayLength
  avp: AvpRule
  pesosE4: number | null
  pesosSource: string | null
  pesosSetBy: string | null
  closedAt: Date
  closedBy: string
}

export const findPayState = async (db: DbOrTx): Promise<PayState | undefined> =>
  db
    .selectFrom('pay_state')
    .select(['started_at as startedAt', 'first_day as firstDay', 'epoch'])
    .executeTakeFirst()

/**
 * Serializes changes of balances until the transaction ends. Whatever changes a balance calls this first, so that
 * entries are numbered in commit order.
 */
export const lockBalances = (tx: Tx) =>
  sql`lock table pay_state in share row exclusive mode`.execute(tx)

/** In the order in which they take effect. */
export async function findPaySettings(db: DbOrTx): Promise<StoredSettings[]> {
  const { rows } = await sql<StoredSettings>`
    select
      settings.from_day as "fromDay", settings.payees, settings.period_length as length, settings.avp,
      settings.minimum_centavos as "minimumCentavos", settings.minimum_cents as "minimumCents",
      settings.set_at as "setAt", account.username as "setBy"
    from pay_settings as settings
    left join accounts as account on account.id = settings.set_by
    order by settings.from_day, settings.id
  `.execute(db)
  return rows
}

/** Oldest first. */
export async function findClosedPeriods(db: DbOrTx): Promise<ClosedPeriod[]> {
  const { rows } = await sql<ClosedPeriod>`
    select
      period.id, period.name, period.start_day as start, period.end_day as "end", period.payees,
      period.period_length as length, period.avp, period.pesos_e4 as "pesosE4",
      period.pesos_source as "pesosSource", account.username as "pesosSetBy",
      period.closed_at as "closedAt", period.closed_by_name as "closedBy"
    from pay_periods as period
    left join accounts as account on account.id = period.pesos_set_by
    order by period.start_day
  `.execute(db)
  return rows
}

/** The latest exchange rate entered for each open or closed period. */
export async function findExchangeRates(db: DbOrTx): Promise<Map<string, ExchangeRate>> {
  const { rows } = await sql<ExchangeRate & { period: string }>`
    select distinct on (rate.period)
      rate.period, rate.pesos_e4 as "pesosE4", rate.source, rate.set_by as "setById",
      account.username as "setBy"
    from pay_exchange_rates as rate
    left join accounts as account on account.id = rate.set_by
    order by rate.period, rate.id desc
  `.execute(db)
  return new Map(rows.map(({ period, ...rate }) => [period, rate]))
}

/** The exchange rate that was entered most recently, for whatever period. */
export const findLatestExchangeRate = (
  db: DbOrTx,
): Promise<{ period: string; pesosE4: number } | undefined> =>
  db
    .selectFrom('pay_exchange_rates')
    .select(['period', 'pesos_e4 as pesosE4'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()

export async function insertExchangeRate(
  tx: Tx,
  rate: { period: string; pesosE4: number; source: string; setAt: Date; setBy: number },
): Promise<void> {
  await tx
    .insertInto('pay_exchange_rates')
    .values({
      period: rate.period,
      pesos_e4: rate.pesosE4,
      source: rate.source,
      set_at: rate.setAt,
      set_by: rate.setBy,
    })
    .execute()
}

/** Switches pay on. Does nothing if it is on. */
export async function insertPayState(tx: Tx, startedAt: Date, firstDay: Day): Promise<void> {
  await tx
    .insertInto('pay_state')
    .values({ started_at: startedAt, first_day: firstDay })
    .onConflict((on) => on.doNothing())
    .execute()
}

export async function updateFirstDay(tx: Tx, firstDay: Day): Promise<void> {
  await tx.updateTable('pay_state').set({ first_day: firstDay }).execute()
}

export async function insertPaySettings(
  tx: Tx,
  settings: Settings & { fromDay: Day; setAt: Date; setBy: number },
): Promise<void> {
  await tx
    .insertInto('pay_settings')
    .values({
      from_day: settings.fromDay,
      payees: settings.payees,
      period_length: settings.length,
      avp: settings.avp,
      minimum_centavos: settings.minimumCentavos,
      minimum_cents: settings.minimumCents,
      set_at: settings.setAt,
      set_by: settings.setBy,
    })
    .execute()
}
