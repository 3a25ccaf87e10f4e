import type {
  AmountQuestion,
  ExplainGroup,
  Explanation,
  RateSource,
} from '@tallyroom/contract/stats-explain'
import { amountHeader } from '@tallyroom/contract/stats-figures'
import { isAmountName } from '@tallyroom/contract/stats-table'
import { avpSelectLabel } from '@tallyroom/domain/avp'
import { formatCount } from '@tallyroom/domain/money'
import { signedDollars, signedPesos } from '../../ui/signed-amounts.ts'

/** Formats figures in the unit of an explanation. */
export const amountFormat = ({ unit }: Pick<Explanation, 'unit'>) =>
  ({ php: signedPesos, usd: signedDollars, count: formatCount })[unit]

/** `Payout · Manila · maria · Lantern Live · Gold`, or `Payout · Overall total`. Names arrive with the answer. */
export function amountTitle(
  { column, companyId, agentId, siteId, typeId }: AmountQuestion,
  names: Explanation['names'] | undefined,
): string {
  if (!names) return isAmountName(column) ? amountHeader(column, NO_TYPE) : 'Amount'
  const whose = [
    names.office ?? (companyId !== undefined && `Office #${companyId}`),
    names.agent ?? (agentId !== undefined && `Agent #${agentId}`),
    names.site ?? (siteId !== undefined && `Site #${siteId}`),
    // In a link type's own column, the heading has its name.
    isAmountName(column) && (names.type ?? (typeId !== undefined && `Link type #${typeId}`)),
  ].filter((name) => name !== false)
  const header = amountHeader(column, { ...names, typename: names.type ?? undefined })
  return [header, ...(whose.length > 0 ? whose : ['Overall total'])].join(' · ')
}

const NO_TYPE = { useApproveSale: false, typename: undefined }

/** `2026-11-16 to 2026-11-22`, or the one day. */
export const amountSummary = ({ start, end }: AmountQuestion): string =>
  start === end ? start : `${start} to ${end}`

/** What decides on the rates; undefined for a count. */
export const paidBy = ({ groups }: Explanation): string | undefined => {
  const source = groups[0]?.rateSource
  if (source === undefined) return undefined
  return source === 'tier'
    ? 'Paid by tier: the agent’s AVP sales in each week decide the rate.'
    : 'Paid by rate: each sale has the rate that was in force when it happened.'
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
