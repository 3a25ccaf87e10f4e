import { avpScheduleFormSchema } from '@tallyroom/contract/catalogue/avp-schedules'
import { beforeEach, describe, expect, test } from 'vitest'
import { testDatabase, withClock } from '../../../test/database.ts'
import { movingClock } from '../../lib/clock.ts'
import {
  createSchedule,
  listSchedules,
  removeSchedule,
  tiersInForce,
  updateSchedule,
} from './save-schedule.ts'

const { db, clock } = await testDatabase()
/** Wednesday of the week of Monday, 2 March. */
clock.set('2026-03-04T12:00:00Z')
const services = { db, clock }

const [lastWeek, thisWeek, nextWeek, weekAfter] = [
  '2026-02-23',
  '2026-03-02',
  '2026-03-09',
  '2026-03-16',
] as const

const form = (validFrom: string, payoutPhp = 10.05) => ({
  validFrom,
  tiers: [
    { from: 0, to: 2, payoutPhp: 0, payoutDollars: 0 },
    { from: 3, to: 1000, payoutPhp, payoutDollars: 0.21 },
  ],
})

beforeEach(async () => {
  await db.deleteFrom('avp_tiers').execute()
})

/** As if it had been saved before that Monday. */
const begun = (validFrom: string) =>
  createSchedule({ db: withClock(db, movingClock(`${validFrom}T12:00:00Z`)) }, form(validFrom))

test('schedules are listed newest first, each until the next one begins', async () => {
  await begun(lastWeek)
  await createSchedule(services, form(nextWeek, 20.1))
  await createSchedule(services, form(weekAfter))

  const { schedules, earliest } = await listSchedules(services)

  expect(schedules.map(({ validFrom, validTo, state }) => [validFrom, validTo, state])).toEqual([
    [weekAfter, null, 'future'],
    [nextWeek, '2026-03-15', 'future'],
    [lastWeek, '2026-03-08', 'current'],
  ])
  expect(schedules[1]?.tiers).toEqual([
    { index: 0, from: 0, to: 2, payoutPhp: 0, payoutDollars: 0 },
    { index: 1, from: 3, to: 1000, payoutPhp: 20.1, payoutDollars: 0.21 },
  ])
  expect(earliest).toBe(nextWeek)
})

test.each([
  ['before the first schedule', '2026-02-22', []],
  ['on its Monday', lastWeek, [10.05]],
  ['on the last day before the next', '2026-03-08', [10.05]],
  ['on the Monday of the next', nextWeek, [20.1]],
  ['today, when no day is said', undefined, [10.05]],
])('the tiers in force %s', async (_, day, expected) => {
  await begun(lastWeek)
  await createSchedule(services, form(nextWeek, 20.1))

  const tiers = await tiersInForce(services, day)
  expect(tiers.slice(1).map(({ payoutPhp }) => payoutPhp)).toEqual(expected)
})

describe('a week keeps the tiers that it began with', () => {
  test('the very first schedule may begin this week, any other next week at the earliest', async () => {
    await expect(createSchedule(services, form(lastWeek))).rejects.toMatchObject({
      data: { validFrom: [`must be ${thisWeek} or later`] },
    })
    await createSchedule(services, form(thisWeek))
    await expect(createSchedule(services, form(thisWeek))).rejects.toMatchObject({
      data: { validFrom: [`must be ${nextWeek} or later`] },
    })
    await createSchedule(services, form(nextWeek))
  })

  test('a schedule that has begun can be neither changed nor deleted', async () => {
    await begun(thisWeek)

    await expect(updateSchedule(services, thisWeek, form(nextWeek))).rejects.toMatchObject({
      code: 'CONFLICT',
    })
    await expect(removeSchedule(services, thisWeek)).rejects.toMatchObject({ code: 'CONFLICT' })
    expect((await listSchedules(services)).schedules).toHaveLength(1)
  })

  test('nor can another one be moved to a day before next week, or onto one that has a schedule', async () => {
    await begun(lastWeek)
    await createSchedule(services, form(nextWeek))
    await createSchedule(services, form(weekAfter))

    await expect(updateSchedule(services, weekAfter, form(thisWeek))).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    })
    await expect(updateSchedule(services, weekAfter, form(nextWeek))).rejects.toMatchObject({
      data: { validFrom: ['already has a schedule'] },
    })
  })
})

test('a future schedule can be changed, moved and deleted', async () => {
  await createSchedule(services, form(nextWeek))
  await updateSchedule(services, nextWeek, { ...form(weekAfter, 33.33), version: 1 })

  expect((await listSchedules(services)).schedules).toMatchObject([
    { validFrom: weekAfter, version: 2, tiers: [{}, { payoutPhp: 33.33 }] },
  ])
  await removeSchedule(services, weekAfter)
  expect((await listSchedules(services)).schedules).toEqual([])
  await expect(removeSchedule(services, weekAfter)).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

test('of two people who change the same schedule, or add one for the same week, the second is told', async () => {
  await createSchedule(services, form(nextWeek))

  const changes = await Promise.allSettled(
    [11.11, 22.22].map((php) =>
      updateSchedule(services, nextWeek, { ...form(nextWeek, php), version: 1 }),
    ),
  )
  const additions = await Promise.allSettled(
    [1, 2].map(() => createSchedule(services, form(weekAfter))),
  )

  for (const outcomes of [changes, additions]) {
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  }
  expect(changes.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: { code: 'CONFLICT' },
  })
  expect((await listSchedules(services)).schedules.map(({ tiers }) => tiers.length)).toEqual([2, 2])
})

test.each<[string, string, Record<string, unknown>]>([
  ['begins on a Tuesday', 'validFrom', { validFrom: '2026-03-10' }],
  ['begins on no day', 'validFrom', { validFrom: 'soon' }],
  ['has no tiers', 'tiers', { tiers: [] }],
  ['has a gap', 'tiers', { tiers: [tier(0, 0), tier(2, 1000)] }],
  ['has an overlap', 'tiers', { tiers: [tier(0, 1), tier(1, 1000)] }],
  ['has an end', 'tiers', { tiers: [tier(0, 999)] }],
  ['pays less than nothing', 'tiers', { tiers: [{ ...tier(0, 1000), payoutPhp: -1 }] }],
  ['pays a fraction of a centavo', 'tiers', { tiers: [{ ...tier(0, 1000), payoutPhp: 1.005 }] }],
  ['numbers its tiers otherwise', 'tiers', { tiers: [{ ...tier(0, 1000), index: 1 }] }],
])('a schedule that %s is refused', (_, field, wrong) => {
  const { error } = avpScheduleFormSchema.safeParse({
    ...form(nextWeek),
    ...wrong,
  })
  expect(error?.issues.map(({ path }) => path[0])).toContain(field)
})

function tier(from: number, to: number) {
  return { from, to, payoutPhp: 1, payoutDollars: 0.02 }
}
