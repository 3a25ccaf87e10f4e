import { optionLabels, scheduleLabels } from '@tallyroom/contract/catalogue/labels'
import { alarmLabels } from '@tallyroom/contract/desk/labels'
import type { ObjectKind } from '@tallyroom/contract/desk/common-logs'
import {
  adminLabels,
  contactLabels,
  domainLabels,
  signInRulesLabels,
} from '@tallyroom/contract/people/labels'
import { formatDollars, formatPesos } from '@tallyroom/domain/money'
import { findOptions, findScheduleForms } from '../../catalogue/index.ts'
import type { DbOrTx } from '../../db/database.ts'
import {
  findContact,
  findDomainsById,
  findSignInRules,
  isProviderOnly,
} from '../../people/index.ts'
import { findSettings } from '../alarms/alarms.queries.ts'
import {
  type Find,
  formFields,
  formFinder,
  inSentence,
  snapshot,
  type Snapshot,
} from './object-finder.ts'
import { adminFinder, agentFinder, officeFinder } from './objects-of-people.queries.ts'
import {
  payeeAccountFinder,
  payFileFinder,
  paymentRunFinder,
  payProposalFinder,
  paySettingsFinder,
} from './objects-of-pay.queries.ts'
import {
  couponFinder,
  linkTypeFinder,
  officeFeeFinder,
  shortLinkFinder,
  siteFinder,
  siteManualFinder,
} from './objects-of-selling.queries.ts'

/** The objects that exist among these keys, which are all of one kind. */
export const findObjects = (
  db: DbOrTx,
  kind: ObjectKind,
  keys: readonly string[],
  now: Date,
): Promise<ReadonlyMap<string, Snapshot>> => finders[kind](db, keys, now)

/** The names of fields with earnings, which not everybody sees. Who sees them is no secret. */
export const isEarningField = (field: string): boolean =>
  /\bearning\b/.test(field) && field !== inSentence(adminLabels.earningVisible)

/** Lists of names are in alphabetical order. */
const finders: Record<ObjectKind, Find> = {
  agent: agentFinder,
  office: officeFinder,
  admin: adminFinder,
  site: siteFinder,
  linkType: linkTypeFinder,
  shortLink: shortLinkFinder,
  officeFee: officeFeeFinder,
  siteManual: siteManualFinder,
  coupon: couponFinder,
  paymentRun: paymentRunFinder,
  payeeAccount: payeeAccountFinder,
  payProposal: payProposalFinder,
  payFile: payFileFinder,
  paySettings: paySettingsFinder,

  domain: formFinder(findDomainsById, (domain) => ({
    name: domain.domain,
    fields: formFields(domainLabels, { ...domain, rootUrl: domain.rootUrl ?? '' }),
  })),

  avpSchedule: async (db, keys) =>
    new Map(
      (await findScheduleForms(db, keys)).map(({ validFrom, tiers }) => [
        validFrom,
        snapshot({
          name: `the AVP schedule from ${validFrom}`,
          fields: formFields(scheduleLabels, {
            validFrom,
            tiers: tiers.map(
              ({ from, to, payoutPhp, payoutDollars }) =>
                `${from}–${to}: ${formatPesos(payoutPhp)} / ${formatDollars(payoutDollars)}`,
            ),
          }),
        }),
      ]),
    ),

  alarmSettings: async (db) => {
    const fields = formFields(alarmLabels, await findSettings(db))
    return new Map([['0', snapshot({ name: 'the alarms', fields })]])
  },

  contact: async (db) => {
    const fields = formFields(contactLabels, await findContact(db))
    return new Map([['0', snapshot({ name: 'the contact', fields })]])
  },

  signInRules: async (db) => {
    const fields = {
      ...formFields(signInRulesLabels, await findSignInRules(db)),
      'Staff sign in only through the provider': (await isProviderOnly(db)) ? 'on' : 'off',
    }
    return new Map([['0', snapshot({ name: 'the rules of sign-in', fields })]])
  },

  options: async (db) => {
    const fields = Object.fromEntries(
      (await findOptions(db)).map(({ name, value }) => [
        `option ${optionLabels[name]}`,
        value === 1 ? 'on' : 'off',
      ]),
    )
    return new Map([['0', snapshot({ name: 'the system options', fields })]])
  },
}
