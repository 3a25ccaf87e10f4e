import type { letterSets } from '@tallyroom/contract/pay/files/files'

/** No preset. */
export const ANY = 'any'

export const letterLabels = {
  ascii: 'A–Z, 0–9, space',
  sepa: "SEPA: also / - ? : ( ) . , ' +",
} satisfies Record<(typeof letterSets)[number], string>
