import type { Site, SiteField, sitesEndpoints } from '@tallyroom/contract/catalogue/sites'
import type { BodyOf } from '@tallyroom/contract/endpoint'
import type { SiteCategory } from '@tallyroom/domain/labels'
import { fieldsOf } from '../../ui/form/fields-of.ts'

/** The fields of the site form. */
export type SiteValues = Omit<Pick<Site, SiteField>, 'type' | 'countsForDays'> & {
  /** Null until one is chosen. */
  type: SiteCategory | null
  /** A number field may be empty. */
  countsForDays: number | ''
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

export const siteValues = (site: Site): SiteValues => fieldsOf<SiteValues>(newSiteValues, site)

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
