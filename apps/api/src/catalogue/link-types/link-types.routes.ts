import { sortFields } from '@tallyroom/contract/list-choices'
import { type LinkTypeItem, linkTypesEndpoints } from '@tallyroom/contract/catalogue/link-types'
import { can } from '@tallyroom/domain/abilities'
import { fromMinorUnits } from '@tallyroom/domain/money'
import { scopeOf } from '../../access/scope.ts'
import type { Viewer } from '../../access/viewer.ts'
import { forbidden, notFound } from '../../errors.ts'
import { type Route, formRoute, route } from '../../http/route.ts'
import type { Services } from '../../services.ts'
import { isSiteInScope } from '../sites/sites.queries.ts'
import { findTypesOfSite, type LinkTypeRow } from './link-types.queries.ts'
import { createLinkType, deleteLinkType, getLinkType, updateLinkType } from './save-link-type.ts'

export const linkTypesRoutes = (services: Pick<Services, 'db' | 'clock' | 'config'>): Route[] => {
  const { db, clock } = services
  return [
    route(linkTypesEndpoints.typesBySite, async ({ viewer, params: { siteId }, query }) => {
      const { sortField, sortAsc } = query
      if (!(await isSiteInScope(db, scopeOf(viewer), siteId))) throw notFound('site')
      if (!mayOrderBy(viewer, sortField)) throw forbidden()
      const rows = await findTypesOfSite(db, siteId, clock.now(), { sortField, ascending: sortAsc })
      return rows.map((row) => presentItem(viewer, row))
    }),

    route(linkTypesEndpoints.linkType, ({ params: { id } }) => getLinkType(services, id)),

    formRoute(linkTypesEndpoints.createLinkType, async ({ viewer, body }) => ({
      id: await createLinkType(services, viewer, body),
    })),

    formRoute(linkTypesEndpoints.updateLinkType, ({ viewer, params: { id }, body }) =>
      updateLinkType(services, viewer, id, body),
    ),

    route(linkTypesEndpoints.deleteLinkType, ({ params: { id } }) => deleteLinkType(services, id)),
  ]
}

function mayOrderBy(viewer: Viewer, sortField: string): boolean {
  if (sortField === 'earning') return can(viewer, 'earning.see')
  return (
    !sortFields.linkTypesStaff.some((field) => field === sortField) ||
    can(viewer, 'link-types.view')
  )
}

/** Offices and agents see what can be sold. Staff also see payouts, and earnings if they may. */
function presentItem(viewer: Viewer, row: LinkTypeRow): LinkTypeItem {
  const { id, typename, typealias, bonus, active } = row
  return {
    id,
    siteId: row.site_id,
    typename,
    typealias,
    bonus,
    active,
    ...(can(viewer, 'link-types.view') && {
      url: row.url,
      forwardParams: row.forward_params,
      bbrCh: row.bbr_ch,
      payout: fromMinorUnits(row.payout_centavos),
      lpp: row.lpp,
      bonusPayout: fromMinorUnits(row.bonus_payout_centavos),
      bonusLpp: row.bonus_lpp,
    }),
    ...(can(viewer, 'link-types.view') &&
      can(viewer, 'earning.see') && {
        earning: fromMinorUnits(row.earning_cents),
        bonusEarning: fromMinorUnits(row.bonus_earning_cents),
      }),
  }
}
