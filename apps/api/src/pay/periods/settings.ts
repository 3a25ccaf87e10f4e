import type { RequestOf } from '@tallyroom/contract/endpoint'
import type { PaySettings, paySettingsEndpoints } from '@tallyroom/contract/pay/settings'
import { addDays, type Day, todayNewYork } from '@tallyroom/domain/new-york'
import { type AvpRule, type PayPeriod, payPeriodOf, settingsOn } from '@tallyroom/domain/pay'
import { differsMuch, MOST_RATE_PERCENT } from '@tallyroom/domain/pay-limits'
import { rateText } from '@tallyroom/contract/pay/statement-sections'
import type { Viewer } from '../../access/viewer.ts'
import type { DbOrTx, Tx } from '../../db/database.ts'
import { inTransaction } from '../../db/transaction.ts'
import { conflict, invalid } from '../../errors.ts'
import type { Services } from '../../services.ts'
import {
  type Calendar,
  findCalendar,
  firstUnbegunDay,
  getCalendar,
  openPeriods,
} from './calendar.ts'
import { findPayers } from './payers.ts'
import { findAdjustmentLimits, insertProposal, type Proposal } from './proposals.queries.ts'
import {
  type ExchangeRate,
  findExchangeRates,
  findPaySettings,
  getBankTimeZone,
  getWaitingDays,
  insertExchangeRate,
  insertPaySettings,
  insertPayState,
  lockBalances,
  lockProposals,
  type StoredSettings,
} from './settings.queries.ts'

type Needed = Pick<Services, 'db'>
type Form = RequestOf<typeof paySettingsEndpoints.savePaySettings>['body']
type FullForm = { [Name in keyof Form]-?: NonNullable<Form[Name]> }

export async function getPaySettings({
  config,
  db,
  clock,
}: Pick<Services, 'config' | 'db' | 'clock'>): Promise<PaySettings> {
  const moment = clock.now()
  const calendar = await findCalendar(db)
  const off = { startedAt: null, firstDay: null, now: null, next: null, changesFrom: null }
  const always = {
    waitingDays: await getWaitingDays(db),
    bankTimeZone: await getBankTimeZone(db),
    adjustmentLimits: (await findAdjustmentLimits(db)).limits,
    ...(await findPayers(db, moment)),
    passwordsShown: config.passwordColumn === 'on',
  }
  if (!calendar) return { on: false, firstDayFixed: false, ...off, ...always }
  const { state, settings, closed } = calendar
  const today = todayNewYork(moment)
  const now = settingsOn(settings, today)
  const last = settings.at(-1) ?? now
  return {
    on: true,
    startedAt: state.startedAt.toISOString(),
    firstDay: state.firstDay,
    firstDayFixed: closed.length > 0,
    now: presentSettings(now),
    next: last.fromDay > today && last !== now ? presentSettings(last) : null,
    changesFrom: firstUnbegunDay(calendar, today),
    ...always,
  }
}

/** What the form of the settings has; undefined while pay is off. */
export async function findPaySettingsForm(db: DbOrTx): Promise<FullForm | undefined> {
  const calendar = await findCalendar(db)
  const last = calendar?.settings.at(-1)
  if (!calendar || !last) return undefined
  const { payees, length, avp, minimumCentavos, minimumCents, holdingDays } = last
  const { firstDay } = calendar.state
  return {
    payees,
    periodLength: length,
    avp,
    minimumCentavos,
    minimumCents,
    holdingDays,
    firstDay,
    waitingDays: await getWaitingDays(db),
    bankTimeZone: await getBankTimeZone(db),
  }
}

/** How AVP is paid, and from which day on, oldest first. Empty while pay is off. */
export async function findAvpRules(db: DbOrTx): Promise<{ fromDay: Day; avp: AvpRule }[]> {
  const settings = await findPaySettings(db)
  return settings
    .map(({ fromDay, avp }) => ({ fromDay, avp }))
    .filter(({ avp }, index, all) => avp !== all[index - 1]?.avp)
}

const presentSettings = ({ length, ...settings }: StoredSettings) => ({
  ...settings,
  setAt: settings.setAt.toISOString(),
  periodLength: length,
})

/**
 * Saves the settings. The first save switches pay on. Events recorded before that are never booked.
 *
 * @throws VALIDATION_ERROR if the first day is missing, can no longer change, or is not the first day of a period.
 */
export const savePaySettings = (
  { db }: Needed,
  viewer: Viewer,
  { firstDay, periodLength, waitingDays, bankTimeZone, ...form }: Form,
): Promise<void> =>
  inTransaction(db, async (tx) => {
    await lockBalances(tx)
    const today = todayNewYork(tx.now)
    const before = await findCalendar(tx)
    const settings = {
      ...form,
      holdingDays: form.holdingDays ?? before?.settings.at(-1)?.holdingDays ?? 0,
      length: periodLength,
      waitingDays: waitingDays ?? (await getWaitingDays(tx)),
      bankTimeZone: bankTimeZone ?? (await getBankTimeZone(tx)),
      setAt: tx.now,
      setBy: viewer.accountId,
    }
    if (!before) {
      if (firstDay === undefined)
        throw invalid({ firstDay: ['Choose the first day of the first period'] })
      refuseFirstDay(firstDay, settings.length, today)
      await insertPayState(tx, tx.now, firstDay)
      return insertPaySettings(tx, { ...settings, fromDay: firstDay })
    }
    const moved = firstDay !== undefined && firstDay !== before.state.firstDay
    if (moved) {
      if (before.closed.length > 0) {
        throw invalid({
          firstDay: [
            `can’t change any more: a period has been closed since ${before.state.firstDay}`,
          ],
        })
      }
      refuseFirstDay(firstDay, settings.length, today)
    }
    const after: Calendar = moved ? { ...before, state: { ...before.state, firstDay } } : before
    return insertPaySettings(tx, {
      ...settings,
      fromDay: firstUnbegunDay(after, today),
      ...(moved && { movedFirstDay: firstDay }),
    })
  })

function refuseFirstDay(firstDay: Day, length: StoredSettings['length'], today: Day): void {
  if (payPeriodOf(firstDay, length).start !== firstDay) {
    throw invalid({ firstDay: ['must be the first day of a period'] })
  }
  if (firstDay < addDays(today, -MOST_DAYS) || firstDay > addDays(today, MOST_DAYS)) {
    throw invalid({ firstDay: ['must be within a year of today'] })
  }
}

const MOST_DAYS = 366

/**
 * Saves a period's exchange rate, or leaves it to a second person if it differs much from the one before. Returns the id
 * of the proposal that waits.
 *
 * @throws CONFLICT for a period that is closed or has not begun.
 */
export const saveExchangeRate = (
  { db }: Needed,
  viewer: Viewer,
  { period, pesosE4, source }: { period: string; pesosE4: number; source: string },
): Promise<number | null> =>
  inTransaction(db, async (tx) => {
    await lockBalances(tx)
    const calendar = await getCalendar(tx)
    const periods = openPeriods(calendar, todayNewYork(tx.now))
    const open = periods.find(({ name }) => name === period)
    if (!open) throw conflict(`${period} is not an open period.`)
    const rates = await findExchangeRates(tx)
    const before = rateBefore(calendar, rates, open, periods)
    if (!before || !differsMuch(pesosE4, before.pesosE4)) {
      const set = { setAt: tx.now, setBy: viewer.accountId }
      await insertExchangeRate(tx, { period, pesosE4, source, ...set })
      return null
    }
    return insertProposal(tx, {
      act: { kind: 'exchange rate', period, pesosE4, replaces: rates.get(period)?.id ?? null },
      reason: source,
      why: `It differs by more than ${MOST_RATE_PERCENT} % from ${rateText(before.pesosE4)} of ${before.period}.`,
      madeAt: tx.now,
      madeBy: { id: viewer.accountId, name: viewer.username },
    })
  })

/** The exchange rate of the last period before this one that has one, be it closed or open. */
export function rateBefore(
  { closed }: Pick<Calendar, 'closed'>,
  rates: ReadonlyMap<string, Pick<ExchangeRate, 'pesosE4'>>,
  { start: day }: Pick<PayPeriod, 'start'>,
  open: readonly Pick<PayPeriod, 'name' | 'start'>[],
): { period: string; pesosE4: number } | undefined {
  const known = [
    ...closed.map(({ name, start, pesosE4 }) => ({ period: name, start, pesosE4 })),
    ...open.map(({ name, start }) => ({
      period: name,
      start,
      pesosE4: rates.get(name)?.pesosE4 ?? null,
    })),
  ]
  const last = known.findLast(({ start, pesosE4 }) => start < day && pesosE4 !== null)
  return last?.pesosE4 ? { period: last.period, pesosE4: last.pesosE4 } : undefined
}

/** Why a proposed exchange rate can't be approved any more; undefined if it can. */
export async function whyRateOutdated(
  db: DbOrTx,
  { act }: Proposal<'exchange rate'>,
): Promise<string | undefined> {
  const { closed } = await getCalendar(db)
  if (closed.some(({ name }) => name === act.period))
    return `${act.period} is closed, so its exchange rate can’t change any more.`
  const now = (await findExchangeRates(db)).get(act.period)
  return (now?.id ?? null) === act.replaces
    ? undefined
    : `${rateText(now?.pesosE4 ?? 0)} was entered for ${act.period} in the meantime.`
}

/** Saves an exchange rate that a second person approves. It bears the name of whoever entered it. Returns its id. */
export const saveProposedRate = (
  tx: Tx,
  { act: { period, pesosE4 }, reason, madeBy }: Proposal<'exchange rate'>,
): Promise<number> =>
  insertExchangeRate(tx, { period, pesosE4, source: reason, setAt: tx.now, setBy: madeBy.id })

/**
 * Proposes other limits, which act once a second person has approved them. Returns the proposal's id.
 *
 * @throws VALIDATION_ERROR if nothing would change; CONFLICT until pay is switched on.
 */
export const proposeLimits = (
  { db }: Needed,
  viewer: Viewer,
  {
    adjustmentCentavos: PHP,
    adjustmentCents: USD,
    reason,
  }: { adjustmentCentavos: number; adjustmentCents: number; reason: string },
): Promise<number> =>
  inTransaction(db, async (tx) => {
    await lockProposals(tx)
    await getCalendar(tx)
    const { limits, proposalId } = await findAdjustmentLimits(tx)
    if (limits.PHP === PHP && limits.USD === USD)
      throw invalid({ _form: ['These are the limits already.'] })
    return insertProposal(tx, {
      act: { kind: 'limits', limits: { PHP, USD }, replaces: proposalId },
      reason,
      why: 'Limits are changed by two people.',
      madeAt: tx.now,
      madeBy: { id: viewer.accountId, name: viewer.username },
    })
  })

/** Why proposed limits can't be approved any more; undefined if they can. */
export async function whyLimitsOutdated(
  db: DbOrTx,
  { act }: Proposal<'limits'>,
): Promise<string | undefined> {
  const { proposalId } = await findAdjustmentLimits(db)
  return proposalId === act.replaces ? undefined : 'The limits were changed in the meantime.'
}
