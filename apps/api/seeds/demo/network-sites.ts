import { addDays, type Day, weekdayOf } from '@tallyroom/domain/new-york'
import type { Selectable } from 'kysely'
import type { Tx } from '../../src/db/database.ts'
import type { LinkTypes, Sites } from '../../src/db/types.ts'
import { insertRows } from '../insert-rows.ts'
import { daysAgo } from './days-ago.ts'
import { at, found } from './found.ts'
import { avpSchedules, type DemoLinkType, type DemoSite, ownRates, sites } from './merchants.ts'

export type NetworkSite = { demo: DemoSite; row: Selectable<Sites>; types: NetworkType[] }

export type NetworkType = { demo: DemoLinkType; row: Selectable<LinkTypes>; site: NetworkSite }

/** The merchants' sites and link types. */
export async function insertSites(tx: Tx, today: Day): Promise<NetworkSite[]> {
  const rows = await tx
    .insertInto('sites')
    .values(
      sites.map((site, index) => ({
        sitename: site.sitename,
        shortname: site.shortname,
        abbr: site.abbr,
        url: `https://${site.host}`,
        click_param: site.clickParam,
        contact_name: site.contactName,
        phone_num: `+1 555 01${String(index + 20)}`,
        email: `partners@${site.host.replace(/^[a-z]+\.(?=\w+\.)/, '')}`,
        type: site.type,
        use_approve_sale: site.useApproveSale ?? false,
        avp: site.avp ?? false,
        created_at: daysAgo(today, 880 - 25 * index),
      })),
    )
    .returningAll()
    .execute()
  const inserted = sites.map((demo, index) => ({ demo, row: at(rows, index), types: [] }))
  for (const site of inserted) await insertTypes(tx, site)
  return inserted
}

async function insertTypes(tx: Tx, site: NetworkSite): Promise<void> {
  const { demo, row } = site
  const rows = await tx
    .insertInto('link_types')
    .values(
      demo.types.map((type) => ({
        site_id: row.id,
        typename: type.typename,
        typealias: type.typealias,
        bbr_ch: 's2s',
        url: `https://${demo.host}${type.path}`,
        payout_centavos: type.payoutCentavos,
        earning_cents: type.earningCents,
        lpp: type.lpp,
        bonus: type.bonus !== undefined,
        bonus_payout_centavos: type.bonus?.payoutCentavos ?? 0,
        bonus_earning_cents: type.bonus?.earningCents ?? 0,
        bonus_lpp: type.bonus?.lpp ?? 0,
        created_at: row.created_at,
      })),
    )
    .returningAll()
    .execute()
  site.types = demo.types.map((type, index) => ({ demo: type, row: at(rows, index), site }))
}

/** Offices' own rates, some of them disabled. */
export async function insertOwnRates(
  tx: Tx,
  today: Day,
  networkOffices: readonly { id: number; name: string }[],
  networkSites: readonly NetworkSite[],
): Promise<void> {
  const rates = ownRates.map(({ office, site, typealias, factor, enabled }) => {
    const { row } = found(
      networkSites
        .find(({ demo }) => demo.sitename === site)
        ?.types.find(({ demo }) => demo.typealias === typealias),
    )
    return {
      type_id: row.id,
      office_id: found(networkOffices.find(({ name }) => name === office)).id,
      enabled,
      payout_centavos: Math.round(row.payout_centavos * factor),
      earning_cents: row.earning_cents,
      lpp: row.lpp,
      bonus_payout_centavos: Math.round(row.bonus_payout_centavos * factor),
      bonus_earning_cents: row.bonus_earning_cents,
      bonus_lpp: row.bonus_lpp,
      changed_at: daysAgo(today, 150),
    }
  })
  await insertRows(tx, 'office_fees', rates)
}

/** The AVP schedules. */
export async function insertAvpTiers(tx: Tx, today: Day): Promise<void> {
  const monday = addDays(today, 1 - weekdayOf(today))
  await insertRows(
    tx,
    'avp_tiers',
    avpSchedules.flatMap(({ weeksAgo, tiers }) =>
      tiers.map((tier, index) => ({
        valid_from: addDays(monday, -7 * weeksAgo),
        index,
        from_sales: tier.fromSales,
        to_sales: tier.toSales,
        payout_centavos: tier.payoutCentavos,
        payout_cents: tier.payoutCents,
      })),
    ),
  )
}
