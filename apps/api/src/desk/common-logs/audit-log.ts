import type { AnsweredCall, RecordCall } from '../../http/record-call.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Tx } from '../../db/database.ts'
import type { Services } from '../../services.ts'
import { BusyError } from '../../lib/at-most.ts'
import { normalAddress } from '../../lib/net/ip-address.ts'
import { type CallerNames, findCallers, insertEntries, lockHead } from './audit-log.queries.ts'
import { type Entry, hashOf } from './entry.ts'
import { keptParams } from './kept-params.ts'

/** Maximum calls per transaction. */
const MOST_CALLS = 200
/** A longer queue means that the database is stuck. */
const MOST_WAITING = 5_000

type Waiting = { call: AnsweredCall; resolve: () => void; reject: (reason: unknown) => void }

/**
 * Writes calls to the common logs, in one chain for all processes. Each promise resolves once its entry is
 * committed. Calls that are answered during a transaction share the next one, with its lock on the chain and
 * its fsync.
 */
export function startAuditLog(services: Pick<Services, 'db'>): RecordCall {
  const waiting: Waiting[] = []
  let isWriting = false

  return function recordCall(call) {
    if (waiting.length >= MOST_WAITING)
      return Promise.reject(new BusyError('the queue of the common logs is full'))
    return new Promise((resolve, reject) => {
      waiting.push({ call, resolve, reject })
      if (!isWriting) void write()
    })
  }

  async function write(): Promise<void> {
    isWriting = true
    while (waiting.length > 0) {
      const batch = waiting.splice(0, MOST_CALLS)
      try {
        await writeCalls(
          services,
          batch.map(({ call }) => call),
        )
        for (const { resolve } of batch) resolve()
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
    }
    isWriting = false
  }
}

const writeCalls = ({ db }: Pick<Services, 'db'>, calls: readonly AnsweredCall[]): Promise<void> =>
  inTransaction(db, (tx) => appendCalls(tx, calls, () => tx.now))

/**
 * Appends calls to the chain, in their order.
 *
 * @param answeredAt - Called once the chain is locked. No entry is earlier than the one before it.
 */
export async function appendCalls<Call extends AnsweredCall>(
  tx: Tx,
  calls: readonly Call[],
  answeredAt: (call: Call) => Date,
): Promise<void> {
  const facts = await factsOf(tx, calls)
  // Other processes wait from here on, so everything but the chain is already written.
  let { id, at, hash } = await lockHead(tx)
  const links = []
  for (const [index, call] of calls.entries()) {
    const fact = facts[index]
    if (!fact) continue
    id += 1
    at = new Date(Math.max(answeredAt(call).getTime(), at.getTime()))
    const entry = { ...fact, id, at: withMicroseconds(at) }
    const previousHash = hash
    hash = hashOf(previousHash, entry)
    links.push({ entry, previousHash, hash })
  }
  await insertEntries(tx, links, { id, at, hash })
}

/** All of an entry except its place in the chain. */
async function factsOf(
  tx: Tx,
  calls: readonly AnsweredCall[],
): Promise<Omit<Entry, 'id' | 'at'>[]> {
  const ids = calls.flatMap(({ accountId, signedInBy }) => [accountId, signedInBy])
  const callers = await findCallers(
    tx,
    ids.filter((id) => id !== undefined),
  )
  return calls.map((call) => {
    const { accountId, signedInBy } = call
    const caller = accountId === undefined ? undefined : callers.get(accountId)
    const present = signedInBy === undefined ? caller : callers.get(signedInBy)
    return {
      accountId: accountId ?? null,
      actingAccountId: signedInBy ?? null,
      username: present?.username ?? '',
      ...asCalled(caller),
      ...asAsked(call, caller !== undefined),
    }
  })
}

/** The account that a call was made with. All is empty if it does not exist. */
const asCalled = (caller: CallerNames | undefined) => ({
  role: caller?.role ?? null,
  accountName: caller?.username ?? '',
  agentId: caller?.agentId ?? null,
  agentName: caller?.agentName ?? '',
  officeId: caller?.officeId ?? null,
  officeName: caller?.officeName ?? '',
})

/** What a call asked for, and what it changed. */
function asAsked(call: AnsweredCall, isKnown: boolean) {
  const { endpoint, params, query, body, status, changes } = call
  return {
    ip: normalAddress(call.ip),
    actionType: endpoint.action === 'none' ? ('VIEW' as const) : endpoint.action,
    actionName: `${endpoint.method} ${endpoint.path}`,
    responseCode: status,
    // For an unknown account, the name may be a password typed into the wrong field.
    postParams: isKnown && isFields(body) ? keptParams(endpoint, body) : '{}',
    // The path's parameters come first and win, so a query can neither replace them nor crowd them out.
    getParams: keptParams(endpoint, {
      ...fieldsOf(params),
      ...fieldsOf(query),
      ...fieldsOf(params),
    }),
    objects: changes?.objects ?? null,
    changes: changes ? JSON.stringify(changes.changes) : null,
    tokenName: call.token?.name ?? null,
  }
}

const isFields = (value: unknown): value is object => typeof value === 'object' && value !== null

const fieldsOf = (value: unknown): object => (isFields(value) ? value : {})

/** The format that PostgreSQL stores and the chain hashes. */
const withMicroseconds = (instant: Date): string => instant.toISOString().replace('Z', '000Z')
