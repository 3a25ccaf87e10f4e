import {
  type CountedEvent,
  EVENT_TYPE,
  REVERSALS,
  type Reversal,
} from '@tallyroom/domain/event-types'
import { dayOf } from '@tallyroom/domain/new-york'
import type { Tx } from '../../src/db/database.ts'
import { textId } from '../../src/lib/text-id.ts'
import { markOf } from '../../src/tracking/clicks/clicks-to-store.ts'
import {
  orderHashOf,
  restorationKey,
  reversalKey,
  reversalReportKey,
  saleKeysOf,
} from '../../src/tracking/sales/sale-keys.ts'
import { visitorOf } from '../../src/lib/net/ip-address.ts'
import { insertRows } from '../insert-rows.ts'
import type { DemoClick } from './clicks.ts'
import { type DemoEvent, wordOf } from './sales.ts'

/** The clicks, their visitors and their referrers. */
export async function insertClicks(tx: Tx, clicks: readonly DemoClick[]): Promise<void> {
  const referrers = new Set(clicks.flatMap(({ referrer }) => referrer ?? []))
  await insertRows(
    tx,
    'referrers',
    [...referrers].map((referrer) => ({ id: textId(referrer), referrer })),
  )
  const userAgents = new Set(clicks.map(({ userAgent }) => userAgent))
  await insertRows(
    tx,
    'user_agents',
    [...userAgents].map((userAgent) => ({ id: textId(userAgent), user_agent: userAgent })),
  )
  await insertRows(
    tx,
    'clicks',
    clicks.map((click) => ({
      clicked_at: new Date(click.clickedAtMs),
      agent_id: click.agent.id,
      type_id: click.type.row.id,
      office_id: click.agent.office.id,
      nonce: click.nonce,
      is_unique: click.isUnique,
      uncounted: click.uncounted ?? null,
      user_agent_id: textId(click.userAgent),
      ip: click.ip,
      referrer_id: click.referrer === undefined ? null : textId(click.referrer),
      subs: click.subs ?? null,
    })),
  )
  await insertRows(
    tx,
    'seen_visitors',
    clicks
      .filter(({ isUnique }) => isUnique)
      .map(({ clickedAtMs, agent, type, ip }) => ({
        day: dayOf(clickedAtMs),
        agent_id: agent.id,
        visitor: Buffer.from(markOf({ typeId: type.row.id, visitor: visitorOf(ip) }), 'hex'),
      })),
  )
}

/** The events with the keys that make each count once. */
export async function insertEvents(tx: Tx, events: readonly DemoEvent[]): Promise<void> {
  await insertRows(
    tx,
    'sale_events',
    events.map(({ row }) => row),
  )
  await insertRows(
    tx,
    'sale_keys',
    events.flatMap((event) =>
      keysOf(event).map((key) => ({
        ...key,
        order_hash: orderHashOf(key.sale_key),
        event_id: event.row.id,
        agent_id: event.row.agent_id,
        type_id: event.row.type_id,
        click_id: event.row.click_id,
      })),
    ),
  )
}

/** A reversal has two keys: one for the sale, one for the report. */
function keysOf({ row, click }: DemoEvent): { sale_key: string; reported: CountedEvent | null }[] {
  const name = {
    siteId: row.site_id,
    transactionId: row.transaction_id ?? undefined,
    clickId: row.click_id,
  }
  if (row.reverses && isReversalWord(row.reversal)) {
    const keys = [reversalKey(row.reverses), reversalReportKey(name, row.reversal, whole)]
    return keys.map((sale_key) => ({ sale_key, reported: null }))
  }
  if (row.restores) return [{ sale_key: restorationKey(row.restores), reported: null }]
  const reported = wordOf(row.event_type, click.type)
  const { first, second } = saleKeysOf(name, reported)
  // The Day#2 Sale follows its approval.
  const isSecond = second !== undefined && row.event_type === EVENT_TYPE.bonus
  return [{ sale_key: isSecond ? second : first, reported }]
}

const whole = { target: undefined, productId: undefined }

const isReversalWord = (word: string | null): word is Reversal =>
  REVERSALS.some((reversal) => reversal === word)
