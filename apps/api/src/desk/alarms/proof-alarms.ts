import { alarmTitle } from '@tallyroom/contract/desk/alarm-words'
import type { ProofAlarm } from '@tallyroom/domain/alarms'
import type { Tx } from '../../db/database.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { TellOfForgery } from '../../http/route.ts'
import { type NewFact, writeFacts } from '../../notices/index.ts'
import type { Services } from '../../services.ts'
import { endAlarms, findOpenOf, insertAlarm } from './alarms.queries.ts'

const NETWORK = { watched: 'network', id: 0 } as const

/** How many findings an alarm names. */
const NAMED = 3

/** The first findings, and how many there are besides. @param found how many there are; those given by default */
export function findingsInShort(findings: readonly string[], found = findings.length): string {
  const more = found - Math.min(found, NAMED)
  return [...findings.slice(0, NAMED), ...(more > 0 ? [`And ${more} more.`] : [])].join(' ')
}

/**
 * Raises an alarm about what proves that nobody has changed the database, and tells those who may pay. One that is open stays
 * unless it names something else.
 *
 * @param detail the first findings
 */
export async function raiseProof(tx: Tx, kind: ProofAlarm, detail: string): Promise<void> {
  const at = tx.now
  const open = (await findOpenOf(tx, NETWORK)).find((one) => one.kind === kind)
  if (open?.detail === detail) return
  if (open) await endAlarms(tx, [open.id], at)
  await insertAlarm(tx, { ...NETWORK, kind, site_id: null, raised_at: at, since: at, detail })
  await tell(tx, [{ ...words('proof.broken', kind, detail), of: 'network' }])
}

/** Ends such alarms, and tells it. */
export async function endProof(tx: Tx, kinds: readonly ProofAlarm[]): Promise<void> {
  const over = (await findOpenOf(tx, NETWORK)).filter(({ kind }) =>
    kinds.some((one) => one === kind),
  )
  if (over.length === 0) return
  await endAlarms(
    tx,
    over.map(({ id }) => id),
    tx.now,
  )
  await tell(
    tx,
    over.map(({ kind, detail }) => ({ ...words('proof.mended', kind, detail), of: 'network' })),
  )
}

const words = (kind: 'proof.broken' | 'proof.mended', alarm: Titled['kind'], detail: string) => ({
  kind,
  subject: {
    title: `${kind === 'proof.mended' ? 'No longer: ' : ''}${alarmTitle({ ...nothing, kind: alarm })}`,
    text: kind === 'proof.mended' ? 'The verification finds nothing any more.' : detail,
  },
})

type Titled = Parameters<typeof alarmTitle>[0]
const nothing = { name: '', expected: null, came: null, since: '', detail: '' }

const tell = (tx: Tx, facts: readonly NewFact[]) =>
  writeFacts(tx, facts, { at: tx.now, byAccountId: null })

/** Raises an alarm about an act of money that was refused. The act itself was rolled back. */
export const tellOfForgeryBy =
  ({ db, log }: Pick<Services, 'db' | 'log'>): TellOfForgery =>
  async (findings) => {
    log.error({ findings }, 'an act of money was refused: rows are not what Tallyroom wrote')
    const detail = findingsInShort(findings)
    await inTransaction(db, (tx) => raiseProof(tx, 'money-refused', detail))
  }
