import type { RequestOf, ResultOf } from '@tallyroom/contract/endpoint'
import type { linksEndpoints } from '@tallyroom/contract/catalogue/links'
import { requestFor } from '@tallyroom/contract/messages'
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
  const agentId = chosen ?? viewer.agentId
  if (agentId === undefined) throw invalid({ agentId: [requestFor('agentId')] })
  const siteId = site ?? undefined
  if (siteId !== undefined && !(await isSiteInScope(db, scopeOf(viewer), siteId)))
    throw notFound('site')
  const seller = await findSeller(db, ownSightOf(viewer), { siteId, agentId })
  if (!seller) throw notFound('agent')
  if (siteId !== undefined && !seller.siteActive) refuseDeadSite(seller)
  refuseDeadSeller(seller)
  if (siteId !== undefined) refuseDeadSite(seller)

  const { domain, host } = await chooseHost(db, seller, config.publicUrl)
  const types = await findSoldTypes(db, { siteId, agentId, now: clock.now() })
  const visible = await findVisibleAmounts(db, viewer)
  return {
    items: types.map(({ payoutCentavos, ...type }) => ({
      ...type,
      link: buildTrackedLink(domain, { siteId: type.siteId, typeId: type.typeId, agentId }),
      ...(visible.payout && { payout: fromMinorUnits(payoutCentavos) }),
    })),
    agentId,
    domain,
    host,
  }
}

/** Hidden viewers can still see themselves. */
const ownSightOf = (viewer: Viewer): Sight =>
  viewer.role === 'agent' ? { ...sightOf(viewer), withHidden: true } : sightOf(viewer)

/** Explains in advance why the redirect of every link of the agent would answer 410. */
function refuseDeadSeller(seller: Seller): void {
  if (!seller.approved) throw invalid({ agentId: ['is not approved yet: their links do not work'] })
  if (!seller.officeActive) {
    throw invalid({ agentId: ['belongs to a suspended office: their links do not work'] })
  }
  if (!seller.agentActive) throw invalid({ agentId: ['is suspended: their links do not work'] })
}

/** The same for the links of one site. */
function refuseDeadSite(seller: Seller): void {
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
