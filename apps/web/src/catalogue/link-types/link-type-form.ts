import type { LinkType, linkTypesEndpoints } from '@tallyroom/contract/catalogue/link-types'
import type { FeeRates } from '@tallyroom/contract/catalogue/office-fees'
import type { DatedRate } from '@tallyroom/contract/catalogue/rates'
import type { BodyOf } from '@tallyroom/contract/endpoint'
import { amountOf } from '../../ui/form/amount-of.ts'
import { fieldsOf } from '../../ui/form/fields-of.ts'

/** The fields of the link form. Figures are text, as typed. */
export type LinkTypeValues = typeof newLinkTypeValues

/** A new link is activated, forwards parameters, is worth one point, and has no bonus. */
export const newLinkTypeValues = {
  typename: '',
  typealias: '',
  bbrCh: '',
  url: '',
  forwardParams: true,
  payout: '',
  earning: '',
  lpp: '1',
  bonus: false,
  bonusPayout: '0',
  bonusEarning: '0',
  bonusLpp: '0',
  active: true,
  /** The day from which the rates apply. Empty: from now on. */
  validFrom: '',
}

export const linkTypeValues = (type: LinkType): LinkTypeValues =>
  fieldsOf(newLinkTypeValues, { ...type, ...rateValues(type), validFrom: '' })

/** Earnings are left out for those who may not see them. They do not see the form either. */
export const rateValues = ({
  payout,
  earning = 0,
  lpp,
  bonusPayout,
  bonusEarning = 0,
  bonusLpp,
}: Pick<DatedRate, keyof FeeRates>) => ({
  payout: payout.toFixed(2),
  earning: earning.toFixed(2),
  lpp: String(lpp),
  bonusPayout: bonusPayout.toFixed(2),
  bonusEarning: bonusEarning.toFixed(2),
  bonusLpp: String(bonusLpp),
})

/** Leaves out the bonus fields while they are hidden. */
const typeOf = ({
  bonus,
  bonusPayout,
  bonusEarning,
  bonusLpp,
  ...values
}: Omit<LinkTypeValues, 'validFrom'>) => ({
  ...values,
  payout: amountOf(values.payout),
  earning: amountOf(values.earning),
  lpp: amountOf(values.lpp),
  bonus,
  ...(bonus && {
    bonusPayout: amountOf(bonusPayout),
    bonusEarning: amountOf(bonusEarning),
    bonusLpp: amountOf(bonusLpp),
  }),
})

export const linkTypeChangeOf = (
  { validFrom, ...values }: LinkTypeValues,
  version?: number,
): BodyOf<typeof linkTypesEndpoints.updateLinkType> => ({
  ...typeOf(values),
  ...(validFrom !== '' && { validFrom }),
  version,
})

/** The rates of a new link type have no start date. */
export const newLinkTypeOf = (
  siteId: number,
  values: LinkTypeValues,
): BodyOf<typeof linkTypesEndpoints.createLinkType> => {
  const { validFrom: _from, ...type } = values
  return { ...typeOf(type), siteId }
}
