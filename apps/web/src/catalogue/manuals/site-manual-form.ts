import { type Manual, siteManualsEndpoints } from '@tallyroom/contract/catalogue/manuals'
import type { BodyOf } from '@tallyroom/contract/endpoint'
import { refreshOf } from '../../lib/queries.ts'

/** The fields of the manual form. */
export interface ManualValues extends Record<string, unknown> {
  /** Can't be changed later. */
  siteId: number | undefined
  title: string
  html: string
}

export const newManualValues: ManualValues = { siteId: undefined, title: '', html: '' }

export const manualValues = ({ siteId, title, html }: Manual): ManualValues => ({
  siteId,
  title,
  html,
})

/** Site 0 does not exist, so a missing site is refused. */
export const newManualOf = ({
  siteId = 0,
  title,
  html,
}: ManualValues): BodyOf<typeof siteManualsEndpoints.createSiteManual> => ({
  siteId,
  title,
  html,
})

export const manualChangeOf = (
  { title, html }: ManualValues,
  version?: number,
): BodyOf<typeof siteManualsEndpoints.updateSiteManual> => ({
  title,
  html,
  version,
})

export const refreshManuals = refreshOf(siteManualsEndpoints.siteManuals)
