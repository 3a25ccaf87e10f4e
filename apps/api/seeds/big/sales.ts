import { EVENT_TYPE } from '@tallyroom/domain/event-types'
import { sql } from 'kysely'
import type { Tx } from '../../src/db/database.ts'
import { fraction, hash, uuidOf } from './hash.ts'

/** The share of sales of link types with a bonus that get one, and the share of sales that are reversed. */
const bonusShare = 0.3
const reversalShare = 0.02

type SoldClick = {
  agent_id: number
  type_id: number
  site_id: number
  office_id: number
  clicked_at: Date
  nonce: number
}

/**
 * Inserts the outcome of the clicks of a period: about `share` of them become sales.
 *
 * @param signClickId makes a click's public id, since the database does not have the key.
 * @returns the number of sales.
 */
export async function insertSales(
  tx: Tx,
  {
    from,
    before,
    now,
    share,
    signClickId,
  }: {
    from: Date
    before: Date
    now: Date
    share: number
    signClickId: (click: {
      clickedAtMs: number
      agentId: number
      typeId: number
      nonce: number
    }) => string
  },
): Promise<number> {
  const { rows: clicks } = await sql<SoldClick>`
    select agent_id, type_id, link_types.site_id, office_id, clicked_at, nonce
    from clicks
    join link_types on link_types.id = type_id
    where clicked_at >= ${from}
      and clicked_at < ${before}
      and ${fraction(clickKey, 20)} < ${share}::float8
    order by agent_id, clicked_at, nonce
  `.execute(tx)
  const signed = clicks.map((click) => ({
    ...click,
    click_id: signClickId({
      clickedAtMs: click.clicked_at.getTime(),
      agentId: click.agent_id,
      typeId: click.type_id,
      nonce: click.nonce,
    }),
  }))
  await sql`
    with sold as (
      select sold_clicks.*, ${clickKey} as click_key
      from json_to_recordset(${JSON.stringify(signed)}::json) as sold_clicks (
        agent_id integer, type_id integer, site_id integer, office_id integer,
        clicked_at timestamptz, nonce integer, click_id text
      )
    ),
    sales as (
      select
        sold.*,
        clicked_at + interval '45 seconds'
          + interval '1 millisecond' * (${hash(sql`click_key`, 21)} % 7200000) as sold_at,
        ${uuidOf(sql`clicked_at`, sql`click_key * 4`)} as sale_id,
        'T' || upper(to_hex(click_key) || to_hex((extract(epoch from clicked_at) * 1000)::bigint % 1048576))
          as transaction_id,
        sites.avp,
        case when rate.office_id is null then 'default' else 'office' end as rate_source,
        rate.id as rate_id,
        rate.earning_cents,
        rate.payout_centavos,
        rate.lpp,
        rate.bonus_earning_cents,
        rate.bonus_payout_centavos,
        rate.bonus_lpp,
        ${fraction(sql`click_key`, 22)} < ${reversalShare}::float8 as taken_back,
        types.bonus and ${fraction(sql`click_key`, 23)} < ${bonusShare}::float8 as followed_by_bonus
      from sold
      join sites on sites.id = sold.site_id
      join link_types as types on types.id = sold.type_id
      -- In the big world no rate ever changed.
      left join rates as own
        on own.type_id = sold.type_id and own.office_id = sold.office_id and own.enabled
      join rates as standard on standard.type_id = sold.type_id and standard.office_id is null
      join rates as rate on rate.id = coalesce(own.id, standard.id)
    ),
    events as (
      select
        sales.*, sale_id as id, sold_at as occurred_at, ${EVENT_TYPE.sale}::smallint as event_type,
        1 as quantity, null::uuid as reverses, null as reversal
      from sales
      union all
      select
        sales.*, ${uuidOf(sql`clicked_at`, sql`click_key * 4 + 1`)},
        sold_at + interval '3 days', ${EVENT_TYPE.bonus}, 1, null, null
      from sales
      where followed_by_bonus and not taken_back
      union all
      select
        sales.*, ${uuidOf(sql`clicked_at`, sql`click_key * 4 + 2`)},
        sold_at + interval '10 days', ${EVENT_TYPE.sale}, -1, sale_id, 'chargeback'
      from sales
      where taken_back
    ),
    recorded as (
      insert into sale_events (
        id, agent_id, occurred_at, recorded_at, event_type, quantity, office_id, site_id, type_id,
        earning_cents, payout_centavos, lpp, avp, rate_source, rate_id, fraud, click_id,
        transaction_id, reverses, reversal
      )
      select
        id, agent_id, occurred_at, occurred_at, event_type, quantity, office_id, site_id, type_id,
        quantity * case when event_type = ${EVENT_TYPE.bonus} then bonus_earning_cents else earning_cents end,
        quantity * case when event_type = ${EVENT_TYPE.bonus} then bonus_payout_centavos else payout_centavos end,
        quantity * case when event_type = ${EVENT_TYPE.bonus} then bonus_lpp else lpp end,
        avp, rate_source, rate_id, false, click_id, transaction_id, reverses, reversal
      from events
      where occurred_at <= ${now}
      returning id, agent_id, type_id, click_id, site_id, transaction_id, event_type, quantity, reverses, reversal
    ),
    keys as (
      select
        -- In the format of tracking/sales/sale-keys.ts: a reversal has one key for the sale and one for the
        -- report.
        unnest(case
          when quantity = -1 then array['reversal:' || reverses, name || ':' || reversal]
          when event_type = ${EVENT_TYPE.bonus} and use_approve_sale then array[name || ':pair']
          else array[name || ':' || event_type]
        end) as sale_key,
        name, id, agent_id, type_id, click_id,
        case
          when quantity = -1 then null
          when event_type = ${EVENT_TYPE.sale} then case when use_approve_sale then 'approval' else 'sale' end
          else case when use_approve_sale then 'sale' else 'bonus' end
        end as reported
      from (
        select recorded.*, sites.use_approve_sale, site_id || ':t:' || transaction_id as name
        from recorded
        join sites on sites.id = site_id
      ) as named
    )
    insert into sale_keys (sale_key, order_hash, event_id, agent_id, type_id, click_id, reported)
    select
      sale_key,
      -- The orderHashOf of the key.
      ('x' || left(encode(sha256(convert_to(
        case when sale_key like 'reversal:%' then sale_key else name end, 'UTF8'
      )), 'hex'), 13))::bit(52)::bigint,
      id, agent_id, type_id, click_id, reported
    from keys
  `.execute(tx)
  return clicks.length
}

/** Almost always unique: a nonce has 25 bits. */
const clickKey = sql`(agent_id::bigint * 33554432 + nonce)`
