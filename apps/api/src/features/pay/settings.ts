import type { RequestOf } from '@tallyroom/contract/endpoint'
import type { PaySettings, paySettingsEndpoints } from '@tallyroom/contract/pay-settings'
import { addDays, type Day, todayNewYork } from '@tallyroom/domain/new-york'
import { type AvpRule, payPeriodOf, settingsOn } from '@tallyroom/domain/pay'
import type { Viewer } from '../../access/viewer.ts'
import type { DbOrTx } from '../../db/database.ts'
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
import {
  findPaySettings,
  insertExchangeRate,
  insertPaySettings,
  insertPayState,
  lockBalances,
  type StoredSettings,
  updateFirstDay,
} from './settings.queries.ts'

type Needed = Pick<Services, 'db' | 'clock'>
type Form = RequestOf<typeof paySettingsEndpoints.savePaySettings>['body']

export async function getPaySettings({ db, clock }: Needed): Promise<PaySettings> {
  const calendar = await findCalendar(db)
  const off = { startedAt: null, firstDay: null, now: null, next: null, changesFrom: null }
  if (!calendar) return { on: false, firstDayFixed: false, ...off }
  const { state, settings, closed } = calendar
  const today = todayNewYork(clock.now())
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
  { db, clock }: Needed,
  viewer: Viewer,
  { firstDay, periodLength, ...form }: Form,
): Promise<void> =>
  inTransaction(db, async (tx) => {
    await lockBalances(tx)
    const now = clock.now()
    const today = todayNewYork(now)
    const before = await findCalendar(tx)
    const settings = { ...form, length: periodLength, setAt: now, setBy: viewer.accountId }
    if (!before) {
      if (firstDay === undefined)
        throw invalid({ firstDay: ['Choose the first day of the first period'] })
      refuseFirstDay(firstDay, settings.length, today)
      await insertPayState(tx, now, firstDay)
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
      await updateFirstDay(tx, firstDay)
    }
    const after: Calendar = moved ? { ...before, state: { ...before.state, firstDay } } : before
    return insertPaySettings(tx, { ...settings, fromDay: firstUnbegunDay(after, today) })
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

/** @throws CONFLICT for a period that is closed or has not begun. */
export const saveExchangeRate = (
  { db, clock }: Needed,
  viewer: Viewer,
  rate: { period: string; pesosE4: number; source: string },
): Promise<void> =>
  inTransaction(db, async (tx) => {
    await lockBalances(tx)
    const calendar = await getCalendar(tx)
    const now = clock.now()
    const open = openPeriods(calendar, todayNewYork(now))
    if (!open.some(({ name }) => name === rate.period)) {
      throw conflict(`${rate.period} is not an open period.`)
    }
    await insertExchangeRate(tx, { ...rate, setAt: now, setBy: viewer.accountId })
  })
