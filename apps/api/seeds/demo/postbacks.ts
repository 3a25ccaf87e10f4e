import { EVENT_TYPE, type PostbackEvent } from '@tallyroom/domain/event-types'
import { DEFAULT_CLICK_PARAM } from '@tallyroom/domain/tracked-link'
import type { Tx } from '../../src/db/database.ts'
import { NO_KEY } from '../../src/features/postbacks/answers.ts'
import { keptFields } from '../../src/features/postbacks/kept-fields.ts'
import { parsePostback } from '../../src/features/postbacks/parse-postback.ts'
import type { Field } from '../../src/features/postbacks/postback-fields.ts'
import type { PostbackRow } from '../../src/features/postbacks/kept-postbacks.queries.ts'
import { insertRows } from '../insert-rows.ts'
import { createRandom, type Random } from '../random.ts'
import type { NetworkSite } from './network-sites.ts'
import { type DemoEvent, wordOf } from './sales.ts'
import { uuidAt } from './uuid.ts'

/** Every event's postback, and among the latest ones typical problems. */
export async function insertPostbacks(
  tx: Tx,
  events: readonly DemoEvent[],
  now: Date,
): Promise<void> {
  const mishaps = makeMishaps(events, now)
  const rows = [...events.map(postbackOf), ...mishaps.rows]
  await insertRows(tx, 'postbacks', rows)
  const late = events.filter(({ clickCameLate }) => clickCameLate)
  await insertRows(
    tx,
    'postback_settlements',
    late.map(({ row }) => ({
      postback_id: row.postback_id,
      settled_at: row.recorded_at,
      outcome: 'recorded',
      event_id: row.id,
    })),
  )
  await insertRows(tx, 'waiting_postbacks', mishaps.queue)
}

/** The postback of an event. If the click came late, the postback waited for it. */
function postbackOf({ row, click, clickCameLate }: DemoEvent): DemoPostback {
  const received = rowOf(click.type.site, {
    id: row.postback_id,
    receivedAt: new Date(clickCameLate ? row.occurred_at : row.recorded_at),
    fields: fieldsOf({ row, click }),
  })
  const belongs = { agent_id: row.agent_id, type_id: row.type_id }
  return clickCameLate
    ? { ...received, ...belongs, outcome: 'waiting', reason: 'Its click has not arrived yet.' }
    : { ...received, ...belongs, outcome: 'recorded', event_id: row.id }
}

/** The parameters that the merchant's server sends. */
function fieldsOf({ row, click }: Pick<DemoEvent, 'row' | 'click'>): Field[] {
  const { demo } = click.type.site
  const word = reportedWord({ row, click })
  const fields: (Field | undefined)[] = [
    [demo.clickParam || DEFAULT_CLICK_PARAM, row.click_id],
    row.transaction_id === null ? undefined : ['transaction_id', row.transaction_id],
    word === 'sale' && !demo.useApproveSale ? undefined : ['event', word],
    row.customer_email === null ? undefined : ['email', row.customer_email],
    demo.reportsHourly ? ['time', new Date(row.occurred_at).toISOString()] : undefined,
    ['key', 'the secret'],
  ]
  return fields.filter((field) => field !== undefined)
}

function reportedWord({ row, click }: Pick<DemoEvent, 'row' | 'click'>): PostbackEvent {
  switch (row.reversal) {
    case 'void':
    case 'chargeback':
    case 'fraud':
      return row.reversal
    default:
  }
  return wordOf(row.event_type, click.type)
}

/** A row with its parameters as an object instead of JSON text. */
type DemoPostback = Omit<PostbackRow, 'params'> & { params: Record<string, string> }

type Arrival = { id: string; receivedAt: Date; fields: Field[] }

/** A postback as the app would store it, without its outcome. */
function rowOf(site: NetworkSite, { id, receivedAt, fields }: Arrival): DemoPostback {
  const dialect = {
    useApproveSale: false,
    clickParam: site.row.click_param,
    transactionIdIsClick: false,
    eventWords: new Map(),
  }
  const parsed = parsePostback(fields, dialect, receivedAt)
  return {
    id,
    received_at: receivedAt,
    site_id: site.row.id,
    use_approve_sale: site.row.use_approve_sale,
    method: site.row.id % 3 === 0 ? 'POST' : 'GET',
    ip: `192.0.2.${20 + site.row.id}`,
    params: keptFields(fields, []),
    click_id: parsed.clickId ?? null,
    transaction_id: parsed.transactionId ?? null,
    event: parsed.event ?? null,
    type_alias: null,
    customer_email: parsed.customerEmail ?? null,
    occurred_at: parsed.occurredAt,
    outcome: 'refused',
    reason: null,
    event_id: null,
    agent_id: null,
    type_id: null,
    test: false,
  }
}

const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** Duplicates throughout the last month; strangers, typos and conflicts in the last days. */
function makeMishaps(events: readonly DemoEvent[], now: Date) {
  const random = createRandom('postbacks')
  const ago = (ms: number) => new Date(now.getTime() - ms)
  const recent = events.filter(
    ({ row }) => new Date(row.recorded_at) > ago(30 * 24 * hourMs) && row.transaction_id !== null,
  )
  const rows = recent.filter(() => random.chance(0.03)).map((event) => repeatOf(event, random))
  const queue: { postback_id: string; waits_for: string; received_at: Date; next_try_at: Date }[] =
    []
  if (recent.length === 0) return { rows, queue }

  for (const hours of [3, 20, 71, 130, 131]) {
    rows.push({ ...strangerOf(random, random.pick(recent), ago(hours * hourMs)), reason: NO_KEY })
  }
  for (const hours of [9, 50]) {
    rows.push(forgeryOf(random, random.pick(recent), ago(hours * hourMs)))
  }
  for (const hours of [14, 96]) {
    rows.push(conflictOf(random, recent, ago(hours * hourMs)))
  }
  for (const hours of [2, 40, 120]) {
    const row = earlyReversalOf(random, random.pick(recent), ago(hours * hourMs))
    rows.push(row)
    // After three days it is unmatched and no longer retried.
    if (hours > 72) continue
    const [received_at, next_try_at] = [ago(hours * hourMs), ago(-10 * minuteMs)]
    queue.push({ postback_id: row.id, waits_for: 'sale', received_at, next_try_at })
  }
  return { rows: rows.filter(({ received_at }) => new Date(received_at) <= now), queue }
}

/** The merchant's server missed our answer and sent the same postback again. */
function repeatOf(event: DemoEvent, random: Random): DemoPostback {
  const { row, click } = event
  const receivedAt = new Date(Number(new Date(row.recorded_at)) + 1_000 + random.below(40_000))
  return {
    ...rowOf(click.type.site, { ...arrival(random, receivedAt), fields: fieldsOf(event) }),
    outcome: 'duplicate',
    reason: row.reversal === null ? 'Already recorded.' : 'This reversal was already recorded.',
    event_id: row.id,
    agent_id: row.agent_id,
    type_id: row.type_id,
  }
}

/** A sender without the key. Nothing they send is trusted. */
function strangerOf(random: Random, event: DemoEvent, receivedAt: Date): DemoPostback {
  const row = rowOf(event.click.type.site, {
    ...arrival(random, receivedAt),
    fields: fieldsOf(event),
  })
  return {
    ...row,
    ip: `198.51.100.${30 + random.below(60)}`,
    click_id: null,
    transaction_id: null,
    event: null,
    customer_email: null,
    occurred_at: null,
  }
}

/** A click id with one character changed. */
function forgeryOf(random: Random, event: DemoEvent, receivedAt: Date): DemoPostback {
  const altered = `${event.row.click_id.slice(0, -1)}${event.row.click_id.endsWith('0') ? '1' : '0'}`
  const fields = fieldsOf({ ...event, row: { ...event.row, click_id: altered } })
  return {
    ...rowOf(event.click.type.site, { ...arrival(random, receivedAt), fields }),
    reason: 'click_id is not one of our click ids',
  }
}

/** The order number of one sale with the click of another. */
function conflictOf(random: Random, recent: readonly DemoEvent[], receivedAt: Date): DemoPostback {
  const sales = recent.filter(
    ({ row }) =>
      row.quantity === 1 &&
      row.event_type === EVENT_TYPE.sale &&
      new Date(row.recorded_at) < receivedAt,
  )
  const sale = random.pick(sales)
  const other = random.pick(
    sales.filter(({ row }) => row.site_id === sale.row.site_id && row.id !== sale.row.id),
  )
  const fields = fieldsOf({
    ...other,
    row: { ...other.row, transaction_id: sale.row.transaction_id },
  })
  return {
    ...rowOf(sale.click.type.site, { ...arrival(random, receivedAt), fields }),
    outcome: 'conflict',
    reason: 'An event with this transaction id is already recorded for another click or link type.',
    agent_id: other.row.agent_id,
    type_id: other.row.type_id,
  }
}

/** A chargeback of an order that was never reported. */
function earlyReversalOf(random: Random, { click }: DemoEvent, receivedAt: Date): DemoPostback {
  const { demo } = click.type.site
  const fields: Field[] = [
    ['transaction_id', `${demo.abbr}-${70_000 + random.below(9_000)}`],
    ['event', 'chargeback'],
    ['key', 'the secret'],
  ]
  return {
    ...rowOf(click.type.site, { ...arrival(random, receivedAt), fields }),
    outcome: 'waiting',
    reason: 'The sale that it reverses has not arrived yet.',
  }
}

const arrival = (random: Random, receivedAt: Date) => ({
  id: uuidAt(receivedAt.getTime(), random),
  receivedAt,
})
