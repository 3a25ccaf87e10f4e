import { type CountedEvent, REVERSALS, type Reversal } from '@tallyroom/domain/event-types'
import { HOLD_ACT_NAMES, takesBackSale } from '@tallyroom/domain/holds'
import { sql } from 'kysely'
import type { DbOrTx } from '../../db/database.ts'
import { type SaleName } from './sale-keys.ts'

/** What a merchant has said about an order at a time that it gave itself. */
export type OrderWord = {
  /** As reported: a sale, approval, bonus or rebill that counts, or a reversal. */
  event: string
  reversal: Reversal | null
  occurredAt: Date
  /** Null for a reversal of every product, or an unknown link type. */
  typeId: number | null
  /** The event that a reversal says that it reverses. */
  target: string | null
  /** As reported. */
  clickId: string | null
}

/**
 * What was said about an order after an instant. A report that changed nothing when it arrived may still be the latest
 * word by its time: reports arrive in any order.
 */
export async function findLaterWords(
  db: DbOrTx,
  name: SaleName,
  { after, isTest }: { after: Date; isTest: boolean },
): Promise<OrderWord[]> {
  const { rows } = await sql<Omit<OrderWord, 'reversal'>>`
    select
      case
        when (postback.standing in ('rejected', 'reverses') or settlement.act in (${sql.join(TAKING_ACTS)}))
          and postback.event not in (${sql.join(REVERSALS)})
        then 'void' else postback.event
      end as event,
      postback.occurred_at as "occurredAt",
      coalesce(
        named.id,
        -- A reversal that names no product is about all of them.
        case
          when postback.type_alias is null and coalesce(postback.standing, 'counts') = 'counts'
            and postback.event not in (${sql.join(REVERSALS)})
            and coalesce(settlement.act, '') not in (${sql.join(TAKING_ACTS)})
          then postback.type_id
        end
      ) as "typeId",
      coalesce(postback.reverses, lower(postback.params ->> 'reverses')) as target,
      postback.click_id as "clickId"
    from postbacks as postback
    left join postback_settlements as settlement on settlement.postback_id = postback.id
    left join link_types as named
      on named.site_id = postback.site_id and lower(named.typealias) = lower(postback.type_alias)
    where postback.site_id = ${name.siteId} and postback.test = ${isTest}
      and ${
        name.transactionId === undefined
          ? sql`postback.click_id = ${name.clickId ?? ''} and postback.transaction_id is null`
          : sql`postback.transaction_id = ${name.transactionId}`
      }
      and postback.event is not null and postback.standing is distinct from 'pending'
      and postback.occurred_at > ${after} and postback.occurred_at < postback.received_at
      and coalesce(settlement.outcome, postback.outcome) in ('recorded', 'duplicate', 'rejected')
  `.execute(db)
  return rows.map((row) => ({
    ...row,
    reversal: REVERSALS.find((reversal) => reversal === row.event) ?? null,
  }))
}

const TAKING_ACTS = HOLD_ACT_NAMES.filter(takesBackSale)

/** More reports of one click without an order number are no orders of a person. */
const MOST_OF_CLICK = 200

/**
 * The kept parameters of the reports of an event without an order number that counted or repeated one that did, oldest
 * first.
 *
 * @param isPending whether those that waited for approval are asked for, too. They are no word that it counts.
 */
export async function findKeptOfClick(
  db: DbOrTx,
  { siteId, clickId, event }: { siteId: number; clickId: string; event: CountedEvent },
  isPending: boolean,
): Promise<unknown[]> {
  const { rows } = await sql<{ params: unknown }>`
    select postback.params
    from postbacks as postback
    left join postback_settlements as settlement on settlement.postback_id = postback.id
    where postback.site_id = ${siteId} and postback.click_id = ${clickId}
      and postback.transaction_id is null and postback.event = ${event}
      and coalesce(postback.standing, 'counts') in ('counts', 'pending')
      and (coalesce(postback.standing, 'counts') = 'counts' or settlement.act is not null or ${isPending})
      and coalesce(settlement.outcome, postback.outcome) in ('recorded', 'duplicate')
      and coalesce(settlement.act, '') not in (${sql.join(TAKING_ACTS)})
    order by postback.received_at, postback.id
    limit ${MOST_OF_CLICK}
  `.execute(db)
  return rows.map(({ params }) => params)
}
