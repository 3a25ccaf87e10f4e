import type { RequestOf, ResultOf } from '@tallyroom/contract/endpoint'
import type { linksEndpoints } from '@tallyroom/contract/catalogue/links'
import { requestFor } from '@tallyroom/contract/messages'
import { hostsOf } from '@tallyroom/domain/merchant-page'
import { fromMinorUnits } from '@tallyroom/domain/money'
import { buildTrackedLink } from '@tallyroom/domain/tracked-link'
import { scopeOf } from '../../access/scope.ts'
import { type Sight, sightOf } from '../../access/sight.ts'
import type { Viewer } from '../../access/viewer.ts'
import type { DbOrTx } from '../../db/database.ts'
import { invalid, notFound } from '../../errors.ts'
import type { Services } from '../../services.ts'
import { findVisibleAmounts } from '../options/options.queries.ts'
import { findActiveDomains } from '../../people/index.ts'
import { isSiteInScope } from '../sites/sites.queries.ts'
import { findSeller, findSoldTypes, type Seller } from './links.queries.ts'

type LinksRequest = RequestOf<typeof linksEndpoints.links>['body']
type Links = ResultOf<typeof linksEndpoints.links>

/**
 * An agent's links for a site, or for all that they sell. If they would not work, the error says why.
 *
 * @throws NOT_FOUND for objects that the viewer cannot see, VALIDATION_ERROR for links that would not work.
 */
export async function generateLinks(
  { db, config, clock }: Pick<Services, 'db' | 'config' | 'clock'>,
  viewer: Viewer,
  { siteId: site, agentId: chosen }: LinksRequest,
): Promise<Links> {
  const agentId = agentOf(viewer, chosen)
  const siteId = site ?? undefined
  if (siteId !== undefined && !(await isSiteInScope(db, scopeOf(viewer), siteId)))
    throw notFound('site')
  const seller = await getSeller(db, viewer, { siteId, agentId })
  if (siteId !== undefined && !seller.siteActive) refuseDeadSite(seller)
  refuseDeadSeller(seller)
  if (siteId !== undefined) refuseDeadSite(seller)

  const { domain, host } = await chooseHost(db, seller, config.publicUrl)
  const types = await findSoldTypes(db, { siteId, agentId, now: clock.now() })
  const visible = await findVisibleAmounts(db, viewer)
  return {
    items: types.map((type) => ({
      typeId: type.typeId,
      siteId: type.siteId,
      sitename: type.sitename,
      typename: type.typename,
      avp: type.avp,
      link: buildTrackedLink(domain, { siteId: type.siteId, typeId: type.typeId, agentId }),
      hosts: hostsOf(type.url, type.deepHosts),
      ...(visible.payout && { payout: fromMinorUnits(type.payoutCentavos) }),
    })),
    agentId,
    domain,
    host,
  }
}

/** The agent asked about, by default the viewer. @throws VALIDATION_ERROR if that is nobody. */
export function agentOf(viewer: Viewer, chosen: number | null | undefined): number {
  const agentId = chosen ?? viewer.agentId
  if (agentId === undefined) throw invalid({ agentId: [requestFor('agentId')] })
  return agentId
}

/** @throws NOT_FOUND for an agent that the viewer cannot see. */
export async function getSeller(
  db: DbOrTx,
  viewer: Viewer,
  asked: { siteId: number | undefined; agentId: number },
): Promise<Seller> {
  const seller = await findSeller(db, ownSightOf(viewer), asked)
  if (!seller) throw notFound('agent')
  return seller
}

/** Hidden viewers can still see themselves. */
export const ownSightOf = (viewer: Viewer): Sight =>
  viewer.role === 'agent' ? { ...sightOf(viewer), withHidden: true } : sightOf(viewer)

/** Explains why an agent's links for a site would not work. @throws VALIDATION_ERROR */
export function refuseDeadLinks(seller: Seller): void {
  refuseDeadSeller(seller)
  refuseDeadSite(seller)
}

/** Explains in advance why the redirect of every link of the agent would answer 410. */
export function refuseDeadSeller(seller: Seller): void {
  if (!seller.approved) throw invalid({ agentId: ['is not approved yet: their links do not work'] })
  if (!seller.officeActive) {
    throw invalid({ agentId: ['belongs to a suspended office: their links do not work'] })
  }
  if (!seller.agentActive) throw invalid({ agentId: ['is suspended: their links do not work'] })
}

/** The same for the links of one site. */
export function refuseDeadSite(seller: Seller): void {
  if (!seller.siteActive) throw invalid({ siteId: ['is suspended: its links do not work'] })
  if (!seller.officeSells) throw invalid({ siteId: ['is not enabled for this agent’s office'] })
  if (seller.switchedOff) throw invalid({ siteId: ['is switched off for this agent'] })
}

/** The host of new links: the domain that the office prefers, or else the default. */
export async function chooseHost(
  db: DbOrTx,
  seller: Pick<Seller, 'domain'>,
  publicUrl: string,
): Promise<Pick<Links, 'domain' | 'host'>> {
  if (seller.domain !== null) return { domain: seller.domain, host: 'preferred' }
  const [first] = await findActiveDomains(db)
  return first
    ? { domain: first.domain, host: 'first-active' }
    : { domain: publicUrl, host: 'server' }
}
