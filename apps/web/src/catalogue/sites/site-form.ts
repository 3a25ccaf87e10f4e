import type {
  EventWord,
  Site,
  sitesEndpoints,
  StatusWord,
} from '@tallyroom/contract/catalogue/sites'
import type { BodyOf } from '@tallyroom/contract/endpoint'
import type { PartRule } from '@tallyroom/domain/holds'
import type { SiteCategory } from '@tallyroom/domain/labels'

/** The fields of the site form. */
export type SiteValues = {
  sitename: string
  shortname: string
  abbr: string
  url: string
  /** Null until one is chosen. */
  type: SiteCategory | null
  contactName: string
  phoneNum: string
  email: string
  note: string
  active: boolean
  hidden: boolean
  useApproveSale: boolean
  avp: boolean
  specialReport: boolean
  clickParam: string
  transactionIdIsClick: boolean
  alwaysOkText: string
  eventWords: EventWord[]
  statusWords: StatusWord[]
  tracker: string
  severalProducts: boolean
  /** A number field may be empty. */
  countsForDays: number | ''
  partRule: PartRule
}

/** A new site is activated, and otherwise empty. */
export const newSiteValues: SiteValues = {
  sitename: '',
  shortname: '',
  abbr: '',
  url: '',
  type: null,
  contactName: '',
  phoneNum: '',
  email: '',
  note: '',
  active: true,
  hidden: false,
  useApproveSale: false,
  avp: false,
  specialReport: false,
  clickParam: '',
  transactionIdIsClick: false,
  alwaysOkText: '',
  eventWords: [],
  statusWords: [],
  tracker: '',
  severalProducts: false,
  countsForDays: 0,
  partRule: 'ask',
}

export const siteValues = (site: Site): SiteValues => ({
  sitename: site.sitename,
  shortname: site.shortname,
  abbr: site.abbr,
  url: site.url,
  type: site.type,
  contactName: site.contactName,
  phoneNum: site.phoneNum,
  email: site.email,
  note: site.note,
  active: site.active,
  hidden: site.hidden,
  useApproveSale: site.useApproveSale,
  avp: site.avp,
  specialReport: site.specialReport,
  clickParam: site.clickParam,
  transactionIdIsClick: site.transactionIdIsClick,
  alwaysOkText: site.alwaysOkText,
  eventWords: site.eventWords,
  statusWords: site.statusWords,
  tracker: site.tracker,
  severalProducts: site.severalProducts,
  countsForDays: site.countsForDays,
  partRule: site.partRule,
})

/** Without a type, the API refuses the null and the field shows the error. */
export const newSiteOf = ({
  type,
  countsForDays,
  ...values
}: SiteValues): BodyOf<typeof sitesEndpoints.createSite> => ({
  ...values,
  countsForDays: countsForDays === '' ? 0 : countsForDays,
  type: type as SiteCategory, // see above
})

export const siteChangeOf = (
  values: SiteValues,
  version?: number,
): BodyOf<typeof sitesEndpoints.updateSite> => ({
  ...newSiteOf(values),
  active: values.active,
  version,
})
