import { Button } from '@mantine/core'
import { homeEndpoints, type PayStep, paySteps } from '@tallyroom/contract/desk/home'
import { IconCircleCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useSyncExternalStore } from 'react'
import { queryOf } from '../../lib/queries.ts'
import { storedValue } from '../../lib/stored.ts'
import { FROM_CHECKLIST } from '../../ui/list/back-to-list.ts'
import { LinkButton } from '../../ui/links.tsx'
import { BoardCard } from './BoardCard.tsx'
import { ChecklistStep } from './ChecklistStep.tsx'
import classes from './SetupChecklist.module.css'

/** Whether this browser has shown the checklist, and its end has not been dismissed yet. */
export const wasSetUpHere = storedValue('tallyroom.set-up', (text) => text === 'true')

const firstPaymentQuery = queryOf(homeEndpoints.firstPayment, {})

/**
 * Replaces the checklist once its last step is done, until dismissed: what a running network needs
 * next, up to its first payment.
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
      <FirstPayment />
    </BoardCard>
  )
}

/** What the first payment needs, some of it days before. */
function FirstPayment() {
  const { data } = useQuery(firstPaymentQuery)
  if (!data) return null
  const isDone = (step: PayStep) => data.done.includes(step)
  const next = paySteps.find((step) => !isDone(step))
  return (
    <ol className={classes.steps} aria-label="On to the first payment">
      {paySteps.map((step, index) => (
        <ChecklistStep
          key={step}
          {...words[step]}
          index={index}
          isDone={isDone(step)}
          isNext={step === next}
        />
      ))}
    </ol>
  )
}

const look = { variant: 'default', size: 'xs', state: FROM_CHECKLIST } as const

const words: Record<PayStep, { title: string; why: string; button?: ReactNode }> = {
  mail: {
    title: 'Connect a mail server',
    why: 'Until SMTP_URL is set where the server runs, mails stay in a folder there.',
  },
  contact: {
    title: 'Name a contact',
    why: 'Whom offices and agents ask. It stands at the top of their pages.',
    button: (
      <LinkButton to="/app/settings/contact" {...look}>
        Name a contact
      </LinkButton>
    ),
  },
  second: {
    title: 'Add a second person',
    why: 'Every payment needs two. The second can approve seven days after being granted Manage pay and setting a password of their own.',
    button: (
      <LinkButton to="/app/admins/create" {...look}>
        Add an admin
      </LinkButton>
    ),
  },
  visible: {
    title: 'Show payouts',
    why: 'Until then, offices and agents see no amounts: neither on Home nor on statements.',
    button: (
      <LinkButton to="/app/settings/options" {...look}>
        Show payouts
      </LinkButton>
    ),
  },
  pay: {
    title: 'Set up pay',
    why: 'Choose who is paid, by which periods and from which day on. Sales before it are settled elsewhere.',
    button: (
      <LinkButton to="/app/settings/pay" {...look}>
        Set up pay
      </LinkButton>
    ),
  },
}
