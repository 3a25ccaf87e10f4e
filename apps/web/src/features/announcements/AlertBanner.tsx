import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { useMe } from '../../lib/session.ts'
import classes from './AlertBanner.module.css'
import { loginAlertsQuery } from './announcements.api.ts'
import { useReadAlerts, type AlertKind } from './read-alerts.ts'

// Most days there is nothing to show.
const RichText = lazy(() =>
  import('../../ui/rich-text/RichText.tsx').then((module) => ({ default: module.RichText })),
)

/** The account's own alert until it is read, then the one that everybody gets; nothing when both are read. */
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
    // Nobody can mark as read what is not there to be read yet.
    <Suspense>
      <section className={classes.banner} aria-label="Alert">
        <div className={classes.text} tabIndex={0} role="group" aria-label="Text of the alert">
          {kind === 'account' ? <p className={classes.plain}>{text}</p> : <RichText html={text} />}
        </div>
        <Button size="compact-sm" variant="default" onClick={() => markRead(kind, text)}>
          Mark as read
        </Button>
      </section>
    </Suspense>
  )
}
