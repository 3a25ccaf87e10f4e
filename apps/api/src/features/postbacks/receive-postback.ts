import { randomUUIDv7 } from 'node:crypto'
import type { FieldMessages } from '@tallyroom/contract/errors'
import type { Layout } from '../../db/citus/layout.ts'
import type { DbOrTx } from '../../db/database.ts'
import { withinTransaction } from '../../db/transaction.ts'
import type { ClickIds } from '../clicks/index.ts'
import {
  recordSale,
  recordSaleEvent,
  type Report,
  type ReportedClick,
  type SaleOutcome,
  TEST_AGENT_ID,
} from '../sales/index.ts'
import { keptFields, printable } from './kept-fields.ts'
import { type ParsedPostback, parsePostback, saleReportOf } from './parse-postback.ts'
import type { Field } from './postback-fields.ts'
import type { PostbackSite } from './postback-sites.ts'
import {
  type PostbackRow,
  insertHeldPostback,
  insertPostback,
  insertWaitingPostback,
} from './kept-postbacks.queries.ts'

/** How a postback arrived. */
export type Arrival = { method: string; ip: string; receivedAt: Date }

/** The outcome of a postback stored under `id`. */
export type Received = { id: string } & SaleOutcome

/** Delay before the first retry of a waiting postback. */
const FIRST_TRY_MS = 2_000

/** Records an authenticated postback's report and stores the postback with its outcome, in one transaction. */
export async function receivePostback(
  { db, layout, clickIds }: { db: DbOrTx; layout: Layout; clickIds: ClickIds },
  site: PostbackSite,
  arrival: Arrival,
  fields: readonly Field[],
): Promise<Received> {
  const id = randomUUIDv7()
  const parsed = parsePostback(fields, site, arrival.receivedAt)
  const click = readClick(clickIds, parsed.clickId)
  const problems = problemsOf(parsed, click)
  const row = rowOf({ id, site, arrival, fields, parsed, click })
  const report = saleReportOf(parsed, {
    postbackId: id,
    site,
    click,
    ifEarly: 'hold',
    receivedAt: arrival.receivedAt,
    recordedAt: arrival.receivedAt,
  })

  const outcome: SaleOutcome =
    Object.keys(problems).length > 0 || !report
      ? await keep(db, row, { outcome: 'refused', data: problems })
      : await record({ db, layout }, report, row)
  return { id, ...outcome }
}

/** Stores a request that is unreadable or has no valid key. */
export async function keepRefused(
  db: DbOrTx,
  refused: { siteId: number | undefined; arrival: Arrival; params: object; reason: string },
): Promise<string> {
  const id = randomUUIDv7()
  await insertPostback(db, {
    ...emptyRow(id, refused.arrival),
    site_id: refused.siteId ?? null,
    params: JSON.stringify(refused.params),
    reason: refused.reason,
  })
  return id
}

/** The click of an authentic id; undefined for any other. */
export function readClick(clickIds: ClickIds, text: string | null | undefined) {
  const fields = text ? clickIds.read(text) : undefined
  return fields && { id: clickIds.name(fields), ...fields }
}

/** A refusal in words: `click_id is required; time must not be in the future`. */
export const reasonOf = (data: FieldMessages): string =>
  Object.entries(data)
    .flatMap(([field, messages]) =>
      messages.map((message) => (field === '_form' ? message : `${field} ${message}`)),
    )
    .join('; ')

async function record(
  { db, layout }: { db: DbOrTx; layout: Layout },
  report: Report,
  row: PostbackRow,
): Promise<SaleOutcome> {
  if (report.kind === 'reversal') {
    return withinTransaction(db, async (tx) =>
      keep(tx, row, await recordSaleEvent(tx, report, { layout })),
    )
  }
  const outcome = await recordSale(db, report, {
    layout,
    // Written together with the sale, to save a round trip in the common case.
    alsoInsert: (recorded) => [{ table: 'postbacks', row: withOutcome(row, recorded) }],
  })
  return outcome.outcome === 'recorded' ? outcome : keep(db, row, outcome)
}

async function keep(
  db: Parameters<typeof insertPostback>[0],
  row: PostbackRow,
  outcome: SaleOutcome,
): Promise<SaleOutcome> {
  if (outcome.outcome === 'waiting') {
    await insertWaitingPostback(db, withOutcome(row, outcome), {
      waitsFor: outcome.waitsFor,
      nextTryAt: new Date(new Date(row.received_at).getTime() + FIRST_TRY_MS),
    })
  } else if (outcome.outcome === 'conflict' && outcome.earliestAt) {
    const { reason, earliestAt } = outcome
    await insertHeldPostback(db, withOutcome(row, outcome), {
      postbackId: row.id,
      heldAt: new Date(row.received_at),
      reason,
      earliestAt,
    })
  } else {
    await insertPostback(db, withOutcome(row, outcome))
  }
  return outcome
}

function problemsOf(parsed: ParsedPostback, click: ReportedClick | undefined): FieldMessages {
  const isForged = parsed.clickId !== undefined && !click
  return isForged
    ? { ...parsed.problems, click_id: ['is not one of our click ids'] }
    : parsed.problems
}

function rowOf(received: {
  id: string
  site: PostbackSite
  arrival: Arrival
  fields: readonly Field[]
  parsed: ParsedPostback
  click: ReportedClick | undefined
}): PostbackRow {
  const { id, site, arrival, fields, parsed, click } = received
  const text = (value: string | undefined) => (value === undefined ? null : printable(value, 254))
  return {
    ...emptyRow(id, arrival),
    site_id: site.id,
    use_approve_sale: site.useApproveSale,
    params: JSON.stringify(keptFields(fields, site.secrets)),
    click_id: text(parsed.clickId),
    transaction_id: text(parsed.transactionId),
    event: parsed.event ?? null,
    type_alias: text(parsed.typeAlias),
    customer_email: text(parsed.customerEmail),
    occurred_at: parsed.occurredAt,
    agent_id: click?.agentId || null,
    type_id: click?.typeId ?? null,
    test: click?.agentId === TEST_AGENT_ID,
  }
}

const emptyRow = (id: string, arrival: Arrival): PostbackRow => ({
  id,
  received_at: arrival.receivedAt,
  site_id: null,
  use_approve_sale: null,
  method: arrival.method,
  ip: arrival.ip,
  params: '{}',
  click_id: null,
  transaction_id: null,
  event: null,
  type_alias: null,
  customer_email: null,
  occurred_at: null,
  outcome: 'refused',
  reason: null,
  event_id: null,
  agent_id: null,
  type_id: null,
  test: false,
})

function withOutcome(row: PostbackRow, outcome: SaleOutcome): PostbackRow {
  switch (outcome.outcome) {
    case 'recorded':
      return {
        ...row,
        outcome: 'recorded',
        reason: outcome.notice ?? null,
        event_id: outcome.eventId,
        agent_id: outcome.agentId || null,
        type_id: outcome.typeId,
      }
    case 'duplicate':
      return { ...row, outcome: 'duplicate', event_id: outcome.eventId, reason: outcome.reason }
    case 'refused':
      return { ...row, outcome: 'refused', reason: reasonOf(outcome.data) }
    case 'waiting':
    case 'conflict':
      return { ...row, outcome: outcome.outcome, reason: outcome.reason }
  }
}
