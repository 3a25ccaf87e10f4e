import { addDays, addMonths, type Day, monthOf } from '@tallyroom/domain/new-york'
import { comparedRange } from '@tallyroom/domain/compared-range'
import { type DateRange, daysInRange, periodOf, type PointUnit } from '@tallyroom/domain/periods'
import type { Scope } from '../../access/scope.ts'
import type { Tx } from '../../db/database.ts'
import { metrics } from '../../totals/index.ts'
import { type AvpPay, findJoinedRows, NO_PAY } from './joined-columns.queries.ts'
import { askOver, type ReportCriteria } from './report-criteria.ts'
import type { ReportQuestion } from './report-question.queries.ts'
import { findCourse, findWhole, type Sums } from './report.queries.ts'

/** Sums, and what tiers pay for them if the report pays by tier. */
export type PaidSums = { sums: Sums; pay: AvpPay | undefined }

/** A bar of a chart, and the bar in the same position of the period compared with. */
type Point = { date?: Day; now?: PaidSums; beforeDate?: Day; before?: PaidSums }

/** Up to this many days, a chart has a bar per day; beyond, one per month, or per week in AVP reports. */
const MAX_DAILY_POINTS = 100

/** The sums of the compared period, and those of each day or month for a chart, as requested. */
export async function readComparison(
  tx: Tx,
  scope: Scope,
  question: ReportQuestion,
  { compare = 'none', points = false }: Pick<ReportCriteria, 'compare' | 'points'>,
): Promise<{
  compared?: DateRange & { overall: PaidSums }
  points?: { unit: PointUnit; items: Point[] }
}> {
  const { range, today, table } = question
  const days = comparedRange(range, today, compare, { wholeWeeks: table.isWeekly })
  // Totals have neither the points of the period before that, nor a grouping's own columns.
  const byDate: ReportQuestion = { ...question, groupBy: 'date' }
  const before = days && (await askOver(tx, scope, byDate, days))
  return {
    ...(before && {
      compared: {
        ...before.range,
        overall: await findWhole(tx, scope, before, table.pays === 'tiers' ? ['pay'] : []),
      },
    }),
    ...(points && { points: await readPoints(tx, scope, byDate, before) }),
  }
}

async function readPoints(
  tx: Tx,
  scope: Scope,
  question: ReportQuestion,
  before: ReportQuestion | undefined,
): Promise<{ unit: PointUnit; items: Point[] }> {
  const isLong = daysInRange(question.range) > MAX_DAILY_POINTS
  // Whole weeks don't fit into months.
  const unit = isLong ? (question.table.isWeekly ? 'week' : 'month') : 'day'
  const now = await readCourse(tx, scope, question, unit)
  const then = before ? await readCourse(tx, scope, before, unit) : []
  const items = Array.from({ length: Math.max(now.length, then.length) }, (_, place): Point => {
    const [bar, ghost] = [now[place], then[place]]
    return {
      ...(bar && { date: bar.date, ...(bar.date <= question.today && { now: bar.totals }) }),
      ...(ghost && { beforeDate: ghost.date, before: ghost.totals }),
    }
  })
  return { unit, items }
}

/** The sums of every day, week or month of the question's range. */
async function readCourse(
  tx: Tx,
  scope: Scope,
  question: ReportQuestion,
  unit: PointUnit,
): Promise<{ date: Day; totals: PaidSums }[]> {
  const sums = await findCourse(tx, scope, question, unit === 'month' ? 'month' : 'day')
  const { pay } = await findJoinedRows(tx, scope, question, sums)
  const byBucket = <Row extends { day?: Day }>(rows: readonly Row[] | undefined) =>
    sumsByDay(rows?.map((row) => (unit === 'week' ? { ...row, day: mondayOf(row) } : row)) ?? [])
  const sumsOf = byBucket(sums)
  const payOf = byBucket(pay)
  return bucketsOf(question, unit).map((date) => ({
    date,
    totals: {
      sums: sumsOf.get(date) ?? nothing(question),
      pay: question.table.pays === 'tiers' ? (payOf.get(date) ?? NO_PAY) : undefined,
    },
  }))
}

function bucketsOf({ range: { start, end } }: ReportQuestion, unit: PointUnit): Day[] {
  const buckets: Day[] = []
  let bucket = unit === 'month' ? monthOf(start) : start
  while (bucket <= end) {
    buckets.push(bucket)
    bucket = unit === 'month' ? addMonths(bucket, 1) : addDays(bucket, unit === 'week' ? 7 : 1)
  }
  return buckets
}

const mondayOf = ({ day }: { day?: Day }) => day && periodOf(day, 'week').start

/** Rows by day; the figures of rows with the same day are added up. */
function sumsByDay<Row extends { day?: Day | undefined }>(rows: readonly Row[]) {
  const byDay = new Map<Day | undefined, Row>()
  for (const row of rows) {
    const before = byDay.get(row.day)
    byDay.set(row.day, before ? addFigures(before, row) : row)
  }
  return byDay
}

const addFigures = <Row extends object>(one: Row, other: Row): Row => {
  const others = new Map<string, unknown>(Object.entries(other))
  const added = Object.entries(one).map(([name, value]: [string, unknown]) => {
    const more = others.get(name)
    return [name, typeof value === 'number' && typeof more === 'number' ? value + more : value]
  })
  return Object.fromEntries(added) as Row // the same columns
}

const nothing = ({ typeIds }: ReportQuestion): Sums =>
  Object.fromEntries([
    ...metrics.map((metric) => [metric, 0]),
    ...typeIds.flatMap((id) => [
      [`type_${id}`, 0],
      [`payout_${id}`, 0],
    ]),
  ]) as Sums // of all its columns
