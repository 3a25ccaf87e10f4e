import { inSentence } from '@tallyroom/domain/invisible'
import type { DbOrTx } from '../../db/database.ts'
import type { ClickIds } from '../clicks/click-id-signer.ts'
import { findClicksOfOrder } from '../sales/rejected-orders.queries.ts'
import { hold, type Report, type ReportedClick, type SaleOutcome } from '../sales/report.ts'
import { printable } from '../reading/kept-fields.ts'
import { type ParsedPostback, saleReportOf } from './parse-postback.ts'
import { orderKeyOf } from './pending.ts'
import { findPending } from './pending.queries.ts'
import type { PostbackSite } from './postback-sites.ts'
import { findOrderNumber } from './order-numbers.queries.ts'
import { takesBackReason } from '../reading/takes-back.ts'

/** What is to be done about a postback: report it, or refuse or hold it for what it says. */
export type Understood = { kind: 'report'; report: Report } | { kind: 'stop'; outcome: Stopped }

export type Stopped = Extract<SaleOutcome, { outcome: 'refused' | 'conflict' | 'ignored' }>

/**
 * The one judgement of what a postback says, for those that arrive and for the Integration drawer. Only the sales can
 * say more. `click` is that of {@link findClickOf}.
 */
export function understand(
  parsed: ParsedPostback,
  about: {
    postbackId: string
    site: PostbackSite
    click: ReportedClick | undefined
    receivedAt: Date
    /** Its parameters as kept. */
    kept: unknown
  },
): Understood {
  const { click, receivedAt } = about
  if (parsed.isPing)
    return stop({ outcome: 'ignored', reason: 'It tries whether the address answers.' })
  const ignored = parsed.takesBack ? undefined : parsed.ignored
  if (ignored) {
    const word = inSentence(printable(`${ignored.name}=${ignored.value}`, 100))
    return stop({ outcome: 'ignored', reason: `${word} is ignored, as agreed with the network.` })
  }
  const isForged = parsed.clickId !== undefined && !click
  const problems = {
    ...parsed.problems,
    ...(isForged && { click_id: ['is not one of our click ids'] }),
  }
  if (Object.keys(problems).length > 0) return stop({ outcome: 'refused', data: problems })
  const takesBack = takesBackOf(parsed)
  if (takesBack !== null) return stop(hold('takes-back', takesBackReason(takesBack)))

  // What is rejected counts no longer, if it ever did.
  const event = parsed.standing === 'rejected' ? 'void' : parsed.event
  const insists = parsed.approved || parsed.standing === 'rejected'
  const report = saleReportOf(
    { ...parsed, event, insists },
    { ...about, dialect: about.site, click, recordedAt: receivedAt },
  )
  return report
    ? { kind: 'report', report }
    : stop({ outcome: 'refused', data: { click_id: ['is required'] } })
}

const stop = (outcome: Stopped): Understood => ({ kind: 'stop', outcome })

/** The parameter that says that money goes back, as it is kept; null if none does. */
export const takesBackOf = ({ takesBack }: ParsedPostback): string | null =>
  takesBack ? printable(`${takesBack.name}=${takesBack.value}`, 200) : null

/**
 * The click that a postback is about: the one that it names, if its id is authentic. An approval without a click id is
 * about the click that its order was reported for.
 */
export async function findClickOf(
  db: DbOrTx,
  clickIds: ClickIds,
  siteId: number,
  parsed: ParsedPostback,
): Promise<ReportedClick | undefined> {
  if (parsed.clickId !== undefined) return readClick(clickIds, parsed.clickId)
  const order = approvedOrderOf(siteId, parsed)
  return order && clickOfOrder(db, clickIds, order)
}

/** A shop's refund, with the number by which its order was reported, if that is known. */
export async function withOrderNumber(
  db: DbOrTx,
  siteId: number,
  parsed: ParsedPostback,
): Promise<ParsedPostback> {
  if (parsed.shopOrderId === undefined) return parsed
  const number = await findOrderNumber(db, siteId, parsed.shopOrderId)
  return number === undefined ? parsed : { ...parsed, transactionId: number }
}

type Order = { siteId: number; transactionId: string; key: string }

/** The order of an approval that names no click, with the key of its lock. */
export function approvedOrderOf(siteId: number, parsed: ParsedPostback): Order | undefined {
  const { transactionId, needsKnownOrder, problems } = parsed
  const key = orderKeyOf({ siteId, transactionId, clickId: undefined, event: undefined })
  const isOne = needsKnownOrder && Object.keys(problems).length === 0
  return isOne && key !== undefined && transactionId !== undefined
    ? { siteId, transactionId, key }
    : undefined
}

/** Undefined unless all that is known of the order is about the same click. */
async function clickOfOrder(
  db: DbOrTx,
  clickIds: ClickIds,
  order: Order,
): Promise<ReportedClick | undefined> {
  const pending = await findPending(db, order.key)
  const known = [...pending.map(({ clickId }) => clickId), ...(await findClicksOfOrder(db, order))]
  const clicks = new Map(
    known.flatMap((text) => {
      const click = readClick(clickIds, text)
      return click ? [[click.id, click]] : []
    }),
  )
  const [click, ...others] = clicks.values()
  return others.length === 0 ? click : undefined
}

/** The click of an authentic id; undefined for any other. */
export function readClick(clickIds: ClickIds, text: string | null | undefined) {
  const fields = text ? clickIds.read(text) : undefined
  return fields && { id: clickIds.name(fields), ...fields }
}
