/*
 * Which fields of forms decide money: what is paid, to whom, or when. Whoever changes one needs the password of the last ten
 * minutes; no token can, and nobody who is signed in as somebody else. The server refuses it where the rows are written.
 * Other calls decide money as a whole: see `decidesMoney` of the abilities.
 */

/**
 * From when a change of a field counts: `sold`: for sales made from then on, however late they are reported. `received`: for
 * postbacks that arrive from then on. `now`: at once.
 */
export type CountsFrom = 'sold' | 'received' | 'now'

/** By form, its deciding fields. */
export const decidingFields = {
  site: {
    useApproveSale: 'sold',
    avp: 'sold',
    clickParam: 'received',
    transactionIdIsClick: 'received',
    /** Hides from the merchant that a sale was refused. */
    alwaysOkText: 'received',
    eventWords: 'received',
    statusWords: 'received',
    wordReadings: 'received',
    tracker: 'received',
    severalProducts: 'received',
    countsForDays: 'received',
    partRule: 'received',
    /** Where visitors are led, and so where they buy. */
    deepHosts: 'now',
    insteadTypeId: 'now',
    /** Whose an order is that names two, and what codes agents may take. */
    couponWins: 'now',
    couponPattern: 'now',
  },
  /** Rates are rows of their own, with their dates. */
  linkType: { bonus: 'sold', typealias: 'now', url: 'now' },
  agent: { officeId: 'now', fraudFlagged: 'now' },
} as const satisfies Record<string, Record<string, CountsFrom>>

export type DecidingForm = keyof typeof decidingFields
