/** Statuses as numbers, in the API, for accounts, sites and link types (specification 1, section 3). */
export const STATUS = { suspended: 0, activated: 1 } as const

export type SiteCategory = (typeof SITE_CATEGORIES)[number]

export const SITE_CATEGORIES = ['WEBCAMS', 'ADULT', 'DATING', 'CASINO'] as const

/** A display name: the local part of an address, with `_` and `-` replaced by spaces. */
export const localPartLabel = (text: string): string =>
  (text.split('@', 1)[0] ?? '').replace(/[_-]/g, ' ')

/** `Activated` or `Suspended`, plus ` (Hidden)` if hidden. For accounts, sites and link types. */
export const statusLabel = ({ active, hidden }: Visibility): string =>
  (active ? 'Activated' : 'Suspended') + (hidden ? ' (Hidden)' : '')

export type Visibility = { active: boolean; hidden?: boolean | undefined }

/** For preferred domains. A missing value is `Not Defined`. */
export function domainStatusLabel(hidden: boolean | null | undefined): string {
  if (hidden === true) return 'Hidden'
  return hidden === false ? 'Activated' : 'Not Defined'
}
