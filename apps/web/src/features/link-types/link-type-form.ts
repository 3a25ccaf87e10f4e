import type { LinkType } from '@tallyroom/contract/link-types'
import { amountOf } from '../../ui/form/amount-of.ts'
import type { LinkTypeChange, NewLinkType } from './link-types.api.ts'

/** The fields of the link form. Figures are text, as typed. */
export type LinkTypeValues = {
  typename: string
  typealias: string
  bbrCh: string
  url: string
  payout: string
  earning: string
  lpp: string
  bonus: boolean
  bonusPayout: string
  bonusEarning: string
  bonusLpp: string
  active: boolean
}

/** A new link is activated, worth one point, and has no bonus. */
export const newLinkTypeValues: LinkTypeValues = {
  typename: '',
  typealias: '',
  bbrCh: '',
  url: '',
  payout: '',
  earning: '',
  lpp: '1',
  bonus: false,
  bonusPayout: '0',
  bonusEarning: '0',
  bonusLpp: '0',
  active: true,
}

export const linkTypeValues = (type: LinkType): LinkTypeValues => ({
  typename: type.typename,
  typealias: type.typealias,
  bbrCh: type.bbrCh,
  url: type.url,
  payout: type.payout.toFixed(2),
  earning: type.earning.toFixed(2),
  lpp: String(type.lpp),
  bonus: type.bonus,
  bonusPayout: type.bonusPayout.toFixed(2),
  bonusEarning: type.bonusEarning.toFixed(2),
  bonusLpp: String(type.bonusLpp),
  active: type.active,
})

/** Leaves out the bonus fields while they are hidden. */
const typeOf = ({ bonus, bonusPayout, bonusEarning, bonusLpp, ...values }: LinkTypeValues) => ({
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

export const linkTypeChangeOf = (values: LinkTypeValues, version?: number): LinkTypeChange => ({
  ...typeOf(values),
  version,
})

export const newLinkTypeOf = (siteId: number, values: LinkTypeValues): NewLinkType => ({
  ...typeOf(values),
  siteId,
})

/** Field names for messages. */
export const linkTypeLabels = {
  typename: 'Link name',
  typealias: 'Alias',
  bbrCh: 'Channel',
  url: 'URL',
  payout: 'Payout',
  earning: 'Earning',
  lpp: 'LPP',
  bonus: 'Bonus',
  bonusPayout: 'Bonus payout',
  bonusEarning: 'Bonus earning',
  bonusLpp: 'Bonus LPP',
  active: 'Activated',
} satisfies Record<keyof LinkTypeValues, string>
