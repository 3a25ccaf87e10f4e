import type { AnswerOf, RequestOf } from '@tallyroom/contract/endpoint'
import type { PaySettings, paySettingsEndpoints } from '@tallyroom/contract/pay/terms/settings'
import { fromMinorUnits } from '@tallyroom/domain/money'
import { addDays, type Day, todayNewYork } from '@tallyroom/domain/new-york'
import { type AvpRule, payPeriodOf, settingsOn } from '@tallyroom/domain/pay'
import type { Viewer } from '../../access/viewer.ts'
import type { DbOrTx } from '../../db/database.ts'
import { arePayoutsShown } from '../../catalogue/index.ts'
import { inSnapshot, inTransaction } from '../../db/transaction.ts'
import { invalid } from '../../errors.ts'
import type { Services } from '../../services.ts'
import { findAdjustmentLimits } from '../ledger/proposals.queries.ts'
import { type Calendar, findCalendar, firstUnbegunDay } from '../terms/calendar.ts'
import { sumRecordedBefore } from '../bookings/left-out.queries.ts'
import { findPayers } from '../terms/payers.ts'
import {
  findPaySettings,
  findPayState,
  getBankTimeZone,
  getWaitingDays,
  insertPaySettings,
  insertPayState,
  lockBalances,
  type StoredSettings,
} from '../terms/settings.queries.ts'

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
    payoutsShown: await arePayoutsShown(db),
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

/** What a first day leaves out, because it was recorded before pay was switched on, or before now while it is off. */
export async function findLeftOut(
  { reportDb }: Pick<Services, 'reportDb'>,
  firstDay: Day,
): Promise<AnswerOf<typeof paySettingsEndpoints.payLeftOut>> {
  return inSnapshot(reportDb, async (tx) => {
    const state = await findPayState(tx)
    const before = state?.startedAt ?? tx.now
    const { sales, payoutCentavos } = await sumRecordedBefore(tx, { firstDay, before })
    return { sales, payout: fromMinorUnits(payoutCentavos) }
  })
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
