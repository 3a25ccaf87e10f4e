import { type Day, endOfDayExclusive, NEW_YORK } from '@tallyroom/domain/new-york'
import { sql } from 'kysely'
import type { DbOrTx } from '../../db/database.ts'
import {
  aboutSale,
  bookedTypes,
  byCountedType,
  countedTypes,
  typeOf,
} from '../../db/event-types.ts'
import { placeOf } from '../../seals/index.ts'
import { isOneOf, type Compared } from '../ledger/balances.queries.ts'
import { rateOf, waitsForSale } from '../bookings/book-events.queries.ts'

/** Bookings that differ from their event, or whose event is missing although its agent exists, as sentences. */
export async function findBookingDifferences(db: DbOrTx, limit: number): Promise<string[]> {
  const { rows } = await sql<{ eventId: string; agentId: number; isGone: boolean }>`
    select booking.event_id as "eventId", booking.agent_id as "agentId", event.id is null as "isGone"
    from bookings as booking
    left join sale_events as event
      on event.agent_id = booking.agent_id and event.id = booking.event_id
    left join agents as agent on agent.id = booking.agent_id
    where case
      when event.id is null then agent.id is not null
      else
        (booking.event_type, booking.quantity, booking.is_part, booking.office_id, booking.site_id, booking.type_id,
          booking.rate_source, booking.rate_centavos, booking.earning_cents, booking.fraud, booking.day)
        is distinct from
        (event.event_type, event.quantity, event.part_ppm is not null, event.office_id, event.site_id, event.type_id,
          event.rate_source, ${rateOf}, event.earning_cents, event.fraud,
          (event.occurred_at at time zone ${sql.lit(NEW_YORK)})::date)
        or booking.payout_centavos
          <> case booking.paid_by when 'rate' then event.payout_centavos else 0 end
        or (booking.avp_week is not null) <> (event.event_type = ${typeOf.sale} and event.avp)
      end
    order by booking.agent_id, booking.event_id
    limit ${limit}
  `.execute(db)
  return rows.map(({ eventId, agentId, isGone }) =>
    isGone
      ? `The event ${eventId} of agent ${agentId} was booked but no longer exists.`
      : `The booking of event ${eventId} of agent ${agentId} differs from the event.`,
  )
}

/**
 * Events that name another link type's or office's rate, and sales whose amounts are not those of their rate, as sentences. A sale without a bonus rate may have been
 * recorded with nothing. Reversals and differences have amounts of sales, which other checks compare.
 */
export async function findRateDifferences(db: DbOrTx, limit: number): Promise<string[]> {
  const { rows } = await sql<{ eventId: string; agentId: number; rateId: number }>`
    select event.id as "eventId", event.agent_id as "agentId", event.rate_id as "rateId"
    from sale_events as event
    left join rates as rate on rate.id = event.rate_id
    where event.rate_id is not null and event.event_type in ${countedTypes}
      and (
        rate.id is null
        or rate.type_id <> event.type_id
        or (rate.office_id is null) <> (event.rate_source = 'default')
        or coalesce(rate.office_id <> event.office_id, false)
        or event.quantity = 1 and not (
          event.payout_centavos
            = ${ofRate('payout_centavos')}
          and event.earning_cents
            = ${ofRate('earning_cents')}
          or event.event_type = ${typeOf.bonus} and event.payout_centavos = 0 and event.earning_cents = 0
        )
      )
    order by event.agent_id, event.id
    limit ${limit}
  `.execute(db)
  return rows.map(
    ({ eventId, agentId, rateId }) =>
      `The event ${eventId} of agent ${agentId} differs from the rate ${rateId}, which priced it.`,
  )
}

/** What a rate pays for an event of its kind. */
const ofRate = (column: 'payout_centavos' | 'earning_cents') =>
  byCountedType(sql`event.event_type`, {
    sale: sql.ref(`rate.${column}`),
    bonus: sql.ref(`rate.bonus_${column}`),
  })

/** Unbooked events of closed periods: those recorded before `settledBy`, and later ones, which are late. */
export async function countUnbooked(
  db: DbOrTx,
  { lastDay, startedAt, settledBy }: { lastDay: Day; startedAt: Date; settledBy: Date },
) {
  const { rows } = await sql<{ missing: number; late: number }>`
    select
      count(*) filter (where event.recorded_at < ${settledBy}) as missing,
      count(*) filter (where event.recorded_at >= ${settledBy}) as late
    from sale_events as event
    left join bookings as booking
      on booking.agent_id = event.agent_id and booking.event_id = event.id
    left join sale_events as original
      on original.agent_id = event.agent_id and original.id = ${aboutSale('event')}
    left join bookings as earlier
      on earlier.agent_id = event.agent_id and earlier.event_id = ${aboutSale('event')}
    where booking.event_id is null and event.event_type in ${bookedTypes}
      and event.recorded_at >= ${startedAt} and event.occurred_at < ${endOfDayExclusive(lastDay)}
      and not ${waitsForSale({ lastDay, startedAt })}
  `.execute(db)
  return rows[0] ?? { missing: 0, late: 0 }
}

/**
 * Statements whose balance entry is missing or wrong, or that carried in an amount other than the
 * balance.
 */
export async function findBalanceDifferences(
  db: DbOrTx,
  { limit, only }: Compared,
): Promise<string[]> {
  const { rows } = await sql<{ number: string; what: string }>`
    with entries as (
      select
        entry.*,
        sum(entry.amount) over (
          partition by entry.payee_kind, entry.payee_id, entry.currency order by entry.id
        ) - entry.amount as before
      from balance_entries as entry
      where ${isOneOf(only)}
    )
    select
      statement.number,
      case
        when entry.id is null then 'has no balance entry'
        when entry.before <> statement.carried then 'carried in a different balance'
        else 'differs from its balance entry'
      end as what
    from (select * from statements where ${isOneOf(only)}) as statement
    left join entries as entry on entry.statement_id = statement.id and entry.kind = 'statement'
    left join pay_periods as period on period.id = statement.period_id
    where entry.id is null or entry.before <> statement.carried or entry.run_line_id is not null
      or (
        entry.amount, entry.payee_kind, entry.payee_id, entry.currency, entry.made_at, entry.made_by
      ) is distinct from (
        statement.amount, statement.payee_kind, statement.payee_id, statement.currency,
        -- A period that is missing is named by its seal.
        coalesce(period.closed_at, entry.made_at), coalesce(period.closed_by, entry.made_by)
      )
    order by statement.number
    limit ${limit}
  `.execute(db)
  return rows.map(({ number, what }) => `Statement ${number} ${what}.`)
}

/** How far apart the rows of one act may be, up to the last loose seal (migration 0185). They are one instant after it. */
const LOOSE_SECONDS = 10

/**
 * Entries of balances that differ from what happened in payment runs: each approved line takes its amount, and gives it
 * back if its transfer failed or came back, or its run was cancelled.
 */
export async function findPaymentDifferences(
  db: DbOrTx,
  { limit, only }: Compared,
): Promise<string[]> {
  const { rows } = await sql<{ what: string; kind: string; expected: boolean; actual: boolean }>`
    with line as (
      select
        line.*,
        approved.made_at as approved_at, approved.made_by as approved_by,
        cancelled.made_at as cancelled_at, cancelled.made_by as cancelled_by,
        failed.made_at as failed_at, failed.made_by as failed_by,
        returned.made_at as returned_at, returned.made_by as returned_by,
        ${placeOf('payment_run_steps', sql`line.run_id || '/approved'`)} as approved_place,
        ${placeOf('payment_run_steps', sql`line.run_id || '/cancelled'`)} as cancelled_place,
        ${placeOf('payment_results', sql`line.id::text`)} as failed_place,
        ${placeOf('payment_returns', sql`line.id::text`)} as returned_place
      from payment_run_lines as line
      join payment_run_steps as approved
        on approved.run_id = line.run_id and approved.step = 'approved'
      left join payment_run_steps as cancelled
        on cancelled.run_id = line.run_id and cancelled.step = 'cancelled'
      left join payment_results as failed on failed.run_line_id = line.id and not failed.paid
      left join payment_returns as returned on returned.run_line_id = line.id
      where line.removed_because is null and ${isOneOf(only)}
    ),
    expected as (
      select
        id, payee_kind, payee_id, currency, -amount as amount, 'payment' as kind,
        approved_at as made_at, approved_by as made_by, approved_place as place
      from line
      union all
      select id, payee_kind, payee_id, currency, amount, 'failed', failed_at, failed_by, failed_place
      from line
      where failed_at is not null
      union all
      select id, payee_kind, payee_id, currency, amount, 'returned', returned_at, returned_by, returned_place
      from line
      where returned_at is not null
      union all
      select id, payee_kind, payee_id, currency, amount, 'cancelled', cancelled_at, cancelled_by, cancelled_place
      from line
      where cancelled_at is not null
    )
    select
      coalesce(line.reference, 'a line that does not exist') as what,
      coalesce(expected.kind, entry.kind) as kind, expected.id is not null as expected,
      entry.id is not null as actual
    from expected
    full join (
      select * from balance_entries
      where kind in ('payment', 'failed', 'cancelled', 'returned') and ${isOneOf(only)}
    ) as entry
      on entry.run_line_id = expected.id and entry.kind = expected.kind
    left join payment_run_lines as line on line.id = coalesce(expected.id, entry.run_line_id)
    cross join pay_seal_head as head
    where (
        entry.amount, entry.payee_kind, entry.payee_id, entry.currency, entry.made_by
      ) is distinct from (
        expected.amount, expected.payee_kind, expected.payee_id, expected.currency, expected.made_by
      )
      or entry.made_at <> expected.made_at
        and not (expected.place <= head.last_loose and abs(extract(epoch from entry.made_at - expected.made_at)) <= ${LOOSE_SECONDS})
      or entry.statement_id is not null
    order by line.id, kind
    limit ${limit}
  `.execute(db)
  return rows.map(({ what, kind, expected, actual }) => {
    if (!actual) return `The balance lacks the entry “${kind}” of ${what}.`
    if (!expected) return `The balance has an entry “${kind}” of ${what}, which should not exist.`
    return `The balance entry “${kind}” of ${what} differs from its payment run.`
  })
}

/** Returns of what was not paid before, or on a day on which it can't have come back, as sentences. */
export async function findReturnDifferences(
  db: DbOrTx,
  { limit, only }: Compared,
): Promise<string[]> {
  const { rows } = await sql<{ reference: string; what: string }>`
    select
      coalesce(line.reference, 'A line that does not exist') as reference,
      case
        when result.paid is distinct from true then 'came back, but was not paid.'
        when returned.made_at < result.made_at then 'came back before it was paid.'
        else 'came back on a day that was impossible.'
      end as what
    from payment_returns as returned
    left join payment_run_lines as line on line.id = returned.run_line_id
    left join payment_results as result on result.run_line_id = returned.run_line_id
    left join payment_run_steps as taken
      on taken.run_id = line.run_id and taken.step = 'files taken'
    where ${isOneOf(only)} and (
        result.paid is distinct from true
        or returned.made_at < result.made_at
        -- It is a day where the bank was then, at most one from that in New York.
        or returned.returned_on > (returned.made_at at time zone ${sql.lit(NEW_YORK)})::date + 1
        or returned.returned_on < (taken.made_at at time zone ${sql.lit(NEW_YORK)})::date - 1
      )
    order by 1
    limit ${limit}
  `.execute(db)
  return rows.map(({ reference, what }) => `${reference} ${what}`)
}

/** Payments of what was still held when they were approved, as sentences. */
export async function findPaidTooEarly(db: DbOrTx, limit: number): Promise<string[]> {
  const { rows } = await sql<{ what: string; payee: string }>`
    with
      held as (
        select
          statement.payee_kind, statement.payee_id, statement.currency, statement.paid_from,
          min(entry.id) as entry_id, sum(entry.amount) as amount
        from statements as statement
        join balance_entries as entry on entry.statement_id = statement.id
        where statement.paid_from is not null
        group by statement.id
      ),
      payment as (
        select
          entry.payee_kind, entry.payee_id, entry.currency, line.run_id, entry.proposal_id,
          min(entry.id) as entry_id, -sum(entry.amount) as amount, min(entry.made_at) as made_at
        from balance_entries as entry
        left join payment_run_lines as line on line.id = entry.run_line_id
        where entry.kind in ('payment', 'outside', 'advance')
        group by entry.payee_kind, entry.payee_id, entry.currency, line.run_id, entry.proposal_id
      ),
      still as (
        select payment.entry_id, sum(held.amount) as amount
        from payment
        join held
          on held.payee_kind = payment.payee_kind and held.payee_id = payment.payee_id
          and held.currency = payment.currency and held.entry_id < payment.entry_id
          and held.paid_from > (payment.made_at at time zone ${sql.lit(NEW_YORK)})::date
        group by payment.entry_id
      )
    select
      coalesce(run.number, 'Proposal ' || payment.proposal_id) as what,
      concat(payment.payee_kind, ' ', payment.payee_id) as payee
    from payment
    join still on still.entry_id = payment.entry_id and still.amount > 0
    left join payment_runs as run on run.id = payment.run_id
    where payment.amount > 0 and payment.amount > (
      select coalesce(sum(earlier.amount), 0) - still.amount
      from balance_entries as earlier
      where earlier.payee_kind = payment.payee_kind and earlier.payee_id = payment.payee_id
        and earlier.currency = payment.currency and earlier.id < payment.entry_id
    )
    order by 1, 2
    limit ${limit}
  `.execute(db)
  return rows.map(({ what, payee }) => `${what} paid ${payee} what was still held.`)
}

/** Entries, and for everybody adjustments and tier payments, of statements that do not exist. */
export async function findOrphans(db: DbOrTx, { limit, only }: Compared): Promise<string[]> {
  const { rows } = await sql<{ what: string }>`
    select orphan.what
    from (
      select 'The balance entry ' || id as what, statement_id
      from balance_entries
      where kind in ('statement', 'instalment', 'tax') and ${isOneOf(only)}
      union all
      select 'The adjustment ' || adjustment_id, statement_id from booked_adjustments
      where ${only === undefined}
      union all
      select 'The tier payment ' || id, statement_id from tier_payments
      where ${only === undefined}
    ) as orphan
    left join statements as statement on statement.id = orphan.statement_id
    where statement.id is null
    order by orphan.what
    limit ${limit}
  `.execute(db)
  return rows.map(({ what }) => `${what} is of a statement that does not exist.`)
}

/**
 * Statements whose content has another hash, or names another tax or other instalments than their entries in the balance, as
 * sentences.
 */
export async function findContentDifferences(
  db: DbOrTx,
  statementIds: readonly number[],
): Promise<string[]> {
  const { rows } = await sql<{ number: string; isOther: boolean }>`
    select number, hash <> content_hash as "isOther"
    from (
      select
        number, content_hash, hash,
        case when hash = content_hash then convert_from(content, 'UTF8')::jsonb end as content,
        (
          select -coalesce(sum(entry.amount), 0) from balance_entries as entry
          where entry.statement_id = statement.id and entry.kind = 'tax'
        ) as withheld,
        (
          select -coalesce(sum(entry.amount), 0) from balance_entries as entry
          where entry.statement_id = statement.id and entry.kind = 'instalment'
        ) as taken
      from (
        select *, sha256(content) as hash from statements where id = any(${[...statementIds]}::bigint[])
      ) as statement
    ) as found
    where hash <> content_hash
      or withheld <> coalesce((content -> 'tax' ->> 'withheld')::bigint, 0)
      or taken <> (
        select coalesce(sum((advance ->> 'amount')::bigint), 0)
        from jsonb_array_elements(coalesce(content -> 'advances', '[]')) as advance
      )
    order by number
  `.execute(db)
  return rows.map(({ number, isOther }) =>
    isOther
      ? `Statement ${number} has a different content hash.`
      : `Statement ${number} took another tax or other instalments than it names.`,
  )
}

/** Paid AVP sales by week, agent and office, recounted from the bookings; keyed by `weekKey`. */
export async function findBookedWeeks(db: DbOrTx) {
  const { rows } = await sql<{ agentId: number; officeId: number; week: Day; paidSales: number }>`
    select
      agent_id as "agentId", office_id as "officeId", avp_week as week,
      coalesce(sum(quantity) filter (where not settled_outside), 0)::integer as "paidSales"
    from bookings
    where avp_week is not null
    group by agent_id, office_id, avp_week
  `.execute(db)
  return rows
}
