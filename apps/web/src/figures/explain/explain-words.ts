import type {
  AmountQuestion,
  ExplainGroup,
  Explanation,
  PaidBy,
  RateSource,
} from '@tallyroom/contract/figures/explain'
import { amountHeader } from '@tallyroom/contract/figures/stats-figures'
import { isAmountName, subText } from '@tallyroom/contract/figures/stats-table'
import { avpSelectLabel } from '@tallyroom/domain/avp'
import { formatCount, signedDollars, signedPesos } from '@tallyroom/domain/money'

/** Formats figures in the unit of an explanation. */
export const amountFormat = ({ unit }: Pick<Explanation, 'unit'>) =>
  ({ php: signedPesos, usd: signedDollars, count: formatCount })[unit]

/** `Payout · Manila · maria · Lantern Live · Gold`, or `Payout · Overall total`. Names arrive with the answer. */
export function amountTitle(
  { column, companyId, agentId, siteId, typeId, sub, subId }: AmountQuestion,
  names: Explanation['names'] | undefined,
): string {
  if (!names) return isAmountName(column) ? amountHeader(column, NO_TYPE) : 'Amount'
  const whose = [
    names.office ?? (companyId !== undefined && `Office #${companyId}`),
    names.agent ?? (agentId !== undefined && `Agent #${agentId}`),
    names.site ?? (siteId !== undefined && `Site #${siteId}`),
    // The heading of a link type's own column already has its name.
    isAmountName(column) && (names.type ?? (typeId !== undefined && `Link type #${typeId}`)),
    sub !== undefined && subText(sub, subId),
  ].filter((name) => name !== false)
  const header = amountHeader(column, { ...names, typename: names.type ?? undefined })
  return [header, ...(whose.length > 0 ? whose : ['Overall total'])].join(' · ')
}

const NO_TYPE = { useApproveSale: false, typename: undefined }

/** `2026-11-16 to 2026-11-22`, or the one day. */
export const amountSummary = ({ start, end }: AmountQuestion): string =>
  start === end ? start : `${start} to ${end}`

/** What the rates are, and whether they are paid; undefined for a count. */
export function paidBy({ groups, parts }: Explanation): string | undefined {
  const source = groups[0]?.rateSource
  if (source === undefined) return undefined
  const paid = new Set(parts.items.map((part) => part.paidBy))
  if (source === 'tier') {
    return paid.has('rate')
      ? 'By tier, for information: these sales are paid by their rates.'
      : 'Paid by tier: the agent’s AVP sales in each week decide the rate.'
  }
  return paid.has('tier')
    ? 'By the rates in force when each sale happened. Sales marked “Paid by tier” are paid by their week’s tier instead.'
    : 'Paid by rate: each sale has the rate that was in force when it happened.'
}

/** What pays for a sale. */
export const paidByText: Record<PaidBy, string> = {
  rate: 'Paid by rate',
  tier: 'Paid by tier',
  both: 'Paid by rate and tier',
}

/** The source of a rate, in words. */
export const sourceText: Record<RateSource, string> = {
  default: 'The link type’s default rate',
  office: 'The office’s own rate',
  tier: 'The rate of the agent’s tier',
}

type Reason = NonNullable<ExplainGroup['reason']>

/** `tier 6-9 sales` */
export const tierText = ({ tier }: Pick<Reason, 'tier'>) =>
  tier === null ? 'no tier' : `tier ${avpSelectLabel(tier)}`

/** The reason for a tier: `Tier 6-9 sales, schedule from 2026-09-21`. */
export const reasonText = ({ tier, scheduleValidFrom }: Reason) =>
  tier === null || scheduleValidFrom === null
    ? 'No pay schedule was in force'
    : `Tier ${avpSelectLabel(tier)}, schedule from ${scheduleValidFrom}`
