import type { RequestOf } from '@tallyroom/contract/endpoint'
import type {
  officePerformanceEndpoints,
  OfficeChart,
} from '@tallyroom/contract/figures/office-performance'
import { addDays, addMonths, type Day, lastDayOfMonth, monthOf } from '@tallyroom/domain/new-york'
import { progress } from '@tallyroom/domain/ratios'
import { scopeOf } from '../../access/scope.ts'
import type { Viewer } from '../../access/viewer.ts'
import { readTotals, type TotalsDatabases } from '../../totals/index.ts'
import { findOfficeCourses, type OfficeCourse } from './office-performance.queries.ts'

type ChartsRequest = RequestOf<typeof officePerformanceEndpoints.officeCharts>['body']
type Grouping = ChartsRequest['groupBy']

/**
 * One chart for each office that sold in the period (specification 2, Office Performance Charts). Every day or month up
 * to today has a point, compared with the one before. An office sees only itself.
 */
export const officeCharts = (
  databases: TotalsDatabases,
  viewer: Viewer,
  { start, end, groupBy }: ChartsRequest,
): Promise<OfficeChart[]> => {
  const scope = scopeOf(viewer)
  const lastOf = (point: Day) => (groupBy === 'day' ? point : lastDayOfMonth(point))
  return readTotals(
    databases,
    async (tx, today) => {
      const points = pointsOf(start, end < today ? end : today, groupBy)
      const [first] = points
      const last = points.at(-1)
      if (first === undefined || last === undefined) return []

      const range = { start: before(first, groupBy), end: lastOf(last) }
      const courses = await findOfficeCourses(tx, scope, { range, groupBy, today })
      return courses.map((course) => chartOf(course, points, groupBy)).filter(isSelling)
    },
    { scope, until: lastOf(end) },
  )
}

/** Each day from start to end, or the first day of each month. */
function pointsOf(start: Day, end: Day, groupBy: Grouping): Day[] {
  const points: Day[] = []
  let point = groupBy === 'day' ? start : monthOf(start)
  while (point <= end) {
    points.push(point)
    point = groupBy === 'day' ? addDays(point, 1) : addMonths(point, 1)
  }
  return points
}

const before = (point: Day, groupBy: Grouping): Day =>
  groupBy === 'day' ? addDays(point, -1) : addMonths(point, -1)

function chartOf(course: OfficeCourse, points: readonly Day[], groupBy: Grouping): OfficeChart {
  const sales = new Map(course.points.map((point, index) => [point, course.sales[index]]))
  const salesOn = (point: Day) => sales.get(point) ?? 0
  return {
    companyId: course.id,
    officeName: course.name,
    items: points.map((date) => ({
      date,
      value: salesOn(date),
      before: salesOn(before(date, groupBy)),
      progress: progress(salesOn(date), salesOn(before(date, groupBy))),
    })),
  }
}

/** Whether any point within the period has sales. */
const isSelling = ({ items }: OfficeChart): boolean => items.some(({ value }) => value !== 0)
