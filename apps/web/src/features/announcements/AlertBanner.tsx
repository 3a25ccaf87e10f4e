import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { z } from 'zod'
import { useMe } from '../../lib/session.ts'
import { storedValue } from '../../lib/stored.ts'
import { LaterRichText } from '../../ui/rich-text/LaterRichText.tsx'
import classes from './AlertBanner.module.css'
import { loginAlertsQuery } from './announcements.api.ts'

/** The account's own alert until it is read, then the common one until it is read. */
export function AlertBanner() {
  const { accountId } = useMe()
  const { data } = useQuery(loginAlertsQuery(accountId))
  const { isRead, markRead } = useReadAlerts(accountId)
  const alerts: [AlertKind, string | null | undefined][] = [
    ['account', data?.accountAlert],
    ['common', data?.commonAlert],
  ]
  const unread = alerts.find(([kind, text]) => text && !isRead(kind, text))
  const [kind, text] = unread ?? []
  if (!kind || !text) return null
  return (
    <section className={classes.banner} aria-label="Alert">
      <div className={classes.text} tabIndex={0} role="group" aria-label="Alert text">
        {kind === 'account' ? (
          <p className={classes.plain}>{text}</p>
        ) : (
          <LaterRichText html={text} />
        )}
      </div>
      <Button size="compact-sm" variant="default" onClick={() => markRead(kind, text)}>
        Mark as read
      </Button>
    </section>
  )
}

/** Account → kind of alert → the mark of the text last read. */
const readSchema = z.record(z.string(), z.record(z.string(), z.string()))

const stored = storedValue('tallyroom.read-alerts', (text) => {
  const read = readSchema.safeParse(JSON.parse(text))
  return read.success ? read.data : null
})

type AlertKind = 'account' | 'common'

/** The alerts that were marked as read in this browser. A new text of the same kind is unread again. */
function useReadAlerts(accountId: number) {
  const all = useSyncExternalStore(stored.subscribe, stored.get) ?? {}
  const own = all[accountId] ?? {}
  return {
    isRead: (kind: AlertKind, text: string) => own[kind] === markOf(text),
    markRead: (kind: AlertKind, text: string) =>
      stored.set({ ...stored.get(), [accountId]: { ...own, [kind]: markOf(text) } }),
  }
}

/** Identifies a text without storing it: its length and a 53-bit hash (cyrb53). */
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
