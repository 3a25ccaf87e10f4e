import type { KnownDetail } from '@tallyroom/contract/pay/accounts/payee-details'
import type { PayeeKind } from '@tallyroom/domain/pay'
import { sql } from 'kysely'
import type { DbOrTx } from '../../db/database.ts'

/** A payee: an office or an agent by its id. */
export type PayeeKey = { kind: PayeeKind; id: number }

/** The network, which pays. */
export const PAYER = { kind: 'network', id: 0 } as const

/** Who has tax details. */
export type TaxParty = PayeeKey | typeof PAYER

/** A payee, or who pays, as a map key: `office 5`. */
export const payeeText = ({ kind, id }: TaxParty): string => `${kind} ${id}`

/** The names of payees today, by `payeeText`: offices' names, agents' usernames. Deleted ones are `deleted agent 17`. */
export async function findPayeeNames(
  db: DbOrTx,
  payees: readonly PayeeKey[],
): Promise<ReadonlyMap<string, string>> {
  const idsOf = (kind: PayeeKind) =>
    payees.flatMap((payee) => (payee.kind === kind ? [payee.id] : []))
  const { rows } = await sql<PayeeKey & { name: string }>`
    select 'office' as kind, id, name from offices where id = any(${idsOf('office')}::integer[])
    union all
    select 'agent', agent_id, username from accounts
    where agent_id = any(${idsOf('agent')}::integer[])
  `.execute(db)
  const names = new Map(rows.map((row) => [payeeText(row), row.name]))
  return new Map(
    payees.map((payee) => [
      payeeText(payee),
      names.get(payeeText(payee)) ?? `deleted ${payee.kind} ${payee.id}`,
    ]),
  )
}

/** The payees among these that were deleted, as texts. Only agents can be. */
export async function findDeleted(
  db: DbOrTx,
  payees: readonly PayeeKey[],
): Promise<ReadonlySet<string>> {
  const agents = payees.filter(({ kind }) => kind === 'agent')
  if (agents.length === 0) return new Set()
  const { rows } = await sql<{ id: number }>`
    select id from agents where id = any(${agents.map(({ id }) => id)}::integer[])
  `.execute(db)
  const known = new Set(rows.map(({ id }) => id))
  return new Set(agents.filter(({ id }) => !known.has(id)).map(payeeText))
}

/** Who has one of these names, in small letters: offices by name, agents by username. */
export async function findPayeesNamed(
  db: DbOrTx,
  kind: PayeeKind,
  names: readonly string[],
): Promise<(PayeeKey & { name: string })[]> {
  const { rows } = await (
    kind === 'office'
      ? sql<{ id: number; name: string }>`
          select id, name from offices where lower(name) = any(${names}::text[])
        `
      : sql<{ id: number; name: string }>`
          select agent_id as id, username as name from accounts
          where agent_id is not null and lower(username) = any(${names}::text[])
        `
  ).execute(db)
  return rows.map((row) => ({ kind, ...row }))
}

/** What the pages of payees have of the people, by `payeeText`: of an office, its manager. Empty texts are unknown. */
export async function findPayeePeople(
  db: DbOrTx,
  payees: readonly PayeeKey[],
): Promise<ReadonlyMap<string, Record<KnownDetail, string>>> {
  const idsOf = (kind: PayeeKind) =>
    payees.flatMap((payee) => (payee.kind === kind ? [payee.id] : []))
  const { rows } = await sql<PayeeKey & Record<KnownDetail, string>>`
    select
      'office' as kind, id, man_first_name as "firstName", man_last_name as "lastName",
      coalesce(man_email, '') as email
    from offices where id = any(${idsOf('office')}::integer[])
    union all
    select 'agent', agent.id, agent.first_name, agent.last_name, coalesce(account.email, '')
    from agents as agent
    join accounts as account on account.agent_id = agent.id
    where agent.id = any(${idsOf('agent')}::integer[])
  `.execute(db)
  return new Map(rows.map((row) => [payeeText(row), row]))
}

/** One of them. Nothing is known of a deleted payee. */
export const personOf = (
  people: ReadonlyMap<string, Record<KnownDetail, string>>,
  payee: PayeeKey,
): Record<KnownDetail, string> =>
  people.get(payeeText(payee)) ?? { firstName: '', lastName: '', email: '' }

/** Whether a payee exists, or did and left a statement, an entry of a balance or an account. */
export async function isPayee(db: DbOrTx, { kind, id }: PayeeKey): Promise<boolean> {
  const { rows } = await sql`
    select from ${sql.table(kind === 'office' ? 'offices' : 'agents')} where id = ${id}
    union all
    select from statements where payee_kind = ${kind} and payee_id = ${id}
    union all
    select from balance_entries where payee_kind = ${kind} and payee_id = ${id}
    union all
    select from payee_accounts where payee_kind = ${kind} and payee_id = ${id}
    limit 1
  `.execute(db)
  return rows.length > 0
}
