import { ActionIcon } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { IconBell } from '@tabler/icons-react'
import { lazy, Suspense } from 'react'
import { Tooltip } from '../../ui/Tooltip.tsx'
import { bellCountQuery } from './bell.api.ts'
import { useAsked } from '../../ui/use-asked.ts'
import classes from './Bell.module.css'

const BellDrawer = lazy(() => import('./BellDrawer.tsx'))

/** What is new for the account, in the header of every page. Its list is loaded when it is first opened. */
export function Bell() {
  const list = useAsked<true>()
  const unread = useQuery(bellCountQuery).data?.unread ?? 0
  const shown = unread > MOST_SHOWN ? `${MOST_SHOWN}+` : String(unread)
  return (
    <>
      <Tooltip label="Notifications">
        <ActionIcon
          variant="subtle"
          color="gray"
          className={classes.bell ?? ''}
          aria-label={unread > 0 ? `Notifications, ${shown} new` : 'Notifications'}
          aria-haspopup="dialog"
          onClick={() => list.ask(true)}
        >
          <IconBell size={17} stroke={1.6} />
          {unread > 0 && (
            <span className={classes.count} aria-hidden>
              {shown}
            </span>
          )}
        </ActionIcon>
      </Tooltip>
      <Suspense>{list.asked && <BellDrawer key={list.key} onClose={list.end} />}</Suspense>
    </>
  )
}

const MOST_SHOWN = 99
