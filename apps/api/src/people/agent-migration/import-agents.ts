import type { Db } from '../../db/database.ts'
import type { Clock } from '../../lib/clock.ts'
import type { TextEncoding } from '../../lib/files/decode-text.ts'
import { strengthenMd5 } from '../../lib/password.ts'
import { type BadLine, type ReadAgent, readAgents } from './read-agents.ts'
import { stageAgent } from './staged-agents.queries.ts'

export type ImportReport = {
  /** Number of agents that this file made ready for migration. */
  ready: number
  /** Skipped lines with the reason. */
  bad: BadLine[]
  /** Unknown columns, which were ignored. */
  ignored: string[]
  encoding: TextEncoding
}

/** Number of parallel hashes. */
const atOnce = 16

/**
 * Stages the agents of an old server's file for migration by a superadmin. Invalid lines are reported and
 * skipped. Importing the same file again is safe.
 *
 * @throws FileError if the file as a whole cannot be parsed.
 */
export async function importAgents(
  { db, clock }: { db: Db; clock: Clock },
  bytes: Uint8Array,
): Promise<ImportReport> {
  const { agents, bad, ignored, encoding } = readAgents(bytes)
  const report: ImportReport = { ready: 0, bad, ignored, encoding }
  for (let taken = 0; taken < agents.length; taken += atOnce) {
    const some = await Promise.all(agents.slice(taken, taken + atOnce).map(withSafeHash))
    // One by one, because the order of the file is the order of migration.
    for (const agent of some) {
      if (await stageAgent(db, agent, clock.now())) report.ready += 1
      else report.bad.push({ line: agent.line, problem: 'was already migrated' })
    }
  }
  report.bad = report.bad.toSorted((a, b) => a.line - b.line)
  return report
}

/** Plain md5 hashes are easy to reverse, so they are never stored as is. */
const withSafeHash = async (agent: ReadAgent): Promise<ReadAgent> =>
  agent.hashKind === 'md5'
    ? { ...agent, passwordHash: await strengthenMd5(agent.passwordHash) }
    : agent
