import type { RequestOf, ResultOf } from '@tallyroom/contract/endpoint'
import type { linksEndpoints } from '@tallyroom/contract/catalogue/links'
import { fromMinorUnits } from '@tallyroom/domain/money'
import type { Viewer } from '../../access/viewer.ts'
import type { Services } from '../../services.ts'
import { findVisibleAmounts } from '../options/options.queries.ts'
import { agentOf, getSeller } from './generate-links.ts'
import { findPreparedPays, findSoldTypes, type Pays } from './links.queries.ts'

/**
 * What each of an agent's links pays on all sites that are not hidden, for a suspended agent as well.
 *
 * @throws NOT_FOUND for agents that the viewer cannot see.
 */
export async function listLinkRates(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  viewer: Viewer,
  { agentId: chosen }: RequestOf<typeof linksEndpoints.linkRates>['body'],
): Promise<ResultOf<typeof linksEndpoints.linkRates>> {
  const agentId = agentOf(viewer, chosen)
  await getSeller(db, viewer, { siteId: undefined, agentId })
  const { payout: payoutVisible } = await findVisibleAmounts(db, viewer)
  if (!payoutVisible) return { agentId, payoutVisible, items: [] }

  const now = clock.now()
  const types = await findSoldTypes(db, { siteId: undefined, agentId, now })
  const typeIds = types.map(({ typeId }) => typeId)
  const prepared = Map.groupBy(
    await findPreparedPays(db, { agentId, typeIds, now }),
    ({ typeId }) => typeId,
  )
  const items = types.map((type) => {
    const { siteId, sitename, typeId, typename, useApproveSale, avp } = type
    const next = prepared.get(typeId)?.find((change) => !isSame(change, type))
    return {
      siteId,
      sitename,
      typeId,
      typename,
      useApproveSale,
      avp,
      now: presentPays(type),
      next: next ? { ...presentPays(next), from: next.from.toISOString() } : null,
    }
  })
  return { agentId, payoutVisible, items }
}

const isSame = (one: Pays, other: Pays): boolean =>
  one.payoutCentavos === other.payoutCentavos && one.bonusCentavos === other.bonusCentavos

const presentPays = ({ payoutCentavos, bonusCentavos }: Pays) => ({
  payout: fromMinorUnits(payoutCentavos),
  bonusPayout: bonusCentavos === null ? null : fromMinorUnits(bonusCentavos),
})
