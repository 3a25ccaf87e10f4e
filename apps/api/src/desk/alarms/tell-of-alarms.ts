import { alarmFact, alarmPage, alarmTitle } from '@tallyroom/contract/desk/alarm-words'
import { everything } from '../../access/scope.ts'
import type { Tx } from '../../db/database.ts'
import { writeFacts } from '../../notices/index.ts'
import { endAlarms, findAlarms } from './alarms.queries.ts'

/** Ends alarms, and tells of it. */
export async function endAndTell(tx: Tx, ids: readonly number[], at: Date): Promise<void> {
  if (ids.length === 0) return
  await endAlarms(tx, ids, at)
  await tellOf(tx, 'alarm.ended', ids, at)
}

/** Staff hear of alarms, as their preferences say. */
export async function tellOf(
  tx: Tx,
  kind: 'alarm.raised' | 'alarm.ended',
  ids: readonly number[],
  at: Date,
): Promise<void> {
  if (ids.length === 0) return
  const alarms = await findAlarms(tx, everything(), { ids, proof: false, limit: ids.length })
  await writeFacts(
    tx,
    alarms.map((alarm) => {
      const words = { ...alarm, since: alarm.since.toISOString() }
      return {
        kind,
        of: 'network' as const,
        subject: {
          alarmId: alarm.id,
          title: alarmTitle(words),
          text: alarmFact(words),
          page: alarmPage(words),
        },
      }
    }),
    { at, byAccountId: null },
  )
}
