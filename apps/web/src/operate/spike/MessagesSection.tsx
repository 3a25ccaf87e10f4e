import { Button, Group } from '@mantine/core'
import { useState } from 'react'
import { ApiError } from '../../lib/api-error.ts'
import { alert, confirm } from '../../ui/dialogs.tsx'
import { toast, toastSaved } from '../../ui/toasts.tsx'
import { Section } from './Section.tsx'

const slowly = () => new Promise((done) => setTimeout(done, 1500))

export function MessagesSection() {
  const [answer, setAnswer] = useState('none yet')
  const ask = async (options: {
    hideCancel?: boolean
    danger?: boolean
    action?: () => Promise<unknown>
  }) =>
    setAnswer(
      (await confirm({
        heading: 'Suspend office',
        body: 'Are you sure to suspend office and all agents?',
        ...options,
      }))
        ? 'confirmed and done'
        : 'cancelled, or failed',
    )

  return (
    <Section title="Toasts and dialogs">
      <Group gap="xs">
        <Button variant="default" onClick={() => toastSaved()}>
          Success toast
        </Button>
        <Button
          variant="default"
          onClick={() =>
            toast({
              kind: 'error',
              heading: 'Something Went Wrong',
              body: 'The server can’t be reached. Check your connection and try again.',
            })
          }
        >
          Error toast
        </Button>
        <Button variant="default" onClick={() => void ask({})}>
          Confirm
        </Button>
        <Button variant="default" onClick={() => void ask({ action: slowly, danger: true })}>
          Confirm, slow
        </Button>
        <Button
          variant="default"
          onClick={() =>
            void ask({
              action: () =>
                Promise.reject(
                  new ApiError('CONFLICT', 'The office was changed by somebody else.'),
                ),
            })
          }
        >
          Confirm, fails
        </Button>
        <Button variant="default" onClick={() => void ask({ hideCancel: true })}>
          Confirm without Cancel
        </Button>
        <Button
          variant="default"
          onClick={() =>
            void alert({ body: 'Need at least one active domain' }).then(() =>
              setAnswer('alert read'),
            )
          }
        >
          Alert
        </Button>
        <span aria-live="polite">Last answer: {answer}</span>
      </Group>
    </Section>
  )
}
