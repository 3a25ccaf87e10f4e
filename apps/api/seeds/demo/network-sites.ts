import {
  addDays,
  addMonths,
  atNewYork,
  type Day,
  monthOf,
  startOfDay,
  weekdayOf,
} from '@tallyroom/domain/new-york'
import type { Selectable } from 'kysely'
import type { Tx } from '../../src/db/database.ts'
import type { LinkTypes, Sites } from '../../src/db/types.ts'
import { insertRows } from '../insert-rows.ts'
import { daysAgo } from './days-ago.ts'
import { at, found } from './found.ts'
import {
  avpSchedules,
  type DemoLinkType,
  type DemoSite,
  formerPayouts,
  ownRates,
  preparedPayouts,
  sites,
} from './merchants.ts'

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
        bonus: type.bonus !== undefined,
        created_at: row.created_at,
      })),
    )
    .returningAll()
    .execute()
  site.types = demo.types.map((type, index) => ({ demo: type, row: at(rows, index), site }))
}

const amountsOf = (type: DemoLinkType) => ({
  payout_centavos: type.payoutCentavos,
  earning_cents: type.earningCents,
  lpp: type.lpp,
  bonus_payout_centavos: type.bonus?.payoutCentavos ?? 0,
  bonus_earning_cents: type.bonus?.earningCents ?? 0,
  bonus_lpp: type.bonus?.lpp ?? 0,
})

/**
 * Rates: the default ones with their earlier values, offices' own ones, some of them disabled, and
 * those prepared for the 1st of next month.
 */
export async function insertDemoRates(
  tx: Tx,
  today: Day,
  networkOffices: readonly { id: number; name: string }[],
  networkSites: readonly NetworkSite[],
): Promise<void> {
  const typeOf = (site: string, typealias: string) =>
    found(
      networkSites
        .find(({ demo }) => demo.sitename === site)
        ?.types.find(({ demo }) => demo.typealias === typealias),
    )
  const officeOf = (office: string) => found(networkOffices.find(({ name }) => name === office)).id
  const since = (begin: Date, added_at = begin) => ({
    valid_from: begin,
    added_at,
    added_by_name: 'superadmin',
  })
  const changed = formerPayouts.map((former) => ({
    ...former,
    typeId: typeOf(former.site, former.typealias).row.id,
  }))
  const first = networkSites.flatMap(({ types }) =>
    types.map(({ row, demo }) => {
      const former = changed.find(({ typeId }) => typeId === row.id)
      return {
        type_id: row.id,
        ...amountsOf(demo),
        ...(former && { payout_centavos: former.payoutCentavos }),
      }
    }),
  )
  const later = changed.map(({ site, typealias, typeId, days, time }) => ({
    type_id: typeId,
    ...amountsOf(typeOf(site, typealias).demo),
    ...since(atNewYork(addDays(today, -days), time)),
  }))
  const own = ownRates.map(({ office, site, typealias, factor, enabled }) => {
    const { row, demo } = typeOf(site, typealias)
    const amounts = amountsOf(demo)
    return {
      type_id: row.id,
      office_id: officeOf(office),
      enabled,
      ...amounts,
      payout_centavos: Math.round(amounts.payout_centavos * factor),
      bonus_payout_centavos: Math.round(amounts.bonus_payout_centavos * factor),
      ...since(daysAgo(today, 150)),
    }
  })
  const prepared = preparedPayouts.map(({ site, typealias, payoutCentavos, note, ...of }) => {
    const { row, demo } = typeOf(site, typealias)
    return {
      type_id: row.id,
      ...('office' in of && { office_id: officeOf(of.office) }),
      ...amountsOf(demo),
      payout_centavos: payoutCentavos,
      note,
      ...since(startOfDay(addMonths(monthOf(today), 1)), daysAgo(today, 1)),
    }
  })
  for (const row of [...first, ...later, ...own, ...prepared]) {
    await tx.insertInto('rates').values(row).execute()
  }
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
