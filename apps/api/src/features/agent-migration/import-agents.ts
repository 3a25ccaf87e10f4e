import type { Db } from '../../db/database.ts'
import type { Clock } from '../../lib/clock.ts'
import { strengthenMd5 } from '../../lib/password.ts'
import { type BadLine, type ReadAgent, readAgents } from './read-agents.ts'
import { stageAgent } from './staged-agents.queries.ts'

export type ImportReport = {
  /** How many agents are ready to be migrated because of this file. */
  ready: number
  /** Lines that were left out, and why. */
  bad: BadLine[]
  /** Columns that were not looked at. */
  ignored: string[]
}

/** How many are hashed at once. */
const atOnce = 16

/**
 * Takes the agents of an old server's file into the waiting room, from which a superadmin moves them in. Lines
 * that can't be used are reported, the others are taken; the same file may be imported again.
 *
 * @throws FileError when the file as a whole can't be read.
 */
export async function importAgents(
  { db, clock }: { db: Db; clock: Clock },
  text: string,
): Promise<ImportReport> {
  const { agents, bad, ignored } = readAgents(text)
  const report: ImportReport = { ready: 0, bad, ignored }
  for (let taken = 0; taken < agents.length; taken += atOnce) {
    const some = await Promise.all(agents.slice(taken, taken + atOnce).map(withSafeHash))
    // One after the other: they are moved in in the order of the file.
    for (const agent of some) {
      if (await stageAgent(db, agent, clock.now())) report.ready += 1
      else report.bad.push({ line: agent.line, problem: 'was migrated already' })
    }
  }
  report.bad = report.bad.toSorted((a, b) => a.line - b.line)
  return report
}

/** A plain md5 hash is soon reversed: it is never written into the database as it came. */
const withSafeHash = async (agent: ReadAgent): Promise<ReadAgent> =>
  agent.hashKind === 'md5'
    ? { ...agent, passwordHash: await strengthenMd5(agent.passwordHash) }
    : agent
