import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMe } from '../../lib/session.ts'
import { LaterRichText } from '../../ui/rich-text/LaterRichText.tsx'
import classes from './AlertBanner.module.css'
import { loginAlertsQuery } from './announcements.api.ts'
import { useReadAlerts, type AlertKind } from './read-alerts.ts'

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
    <section className={classes.banner} aria-label="Alert">
      <div className={classes.text} tabIndex={0} role="group" aria-label="Text of the alert">
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
