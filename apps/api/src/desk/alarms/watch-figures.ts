import {
  type AlarmLimits,
  Course,
  DAYS_KEPT,
  type FigureAlarm,
  type Figures,
  findAlarms,
  HOUR_MS,
  isFigureAlarm,
  isOver,
} from '@tallyroom/domain/alarms'
import type { Db, Tx } from '../../db/database.ts'
import { locks } from '../../db/locks.ts'
import { onlyOne } from '../../db/only-one.ts'
import type { Services } from '../../services.ts'
import {
  findOpen,
  findQuietSites,
  findSettings,
  findWatched,
  insertAlarm,
  type OpenAlarm,
  setCountedTo,
  setLookedAt,
  type WatchedSubject,
} from './alarms.queries.ts'
import {
  countHours,
  type DayFigures,
  findFigures,
  forgetFigures,
  keyOf,
  type Subject,
} from './hourly-figures.queries.ts'
import { endAndTell, tellOf } from './tell-of-alarms.ts'

const DAY_MS = 24 * HOUR_MS
/** A site that sells ten an hour is missed after an hour and a half. */
const LOOK_MS = 5 * 60_000
/** How long a run counts what it has never counted, before the next one goes on. */
const COUNT_MS = 2_000
/** How many subjects are read and judged at once, so that redirects never wait for it. */
const AT_ONCE = 20
/** With fewer sites, the network is no subject of its own. */
const NETWORK_SITES = 3

const NETWORK: WatchedSubject = { watched: 'network', id: 0, site_id: null }

/** Looks for alarms if nobody has for five minutes. That is in the database, so that several processes look once. */
export async function watchFiguresWhenDue(services: Pick<Services, 'db' | 'clock'>): Promise<void> {
  const { lookedAt } = await findSettings(services.db)
  const now = services.clock.now().getTime()
  if (lookedAt && Math.abs(now - lookedAt.getTime()) < LOOK_MS) return
  await watchFigures(services)
}

/**
 * Counts what came, raises alarms and ends them. One process does it at a time; the others find it done.
 * @returns false while there is more to count before anything can be judged
 */
export const watchFigures = ({ db, clock }: Pick<Services, 'db' | 'clock'>): Promise<boolean> =>
  watchAsOf(db, clock.now())

/** Counts up to `now`, and judges as of then: an hour that has begun since is not counted yet. */
async function watchAsOf(db: Db, now: Date): Promise<boolean> {
  const started = performance.now()
  for (;;) {
    const step = await onlyOne(db, locks.alarms, (tx) => countOn(tx, now))
    if (step === 'busy') return false
    if (step === 'done') break
    if (performance.now() - started > COUNT_MS) return false
  }
  await onlyOne(db, locks.alarms, (tx) => judgeAll(tx, now))
  return true
}

/** Counts a day at most. The hour before the current one is counted again, for what was committed late. */
async function countOn(tx: Tx, now: Date): Promise<'more' | 'done'> {
  const { countedTo } = await findSettings(tx)
  const oldest = new Date(startOfUtcDay(now).getTime() - DAYS_KEPT * DAY_MS)
  const settled = new Date((Math.floor(now.getTime() / HOUR_MS) - 1) * HOUR_MS)
  // A clock that was ahead has counted hours that had not come.
  const known = countedTo && countedTo > settled ? settled : countedTo
  const from = known && known > oldest ? known : oldest
  const end = new Date(startOfUtcDay(from).getTime() + DAY_MS)
  const isLast = end.getTime() >= now.getTime()
  await countHours(tx, from, isLast ? now : end)
  await setCountedTo(tx, isLast ? settled : end)
  if (isLast) await forgetFigures(tx, dayText(oldest))
  return isLast ? 'done' : 'more'
}

const startOfUtcDay = (at: Date) => new Date(Math.floor(at.getTime() / DAY_MS) * DAY_MS)
const dayText = (at: Date) => at.toISOString().slice(0, 10)

async function judgeAll(tx: Tx, now: Date): Promise<void> {
  const limits = await findSettings(tx)
  const watched = await findWatched(tx)
  const quiet = await findQuietSites(tx, now)
  const open = (await findOpen(tx)).filter(({ kind }) => isFigureAlarm(kind))
  const openKeys = new Set(open.map(({ kind, ...alarm }) => alarmKey(subjectOf(alarm), kind)))
  const sites = watched.filter((one) => one.watched === 'site')
  const subjects = sites.length < NETWORK_SITES ? watched : [NETWORK, ...watched]
  const ended = new Set(open.map(({ id }) => id))
  const raised: number[] = []
  for (let place = 0; place < subjects.length; place += AT_ONCE) {
    const some = subjects.slice(place, place + AT_ONCE)
    const known = await readFigures(tx, some, now)
    for (const subject of some) {
      const figures = known.get(keyOf(subject))
      if (!figures) continue
      for (const alarm of open.filter((one) => keyOf(subjectOf(one)) === keyOf(subject))) {
        if (!isOver(alarm.kind as FigureAlarm, figures, now, limits)) ended.delete(alarm.id)
      }
      if (subject.site_id !== null && quiet.has(subject.site_id)) continue
      raised.push(...(await raise(tx, { subject, figures, now, limits, openKeys })))
    }
  }
  await endAndTell(tx, [...ended], now)
  await tellOf(tx, 'alarm.raised', raised, now)
  await setLookedAt(tx, now)
}

const subjectOf = ({ watched, watchedId }: Pick<OpenAlarm, 'watched' | 'watchedId'>) =>
  ({ watched, id: watchedId }) as Subject // of alarms about figures
const alarmKey = (subject: Subject, kind: string) => `${kind} ${keyOf(subject)}`

/** The new alarms. */
async function raise(
  tx: Tx,
  {
    subject,
    figures,
    now,
    limits,
    openKeys,
  }: {
    subject: WatchedSubject
    figures: Figures
    now: Date
    limits: AlarmLimits
    openKeys: Set<string>
  },
): Promise<number[]> {
  const raised: number[] = []
  for (const finding of findAlarms(figures, now, limits)) {
    const isKnown = [subject, ...above(subject)].some((one) =>
      openKeys.has(alarmKey(one, finding.kind)),
    )
    if (isKnown) continue
    const id = await insertAlarm(tx, { ...subject, ...finding, raised_at: now })
    if (id !== undefined) raised.push(id)
    openKeys.add(alarmKey(subject, finding.kind))
  }
  return raised
}

/** Whose alarm explains one of this subject. */
function above({ watched, site_id }: WatchedSubject): Subject[] {
  if (watched === 'network') return []
  return watched === 'type' && site_id !== null
    ? [{ watched: 'site', id: site_id }, NETWORK]
    : [NETWORK]
}

/** The numbers of subjects that had any. */
export async function readFigures(
  db: Db | Tx,
  subjects: readonly Subject[],
  now: Date,
): Promise<Map<string, Figures>> {
  const first = new Date(startOfUtcDay(now).getTime() - DAYS_KEPT * DAY_MS)
  const rows = await findFigures(db, dayText(first), subjects)
  const firstHour = first.getTime() / HOUR_MS
  const hours = Math.ceil(now.getTime() / HOUR_MS) - firstHour
  const bySubject = Map.groupBy(rows, keyOf)
  return new Map(
    [...bySubject].map(([key, days]) => {
      const course = (of: keyof DayFigures) => {
        const counts = Array.from({ length: hours }, () => 0)
        for (const row of days) {
          const start = Date.parse(row.day) / HOUR_MS - firstHour
          for (const [place, count] of row[of].entries()) {
            if (start + place < hours) counts[start + place] = count
          }
        }
        return new Course({ firstHour, counts })
      }
      const isSite = days[0]?.watched === 'site'
      return [
        key,
        {
          clicks: course('clicks'),
          sales: course('sales'),
          refused: isSite ? course('refused') : undefined,
        },
      ]
    }),
  )
}
