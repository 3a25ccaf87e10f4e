import type { Site, SiteField, sitesEndpoints } from '@tallyroom/contract/catalogue/sites'
import type { BodyOf } from '@tallyroom/contract/endpoint'
import type { SiteCategory } from '@tallyroom/domain/labels'
import { fieldsOf } from '../../ui/form/fields-of.ts'

/** The fields of the site form. */
export type SiteValues = Omit<Pick<Site, SiteField>, 'type' | 'countsForDays' | 'deepHosts'> & {
  /** Null until one is chosen. */
  type: SiteCategory | null
  /** A number field may be empty. */
  countsForDays: number | ''
  /** One a line. */
  deepHosts: string
  /** Chosen before its link type, and not stored. */
  insteadSiteId: number | null
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
  wordReadings: [],
  tracker: '',
  severalProducts: false,
  countsForDays: 0,
  partRule: 'ask',
  deepHosts: '',
  insteadSiteId: null,
  insteadTypeId: null,
  couponWins: false,
  couponPattern: '',
}

export const siteValues = (site: Site): SiteValues =>
  fieldsOf<SiteValues>(newSiteValues, { ...site, deepHosts: site.deepHosts.join('\n') })

/** Without a type, the API refuses the null and the field shows the error. */
export const newSiteOf = ({
  type,
  countsForDays,
  deepHosts,
  insteadSiteId: _site,
  ...values
}: SiteValues): BodyOf<typeof sitesEndpoints.createSite> => ({
  ...values,
  countsForDays: countsForDays === '' ? 0 : countsForDays,
  type: type as SiteCategory, // see above
  deepHosts: [...new Set(deepHosts.split(/[\s,;]+/).filter(Boolean))],
})

/** What the API can't know: a site alone is nowhere to go. */
export const siteRefusals = ({ insteadSiteId, insteadTypeId }: SiteValues) =>
  insteadSiteId !== null && insteadTypeId === null ? { insteadTypeId: 'Choose a link type.' } : {}

export const siteChangeOf = (
  values: SiteValues,
  version?: number,
): BodyOf<typeof sitesEndpoints.updateSite> => ({
  ...newSiteOf(values),
  active: values.active,
  version,
})

type Names = Pick<SiteValues, 'sitename' | 'shortname' | 'abbr'>

/** The names of a new site once its first is typed: the shorter two follow it until they are typed themselves. */
export const namesFrom = ({ sitename, shortname, abbr }: Names, typed: string): Names => ({
  sitename: typed,
  shortname: shortname === shortNameOf(sitename) ? shortNameOf(typed) : shortname,
  abbr: abbr === abbreviationOf(sitename) ? abbreviationOf(typed) : abbr,
})

/** As many whole words as fit: `Harbor Hearts` of `Harbor Hearts Dating`. */
function shortNameOf(sitename: string): string {
  const [first = '', ...words] = sitename.trim().split(/\s+/)
  return words.reduce(
    (short, word) => (short.length + 1 + word.length <= 16 ? `${short} ${word}` : short),
    Array.from(first).slice(0, 16).join(''),
  )
}

/** The first letters of its words, or of its only word: `HH`, `LAN`. */
function abbreviationOf(sitename: string): string {
  const words = sitename.match(/[\p{L}\d]+/gu) ?? []
  const letters = words.length > 1 ? words.flatMap((word) => Array.from(word).slice(0, 1)) : []
  return (words.length > 1 ? letters.slice(0, 10) : Array.from(words[0] ?? '').slice(0, 3))
    .join('')
    .toUpperCase()
    .slice(0, 10)
}
