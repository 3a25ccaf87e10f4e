import { randomUUIDv7 } from 'node:crypto'
import type { FieldMessages } from '@tallyroom/contract/errors'
import { TEST_AGENT_ID } from '@tallyroom/domain/click-id'
import { inSentence } from '@tallyroom/domain/invisible'
import { announceChange } from '../../db/changes.ts'
import type { DbOrTx, Tx } from '../../db/database.ts'
import { withinTransaction } from '../../db/transaction.ts'
import type { ClickIds } from '../clicks/click-id-signer.ts'
import { insertClaim, type NewClaim, rowOfClaim } from '../coupons/coupon-orders.queries.ts'
import { findKnownSale } from '../sales/known-sale.ts'
import type { ExtraRow, SaleLedger } from '../sales/ledger.ts'
import { insertRejection, wasRejectedBefore } from '../sales/rejected-orders.queries.ts'
import { recordSale, recordSaleEvent } from '../sales/record-sale-event.ts'
import type { Report, ReportedClick, SaleOutcome, SaleReport } from '../sales/report.ts'
import { isSecretName } from '../../lib/secret-names.ts'
import { keptFields, printable, withoutKeys } from '../reading/kept-fields.ts'
import { type ParsedPostback, parsePostback } from './parse-postback.ts'
import {
  closeDecided,
  closeMeant,
  decides,
  findDecided,
  findPendingPart,
  findMeant,
  type Meant,
  type OrderName,
  orderKeyOf,
  recordMeant,
  takesNothing,
} from './pending.ts'
import { insertPendingPostback, lockOrder } from './pending.queries.ts'
import {
  attributePostback,
  orderToLock,
  takesBackOf,
  understand,
  withOrderNumber,
  withPendingOrder,
} from './understand-postback.ts'
import type { Field } from '../reading/field.ts'
import type { SaidWord } from '../reading/said.ts'
import { findNew, type Vocabularies } from '../words/vocabulary.ts'
import { findNewWords, heldWords, holdForWord } from './new-words.ts'
import { type PostbackSite, usedApproveSale } from './postback-sites.ts'
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
  {
    db,
    ledger,
    clickIds,
    vocabularies,
  }: { db: DbOrTx; ledger: SaleLedger; clickIds: ClickIds; vocabularies: Vocabularies },
  site: PostbackSite,
  arrival: Arrival,
  fields: readonly Field[],
): Promise<Received> {
  const id = randomUUIDv7()
  const { receivedAt } = arrival
  const kept = keptFields(fields, site.secrets)
  const given = await withOrderNumber(
    db,
    site.id,
    parsePostback(withoutKeys(fields, site.secrets), site, receivedAt),
  )
  const { parsed, doubt } = await withPendingOrder(db, site, given, kept)
  const take = async (to: DbOrTx): Promise<SaleOutcome> => {
    const attributed = await attributePostback(to, clickIds, site, parsed)
    const { click, code, claim, problems, isPassedOver } = attributed
    const about = { siteId: site.id, parsed, click, receivedAt }
    const { found, maybe } = await findNewWords(to, vocabularies, about)
    const read = found?.as ?? parsed
    const row = rowOf({ id, site, arrival, kept, parsed: read, click, code })
    const words = found?.words
    const understood = understand(read, {
      postbackId: id,
      site,
      click,
      problems,
      isPassedOver,
      receivedAt,
      kept,
      words,
    })
    const keepClaim = keeperOf(claim, receivedAt)
    const stop = async (outcome: SaleOutcome): Promise<SaleOutcome> => {
      await keepClaim.alone(to)
      return keep(to, row, outcome)
    }
    if (understood.kind === 'stop') return stop(understood.outcome)
    if (doubt) return stop(doubt)
    return act(to, { ledger, site, parsed, report: understood.report, row, maybe, keepClaim })
  }
  const order = orderToLock(site, parsed)
  const outcome = !order
    ? await take(db)
    : await withinTransaction(db, async (tx) => {
        await lockOrder(tx, order.key)
        return take(tx)
      })
  return { id, ...outcome }
}

/** A new click that stands for a code is kept once with its order, which is locked, whatever becomes of the report. */
type ClaimKeeper = {
  /** With the sale, to save a round trip in the common case. */
  rows: () => ExtraRow[]
  /** Unless it is kept. */
  alone: (db: DbOrTx) => Promise<void>
}

function keeperOf(claim: NewClaim | undefined, madeAt: Date): ClaimKeeper {
  let unkept = claim
  return {
    rows: () => (unkept ? [{ table: 'coupon_orders', row: rowOfClaim(unkept, madeAt) }] : []),
    alone: async (db) => {
      if (!unkept) return
      const kept = unkept
      unkept = undefined
      await withinTransaction(db, (tx) => insertClaim(tx, kept, madeAt))
    },
  }
}

/** What is to be done about a postback that is understood. */
type ToDo = {
  ledger: SaleLedger
  site: PostbackSite
  parsed: ParsedPostback
  report: Report
  row: PostbackRow
  /** Words in it that may be new. */
  maybe: readonly SaidWord[]
  keepClaim: ClaimKeeper
}

const mayHavePending = ({ hasPending, keptPending = false }: PostbackSite): boolean =>
  hasPending || keptPending

async function act(db: DbOrTx, todo: ToDo): Promise<SaleOutcome> {
  const { parsed, site } = todo
  // Most sales are of sites that report nothing before they approve it: they cost no further query.
  const isPlain = parsed.standing === 'counts' && !parsed.approved && !mayHavePending(site)
  if (isPlain) return record(db, todo)
  await todo.keepClaim.alone(db)
  return withinTransaction(db, (tx) => decide(tx, todo))
}

/** Acts on a postback that is pending, or that may decide on pending ones of its order. */
async function decide(tx: Tx, todo: ToDo): Promise<SaleOutcome> {
  const { ledger, site, parsed, report, row } = todo
  const name = orderNameOf(row)
  const key = orderKeyOf(name)
  if (key !== undefined) await lockOrder(tx, key)
  const receivedAt = new Date(row.received_at)

  if (parsed.standing === 'pending') {
    const known = report.kind === 'sale' ? await findKnownSale(tx, report, { ledger }) : undefined
    if (known) return keep(tx, row, known)
    if (!site.hasPending) await announceChange(tx, 'destinations')
    // A sale of it may come in the same request. Others are told with the commit.
    site.keptPending = true
    return keep(tx, row, { outcome: 'pending', reason: 'The merchant has not approved it yet.' })
  }

  if (report.kind === 'sale') return decideSale(tx, todo, report)
  const isRejected = parsed.standing === 'rejected'
  const about = {
    ...name,
    event: isRejected ? 'void' : name.event,
    reverses: parsed.target,
    severalProducts: site.severalProducts,
    standing: parsed.standing,
  }
  const decided = await findDecided(tx, about)
  const found = await recordSaleEvent(tx, report, { ledger })
  const part = takesNothing(found) ? await findPendingPart(tx, report, decided) : undefined
  if (part) return keep(tx, row, part)
  const isOfNone = parsed.standing === 'rejected' || decided.length > 0
  const hasNothing = found.outcome === 'waiting' && isOfNone
  if (hasNothing) await insertRejection(tx, report)
  const isRetry =
    found.outcome === 'waiting' && !hasNothing && (await wasRejectedBefore(tx, report))
  const outcome = hasNothing || isRetry ? REJECTED : found
  await closeDecided(tx, about, outcome, receivedAt)
  return keep(tx, row, outcome)
}

/** Counts what a report is about, by itself or by what is known of its order, and closes what was pending of it. */
async function decideSale(tx: Tx, todo: ToDo, report: SaleReport): Promise<SaleOutcome> {
  const { ledger, parsed, row } = todo
  const { namesEvent, clickId } = parsed
  const name = { clickId: row.click_id, namesEvent, namesClick: clickId !== undefined }
  const meant = await findMeant(tx, ledger, report, name)
  if (!Array.isArray(meant)) return keep(tx, row, meant)
  const { outcome: found, decided } = await recordMeant(tx, meant, { ledger })
  const outcome = await unlessNew(tx, todo, found)
  if (decides[outcome.outcome]) await closeMeant(tx, decided, new Date(row.received_at))
  return keep(tx, asMeant(row, meant), outcome)
}

/** The postback says what it was taken for, as later reports of its order are compared with it. */
function asMeant(row: PostbackRow, [first, ...others]: readonly Meant[]): PostbackRow {
  if (!first) return row
  const { event, typeAlias, productId } = first.report
  const isOne = others.length === 0
  return {
    ...row,
    event,
    ...(isOne && typeAlias !== undefined && { type_alias: printable(typeAlias, 254) }),
    ...(isOne && productId !== undefined && { type_id: productId }),
  }
}

export const REJECTED = {
  outcome: 'rejected',
  reason: 'The merchant rejected it. Nothing was counted.',
} as const satisfies SaleOutcome

const orderNameOf = (row: PostbackRow): OrderName => ({
  siteId: row.site_id,
  transactionId: row.transaction_id,
  clickId: row.click_id,
  event: row.event,
  reverses: row.reverses,
  typeAlias: row.type_alias,
})

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

/** A refusal in words: `click_id is required; time must not be in the future`. */
export const reasonOf = (data: FieldMessages): string =>
  inSentence(
    Object.entries(data)
      .flatMap(([field, messages]) =>
        messages.map((message) => (field === '_form' ? message : `${field} ${message}`)),
      )
      .join('; '),
  )

async function record(db: DbOrTx, todo: ToDo): Promise<SaleOutcome> {
  const { ledger, report, row, keepClaim } = todo
  if (report.kind === 'reversal') {
    await keepClaim.alone(db)
    return withinTransaction(db, async (tx) =>
      keep(tx, row, await recordSaleEvent(tx, report, { ledger })),
    )
  }
  const outcome = await recordSale(db, report, {
    ledger,
    // Written together with the sale, to save a round trip in the common case.
    alsoInsert: (recorded) => [
      { table: 'postbacks', row: withOutcome(row, recorded) },
      ...keepClaim.rows(),
    ],
    beforeDoubt: keepClaim.alone,
  })
  if (outcome.outcome === 'recorded') return outcome
  await keepClaim.alone(db)
  const isOther = outcome.outcome === 'conflict' && outcome.kind === 'other-product'
  // It may repeat what approved a product that was pending.
  if (isOther && report.typeAlias === undefined)
    return withinTransaction(db, (tx) => decide(tx, todo))
  return keep(db, row, await unlessNew(db, todo, outcome))
}

/** What repeats a report whose order was not known a moment ago may say something new about it. */
async function unlessNew(
  db: DbOrTx,
  { site, parsed, row, maybe }: ToDo,
  outcome: SaleOutcome,
): Promise<SaleOutcome> {
  if (outcome.outcome !== 'duplicate') return outcome
  const found = await findNew(db, site.id, maybe, new Date(row.received_at))
  return found.length === 0 ? outcome : holdForWord(heldWords(found, parsed))
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
  } else if (outcome.outcome === 'pending') {
    const orderKey = orderKeyOf(orderNameOf(row)) ?? ''
    await insertPendingPostback(db, withOutcome(row, outcome), orderKey)
  } else if (outcome.outcome === 'conflict') {
    const { kind, reason, earliestAt = null, words } = outcome
    await insertHeldPostback(db, withOutcome(row, outcome), {
      postbackId: row.id,
      heldAt: new Date(row.received_at),
      kind,
      reason,
      earliestAt,
      siteId: row.site_id ?? null,
      words,
    })
  } else {
    await insertPostback(db, withOutcome(row, outcome))
  }
  return outcome
}

function rowOf(received: {
  id: string
  site: PostbackSite
  arrival: Arrival
  kept: Record<string, string>
  parsed: ParsedPostback
  click: ReportedClick | undefined
  /** The code that the click stands for. */
  code: string | undefined
}): PostbackRow {
  const { id, site, arrival, kept, parsed, click, code } = received
  const text = (value: string | undefined) => (value === undefined ? null : printable(value, 254))
  return {
    ...emptyRow(id, arrival),
    site_id: site.id,
    use_approve_sale: usedApproveSale(site, parsed.occurredAt),
    params: JSON.stringify(kept),
    click_id: text(code === undefined ? (parsed.clickId ?? click?.id) : click?.id),
    transaction_id: text(parsed.transactionId),
    event: parsed.event ?? null,
    standing: parsed.event === undefined ? null : parsed.standing,
    approved: parsed.approved,
    reverses: parsed.target ?? null,
    takes_back: takesBackOf(parsed),
    type_alias: text(parsed.typeAlias),
    customer_email: text(parsed.customerEmail),
    occurred_at: parsed.occurredAt,
    amount_e4: parsed.reported.amountE4 ?? null,
    currency: parsed.reported.currency ?? null,
    agent_id: click?.agentId || null,
    type_id: click?.typeId ?? null,
    reason: code === undefined ? noticeOf(parsed) : `By the coupon code ${code}.`,
    test: click?.agentId === TEST_AGENT_ID,
  }
}

/** For staff: a second order of the click would be taken for a retry of this one. */
function noticeOf({ transactionId, standing, event, unread }: ParsedPostback): string | null {
  if (transactionId !== undefined || event === undefined || standing === 'reverses') return null
  const names = unread.filter((name) => !isSecretName(name)).map((name) => printable(name, 40))
  const shown = inSentence(names.slice(0, MOST_NAMES).join(', '))
  const more = names.length > MOST_NAMES ? ` and ${names.length - MOST_NAMES} more` : ''
  return shown === ''
    ? 'It has no order number.'
    : `No order number was recognised. Not read: ${shown}${more}.`
}

const MOST_NAMES = 8

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
  standing: null,
  approved: false,
  reverses: null,
  takes_back: null,
  type_alias: null,
  customer_email: null,
  occurred_at: null,
  outcome: 'refused',
  reason: null,
  event_id: null,
  agent_id: null,
  type_id: null,
  amount_e4: null,
  currency: null,
  test: false,
})

const withNotice = (reason: string | undefined, { reason: notice }: PostbackRow): string | null =>
  [reason, notice].filter(Boolean).join(' ') || null

function withOutcome(row: PostbackRow, outcome: SaleOutcome): PostbackRow {
  switch (outcome.outcome) {
    case 'recorded':
      return {
        ...row,
        outcome: 'recorded',
        reason: withNotice(outcome.notice, row),
        event_id: outcome.eventId,
        agent_id: outcome.agentId || null,
        type_id: outcome.typeId,
      }
    case 'duplicate':
      return {
        ...row,
        outcome: 'duplicate',
        event_id: outcome.eventId ?? null,
        reason: withNotice(outcome.reason, row),
      }
    case 'refused':
      return { ...row, outcome: 'refused', reason: reasonOf(outcome.data) }
    case 'waiting':
    case 'conflict':
    case 'pending':
    case 'rejected':
    case 'ignored':
      return { ...row, outcome: outcome.outcome, reason: withNotice(outcome.reason, row) }
  }
}
