import type { ExplainGroup, Explanation, RateSource } from '@tallyroom/contract/stats-explain'
import { avpSelectLabel } from '@tallyroom/domain/avp'
import { signedDollars, signedPesos } from '../../../ui/signed-amounts.ts'

/** Formats amounts in the currency of an explanation. */
export const amountFormat = ({ currency }: Explanation) =>
  currency === 'php' ? signedPesos : signedDollars

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
