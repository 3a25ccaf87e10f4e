import type { Dashboard } from '@tallyroom/contract/desk/dashboard'
import type { PerformanceRow } from '@tallyroom/contract/figures/office-performance'
import { type Period, periodOf } from '@tallyroom/domain/periods'
import { scopeOf } from '../../access/scope.ts'
import type { Viewer } from '../../access/viewer.ts'
import type { Services } from '../../services.ts'
import { sharedFor } from '../../lib/shared-for.ts'
import { lastNews } from '../announcements/news.ts'
import {
  officeRanking,
  allTimeUntil,
  findTopAgents,
  presentAgents,
  type TopAgent,
} from '../../figures/index.ts'
import { readTotals } from '../../totals/index.ts'
import { findOwnNotes } from './dashboard.queries.ts'

export type DashboardParts = Pick<Services, 'db' | 'reportDb' | 'clock'>

/** How long boards are cached: they are the same for everybody, and every home page polls them. */
const boardsMs = 5_000

/** The boards of every home page, before they are presented to one viewer. */
type Boards = {
  week: Period
  beWeek: Period
  weekTop10: TopAgent[]
  allTimeTop10: TopAgent[]
  ranking: PerformanceRow[]
}

/**
 * The home page (specification 1, /app/home). Its boards are read at most once every five seconds, however many viewers
 * there are; notes and news are always current.
 */
export function makeDashboard(parts: DashboardParts): (viewer: Viewer) => Promise<Dashboard> {
  const boards = sharedFor(boardsMs, () => readBoards(parts), parts)

  return async (viewer) => {
    const [{ notes, suspendedForFraud }, news, shown] = await Promise.all([
      findOwnNotes(parts.db, scopeOf(viewer)),
      lastNews(parts),
      boards(),
    ])
    return {
      agentNotes: notes
        .map((note) => note.trim())
        .filter(Boolean)
        .join('\n\n'),
      showAgentFraudNotes: suspendedForFraud,
      lastNews: news.html === '' ? null : { html: news.html, createdAt: news.createdAt },
      weekPeriod: shown.week,
      beWeekPeriod: shown.beWeek,
      weekTop10: presentAgents(viewer, shown.weekTop10),
      allTimeTop10: presentAgents(viewer, shown.allTimeTop10),
      officeRanking: shown.ranking.map(({ id, name, sales1, progress, growth }) => ({
        id,
        name,
        sales1,
        progress,
        growth,
      })),
    }
  }
}

const readBoards = (parts: DashboardParts): Promise<Boards> =>
  readTotals(parts, async (tx, today) => {
    const week = periodOf(today, 'week')
    return {
      week,
      beWeek: periodOf(today, 'beWeek'),
      weekTop10: await findTopAgents(tx, { range: week, today }),
      allTimeTop10: await findTopAgents(tx, { range: allTimeUntil(today), today }),
      ranking: await officeRanking(tx, today),
    }
  })
