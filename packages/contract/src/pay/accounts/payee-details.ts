/*
 * What banks want to know of a payee beyond the account. Nobody is asked for what no template of bank files has.
 */

/** What a payee enters with the payment account. */
export const enteredDetails = ['address', 'city', 'postcode', 'mobile', 'taxNumber'] as const
export type EnteredDetail = (typeof enteredDetails)[number]

/** What the agent's page has, or the office's page of its manager. */
export const knownDetails = ['firstName', 'lastName', 'email'] as const
export type KnownDetail = (typeof knownDetails)[number]

export const detailLabels: Record<EnteredDetail, string> = {
  address: 'Address',
  city: 'City',
  postcode: 'Postcode',
  mobile: 'Mobile number',
  taxNumber: 'Tax number',
}

/** The details that payees have to enter for these columns. */
export const wantedIn = (columns: readonly { field: string }[]): EnteredDetail[] =>
  enteredDetails.filter((detail) => columns.some(({ field }) => field === detail))

/** Those of an account: an e-wallet's number is a mobile number. */
export const wantedFor = (
  wanted: readonly EnteredDetail[],
  channel: 'bank' | 'wallet',
): EnteredDetail[] => wanted.filter((detail) => channel === 'bank' || detail !== 'mobile')
