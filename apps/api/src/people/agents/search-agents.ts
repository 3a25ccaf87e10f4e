import type { AgentItem, AgentsSearch } from '@tallyroom/contract/people/agents'
import { sightOf } from '../../access/sight.ts'
import type { Viewer } from '../../access/viewer.ts'
import type { Services } from '../../services.ts'
import { passwordColumn } from '../accounts/password-column.ts'
import { type AgentRow, countAgents, countLeftOut, findAgentRows } from './agent-list.queries.ts'

type SearchServices = Pick<Services, 'config' | 'db' | 'clock' | 'secret' | 'formerSecrets'>

/** A page of the agents that the viewer can see, how many there are in all, and, without criteria, how many are left out. */
export async function searchAgents(
  services: SearchServices,
  viewer: Viewer,
  search: AgentsSearch,
): Promise<{ items: AgentItem[]; total: number; leftOut?: number | undefined }> {
  const sight = sightOf(viewer)
  const [rows, total, leftOut] = await Promise.all([
    findAgentRows(services.db, sight, search),
    countAgents(services.db, sight, search.criteria),
    search.criteria.length === 0 ? countLeftOut(services.db, sight) : undefined,
  ])
  const passwords = passwordColumn(services)
  const now = services.clock.now()
  return { items: rows.map(present), total, leftOut }

  function present({ accountId, sealed, ...row }: AgentRow): AgentItem {
    return {
      ...row,
      ...passwords.show(viewer, accountId, sealed),
      regTime: row.regTime.toISOString(),
      lastLoginTime: row.lastLoginTime?.toISOString() ?? null,
      loginOpenUntil: presentLoginOpenUntil(row.loginOpenUntil, now),
      fraudFlaggedAt: row.fraudFlaggedAt?.toISOString() ?? null,
    }
  }
}

/** Null once the window is over and the block applies again. */
export const presentLoginOpenUntil = (until: Date | null, now: Date): string | null =>
  until && until > now ? until.toISOString() : null
