/** What is verified every night, in this order. */
export const VERIFIED = ['pay', 'logs', 'totals'] as const
export type Verified = (typeof VERIFIED)[number]

/** As people read them. */
export const verifiedLabels: Record<Verified, string> = {
  pay: 'Pay',
  logs: 'Common logs',
  totals: 'Totals',
}

/** When the nightly verification begins, on New York's clocks. */
export const NIGHT = { from: '03:00', before: '05:00' } as const
