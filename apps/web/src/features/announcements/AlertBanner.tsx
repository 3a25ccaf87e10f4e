import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useRouterState } from '@tanstack/react-router'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { z } from 'zod'
import { useIsPhone } from '../../lib/phone.ts'
import { useMe } from '../../lib/session.ts'
import { storedValue } from '../../lib/stored.ts'
import { LaterRichText } from '../../ui/rich-text/LaterRichText.tsx'
import classes from './AlertBanner.module.css'
import { loginAlertsQuery } from './load-alerts.ts'

/** The account's own alert until it is read, then the common one until it is read. */
export function AlertBanner() {
  const { accountId } = useMe()
  const { data } = useQuery(loginAlertsQuery(accountId))
  const read = useMarkedAlerts(readAlerts, accountId)
  const seen = useMarkedAlerts(seenAlerts, accountId)
  const isPhone = useIsPhone()
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const [openOn, setOpenOn] = useState<string>()
  const alerts: [AlertKind, string | null | undefined][] = [
    ['account', data?.accountAlert],
    ['common', data?.commonAlert],
  ]
  const unread = alerts.find(([kind, text]) => text && !read.has(kind, text))
  const [kind, text] = unread ?? []
  const isNew = kind && text ? !seen.has(kind, text) : false
  useEffect(() => {
    if (!isNew || !kind || !text) return
    seen.mark(kind, text)
    setOpenOn(path)
    // `seen` changes on every render.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [isNew, kind, text])
  if (!kind || !text) return null
  const isFolded = isPhone && !isNew && openOn !== path
  return (
    <section className={classes.banner} aria-label="Alert" data-folded={isFolded || undefined}>
      <div className={classes.text} tabIndex={0} role="group" aria-label="Alert text">
        {kind === 'account' ? (
          <p className={classes.plain}>{text}</p>
        ) : (
          <LaterRichText html={text} />
        )}
      </div>
      {isFolded ? (
        <Button
          size="compact-sm"
          variant="default"
          aria-label="Show the alert"
          onClick={() => setOpenOn(path)}
        >
          Show
        </Button>
      ) : (
        <Button size="compact-sm" variant="default" onClick={() => read.mark(kind, text)}>
          Mark as read
        </Button>
      )}
    </section>
  )
}

/** Account → kind of alert → the mark of its text. */
const marksSchema = z.record(z.string(), z.record(z.string(), z.string()))

const storedMarks = (key: string) =>
  storedValue(key, (text) => {
    const marks = marksSchema.safeParse(JSON.parse(text))
    return marks.success ? marks.data : null
  })

const readAlerts = storedMarks('tallyroom.read-alerts')

/** On a phone, an alert that was shown once is a single line until it is read. */
const seenAlerts = storedMarks('tallyroom.seen-alerts')

type AlertKind = 'account' | 'common'

/** The alerts that were marked in this browser. A new text of the same kind is not marked. */
function useMarkedAlerts(stored: ReturnType<typeof storedMarks>, accountId: number) {
  const all = useSyncExternalStore(stored.subscribe, stored.get) ?? {}
  const own = all[accountId] ?? {}
  return {
    has: (kind: AlertKind, text: string) => own[kind] === markOf(text),
    mark: (kind: AlertKind, text: string) =>
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
