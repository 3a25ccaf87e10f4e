import type { AgentItem, AgentsSearch } from '@tallyroom/contract/people/agents'
import { sightOf } from '../../access/sight.ts'
import type { Viewer } from '../../access/viewer.ts'
import type { Services } from '../../services.ts'
import { presentInvitation } from '../accounts/account.ts'
import { passwordColumn } from '../accounts/password-column.ts'
import { type FindsEarnings, readSellers, withFigures } from '../sellers/sellers.ts'
import type { SellerDays, SellerFigures } from '@tallyroom/contract/people/sellers'
import { type AgentRow, countAgents, countLeftOut, findAgentRows } from './agent-list.queries.ts'

type SearchServices = Pick<
  Services,
  'config' | 'db' | 'reportDb' | 'clock' | 'secret' | 'formerSecrets'
> &
  FindsEarnings

/** A page of the agents that the viewer can see, how many there are in all, and, without criteria, how many are left out. */
export async function searchAgents(
  services: SearchServices,
  viewer: Viewer,
  search: AgentsSearch,
): Promise<{
  items: AgentItem[]
  total: number
  leftOut?: number | undefined
  figuresOf?: SellerDays | undefined
}> {
  const sight = sightOf(viewer)
  const { rows, figuresOf, total, leftOut } = await readSellers(
    services,
    viewer,
    search,
    'agent_id',
    async (db, sold) => {
      const [found, all, hidden] = await Promise.all([
        findAgentRows(db, sight, search, sold),
        countAgents(db, sight, search.criteria),
        search.criteria.length === 0 ? countLeftOut(db, sight) : undefined,
      ])
      return { ...(await withFigures(sold, found, ({ id }) => id)), total: all, leftOut: hidden }
    },
  )
  const passwords = passwordColumn(services)
  const now = services.clock.now()
  return { items: rows.map(present), total, leftOut, figuresOf }

  function present({
    accountId,
    sealed,
    ...row
  }: AgentRow & { figures?: SellerFigures }): AgentItem {
    return {
      ...row,
      ...passwords.show(viewer, accountId, sealed),
      regTime: row.regTime.toISOString(),
      lastLoginTime: row.lastLoginTime?.toISOString() ?? null,
      loginOpenUntil: presentLoginOpenUntil(row.loginOpenUntil, now),
      ...presentInvitation(row),
      fraudFlaggedAt: row.fraudFlaggedAt?.toISOString() ?? null,
    }
  }
}

/** Null once the window is over and the block applies again. */
export const presentLoginOpenUntil = (until: Date | null, now: Date): string | null =>
  until && until > now ? until.toISOString() : null
