import type { CouponField } from './coupons.ts'
import type { FeeField, FeeRates } from './office-fees.ts'
import type { LinkTypeField } from './link-types.ts'
import type { ManualField } from './manuals.ts'
import type { OptionName } from './options.ts'
import type { ScheduleField } from './avp-schedules.ts'
import type { ShortLinkField } from './short-links.ts'
import type { SiteField } from './sites.ts'

/*
 * What forms and the history call the fields of forms. A field without a label does not compile.
 */

const rateLabels = {
  payout: 'Payout',
  earning: 'Earning',
  lpp: 'LPP',
  bonusPayout: 'Bonus payout',
  bonusEarning: 'Bonus earning',
  bonusLpp: 'Bonus LPP',
} satisfies Record<keyof FeeRates, string>

export const siteLabels = {
  sitename: 'Site name',
  shortname: 'Short name',
  abbr: 'Abbreviation',
  url: 'URL',
  type: 'Site type',
  contactName: 'Contact name',
  phoneNum: 'Phone',
  email: 'Email',
  note: 'Note',
  active: 'Activated',
  hidden: 'Hidden',
  useApproveSale: 'Approve sale',
  avp: 'AVP',
  specialReport: 'Special report',
  clickParam: 'Click parameter',
  transactionIdIsClick: 'transaction_id is the click id',
  alwaysOkText: 'Fixed response',
  eventWords: 'Event names',
  statusWords: 'Status words',
  wordReadings: 'Decided words',
  tracker: 'Tracker',
  severalProducts: 'Orders hold several products',
  countsForDays: 'Attribution window (days)',
  partRule: 'Partial refunds',
  deepHosts: 'Further hosts',
  insteadTypeId: 'Instead, send visitors to',
  couponWins: 'A code counts before a click',
  couponPattern: 'Codes of agents',
} satisfies Record<SiteField, string>

export const linkTypeLabels = {
  typename: 'Link name',
  typealias: 'Alias',
  bbrCh: 'Channel',
  url: 'URL',
  forwardParams: 'Forward parameters',
  ...rateLabels,
  bonus: 'Bonus',
  active: 'Activated',
  validFrom: 'Rates from',
} satisfies Record<LinkTypeField, string>

export const shortLinkLabels = { name: 'Name' } satisfies Record<ShortLinkField, string>
export const couponLabels = {
  code: 'Code',
  siteId: 'Site',
  typeId: 'Link type',
  agentId: 'Agent',
  fromDay: 'From',
  untilDay: 'Until',
} satisfies Record<CouponField, string>

export const passOnLabel = 'Give it although it was a deleted agent’s'

export const manualLabels = { title: 'Display Title', html: 'Text' } satisfies Record<
  ManualField,
  string
>

export const feeLabels = {
  enable: 'Own rates',
  ...rateLabels,
} satisfies Record<FeeField, string>

export const optionLabels = {
  auto_block_account: 'Auto Block Account',
  lpp_visible: 'LPP Visible',
  payout_visible: 'Payout Visible',
} satisfies Record<OptionName, string>

export const scheduleLabels = { validFrom: 'First week', tiers: 'Tiers' } satisfies Record<
  ScheduleField,
  string
>
