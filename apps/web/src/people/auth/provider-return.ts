import { keptInTab } from '../../lib/pages/kept-in-tab.ts'
import { ownPath } from '../../lib/pages/own-path.ts'
import { LANDING } from '../../lib/pages/page.ts'

/** For as long as this tab is at the sign-in provider. */
const kept = keptInTab('tallyroom.provider-return')

/** Keeps where a sign-in at the provider goes on. */
export const keepReturn = (returnUrl = ''): void => kept.keep(returnUrl)

/** Where it goes on: a page of ours, by default the first one. A session that opens clears the tab's storage. */
export const readReturn = (): string => ownPath(kept.read()) ?? LANDING
