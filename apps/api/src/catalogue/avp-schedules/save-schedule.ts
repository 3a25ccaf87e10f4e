import type {
  AvpSchedule,
  AvpScheduleForm,
  avpSchedulesEndpoints,
} from '@tallyroom/contract/catalogue/avp-schedules'
import type { RequestOf } from '@tallyroom/contract/endpoint'
import { fromMinorUnits, minorUnitsOf } from '@tallyroom/domain/money'
import { addDays, type Day, todayNewYork } from '@tallyroom/domain/new-york'
import { periodOf } from '@tallyroom/domain/periods'
import type { DbOrTx, Tx } from '../../db/database.ts'
import { inTransaction } from '../../db/transaction.ts'
import { conflict, invalid, notFound } from '../../errors.ts'
import { refuseStale, withChange } from '../../forms.ts'
import type { Services } from '../../services.ts'
import {
  deleteSchedule,
  findSchedules,
  findSchedulesOf,
  insertSchedule,
  lockSchedules,
  type StoredSchedule,
  type StoredTier,
} from './avp-schedules.queries.ts'

type Needed = Pick<Services, 'db' | 'clock'>
type Writing = Pick<Services, 'db'>

/** All schedules, newest first, and the earliest Monday on which a new one may begin. */
export async function listSchedules({ db, clock }: Needed) {
  const schedules = await findSchedules(db)
  const thisWeek = mondayOf(clock.now())
  const listed = schedules.map((schedule, position): AvpSchedule => {
    const next = schedules[position + 1]?.validFrom
    return {
      validFrom: schedule.validFrom,
      validTo: next === undefined ? null : addDays(next, -1),
      state:
        schedule.validFrom > thisWeek
          ? 'future'
          : next === undefined || next > thisWeek
            ? 'current'
            : 'past',
      tiers: schedule.tiers.map(presentTier),
      version: schedule.version,
    }
  })
  return { schedules: listed.toReversed(), earliest: earliestStart(schedules, thisWeek) }
}

/** The forms of the schedules among these Mondays. */
export const findScheduleForms = async (
  db: DbOrTx,
  mondays: readonly string[],
): Promise<AvpScheduleForm[]> =>
  (await findSchedules(db))
    .filter(({ validFrom }) => mondays.includes(validFrom))
    .map(({ validFrom, tiers }) => ({ validFrom, tiers: tiers.map(presentTier) }))

/** The tiers in effect in the week of a day; none before the first schedule. */
export async function tiersInForce({ db, clock }: Needed, day: Day | undefined) {
  const asked = day ?? todayNewYork(clock.now())
  const [schedule] = await findSchedulesOf(db, { start: asked, end: asked })
  return (schedule?.tiers ?? []).map(presentTier)
}

export const createSchedule = (writing: Writing, form: AvpScheduleForm): Promise<void> =>
  changeSchedules(writing, async (tx, schedules, thisWeek) => {
    refuseStart(form.validFrom, schedules, thisWeek)
    await insertSchedule(tx, storedOf(form, 1))
  })

/** Omitted fields are unchanged. Moves the schedule if the form has another Monday. */
export const updateSchedule = (
  writing: Writing,
  validFrom: Day,
  change: RequestOf<typeof avpSchedulesEndpoints.updateAvpSchedule>['body'],
): Promise<void> =>
  changeSchedules(writing, async (tx, schedules, thisWeek) => {
    const present = changeable(validFrom, schedules, thisWeek)
    refuseStale('schedule', present.version, change.version)
    const form = withChange<AvpScheduleForm>(
      { validFrom, tiers: present.tiers.map(presentTier) },
      change,
    )
    const others = schedules.filter((schedule) => schedule !== present)
    refuseStart(form.validFrom, others, thisWeek)
    await deleteSchedule(tx, validFrom)
    await insertSchedule(tx, storedOf(form, present.version + 1))
  })

export const removeSchedule = (writing: Writing, validFrom: Day): Promise<void> =>
  changeSchedules(writing, async (tx, schedules, thisWeek) => {
    changeable(validFrom, schedules, thisWeek)
    await deleteSchedule(tx, validFrom)
  })

const changeSchedules = (
  { db }: Writing,
  change: (tx: Tx, schedules: readonly StoredSchedule[], thisWeek: Day) => Promise<void>,
): Promise<void> =>
  inTransaction(db, async (tx) => {
    await lockSchedules(tx)
    await change(tx, await findSchedules(tx), mondayOf(tx.now))
  })

/** A week keeps the tiers it started with. Only the very first schedule may begin this week. */
const earliestStart = (schedules: readonly StoredSchedule[], thisWeek: Day): Day =>
  schedules.some(({ validFrom }) => validFrom <= thisWeek) ? addDays(thisWeek, 7) : thisWeek

function refuseStart(start: Day, others: readonly StoredSchedule[], thisWeek: Day): void {
  const earliest = earliestStart(others, thisWeek)
  if (start < earliest) throw invalid({ validFrom: [`must be ${earliest} or later`] })
  if (others.some(({ validFrom }) => validFrom === start)) {
    throw invalid({ validFrom: ['already has a schedule'] })
  }
}

function changeable(
  start: Day,
  schedules: readonly StoredSchedule[],
  thisWeek: Day,
): StoredSchedule {
  const schedule = schedules.find(({ validFrom }) => validFrom === start)
  if (!schedule) throw notFound('schedule')
  if (start <= thisWeek) {
    throw conflict('This schedule has begun and can’t be changed. Add one that begins next week.')
  }
  return schedule
}

const mondayOf = (now: Date): Day => periodOf(todayNewYork(now), 'week').start

const presentTier = ({ index, from, to, payoutCentavos, payoutCents }: StoredTier) => ({
  index,
  from,
  to,
  payoutPhp: fromMinorUnits(payoutCentavos),
  payoutDollars: fromMinorUnits(payoutCents),
})

const storedOf = ({ validFrom, tiers }: AvpScheduleForm, version: number): StoredSchedule => ({
  validFrom,
  version,
  tiers: tiers.map(({ from, to, payoutPhp, payoutDollars }, index) => ({
    index,
    from,
    to,
    payoutCentavos: minorUnitsOf(payoutPhp),
    payoutCents: minorUnitsOf(payoutDollars),
  })),
})
