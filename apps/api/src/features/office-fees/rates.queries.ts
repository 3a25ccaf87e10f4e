import { sql } from 'kysely'
import type { DbOrTx } from '../../db/database.ts'
import { prepared } from '../../db/prepared.ts'

/** The value of one event: US cents, Philippine centavos, points. */
export type Price = { earningCents: number; payoutCentavos: number; lpp: number }

/** The current rates of a link type for an office. */
export type Rates = {
  siteId: number
  /** Whether the link type's site counts for AVP. */
  avp: boolean
  /** The source of the rates: the office's own while enabled, otherwise the link type's. */
  source: 'default' | 'office'
  sale: Price
  /** For a bonus, or the Day#2 Sale of an approve-sale site. */
  bonus: Price
  /** Whether the link type pays a bonus on a site without approve-sale. */
  hasBonus: boolean
}

/**
 * Undefined if the link type never existed. Suspended and deleted ones have rates, because their sales may
 * still arrive. Without an office, returns the default rates.
 */
export async function ratesOf(
  db: DbOrTx,
  typeId: number,
  officeId: number | undefined,
): Promise<Rates | undefined> {
  const { rows } = await sql<RatesRow>`
    ${prepared}
    select
      type.site_id as "siteId",
      site.avp,
      type.bonus as "hasBonus",
      case when fee.office_id is null then 'default' else 'office' end as source,
      coalesce(fee.earning_cents, type.earning_cents) as "earningCents",
      coalesce(fee.payout_centavos, type.payout_centavos) as "payoutCentavos",
      coalesce(fee.lpp, type.lpp) as lpp,
      coalesce(fee.bonus_earning_cents, type.bonus_earning_cents) as "bonusEarningCents",
      coalesce(fee.bonus_payout_centavos, type.bonus_payout_centavos) as "bonusPayoutCentavos",
      coalesce(fee.bonus_lpp, type.bonus_lpp) as "bonusLpp"
    from link_types as type
    join sites as site on site.id = type.site_id
    left join office_fees as fee
      on fee.type_id = type.id
      and fee.office_id = ${officeId ?? null}
      and fee.enabled
    where type.id = ${typeId}
  `.execute(db)
  return rows[0] && presentRates(rows[0])
}

type RatesRow = Pick<Rates, 'siteId' | 'avp' | 'source' | 'hasBonus'> &
  Price & {
    bonusEarningCents: number
    bonusPayoutCentavos: number
    bonusLpp: number
  }

const presentRates = (row: RatesRow): Rates => ({
  siteId: row.siteId,
  avp: row.avp,
  source: row.source,
  sale: { earningCents: row.earningCents, payoutCentavos: row.payoutCentavos, lpp: row.lpp },
  bonus: {
    earningCents: row.bonusEarningCents,
    payoutCentavos: row.bonusPayoutCentavos,
    lpp: row.bonusLpp,
  },
  hasBonus: row.hasBonus,
})
