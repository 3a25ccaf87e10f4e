import { ipBlacklistEndpoints } from '@tallyroom/contract/people/blacklist'
import { sql } from 'kysely'
import type { Db } from '../../src/db/database.ts'
import { verifyAuditLog } from '../../src/desk/common-logs/verify-audit-log.ts'
import { canonicalIp } from '../../src/lib/net/ip-address.ts'
import type { Client } from './client.ts'
import type { Sent } from './load.ts'

/** The outcome of one ordinary write: an address added to the black list. */
export type Write = {
  tries: number
  /** The statuses received, without those that ask the caller to retry. */
  answers: number[]
  /** How many answers said that this attempt added the address. */
  added: number
}

const { addBlackListIp } = ipBlacklistEndpoints

/** Staff at work: each call is a transaction of several statements and is audited. */
export function makeClerk(sent: Sent, client: Client, session: string): () => Promise<boolean> {
  let unanswered: string | undefined

  /** Resolves to whether the server has promised something. */
  return async function work() {
    const ip = unanswered ?? addressOf(sent.run, sent.writes.size)
    unanswered = ip
    const write = sent.writes.get(ip) ?? { tries: 0, answers: [], added: 0 }
    sent.writes.set(ip, write)
    write.tries++
    const { method, path } = addBlackListIp
    const answer = await client.ask(method, path, { authorization: `Bearer ${session}` }, { ip })
    if (!answer || answer.status === 503) {
      sent.failedWrites++
      return false
    }
    unanswered = undefined
    write.answers.push(answer.status)
    if (answer.status !== 200) {
      sent.unexpected.push(`a write was answered ${answer.status}: ${answer.body}`)
    } else if (addBlackListIp.response.parse(JSON.parse(answer.body)).outcome === 'added') {
      write.added++
    }
    return true
  }
}

/** Addresses that no visitor of a load uses. */
const addressOf = (run: string, number: number): string =>
  canonicalIp(`${networkOf(run)}::${number.toString(16)}`) ?? ''

const networkOf = (run: string) => `2001:db8:${run.slice(0, 4)}:${run.slice(4)}`

/** A load's addresses that are on the black list. */
export async function findWrites(db: Db, { run }: Sent): Promise<string[]> {
  const { rows } = await sql<{ ip: string }>`
    select host(ip) as ip from ip_blacklist where ip << ${`${networkOf(run)}::/64`}::inet
  `.execute(db)
  return rows.map(({ ip }) => canonicalIp(ip) ?? ip)
}

/** Entries that are missing from the common logs, duplicated or wrong. Empty if all is well. */
export async function judgeAudit(db: Db, sent: Sent): Promise<string[]> {
  const { broken } = await verifyAuditLog(db)
  const { rows } = await sql<{ ip: string; status: number }>`
    select post_params::jsonb ->> 'ip' as ip, response_code as status
    from audit_log
    where action_name = ${`${addBlackListIp.method} ${addBlackListIp.path}`}
  `.execute(db)
  const entries = Map.groupBy(rows, ({ ip }) => ip)
  const wrong = [...sent.writes].flatMap(([ip, { tries, answers }]) => {
    const logged = (entries.get(ip) ?? []).map(({ status }) => status)
    const isMissing = answers.some((status) => !logged.includes(status))
    if (!isMissing && logged.length >= answers.length && logged.length <= tries) return []
    return [`${ip}: ${tries} tries, answered ${answers.join()}, logged ${logged.join()}`]
  })
  return broken === undefined ? wrong : [broken, ...wrong]
}
