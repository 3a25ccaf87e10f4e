import { decodeClickId } from '@tallyroom/domain/click-id'
import type { Subs } from '@tallyroom/domain/tracked-link'
import { sql } from 'kysely'
import type { DbOrTx } from '../../db/database.ts'
import { subsFrom } from '../../tracking/index.ts'

type SaleOfClick = { agentId: number; clickId: string }

/** The sub ids of the clicks of some sales, as far as these are stored. */
export async function findSubsOf(
  db: DbOrTx,
  sales: readonly SaleOfClick[],
): Promise<(sale: SaleOfClick) => Subs> {
  const clicks = sales.flatMap(({ clickId }) => decodeClickId(clickId) ?? [])
  if (clicks.length === 0) return () => ({})
  const times = clicks.map(({ clickedAtMs }) => clickedAtMs)
  const { rows } = await sql<{
    agentId: number
    clickedAt: Date
    nonce: number
    subs: (string | null)[]
  }>`
    select agent_id as "agentId", clicked_at as "clickedAt", nonce, subs
    from clicks
    where clicked_at between ${new Date(Math.min(...times))} and ${new Date(Math.max(...times))}
      and clicked_at = any(${times.map((ms) => new Date(ms))}::timestamptz[])
      and agent_id = any(${[...new Set(clicks.map(({ agentId }) => agentId))]}::integer[])
      and subs is not null
  `.execute(db)
  const keyOf = (agentId: number, ms: number, nonce: number) => `${agentId} ${ms} ${nonce}`
  const found = new Map(
    rows.map(({ agentId, clickedAt, nonce, subs }) => [
      keyOf(agentId, clickedAt.getTime(), nonce),
      subsFrom(subs),
    ]),
  )
  return ({ agentId, clickId }) => {
    const click = decodeClickId(clickId)
    return (click && found.get(keyOf(agentId, click.clickedAtMs, click.nonce))) ?? {}
  }
}
