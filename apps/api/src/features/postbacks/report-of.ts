import { isReversal } from '@tallyroom/domain/event-types'
import type { Report, ReportedClick } from '../sales/index.ts'
import type { ParsedPostback } from './parse-postback.ts'

/** What a postback without problems reports. Undefined when it does not say enough, which is a problem. */
export function reportOf(
  parsed: Omit<ParsedPostback, 'problems' | 'clickId'>,
  {
    click,
    ...context
  }: {
    click: ReportedClick | undefined
    postbackId: string
    site: { id: number; useApproveSale: boolean }
    /** What becomes of a date of the merchant's before the click or sale. */
    ifEarly: 'hold' | 'redate'
    receivedAt: Date
    recordedAt: Date
  },
): Report | undefined {
  const common = {
    postbackId: context.postbackId,
    siteId: context.site.id,
    useApproveSale: context.site.useApproveSale,
    transactionId: parsed.transactionId,
    typeAlias: parsed.typeAlias,
    customerEmail: parsed.customerEmail,
    occurredAt: parsed.occurredAt,
    // A postback without a time has that of its arrival, which a clock that was put back may date before its click.
    ifEarly: parsed.occurredAt < context.receivedAt ? context.ifEarly : ('keep' as const),
    recordedAt: context.recordedAt,
  }
  if (!parsed.event) return undefined
  if (isReversal(parsed.event)) {
    return { ...common, kind: 'reversal', click, reversal: parsed.event, target: parsed.target }
  }
  return click && { ...common, kind: 'sale', click, event: parsed.event }
}
