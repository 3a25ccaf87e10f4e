import { useSyncExternalStore } from 'react'
import { z } from 'zod'
import { storedValue } from '../../lib/stored.ts'

/** Account → kind of alert → the mark of the text that was read. */
const readSchema = z.record(z.string(), z.record(z.string(), z.string()))

const stored = storedValue('tallyroom.read-alerts', (text) => {
  const read = readSchema.safeParse(JSON.parse(text))
  return read.success ? read.data : null
})

export type AlertKind = 'account' | 'common'

/** Which alerts this browser's user has marked as read. Another text of the same kind is unread again. */
export function useReadAlerts(accountId: number) {
  const all = useSyncExternalStore(stored.subscribe, stored.get) ?? {}
  const own = all[accountId] ?? {}
  return {
    isRead: (kind: AlertKind, text: string) => own[kind] === markOf(text),
    markRead: (kind: AlertKind, text: string) =>
      stored.set({ ...stored.get(), [accountId]: { ...own, [kind]: markOf(text) } }),
  }
}

/** Tells texts apart without keeping them: their length and a 53-bit hash (cyrb53). */
function markOf(text: string): string {
  let low = 0xdeadbeef
  let high = 0x41c6ce57
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    low = Math.imul(low ^ code, 2654435761)
    high = Math.imul(high ^ code, 1597334677)
  }
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909)
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909)
  const hash = 4294967296 * (2097151 & high) + (low >>> 0)
  return `${text.length}-${hash.toString(36)}`
}
