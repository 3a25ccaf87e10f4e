import { EVENT_TYPE, type PostbackEvent } from '@tallyroom/domain/event-types'
import { DEFAULT_CLICK_PARAM } from '@tallyroom/domain/tracked-link'
import type { Tx } from '../../src/db/database.ts'
import { makeClickIds } from '../../src/tracking/index.ts'
import { NO_KEY } from '../../src/tracking/postbacks/answers.ts'
import { keptFields } from '../../src/tracking/reading/kept-fields.ts'
import { parsePostback } from '../../src/tracking/postbacks/parse-postback.ts'
import type { Field } from '../../src/tracking/reading/field.ts'
import {
  findKeptPostback,
  type PostbackRow,
} from '../../src/tracking/postbacks/kept-postbacks.queries.ts'
import { orderKeyOf } from '../../src/tracking/postbacks/pending.ts'
import { settle } from '../../src/tracking/postbacks/settle-waiting.ts'
import { restoredNotice } from '../../src/tracking/sales/restore-sale.ts'
import { insertRows } from '../insert-rows.ts'
import { createRandom, type Random } from '../random.ts'
import type { SeedServices } from '../seeding.ts'
import type { NetworkSite } from './network-sites.ts'
import { found } from './found.ts'
import { type DemoEvent, voidedSales, wordOf } from './sales.ts'
import { uuidAt } from './uuid.ts'

/** The postbacks that recorded nothing: among the latest ones, typical problems. */
type Others = {
  mishaps: ReturnType<typeof makeMishaps>
  held: DemoPostback[]
  pending: DemoPostback[]
}

export const makeOthers = (events: readonly DemoEvent[], now: Date): Others => ({
  mishaps: makeMishaps(events, now),
  held: makeHeld(events, now),
  pending: makePending(events, now),
})

/** The values of all their parameters: click ids and order numbers among them. */
export const namedIn = ({ mishaps, held, pending }: Others): ReadonlySet<string> =>
  new Set([...mishaps.rows, ...held, ...pending].flatMap(({ params }) => Object.values(params)))

/** Every event's postback, and the others. */
export async function insertPostbacks(
  tx: Tx,
  events: readonly DemoEvent[],
  {
    others: { mishaps, held, pending },
    ledger,
    secret,
  }: Pick<SeedServices, 'ledger' | 'secret'> & { others: Others },
): Promise<void> {
  const reversedAt = new Map(events.map(({ row }) => [row.id, new Date(row.occurred_at)]))
  const rows = [
    ...events.map((event) => postbackOf(event, reversedAt)),
    ...mishaps.rows,
    ...held,
    ...pending,
  ]
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
  await insertRows(
    tx,
    'pending_postbacks',
    pending.map(({ id, site_id, transaction_id, click_id, event, received_at }) => ({
      postback_id: id,
      site_id: found(site_id ?? undefined),
      order_key: found(
        orderKeyOf({
          siteId: found(site_id ?? undefined),
          transactionId: transaction_id,
          clickId: click_id,
          event,
        }),
      ),
      received_at,
    })),
  )
  for (const { id, received_at } of held) {
    await holdBack(tx, id, { ledger, now: new Date(received_at), clickIds: makeClickIds(secret) })
  }
}

/** Lets the product decide why a postback is held. */
async function holdBack(
  tx: Tx,
  id: string,
  by: Pick<Parameters<typeof settle>[2], 'ledger' | 'now' | 'clickIds'>,
): Promise<void> {
  const outcome = await settle(tx, found(await findKeptPostback(tx, id)), {
    ...by,
    attributeFromId: true,
    settledBy: null,
  })
  if (outcome.outcome !== 'conflict')
    throw new Error(`A demo postback is ${outcome.outcome}, not held`)
  await tx
    .updateTable('postbacks')
    .set({ outcome: 'conflict', reason: outcome.reason })
    .where('id', '=', id)
    .execute()
}

/** The postback of an event. If the click came late, the postback waited for it. */
function postbackOf(
  { row, click, clickCameLate, code }: DemoEvent,
  reversedAt: ReadonlyMap<string, Date>,
): DemoPostback {
  const received = rowOf(click.type.site, {
    id: row.postback_id,
    receivedAt: new Date(clickCameLate ? row.occurred_at : row.recorded_at),
    fields: fieldsOf({ row, click, ...(code && { code }) }),
  })
  const belongs = { agent_id: row.agent_id, type_id: row.type_id }
  const restored = row.restores ? reversedAt.get(row.restores) : undefined
  return clickCameLate
    ? { ...received, ...belongs, outcome: 'waiting', reason: 'Its click has not arrived yet.' }
    : {
        ...received,
        ...belongs,
        outcome: 'recorded',
        event_id: row.id,
        reason: restored ? restoredNotice(restored) : null,
        ...(code && {
          click_id: row.click_id,
          reason: `By the coupon code ${code.code}.`,
        }),
      }
}

/** The parameters that the merchant's server sends. */
function fieldsOf({ row, click, code }: Pick<DemoEvent, 'row' | 'click' | 'code'>): Field[] {
  const { demo } = click.type.site
  const word = reportedWord({ row, click })
  const fields: (Field | undefined)[] = [
    code ? ['coupon', code.code] : [demo.clickParam || DEFAULT_CLICK_PARAM, row.click_id],
    code && ['type', click.type.demo.typealias],
    row.transaction_id === null ? undefined : ['transaction_id', row.transaction_id],
    word === 'sale' && !demo.useApproveSale ? undefined : ['event', word],
    row.restores === null ? undefined : ['status', 'approved'],
    row.amount_e4 === null ? undefined : ['amount', (row.amount_e4 / 10_000).toFixed(2)],
    row.currency === null ? undefined : ['currency', row.currency],
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
    tracker: undefined,
    eventWords: new Map(),
    statusWords: new Map(),
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
    standing: parsed.event === undefined ? null : parsed.standing,
    approved: parsed.approved,
    reverses: parsed.target ?? null,
    takes_back: parsed.takesBack ? `${parsed.takesBack.name}=${parsed.takesBack.value}` : null,
    type_alias: parsed.typeAlias ?? null,
    customer_email: parsed.customerEmail ?? null,
    occurred_at: parsed.occurredAt,
    outcome: 'refused',
    reason: null,
    event_id: null,
    agent_id: null,
    type_id: null,
    amount_e4: parsed.reported.amountE4 ?? null,
    currency: parsed.reported.currency ?? null,
    test: false,
  }
}

const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** Duplicates throughout the last month; strangers, typos and early reversals in the last days. */
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
    ...WAITS,
    agent_id: other.row.agent_id,
    type_id: other.row.type_id,
  }
}

/** Postbacks about which a person has to decide, of the last days. Why they are held is decided once they are inserted. */
function makeHeld(events: readonly DemoEvent[], now: Date): DemoPostback[] {
  const random = createRandom('held postbacks')
  const ago = (hours: number) => new Date(now.getTime() - hours * hourMs)
  const until = (hours: number) =>
    events.filter(
      ({ row, clickCameLate }) =>
        new Date(row.recorded_at) < ago(hours) &&
        new Date(row.recorded_at) > ago(hours + 14 * 24) &&
        row.transaction_id !== null &&
        !clickCameLate,
    )
  /** A report about the order of an event. */
  const reportOf = (event: DemoEvent, hours: number, fields: readonly Field[]): DemoPostback => ({
    ...rowOf(event.click.type.site, {
      ...arrival(random, ago(hours)),
      fields: [
        [event.click.type.site.demo.clickParam || DEFAULT_CLICK_PARAM, event.row.click_id],
        ...fields,
        ['key', 'the secret'],
      ],
    }),
    ...WAITS,
    agent_id: event.row.agent_id,
    type_id: event.row.type_id,
  })
  const order = ({ row }: DemoEvent): Field => ['transaction_id', row.transaction_id ?? '']
  const sales = (hours: number) => {
    const reversed = new Set(until(0).map(({ row }) => row.reverses))
    return until(hours).filter(
      ({ row }) =>
        row.event_type === EVENT_TYPE.sale &&
        row.quantity === 1 &&
        !reversed.has(row.id) &&
        row.restores === null,
    )
  }

  const rows = [14, 96].flatMap((hours) =>
    sales(hours).length > 1 ? [conflictOf(random, sales(hours), ago(hours))] : [],
  )
  // The merchant's clock is a day behind.
  const dated = sales(27).findLast(
    ({ click }) => !click.type.site.demo.reportsHourly && !click.type.site.demo.useApproveSale,
  )
  if (dated) {
    const number: Field = [
      'transaction_id',
      `${dated.click.type.site.demo.abbr}-${60_000 + random.below(9_000)}`,
    ]
    const time = new Date(dated.click.clickedAtMs - 23 * hourMs).toISOString()
    rows.push(reportOf(dated, 26, [number, ['time', time]]))
  }
  const again = voidedSales(until(6)).find(
    ({ sale }) => !events.some(({ row }) => row.of_sale === sale.row.id),
  )
  if (again) rows.push(reportOf(again.sale, 5, [order(again.sale)]))
  // Half of the price goes back to the customer.
  const parted = sales(31).findLast(({ row }) => (row.amount_e4 ?? 0) >= 20_0000)
  if (parted?.row.amount_e4) {
    const half = (parted.row.amount_e4 / 20_000).toFixed(2)
    rows.push(
      reportOf(parted, 30, [
        order(parted),
        ['event', 'void'],
        ['amount', half],
        ['currency', 'USD'],
      ]),
    )
  }
  // A refund under a name that nobody told the network about.
  const refunded = sales(52).findLast(
    ({ click, row }) => !click.type.site.demo.useApproveSale && row !== parted?.row,
  )
  if (refunded) rows.push(reportOf(refunded, 50, [order(refunded), ['reason', 'refund requested']]))
  return rows
}

/** Until the product has said why it is held. */
const WAITS = { outcome: 'waiting', reason: null } as const

/** Orders that their merchant has not approved: one is recent, one has been pending for too long. */
function makePending(events: readonly DemoEvent[], now: Date): DemoPostback[] {
  const random = createRandom('pending orders')
  return [2, 34].flatMap((daysAgo): DemoPostback[] => {
    const receivedAt = new Date(now.getTime() - daysAgo * 24 * hourMs)
    const event = events.findLast(
      ({ row, click }) =>
        new Date(row.recorded_at) < receivedAt &&
        row.event_type === EVENT_TYPE.sale &&
        !click.type.site.demo.useApproveSale &&
        row.transaction_id !== null,
    )
    if (!event) return []
    const { demo } = event.click.type.site
    const fields: Field[] = [
      [demo.clickParam || DEFAULT_CLICK_PARAM, event.row.click_id],
      ['transaction_id', `${demo.abbr}-${50_000 + random.below(9_000)}`],
      ['status', 'pending'],
      ['key', 'the secret'],
    ]
    return [
      {
        ...rowOf(event.click.type.site, { ...arrival(random, receivedAt), fields }),
        outcome: 'pending',
        reason: 'The merchant has not approved it yet.',
        agent_id: event.row.agent_id,
        type_id: event.row.type_id,
      },
    ]
  })
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
