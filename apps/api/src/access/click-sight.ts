import { can } from '@tallyroom/domain/abilities'
import type { BrandFlags } from '@tallyroom/domain/brands/index'
import type { Viewer } from './viewer.ts'

/** What a viewer sees of whoever clicked. */
export type ClickSight = { ip: boolean; referrer: boolean; browser: boolean }

export const clickSightOf = (
  viewer: Viewer,
  { showIp, showReferrer }: Pick<BrandFlags, 'showIp' | 'showReferrer'>,
): ClickSight => ({
  ip: showIp,
  referrer: showReferrer,
  browser: can(viewer, 'logs.click-outs.browser'),
})
