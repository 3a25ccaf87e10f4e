import {
  CLICK_ID_BOUNDS,
  type ClickIdFields,
  FIRST_UNSTORED_NONCE,
} from '@tallyroom/domain/click-id'
import { EVENT_TYPE } from '@tallyroom/domain/event-types'
import type { Tx } from '../../src/db/database.ts'
import { insertRows } from '../insert-rows.ts'
import { createRandom } from '../random.ts'
import type { DemoCode } from './codes.ts'
import { found } from './found.ts'
import type { DemoEvent } from './sales.ts'

/** The share of the orders that could have come by a code. */
const SHARE = 0.3

/**
 * Some sales of agents with codes were reported with the code: they have a click id that stands for it, and what was their click is one
 * that sold nothing. Nothing else differs, in no figure: it was no click with a sub id or referrer, and nobody says more of the order.
 *
 * @param named what other postbacks say.
 */
export function sellByCode(
  events: readonly DemoEvent[],
  {
    codes,
    named,
    signClickId,
  }: {
    codes: readonly DemoCode[]
    named: ReadonlySet<string>
    signClickId: (click: ClickIdFields) => string
  },
): DemoEvent[] {
  const random = createRandom('coupon orders')
  const ofClick = Map.groupBy(events, ({ row }) => row.click_id)
  return events.map((event) => {
    const { row } = event
    const code = codeOf(event, codes)
    const isOnly = ofClick.get(row.click_id)?.length === 1
    const isNamed = [row.click_id, row.transaction_id].some((id) => id !== null && named.has(id))
    if (!code || !isOnly || isNamed || !random.chance(SHARE)) return event
    const click_id = signClickId({
      clickedAtMs: Number(row.occurred_at),
      agentId: row.agent_id,
      typeId: row.type_id,
      nonce: FIRST_UNSTORED_NONCE + random.below(CLICK_ID_BOUNDS.nonce - FIRST_UNSTORED_NONCE),
    })
    return { ...event, row: { ...row, click_id }, code }
  })
}

function codeOf(
  { row, click, clickCameLate }: DemoEvent,
  codes: readonly DemoCode[],
): DemoCode | undefined {
  const { demo } = click.type.site
  const isPlain =
    row.event_type === EVENT_TYPE.sale &&
    row.transaction_id !== null &&
    !row.fraud &&
    !clickCameLate &&
    !demo.useApproveSale &&
    !demo.reportsHourly &&
    click.subs === undefined &&
    click.referrer === undefined
  if (!isPlain) return undefined
  const at = new Date(row.occurred_at)
  return codes.find(
    ({ siteId, agentId, startsAt, endsAt }) =>
      siteId === row.site_id &&
      agentId === row.agent_id &&
      startsAt <= at &&
      (endsAt === null || at < endsAt),
  )
}

export const insertCouponOrders = (tx: Tx, events: readonly DemoEvent[]): Promise<void> =>
  insertRows(
    tx,
    'coupon_orders',
    events.flatMap(({ row, code }) =>
      code
        ? [
            {
              site_id: row.site_id,
              transaction_id: found(row.transaction_id ?? undefined),
              coupon_id: code.id,
              agent_id: row.agent_id,
              click_id: row.click_id,
              made_at: row.recorded_at,
            },
          ]
        : [],
    ),
  )
