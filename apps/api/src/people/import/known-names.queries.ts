import { sql } from 'kysely'
import type { Sight } from '../../access/sight.ts'
import { agentSeen, officeSeen } from '../../access/sight.queries.ts'
import type { DbOrTx } from '../../db/database.ts'

/*
 * Names as a file has them (`wanted`), beside what has them in whatever case. The database compares them, as its unique indexes do:
 * JavaScript folds some letters otherwise.
 */

/** Which of these names accounts have, and which looks of names. */
export async function findTaken(
  db: DbOrTx,
  { names, looks }: { names: readonly string[]; looks: readonly string[] },
): Promise<{ names: string[]; looks: string[] }> {
  const { rows: named } = await sql<{ wanted: string }>`
    select given.wanted
    from accounts as account join ${wantedOf(names)} on lower(account.username) = lower(given.wanted)
  `.execute(db)
  const { rows: alike } = await sql<{ look: string }>`
    select username_look as look from accounts where username_look = any(${looks}::text[])
  `.execute(db)
  return { names: named.map(({ wanted }) => wanted), looks: alike.map(({ look }) => look) }
}

/** The visible agents with these usernames, and their offices. */
export async function findAgentsNamed(
  db: DbOrTx,
  sight: Sight,
  names: readonly string[],
): Promise<{ wanted: string; officeName: string }[]> {
  const { rows } = await sql<{ wanted: string; officeName: string }>`
    select given.wanted, office.name as "officeName"
    from accounts as account
    join ${wantedOf(names)} on lower(account.username) = lower(given.wanted)
    join agents as agent on agent.id = account.agent_id
    join offices as office on office.id = agent.office_id
    where ${agentSeen(sight)}
  `.execute(db)
  return rows
}

/** The visible offices with these names. */
export async function findOfficesNamed(
  db: DbOrTx,
  sight: Sight,
  names: readonly string[],
): Promise<{ wanted: string; id: number; name: string }[]> {
  const { rows } = await sql<{ wanted: string; id: number; name: string }>`
    select given.wanted, office.id, office.name
    from offices as office join ${wantedOf(names)} on lower(office.name) = lower(given.wanted)
    where ${officeSeen(sight)}
  `.execute(db)
  return rows
}

const wantedOf = (names: readonly string[]) =>
  sql`(select distinct unnest(${names}::text[]) as wanted) as given`
