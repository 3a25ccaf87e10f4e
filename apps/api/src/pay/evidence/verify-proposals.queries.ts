import type { Currency } from '@tallyroom/domain/pay'
import { sql } from 'kysely'
import type { DbOrTx } from '../../db/database.ts'
import { isOneOf, type Compared } from '../ledger/balances.queries.ts'
import type { PayeeKey } from '../terms/payees.queries.ts'
import { placeOf } from '../../seals/index.ts'
import { countsAsOf } from '../ledger/adjustments.queries.ts'
import { isInFile } from '../ledger/payment-days.queries.ts'
import { adjustmentApprovals } from '../ledger/proposals.queries.ts'

const approved = sql`
  select proposal.*, decision.made_id, decision.made_at as approved_at
  from pay_proposals as proposal
  join pay_proposal_decisions as decision on decision.proposal_id = proposal.id
  where decision.decision = 'approved'
`

/** Approved proposals that differ from what approving them made, or whose decision contradicts them, as sentences. */
export async function findProposalDifferences(db: DbOrTx, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: number; what: string }>`
    with approved as (${approved}),
    made as (
      select 'adjustment' as kind, id, made_at,
        jsonb_build_array(
          payee_kind, payee_id, currency, amount, ${countsAsOf('adjustments')}, opposite_of, held_back_for, reason,
          made_by, made_by_name
        ) as content
      from adjustments
      union all
      select 'exchange rate', id, set_at, jsonb_build_array(period, pesos_e4, source, set_by)
      from pay_exchange_rates
      union all
      select 'result', line.id, result.made_at,
        jsonb_build_array(
          line.payee_kind, line.payee_id, line.currency, line.amount, result.bank_reference, result.reason,
          result.made_by, result.made_by_name, result.paid, result.by_hand
        )
      from payment_results as result
      join payment_run_lines as line on line.id = result.run_line_id
      union all
      select 'return', line.id, returned.made_at,
        jsonb_build_array(
          line.payee_kind, line.payee_id, line.currency, line.amount, returned.returned_on, returned.reason,
          returned.made_by, returned.made_by_name, returned.by_hand
        )
      from payment_returns as returned
      join payment_run_lines as line on line.id = returned.run_line_id
    ),
    expected as (
      select id, kind, approved_at,
        case when kind in ('result', 'return') then run_line_id else made_id end as made_id,
        case kind
          when 'adjustment' then
            jsonb_build_array(
              payee_kind, payee_id, currency, amount, ${countsAsOf('approved')}, opposite_of, held_back_for, reason,
              made_by, made_by_name
            )
          when 'exchange rate' then jsonb_build_array(period, pesos_e4, reason, made_by)
          when 'return' then
            jsonb_build_array(
              payee_kind, payee_id, currency, amount, returned_on, reason, made_by, made_by_name, true
            )
          else
            jsonb_build_array(
              payee_kind, payee_id, currency, amount, bank_reference, reason, made_by, made_by_name, false, true
            )
        end as content
      from approved
      where kind not in (
        'limits', 'payment outside', 'money received', 'correction', 'conversion', 'tax rate', 'refused file'
      )
    ),
    refused as (
      select
        approved.id, sum(line.amount) as amount,
        bool_and(
          (
            result.refused_on, result.reason, result.made_at, result.made_by, result.made_by_name, result.by_hand,
            result.paid, line.currency
          ) is not distinct from (
            approved.refused_on, approved.reason, approved.approved_at, approved.made_by, approved.made_by_name, true,
            false, approved.currency
          )
        ) as is_same
      from approved
      join payment_run_lines as line on line.run_id = approved.run_id
      join payment_results as result on result.run_line_id = line.id and result.refused_on is not null
      where approved.kind = 'refused file' and ${isInFile(sql`line`, sql`approved.file_name`)}
      group by approved.id
    ),
    following as (
      select
        id, kind, replaces, lag(id) over (partition by kind, payee_kind, payee_id order by id) as former
      from approved
      where kind in ('limits', 'tax rate')
    )
    select expected.id, 'was approved, but its ' || expected.kind
      || case when made.id is null then ' is missing.' else ' differs from it.' end as what
    from expected
    left join made on made.kind = expected.kind and made.id = expected.made_id
    where made.id is null or made.content <> expected.content or made.made_at <> expected.approved_at
    union all
    select approved.id, 'was approved, but the failures of its file differ from it.'
    from approved
    left join refused on refused.id = approved.id
    where approved.kind = 'refused file'
      and (refused.amount is distinct from approved.amount or refused.is_same is not true)
    union all
    select
      id,
      case kind
        when 'limits' then 'does not replace the limits that were in force.'
        else 'does not follow the last rate of tax of its payee.'
      end
    from following
    where replaces is distinct from former
    union all
    select decision.proposal_id, 'was decided, but is missing.'
    from pay_proposal_decisions as decision
    left join pay_proposals as proposal on proposal.id = decision.proposal_id
    where proposal.id is null
    order by 1, 2
    limit ${limit}
  `.execute(db)
  return rows.map(({ id, what }) => `Proposal ${id} ${what}`)
}

/** Entries of balances that differ from the proposals that made them, as sentences. */
export async function findApprovedEntryDifferences(
  db: DbOrTx,
  { limit, only }: Compared,
): Promise<string[]> {
  const ofPayees = sql`select * from (${approved}) as approved where ${isOneOf(only)}`
  const { rows } = await sql<{ what: string }>`
    with
      entry as (
        select
          *, sum(amount) over (partition by payee_kind, payee_id, currency order by id) as after,
          sum(amount) filter (where kind in ('received', 'given back', 'given up'))
            over (partition by payee_kind, payee_id, currency, proposal_id) as raised,
          -- What of debts was given up and not received by then.
          coalesce(
            sum(amount) filter (where kind = 'given up' and (amount > 0 or proposal_id is not null))
              over (partition by payee_kind, payee_id, currency order by id),
            0
          ) as lost
        from balance_entries
        where ${isOneOf(only)}
      ),
      -- What was open of each advance when money was received.
      opened as (
        select
          received.id, advance.id as place, advance.proposal_id as advance_id,
          advance.amount + coalesce(sum(less.amount) filter (where less.id < came.id), 0) as open
        from (${ofPayees}) as received
        join entry as came on came.proposal_id = received.id and came.kind = 'received'
        join entry as advance
          on advance.payee_kind = received.payee_kind and advance.payee_id = received.payee_id
          and advance.currency = received.currency and advance.kind = 'advance' and advance.id < came.id
        left join (
          select id, coalesce(advance_id, proposal_id) as of_advance, amount
          from entry
          where kind in ('instalment', 'given back', 'advance given up')
        ) as less on less.of_advance = advance.proposal_id
        where received.kind = 'money received'
        group by received.id, advance.id, advance.proposal_id, advance.amount
      ),
      older as (
        select *, sum(open) over (partition by id order by place) - open as before from opened
      ),
      expected as (
        select
          id as proposal_id, payee_kind, payee_id, currency, -amount as amount,
          amount - coalesce(advanced, 0) as paid,
          case kind when 'conversion' then 'conversion' else 'outside' end as kind,
          approved_at as made_at, made_by, kind = 'conversion' as is_from, null::bigint as advance_id
        from (${ofPayees}) as approved
        where kind in ('payment outside', 'conversion')
        union all
        select id, payee_kind, payee_id, currency, advanced, 0, 'advance', approved_at, made_by, false, null
        from (${ofPayees}) as approved
        where advanced is not null
        union all
        select
          id, payee_kind, payee_id, currency, amount, 0,
          case kind when 'correction' then kind else 'received' end, approved_at, made_by, false, null
        from (${ofPayees}) as approved
        where kind in ('correction', 'money received')
        union all
        -- The oldest advances first.
        select
          received.id, received.payee_kind, received.payee_id, received.currency,
          -least(older.open, received.amount - older.before), 0, 'given back', received.approved_at, received.made_by,
          false, older.advance_id
        from (${ofPayees}) as received
        join older on older.id = received.id
        where older.open > 0 and received.amount > older.before
        union all
        -- What neither ends advances nor is owed of the balance takes back what was given up.
        select
          received.id, received.payee_kind, received.payee_id, received.currency,
          -(received.amount - coalesce(ended.open, 0) - greatest(0, came.amount - came.after)), 0, 'given up',
          received.approved_at, received.made_by, false, null
        from (${ofPayees}) as received
        join entry as came on came.proposal_id = received.id and came.kind = 'received'
        left join (
          select id, sum(greatest(open, 0)) as open from opened group by id
        ) as ended on ended.id = received.id
        where received.kind = 'money received'
          and received.amount > coalesce(ended.open, 0) + greatest(0, came.amount - came.after)
        union all
        -- Like convert() of the domain: half away from zero, as rounding a numeric does.
        select
          id, payee_kind, payee_id, case currency when 'PHP' then 'USD' else 'PHP' end,
          case currency
            when 'PHP' then round(amount * 10000::numeric / pesos_e4)
            else round(amount * pesos_e4 / 10000::numeric)
          end,
          0, 'conversion', approved_at, made_by, false, null
        from (${ofPayees}) as approved
        where kind = 'conversion'
      )
    select
      case
        when entry.id is null
          then format('Proposal %s was approved, but the balance lacks its entry.', expected.proposal_id)
        when expected.proposal_id is null
          then format('The balance entry %s is of no proposal that was approved.', entry.id)
        when entry.kind = 'outside' and entry.after < 0 and expected.paid > 0
          then format('Proposal %s paid more than was owed.', expected.proposal_id)
        when entry.kind = 'received' and entry.raised > 0 and entry.after - entry.amount + entry.raised > 0
          or entry.kind = 'given up' and entry.lost < 0
          then format('Proposal %s received more than was owed.', expected.proposal_id)
        when expected.is_from and entry.after <> 0
          then format('Proposal %s did not convert the whole balance.', expected.proposal_id)
        else format('Proposal %s was approved, but its balance entry differs from it.', expected.proposal_id)
      end as what
    from expected
    full join (
      select * from entry
      where kind <> 'instalment' and proposal_id is not null
        or kind in ('outside', 'correction', 'conversion', 'advance', 'received')
        or advance_id is not null and kind not in ('given up', 'advance given up')
    ) as entry
      on entry.proposal_id = expected.proposal_id and entry.currency = expected.currency
      and (entry.kind = 'advance') = (expected.kind = 'advance')
      and (entry.kind = 'given up') = (expected.kind = 'given up')
      and coalesce(entry.advance_id, 0) = coalesce(expected.advance_id, 0)
    where (
        entry.amount, entry.payee_kind, entry.payee_id, entry.kind, entry.made_at, entry.made_by
      ) is distinct from (
        expected.amount, expected.payee_kind, expected.payee_id, expected.kind, expected.made_at, expected.made_by
      )
      or entry.statement_id is not null or entry.run_line_id is not null
      or entry.kind = 'outside' and entry.after < 0 and expected.paid > 0
      or entry.kind = 'received' and entry.raised > 0 and entry.after - entry.amount + entry.raised > 0
      or entry.kind = 'given up' and entry.lost < 0
      or expected.is_from and entry.after <> 0
    order by 1
    limit ${limit}
  `.execute(db)
  return rows.map(({ what }) => what)
}

/** An adjustment that no second person approved. `at` and `bookedAt` are places in the chain of seals. */
export type AloneAdjustment = {
  id: number
  payee: PayeeKey
  currency: Currency
  amount: number
  oppositeOf: number | null
  madeBy: number
  at: number
  /** When the period of its statement was closed; null without a statement. */
  bookedAt: number | null
}

/** In the order of their ids. */
export async function findAloneAdjustments(db: DbOrTx): Promise<AloneAdjustment[]> {
  const { rows } = await sql<AloneAdjustment>`
    select
      adjustment.id, jsonb_build_object('kind', adjustment.payee_kind, 'id', adjustment.payee_id) as payee,
      adjustment.currency, adjustment.amount, adjustment.opposite_of as "oppositeOf",
      adjustment.made_by as "madeBy", ${placeOf('adjustments', sql`adjustment.id::text`)} as at,
      case when booked.adjustment_id is not null
        then ${placeOf('pay_periods', sql`statement.period_id::text`)} end as "bookedAt"
    from adjustments as adjustment
    left join (${adjustmentApprovals}) as approval on approval.adjustment_id = adjustment.id
    left join booked_adjustments as booked on booked.adjustment_id = adjustment.id
    left join statements as statement on statement.id = booked.statement_id
    where approval.adjustment_id is null
    order by adjustment.id
  `.execute(db)
  return rows
}

/** Limits that two people chose, oldest first, and the place of that decision in the chain of seals. */
export async function findApprovedLimits(
  db: DbOrTx,
): Promise<{ limits: Readonly<Record<Currency, number>>; at: number }[]> {
  const { rows } = await sql<{ PHP: number; USD: number; at: number }>`
    select
      limit_centavos as "PHP", limit_cents as "USD",
      ${placeOf('pay_proposal_decisions', sql`approved.id::text`)} as at
    from (${approved}) as approved
    where kind = 'limits'
    order by id
  `.execute(db)
  return rows.map(({ at, ...limits }) => ({ at, limits }))
}

/** Every exchange rate that was entered, oldest first, and whether a second person approved it. */
export async function findEnteredRates(db: DbOrTx) {
  const { rows } = await sql<{
    id: number
    period: string
    pesosE4: number
    setAt: Date
    approved: boolean
    at: number
  }>`
    select
      rate.id, rate.period, rate.pesos_e4 as "pesosE4", rate.set_at as "setAt",
      approved.id is not null as approved, ${placeOf('pay_exchange_rates', sql`rate.id::text`)} as at
    from pay_exchange_rates as rate
    left join (${approved}) as approved on approved.kind = 'exchange rate' and approved.made_id = rate.id
    order by rate.id
  `.execute(db)
  return rows
}

/** `failure of P1R2N1`: what went back by hand without a second person, after a place in the chain of seals. */
export async function findFailuresOfOne(
  db: DbOrTx,
  { after, limit }: { after: number; limit: number },
): Promise<string[]> {
  const { rows } = await sql<{ kind: string; reference: string }>`
    select back.kind, coalesce(line.reference, 'a line that does not exist') as reference
    from (
      select
        'result' as kind, result.run_line_id, result.refused_on, ${placeOf('payment_results', sql`result.run_line_id::text`)} as at
      from payment_results as result
      where result.by_hand and not result.paid
      union all
      select 'return', returned.run_line_id, null, ${placeOf('payment_returns', sql`returned.run_line_id::text`)}
      from payment_returns as returned
      where returned.by_hand
    ) as back
    left join payment_run_lines as line on line.id = back.run_line_id
    left join (${approved}) as approved
      on case
        when back.refused_on is null
          then approved.kind = back.kind and approved.run_line_id = back.run_line_id
        else approved.kind = 'refused file' and approved.run_id = line.run_id
          and ${isInFile(sql`line`, sql`approved.file_name`)}
      end
    where approved.id is null and back.at > ${after}
    order by back.run_line_id, back.kind
    limit ${limit}
  `.execute(db)
  return rows.map(
    ({ kind, reference }) => `${kind === 'result' ? 'failure' : 'return'} of ${reference}`,
  )
}
