import { Button } from '@mantine/core'
import { IconCircleCheck } from '@tabler/icons-react'
import { useSyncExternalStore } from 'react'
import { storedValue } from '../../lib/stored.ts'
import { LinkButton } from '../../ui/links.tsx'
import { BoardCard } from './BoardCard.tsx'
import classes from './SetupChecklist.module.css'

/** Whether this browser has shown the checklist, and its end has not been dismissed yet. */
export const wasSetUpHere = storedValue('tallyroom.set-up', (text) => text === 'true')

/**
 * Replaces the checklist once its last step is done, until dismissed: what a running network needs
 * next.
 */
export function SetupDone() {
  if (!useSyncExternalStore(wasSetUpHere.subscribe, wasSetUpHere.get)) return null
  return (
    <BoardCard title="Your network is set up">
      <div className={classes.finished}>
        <IconCircleCheck size={28} stroke={1.6} aria-hidden />
        <p role="status">
          Your first click and your first postback arrived. From now on clicks and sales show here
          within seconds. Next, add the other agents, and send the merchant the address for
          postbacks.
        </p>
        <div className={classes.buttons}>
          <LinkButton to="/app/agents/create" variant="default" size="xs">
            Add agents
          </LinkButton>
          <LinkButton
            to="/app/sites/postbacks"
            search={{ integration: true }}
            variant="default"
            size="xs"
          >
            Show the address
          </LinkButton>
          <Button
            size="xs"
            onClick={() => {
              wasSetUpHere.set(null)
              // The button disappears with its card.
              document.querySelector('main')?.focus()
            }}
          >
            Got it
          </Button>
        </div>
      </div>
    </BoardCard>
  )
}
