import { sql } from 'kysely'
import type { Db } from '../src/db/database.ts'
import { makeClickIds } from '../src/tracking/index.ts'
import { payingRateId } from '../src/catalogue/index.ts'
import { verifyTotals, visitorOfIp } from '../src/totals/index.ts'
import { VISITOR_MARK } from '../src/tracking/clicks/recall-visitors.queries.ts'

/** For tests: impossible facts in a generated history, each with its count. Empty if there are none. */
export async function findFlaws(
  db: Db,
  { now, secret }: { now: Date; secret: Buffer },
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {
    'totals that differ from the events': (await verifyTotals(db)).length,
    'click ids that are forged or belong to no click': await countForged(db, secret),
  }
  for (const [flaw, rows] of Object.entries(flaws(now))) {
    const found = await sql<{ count: number }>`
      select count(*) as count from (${rows}) as rows
    `.execute(db)
    counts[flaw] = found.rows[0]?.count ?? 0
  }
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0))
}

const flaws = (now: Date) => ({
  'clicks in the future': sql`select 1 from clicks where clicked_at > ${now}`,
  'events in the future': sql`
    select 1 from sale_events where greatest(occurred_at, recorded_at) > ${now}`,
  'postbacks in the future': sql`select 1 from postbacks where received_at > ${now}`,
  'events before they happened': sql`select 1 from sale_events where recorded_at < occurred_at`,
  'clicks outside monthly partitions': sql`select 1 from clicks_default`,
  'clicks with an office other than their agent’s': sql`
    select 1 from clicks join agents on agents.id = agent_id
    where clicks.office_id <> agents.office_id`,
  'clicks of sites that the office does not sell': sql`
    select 1 from clicks join link_types on link_types.id = type_id
    where (office_id, site_id) not in (select office_id, site_id from office_sites)`,
  'unique clicks that are not the first of their visitor, or the reverse': sql`
    select 1 from (
      select is_unique, uncounted is null and row_number() over (
        partition by agent_id, type_id, ${visitorOfIp}, uncounted is null, (clicked_at at time zone 'America/New_York')::date
        order by clicked_at
      ) = 1 as is_first
      from clicks
    ) as visits
    where is_unique <> is_first`,
  'recent unique clicks whose visitor is forgotten': sql`
    select agent_id, ${sql.raw(VISITOR_MARK)}, (clicked_at at time zone 'America/New_York')::date
    from clicks
    where is_unique and clicked_at > ${now}::timestamptz - interval '2 days'
    except
    select agent_id, visitor, day from seen_visitors`,
  'clicks of black-listed addresses that count': sql`
    with listed as materialized (select ip from ip_blacklist)
    select 1 from clicks
    where (uncounted is not distinct from 'blacklisted')
      <> exists (select 1 from listed where clicks.ip <<= listed.ip)`,
  'events with amounts that differ from the rates': sql`
    select 1 from sale_events as event
    left join sale_events as sale on sale.agent_id = event.agent_id and sale.id = event.reverses
    join rates as rate on rate.id = ${payingRateId({
      typeId: sql`event.type_id`,
      officeId: sql`event.office_id`,
      at: sql`coalesce(sale.occurred_at, event.occurred_at)`,
    })}
    where row(
      event.earning_cents, event.payout_centavos, event.lpp, event.rate_source, event.rate_id
    ) is distinct from row(
      event.quantity * case event.event_type
        when 0 then rate.earning_cents when 1 then rate.bonus_earning_cents else 0 end,
      event.quantity * case event.event_type
        when 0 then rate.payout_centavos when 1 then rate.bonus_payout_centavos else 0 end,
      event.quantity * case event.event_type
        when 0 then rate.lpp when 1 then rate.bonus_lpp else 0 end,
      case when rate.office_id is null then 'default' else 'office' end, rate.id
    )`,
  'events with an AVP mark that differs from their site’s': sql`
    select 1 from sale_events join sites on sites.id = site_id where sale_events.avp <> sites.avp`,
  'bonuses without an earlier sale': sql`
    select 1 from sale_events as bonus
    where event_type = 1 and not exists (
      select 1 from sale_events as sale
      where sale.agent_id = bonus.agent_id and sale.click_id = bonus.click_id
        and sale.event_type = 0 and sale.quantity = 1 and sale.occurred_at < bonus.occurred_at
    )`,
  'reversals that are not the opposite of an earlier event': sql`
    select 1 from sale_events as reversal
    left join sale_events as sale on sale.agent_id = reversal.agent_id and sale.id = reversal.reverses
    where reversal.quantity = -1 and row(
      sale.event_type, sale.quantity, sale.click_id, sale.office_id, sale.type_id,
      -sale.earning_cents, -sale.payout_centavos, -sale.lpp, sale.occurred_at <= reversal.occurred_at
    ) is distinct from row(
      reversal.event_type, -reversal.quantity, reversal.click_id, reversal.office_id, reversal.type_id,
      reversal.earning_cents, reversal.payout_centavos, reversal.lpp, true
    )`,
  'fraud by agents who are not flagged': sql`
    select 1 from sale_events join agents on agents.id = agent_id
    where reversal = 'fraud' and fraud_flagged_at is null`,
  'events without the key that makes them count once': sql`
    select
      case when restores is not null then 'restore:' || restores
        when reverses is null
        then site_id || coalesce(':t:' || transaction_id, ':c:' || click_id) || ':' ||
          case when event_type = 1 and use_approve_sale then 'pair' else event_type::text end
        else 'reversal:' || reverses end,
      sale_events.id, agent_id, type_id, click_id
    from sale_events join sites on sites.id = site_id
    except
    select sale_key, event_id, agent_id, type_id, click_id from sale_keys`,
  'orders by a code that was not their agent’s then': sql`
    select 1 from coupon_orders as claim
    join coupons as coupon on coupon.id = claim.coupon_id
    left join sale_events as sale on sale.agent_id = claim.agent_id and sale.click_id = claim.click_id
    where row(
      sale.site_id, sale.transaction_id, coupon.agent_id, coupon.site_id,
      sale.occurred_at >= coupon.starts_at and sale.occurred_at < coalesce(coupon.ends_at, 'infinity')
    ) is distinct from row(claim.site_id, claim.transaction_id, claim.agent_id, claim.site_id, true)`,
  'keys without an event': sql`
    select event_id, agent_id from sale_keys except select id, agent_id from sale_events`,
})

async function countForged(db: Db, secret: Buffer): Promise<number> {
  const clickIds = makeClickIds(secret)
  const events = await sql<{ click_id: string; agent_id: number; occurred_at: Date }>`
    select click_id, agent_id, occurred_at from sale_events
  `.execute(db)
  const clicks = await sql<{ key: string }>`
    select agent_id || ' ' || type_id || ' ' || (extract(epoch from clicked_at) * 1000)::bigint || ' ' || nonce as key
    from clicks
  `.execute(db)
  const known = new Set(clicks.rows.map(({ key }) => key))
  const claims = await db.selectFrom('coupon_orders').select('click_id').execute()
  const ofCodes = new Set(claims.map(({ click_id }) => click_id))
  return events.rows.filter(({ click_id, agent_id, occurred_at }) => {
    const click = clickIds.read(click_id)
    if (ofCodes.has(click_id))
      return click?.agentId !== agent_id || click.clickedAtMs !== occurred_at.getTime()
    return (
      click?.agentId !== agent_id ||
      click.clickedAtMs >= occurred_at.getTime() ||
      !known.has(`${click.agentId} ${click.typeId} ${click.clickedAtMs} ${click.nonce}`)
    )
  }).length
}
