import type { Tx } from '../../db/database.ts'
import { ForgedError } from '../../errors.ts'
import { checkRows, findBegunAt, lockSealHead, type Relied, type Which } from '../../seals/index.ts'
import { findHandsBehind } from '../../people/index.ts'
import { getCalendar } from '../terms/calendar.ts'
import { findPayHolders } from '../terms/pay-holders.queries.ts'
import type { PayeeKey } from '../terms/payees.queries.ts'
import { proposalFindings } from './verify-proposals.ts'
import type { SecondKind } from '../seconds/contents.queries.ts'
import { findContentDifferences } from './differences.queries.ts'
import { findResting, type Resting } from './evidence.queries.ts'
import { decisionFindings, grantFindings } from './verify-decisions.ts'
import { balanceFindings } from './balance-findings.ts'

/** What an act of money rests on. */
export type RestsOn = {
  payees: readonly PayeeKey[]
  /** The run that is approved, or whose file is taken. */
  run?: { id: number; template_id: number; prepared_by: number }
  /** The bank template of a run that is prepared. */
  templateId?: number
}

/** How many findings of one kind are kept. */
const MOST = 20

/**
 * Refuses an act of money if a row on which it rests is not what Tallyroom wrote, if a balance is not what statements, payments
 * and proposals made it, or if a decision was not allowed: by the rules of `verifyPay`, for these rows alone. Locks the chain of
 * seals, so call it after all other locks.
 *
 * @throws ForgedError with a sentence for each finding
 */
export async function refuseForged(tx: Tx, on: RestsOn): Promise<void> {
  await lockSealHead(tx)
  const resting = await findResting(tx, on.payees)
  const findings = [
    ...(await checkRows(tx, await reliedOn(tx, on, resting))),
    ...(await differencesOf(tx, on.payees, resting)),
    ...(await decisionFindings(tx, MOST, {
      runIds: on.run ? [on.run.id] : [],
      accountIds: resting.accounts,
      proposalIds: resting.proposals,
    })),
  ]
  if (findings.length > 0) throw new ForgedError([...new Set(findings)])
}

/** What of sites, rates and payees decides what closing makes of events. */
const TERMS = [
  'pay_grants',
  'pay_state',
  'pay_settings',
  'pay_exchange_rates',
  'pay_periods',
  'adjustments',
  'pay_proposals',
  'pay_proposal_decisions',
  'pay_minimums',
  'payee_tax_details',
  'payee_accounts',
  'payee_account_decisions',
  'avp_tiers',
  'sites',
  'former_site_flags',
  'link_types',
  'former_link_type_flags',
  'rates',
  'rate_withdrawals',
  'rate_backdatings',
] as const

/**
 * The same for closing, which rests on all rows of these tables, on what people were allowed to enter alone, and on the balances
 * that its statements carry in. It takes a fraction of what closing itself takes.
 *
 * @param payees those that get a statement
 * @throws ForgedError with a sentence for each finding
 */
export async function refuseForgedTerms(tx: Tx, payees: readonly PayeeKey[]): Promise<void> {
  await lockSealHead(tx)
  const resting = await findResting(tx, payees)
  const findings = [
    ...(await checkRows(tx, [
      ...TERMS.map((table): Relied => ({ table, which: 'all' })),
      ...balancesRelyOn(resting),
    ])),
    ...(await differencesOf(tx, payees, resting)),
    ...(await proposalFindings(tx, await getCalendar(tx), MOST)),
    ...(await grantFindings(tx)),
  ]
  if (findings.length > 0) throw new ForgedError([...new Set(findings)])
}

/** What of these payees' balances nothing explains. As with seals, a database on which none were begun has no such rows. */
async function differencesOf(
  tx: Tx,
  only: readonly PayeeKey[],
  { statements }: Resting,
): Promise<string[]> {
  if (only.length === 0 || (await findBegunAt(tx, 'statements')) === undefined) return []
  return [
    ...(await balanceFindings(tx, { limit: MOST, only })),
    ...(await findContentDifferences(tx, statements)),
  ]
}

/** The rows that say what changed balances since their last statements, and those of a run that is about to. */
function balancesRelyOn({ statements, lines, runs }: Resting, run?: RestsOn['run']): Relied[] {
  const ofLines = ids('run_line_id', lines)
  const runIds = [...runs, ...(run ? [run.id] : [])]
  return [
    { table: 'statements', which: ids('id', statements) },
    {
      table: 'settlements',
      which: [...ids('statement_id', statements), ...ids('run_line_id', lines)],
    },
    { table: 'payment_runs', which: ids('id', runIds) },
    { table: 'payment_run_steps', which: ids('run_id', runIds) },
    { table: 'payment_results', which: ofLines },
    { table: 'payment_returns', which: ofLines },
    { table: 'payment_refusals', which: ofLines },
    { table: 'settled_refusals', which: ofLines },
    {
      table: 'payment_run_lines',
      which: [...ids('id', lines), ...(run ? [{ run_id: run.id }] : [])],
    },
  ]
}

/** The rows, each table once. Those that count for everybody are few. */
async function reliedOn(
  tx: Tx,
  { payees, run, templateId = run?.template_id }: RestsOn,
  resting: Resting,
): Promise<Relied[]> {
  const ofPayees = whichOf(payees)
  const holders = await findPayHolders(tx)
  const behind = await findHandsBehind(tx, [
    ...resting.people,
    ...holders.map(({ id }) => id),
    ...(run ? [run.prepared_by] : []),
  ])
  const people = [...behind.keys()]
  return [
    { table: 'pay_grants', which: 'all' },
    { table: 'pay_state', which: 'all' },
    { table: 'pay_settings', which: 'all' },
    { table: 'pay_exchange_rates', which: 'all' },
    { table: 'pay_periods', which: 'all' },
    { table: 'rate_backdatings', which: 'all' },
    { table: 'agent_moves', which: 'all' },
    ...balancesRelyOn(resting, run),
    { table: 'adjustments', which: ofPayees },
    { table: 'given_up', which: ofPayees },
    { table: 'pay_proposals', which: ids('id', resting.proposals) },
    { table: 'pay_proposal_decisions', which: ids('proposal_id', resting.proposals) },
    { table: 'pay_holds', which: ofPayees },
    { table: 'pay_minimums', which: ofPayees },
    { table: 'payee_tax_details', which: ofPayees },
    { table: 'payee_accounts', which: ofPayees },
    { table: 'payee_account_decisions', which: ids('account_id', resting.accounts) },
    {
      table: 'act_factors',
      which: [
        ...ofKind('run', [...resting.runs, ...(run ? [run.id] : [])]),
        ...ofKind('proposal', resting.proposals),
        ...ofKind('account', resting.accounts),
      ],
    },
    { table: 'passkey_changes', which: ids('account_id', people) },
    { table: 'payee_account_shares', which: ids('account_id', resting.accounts) },
    { table: 'payment_run_files', which: run ? [{ run_id: run.id }] : [] },
    { table: 'payment_file_lines', which: run ? [{ run_id: run.id }] : [] },
    { table: 'payment_file_downloads', which: run ? [{ run_id: run.id }] : [] },
    { table: 'pay_file_templates', which: templateId === undefined ? [] : [{ id: templateId }] },
    {
      table: 'pay_file_template_changes',
      which: templateId === undefined ? [] : [{ template_id: templateId }],
    },
    {
      table: 'account_hands',
      which: [{ account_id: people }, { kind: 'device', made_by: people }],
    },
  ]
}

function whichOf(payees: readonly PayeeKey[]): Which[] {
  const byKind = Map.groupBy(payees, ({ kind }) => kind)
  return [...byKind].map(([kind, all]) => ({
    payee_kind: kind,
    payee_id: all.map(({ id }) => id),
  }))
}

const ids = (column: string, values: readonly number[]): Which[] =>
  values.length === 0 ? [] : [{ [column]: [...new Set(values)] }]

const ofKind = (kind: SecondKind, things: readonly number[]): Which[] =>
  things.length === 0 ? [] : [{ kind, thing_id: [...new Set(things)] }]
