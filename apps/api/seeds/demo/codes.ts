import { couponKey, couponLook } from '@tallyroom/domain/coupons'
import type { Day } from '@tallyroom/domain/new-york'
import { type Carried, lookOf } from '@tallyroom/domain/short-link'
import type { Tx } from '../../src/db/database.ts'
import { insertRows } from '../insert-rows.ts'
import { daysAgo } from './days-ago.ts'
import { findSuperadmin } from './find-superadmin.ts'
import { found } from './found.ts'
import type { Network, NetworkAgent } from './network.ts'

/** A coupon code, for all link types of its site. */
export type DemoCode = {
  id: number
  code: string
  siteId: number
  agentId: number
  startsAt: Date
  endsAt: Date | null
}

/** A few agents' coupon codes, which it returns, and short links. */
export async function insertCodes(
  tx: Tx,
  { agents, today }: Network & { today: Day },
): Promise<DemoCode[]> {
  const staff = await findSuperadmin(tx)
  await insertRows(
    tx,
    'coupons',
    coupons.map(({ of, nth, code, daysBack, endedDaysBack }) => {
      const { agent, type } = linkOf(agents, { of, nth })
      const startsAt = daysAgo(today, daysBack)
      return {
        site_id: type.site.row.id,
        agent_id: agent.id,
        code,
        code_key: couponKey(code),
        look: couponLook(code),
        starts_at: startsAt,
        ends_at: endedDaysBack === undefined ? null : daysAgo(today, endedDaysBack),
        ended_by: endedDaysBack === undefined ? null : staff,
        made_at: startsAt,
        made_by: staff,
      }
    }),
  )
  for (const [index, { of, nth, name, daysBack, carries = {} }] of shortLinks.entries()) {
    const { agent, type } = linkOf(agents, { of, nth })
    const { id } = await tx
      .insertInto('short_links')
      .values({
        agent_id: agent.id,
        type_id: type.row.id,
        name,
        carries: JSON.stringify(carries),
        made_at: daysAgo(today, daysBack),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await tx
      .insertInto('short_names')
      .values({ look: lookOf(name), name, link_id: id, changed_in: index + 1 })
      .execute()
  }
  return tx
    .selectFrom('coupons')
    .select([
      'id',
      'code',
      'site_id as siteId',
      'agent_id as agentId',
      'starts_at as startsAt',
      'ends_at as endsAt',
    ])
    .orderBy('id')
    .execute()
}

/** Of which agent, and for which of their links. */
type Of = { of: string; nth: number }

function linkOf(agents: readonly NetworkAgent[], { of, nth }: Of) {
  const agent = found(agents.find(({ username }) => username === of))
  return { agent, type: found(agent.links[nth]).type }
}

const coupons: (Of & { code: string; daysBack: number; endedDaysBack?: number })[] = [
  { of: 'maria', nth: 0, code: 'MARIA10', daysBack: 38 },
  { of: 'maria', nth: 1, code: 'MARIA-SUMMER', daysBack: 75, endedDaysBack: 20 },
  { of: 'tessa', nth: 0, code: 'TESSA15', daysBack: 24 },
]

const shortLinks: (Of & { name: string; daysBack: number; carries?: Carried })[] = [
  { of: 'maria', nth: 0, name: 'maria-hello', daysBack: 36 },
  { of: 'maria', nth: 1, name: 'maria-flyer', daysBack: 30, carries: { sub1: 'flyer' } },
  { of: 'tessa', nth: 0, name: 'tessa-links', daysBack: 12 },
]
