/** How the holder of a new account gets a password. */
export const WAYS = ['typed', 'mail', 'link'] as const
export type Way = (typeof WAYS)[number]

export type FirstPasswordValues = { way: Way; password: string; passwordConfirm: string }

/** What the form sends of them. */
export const firstPasswordOf = ({ way, password, passwordConfirm }: FirstPasswordValues) =>
  way === 'typed' ? { password, passwordConfirm } : { invite: way }

/** The label of the field for the address, which an invitation by mail needs. */
export const addressLabel = (way: Way, label: string) =>
  way === 'mail' ? { label, withAsterisk: true } : { label: `${label} (optional)` }
