import type { ExplainGroup, RateSource } from '@tallyroom/contract/explain'
import { avpSelectLabel } from '@tallyroom/domain/avp'

/** Where a rate came from, in words. */
export const sourceText: Record<RateSource, string> = {
  default: 'The link type’s default rate',
  office: 'The office’s own rate',
  tier: 'The rate of the agent’s tier',
}

/** Why a tier: `Tier 6-9 sales of the schedule from 2026-09-21`. */
export const reasonText = ({ tier, scheduleValidFrom }: NonNullable<ExplainGroup['reason']>) =>
  tier === null || scheduleValidFrom === null
    ? 'No pay schedule was in force'
    : `Tier ${avpSelectLabel(tier)}, schedule from ${scheduleValidFrom}`
