import { type CriteriaWords, subText } from '@tallyroom/contract/figures/stats-table'
import { avpSelectLabel } from '@tallyroom/domain/avp'
import type { DateRange } from '@tallyroom/domain/periods'
import { scopeOf } from '../../access/scope.ts'
import type { Viewer } from '../../access/viewer.ts'
import type { DbOrTx } from '../../db/database.ts'
import { findSchedulesOf } from '../../catalogue/index.ts'
import type { ReportCriteria } from '../../figures/index.ts'
import { findAgentName, findOfficeName, findSiteNames, findTypeName } from './names.queries.ts'

/**
 * The criteria of a statistics page in words. Missing and out-of-scope ids both read "unknown".
 * Offices and agents always read their own name, because they see nothing else.
 */
export async function criteriaInWords(
  tx: DbOrTx,
  viewer: Viewer,
  { siteId, typeId, companyId, agentId, avp, sub, subId, start, end }: ReportCriteria,
): Promise<CriteriaWords> {
  const scope = scopeOf(viewer)
  const officeId = scope.sees === 'everything' ? companyId : scope.officeId
  const ownAgentId = scope.sees === 'agent' ? scope.agentId : agentId
  return {
    start,
    end,
    site: await sitesInWords(tx, siteId === undefined ? [] : [siteId]),
    type: await named(typeId, (id) => findTypeName(tx, { typeId: id, siteId })),
    office: await named(officeId, (id) => findOfficeName(tx, scope, id)),
    agent: await named(ownAgentId, (id) => findAgentName(tx, scope, id)),
    ...(avp !== undefined && { tier: await tierInWords(tx, avp, start) }),
    ...(sub && { sub: subText(sub, subId) }),
  }
}

/** The names of everything that was chosen. */
export const chosenIn = ({ site, type, office, agent, tier, sub }: CriteriaWords): string[] =>
  [site, type, office, agent, tier, sub].flatMap((word = ALL) =>
    word === ALL || word === ALL_SITES ? [] : [word],
  )

/** The names of sites that the viewer may choose. */
export const sitesInWords = async (tx: DbOrTx, siteIds: readonly number[]): Promise<string> =>
  siteIds.length === 0 ? ALL_SITES : (await findSiteNames(tx, siteIds)).join(', ')

/** `From 2026-11-16 To 2026-11-22`. */
export const rangeInWords = ({ start, end }: DateRange): string => `From ${start} To ${end}`

const named = async (
  id: number | undefined,
  find: (id: number) => Promise<string | undefined>,
): Promise<string> => (id === undefined ? ALL : ((await find(id)) ?? UNKNOWN))

const ALL = 'All'
const ALL_SITES = 'All sites'
const UNKNOWN = 'unknown'

/** According to the schedule of the first week, as on the page. */
async function tierInWords(tx: DbOrTx, index: number, day: string): Promise<string> {
  const [schedule] = await findSchedulesOf(tx, { start: day, end: day })
  const tier = schedule?.tiers.find((one) => one.index === index)
  return tier ? avpSelectLabel(tier) : UNKNOWN
}
