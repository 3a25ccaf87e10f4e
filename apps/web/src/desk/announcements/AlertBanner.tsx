import { Button } from '@mantine/core'
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouterState } from '@tanstack/react-router'
import { useState, useSyncExternalStore } from 'react'
import { z } from 'zod'
import { useIsSmall } from '../../lib/phone.ts'
import { useMe } from '../../lib/session.ts'
import { storedValue } from '../../lib/stored.ts'
import { LaterRichText } from '../../ui/rich-text/LaterRichText.tsx'
import classes from './AlertBanner.module.css'
import { loginAlertsQuery } from './load-alerts.ts'

/**
 * Each alert until it is read: the account's own, then news of its payment account, then the common one. In a small
 * window it is a line, which opens.
 */
export function AlertBanner() {
  const { accountId } = useMe()
  const { data } = useQuery(loginAlertsQuery(accountId))
  const read = useReadAlerts(accountId)
  const client = useQueryClient()
  const isSmall = useIsSmall()
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const [openOn, setOpenOn] = useState<string>()
  const alerts: [AlertKind, string | null | undefined][] = [
    ['account', data?.accountAlert],
    ['payee-account', data?.payeeAccount?.text],
    ['common', data?.commonAlert],
  ]
  const unread = alerts.find(([kind, text]) => text && !read.has(kind, text))
  const [kind, text] = unread ?? []
  if (!kind || !text) return null
  const disown = data?.payeeAccount?.disown
  const isFolded = isSmall && openOn !== path
  return (
    <section className={classes.banner} aria-label="Alert" data-folded={isFolded || undefined}>
      <div className={classes.text} tabIndex={0} role="group" aria-label="Alert text">
        {kind === 'common' ? (
          <LaterRichText html={text} />
        ) : (
          <p className={classes.plain}>{text}</p>
        )}
      </div>
      {kind === 'payee-account' && typeof disown === 'number' && !isFolded && (
        <Button size="compact-sm" color="red" onClick={() => void disownLater(client, disown)}>
          That wasn’t me
        </Button>
      )}
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

const readAlerts = storedValue('tallyroom.read-alerts', (text) => {
  const marks = marksSchema.safeParse(JSON.parse(text))
  return marks.success ? marks.data : null
})

type AlertKind = 'account' | 'payee-account' | 'common'

/** The alerts that were read in this browser. A new text of the same kind is not. */
function useReadAlerts(accountId: number) {
  const all = useSyncExternalStore(readAlerts.subscribe, readAlerts.get) ?? {}
  const own = all[accountId] ?? {}
  return {
    has: (kind: AlertKind, text: string) => own[kind] === markOf(text),
    mark: (kind: AlertKind, text: string) =>
      readAlerts.set({ ...readAlerts.get(), [accountId]: { ...own, [kind]: markOf(text) } }),
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

/** Loaded when it is needed, because every page has a banner. */
async function disownLater(client: QueryClient, accountId: number) {
  const { askToDisown } = await import('../../shared/ask-to-disown.ts')
  await askToDisown(client, accountId)
}
