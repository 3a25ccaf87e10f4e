import { type Day, NEW_YORK } from '@tallyroom/domain/new-york'
import { type AvpRule, type Payees, type PayLength, WAITING_DAYS } from '@tallyroom/domain/pay'
import { isTimeZone } from '@tallyroom/domain/time-zones'
import { sql } from 'kysely'
import type { DbOrTx, Tx } from '../../db/database.ts'
import { locks, takeLock } from '../../db/locks.ts'
import { insertSealed, insertSealedRows } from '../../seals/index.ts'

/** When pay was switched on, and the first day of its first period. */
export type PayState = { startedAt: Date; firstDay: Day; epoch: number }

export type Settings = {
  payees: Payees
  length: PayLength
  avp: AvpRule
  minimumCentavos: number
  minimumCents: number
  /** How many days after its end a period is paid. */
  holdingDays: number
}

/** Settings of a period, and who saved them. */
export type StoredSettings = Settings & {
  fromDay: Day
  setAt: Date
  setBy: string | null
}

export type ExchangeRate = {
  id: number
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

/** The first day is that of the newest setting that moved it. */
export async function findPayState(db: DbOrTx): Promise<PayState | undefined> {
  const { rows } = await sql<PayState>`
    select
      started_at as "startedAt", epoch,
      coalesce(
        (
          select setting.first_day
          from pay_settings as setting
          where setting.first_day is not null
          order by setting.id desc
          limit 1
        ),
        pay_state.first_day
      ) as "firstDay"
    from pay_state
  `.execute(db)
  return rows[0]
}

/** Whatever changes a balance calls this first. The app's role may not lock a table that it can't change. */
export const lockBalances = (tx: Tx) => takeLock(tx, locks.balances)

/** Whatever decides about proposals, or adjusts, calls this first, before `lockBalances`. */
export const lockProposals = (tx: Tx) => takeLock(tx, locks.proposals)

/** In the order in which they take effect. */
export async function findPaySettings(db: DbOrTx): Promise<StoredSettings[]> {
  const { rows } = await sql<StoredSettings>`
    select
      settings.from_day as "fromDay", settings.payees, settings.period_length as length, settings.avp,
      settings.minimum_centavos as "minimumCentavos", settings.minimum_cents as "minimumCents",
      coalesce(settings.holding_days, 0) as "holdingDays", settings.set_at as "setAt",
      account.username as "setBy"
    from pay_settings as settings
    left join accounts as account on account.id = settings.set_by
    order by settings.from_day, settings.id
  `.execute(db)
  return rows
}

/**
 * How many days after it was entered a new account is paid. A change acts at once, on accounts that are entered
 * afterwards.
 */
export const getWaitingDays = async (db: DbOrTx): Promise<number> =>
  (await findLastSettings(db))?.waiting_days ?? WAITING_DAYS

/** Where execution dates are days. A change acts at once. What SQL made of it and is no zone, `pay verify` names. */
export async function getBankTimeZone(db: DbOrTx): Promise<string> {
  const zone = (await findLastSettings(db))?.bank_time_zone
  return zone != null && isTimeZone(zone) ? zone : NEW_YORK
}

const findLastSettings = (db: DbOrTx) =>
  db
    .selectFrom('pay_settings')
    .select(['waiting_days', 'bank_time_zone'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()

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
      rate.id, rate.period, rate.pesos_e4 as "pesosE4", rate.source, rate.set_by as "setById",
      account.username as "setBy"
    from pay_exchange_rates as rate
    left join accounts as account on account.id = rate.set_by
    order by rate.period, rate.id desc
  `.execute(db)
  return new Map(rows.map(({ period, ...rate }) => [period, rate]))
}

/** The exchange rate that was entered most recently, for whatever period. */
export const findLatestExchangeRate = (db: DbOrTx) =>
  db
    .selectFrom('pay_exchange_rates')
    .select(['period', 'pesos_e4 as pesosE4'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()

export async function insertExchangeRate(
  tx: Tx,
  rate: { period: string; pesosE4: number; source: string; setAt: Date; setBy: number },
): Promise<number> {
  return insertSealed(tx, 'pay_exchange_rates', {
    period: rate.period,
    pesos_e4: rate.pesosE4,
    source: rate.source,
    set_at: rate.setAt,
    set_by: rate.setBy,
  })
}

/** Switches pay on. Violates `pay_state__pk` if it is on. */
export const insertPayState = (tx: Tx, startedAt: Date, firstDay: Day): Promise<void> =>
  insertSealedRows(tx, 'pay_state', { only_row: true, started_at: startedAt, first_day: firstDay })

export async function insertPaySettings(
  tx: Tx,
  settings: Settings & {
    waitingDays: number
    bankTimeZone: string
    fromDay: Day
    movedFirstDay?: Day
    setAt: Date
    setBy: number
  },
): Promise<void> {
  await insertSealed(tx, 'pay_settings', {
    from_day: settings.fromDay,
    first_day: settings.movedFirstDay ?? null,
    payees: settings.payees,
    period_length: settings.length,
    avp: settings.avp,
    minimum_centavos: settings.minimumCentavos,
    minimum_cents: settings.minimumCents,
    holding_days: settings.holdingDays,
    waiting_days: settings.waitingDays,
    bank_time_zone: settings.bankTimeZone,
    set_at: settings.setAt,
    set_by: settings.setBy,
  })
}
