import { Button, Drawer, Group, Skeleton, Stack, Text } from '@mantine/core'
import { type BellLine, bellEndpoints } from '@tallyroom/contract/desk/bell'
import { formatCount } from '@tallyroom/domain/money'
import { addDays, dayOf, formatClock, todayNewYork } from '@tallyroom/domain/new-york'
import { daysInWords } from '@tallyroom/domain/periods'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import {
  IconAlertTriangle,
  IconCash,
  IconCashOff,
  IconHandStop,
  IconKey,
  IconReceipt2,
  IconShieldCheck,
  IconTag,
  IconUserCheck,
  IconUserOff,
  IconCircleCheck,
  IconShoppingCart,
} from '@tabler/icons-react'
import type { MouseEvent } from 'react'
import { call } from '../../lib/call.ts'
import { useMe } from '../../lib/session.ts'
import { LinkText } from '../../ui/links.tsx'
import { useOpened } from '../../ui/use-opened.ts'
import { bellQuery, refreshBell } from './bell.api.ts'
import classes from './BellDrawer.module.css'

/** What happened to the account's own, newest first, by day. */
export default function BellDrawer({ onClose }: { onClose: () => void }) {
  const [opened, close] = useOpened()
  return (
    <Drawer
      opened={opened}
      onClose={close}
      onExitTransitionEnd={onClose}
      position="right"
      size={420}
      title={<strong>Notifications</strong>}
    >
      <BellList onLeave={close} />
    </Drawer>
  )
}

function BellList({ onLeave }: { onLeave: () => void }) {
  const { signedInBy } = useMe()
  const client = useQueryClient()
  const navigate = useNavigate()
  const { data, isError } = useQuery({ ...bellQuery, refetchOnMount: 'always' })
  const { mutate: read, isPending } = useMutation({
    mutationFn: (body: { id: string } | { until: string }) =>
      call(bellEndpoints.readBell, { body }),
    onSuccess: () => refreshBell(client),
  })
  if (!data) return isError ? <Text>Open it again in a moment.</Text> : <Loading />
  const { lines, sales, since, asOf } = data
  const mayRead = signedInBy === null

  const open = (page: string, line?: BellLine) => (event: MouseEvent) => {
    if (line?.unread && mayRead) read({ id: line.id })
    if (event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    onLeave()
    void navigate({ href: page })
  }

  return (
    <Stack gap="md">
      {mayRead && lines.some(({ unread }) => unread) && (
        <Group>
          <Button
            variant="default"
            size="compact-sm"
            loading={isPending}
            onClick={() => read({ until: asOf })}
          >
            Mark all as read
          </Button>
        </Group>
      )}
      {sales.length > 0 && (
        <section>
          <h2 className={classes.day}>Sales since {formatClock(new Date(since)).slice(11, 16)}</h2>
          <ul className={classes.list}>
            {sales.map(({ siteId, site, event, sales: sold, reversed }) => (
              <li key={`${siteId} ${event}`}>
                <a className={classes.line} href={SALES} onClick={open(SALES)}>
                  <IconShoppingCart {...icon} />
                  <span className={classes.title}>
                    {formatCount(sold)} {event}
                    {sold === 1 ? '' : 's'} on {site}
                  </span>
                  {reversed > 0 && (
                    <span className={classes.text}>{formatCount(reversed)} reversed</span>
                  )}
                </a>
              </li>
            ))}
          </ul>
        </section>
      )}
      {[...Map.groupBy(lines, ({ at }) => dayOf(new Date(at)))].map(([day, ofDay]) => (
        <section key={day}>
          <h2 className={classes.day}>{dayName(day)}</h2>
          <ul className={classes.list}>
            {ofDay.map((line) => {
              const Icon = icons[line.kind]
              return (
                <li key={line.id}>
                  <a
                    className={classes.line}
                    href={line.page}
                    data-unread={line.unread || undefined}
                    onClick={open(line.page, line)}
                  >
                    <Icon {...icon} />
                    <span className={classes.title}>
                      {line.title}
                      {line.unread && <span className={classes.dot} role="img" aria-label="New" />}
                    </span>
                    <time className={classes.time} dateTime={line.at}>
                      {formatClock(new Date(line.at)).slice(11, 16)}
                    </time>
                    {line.text !== '' && <span className={classes.text}>{line.text}</span>}
                  </a>
                </li>
              )
            })}
          </ul>
        </section>
      ))}
      {lines.length === 0 && sales.length === 0 && (
        <Text size="sm" c="dimmed">
          Nothing yet. What happens to your account, your sales and your pay is here for 90 days.
        </Text>
      )}
      <Text size="sm">
        <LinkText to="/app/profile" hash="notifications" onClick={onLeave}>
          Choose what you hear of by mail
        </LinkText>
      </Text>
    </Stack>
  )
}

const SALES = '/app/logs/sale-logs'

const icon = { size: 18, stroke: 1.6, 'aria-hidden': true, className: classes.icon ?? '' }

const icons = {
  'agent.approved': IconUserCheck,
  'agent.suspended': IconUserOff,
  'statement.closed': IconReceipt2,
  'payment.sent': IconCash,
  'payment.failed': IconCashOff,
  'payment.returned': IconCashOff,
  'payment.contradicted': IconAlertTriangle,
  'payment.outside': IconCash,
  'money.received': IconCash,
  'pay.held': IconHandStop,
  'pay.released': IconCash,
  'account.changed': IconShieldCheck,
  'factor.changed': IconShieldCheck,
  'factor.reset': IconAlertTriangle,
  'factor.recovered': IconAlertTriangle,
  'sign-in.noticed': IconShieldCheck,
  'sessions.ended': IconShieldCheck,
  'password.asked': IconKey,
  'staff-password.asked': IconKey,
  'postback.failed': IconAlertTriangle,
  'decision.wanted': IconHandStop,
  'rate.changed': IconTag,
  'alarm.raised': IconAlertTriangle,
  'alarm.ended': IconCircleCheck,
  'proof.broken': IconAlertTriangle,
  'proof.mended': IconCircleCheck,
  'proof.verified': IconShieldCheck,
} as const satisfies Record<BellLine['kind'], unknown>

function dayName(day: string): string {
  const today = todayNewYork(new Date())
  if (day === today) return 'Today'
  if (day === addDays(today, -1)) return 'Yesterday'
  return daysInWords({ start: day, end: day })
}

const Loading = () => (
  <Stack gap="sm" aria-label="Loading">
    {Array.from({ length: 5 }, (_, place) => (
      <Skeleton key={place} height={44} />
    ))}
  </Stack>
)
