import type { RateOrigin } from '@tallyroom/contract/catalogue/rates'
import { dayOf } from '@tallyroom/domain/new-york'

/**
 * ` since 2026-10-01, by admin`, to follow the name of a rate; empty for a rate that has always
 * been in force.
 */
export const originText = (origin: RateOrigin | undefined): string =>
  origin === undefined
    ? ''
    : ` since ${dayOf(new Date(origin.validFrom))}${origin.addedBy ? `, by ${origin.addedBy}` : ''}`
