import type { Manual } from '@tallyroom/contract/site-manuals'
import type { ManualChange, NewManual } from './site-manuals.api.ts'

/** The fields of the manual form. */
export interface ManualValues extends Record<string, unknown> {
  /** Chosen once: a manual stays with its site. */
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

/** Without a site it is refused: no site has the number 0. */
export const newManualOf = ({ siteId = 0, title, html }: ManualValues): NewManual => ({
  siteId,
  title,
  html,
})

export const manualChangeOf = ({ title, html }: ManualValues, version?: number): ManualChange => ({
  title,
  html,
  version,
})

/** For messages about fields. */
export const manualLabels = { title: 'Display Title', html: 'Text' }
