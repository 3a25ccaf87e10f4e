import { Modal, Stack, Text } from '@mantine/core'
import type { ComponentProps } from 'react'
import { ReasonForm } from '../form/ReasonForm.tsx'
import { useOpened } from '../use-opened.ts'

interface ReasonDialogProps extends Omit<ComponentProps<typeof ReasonForm>, 'onKeep'> {
  heading: string
  /** What follows from it. */
  about: string
  onClosed: () => void
}

/** Asks for the reason of a change. Stays open while it is made, and if it fails. */
export function ReasonDialog({ heading, about, onClosed, onConfirm, ...form }: ReasonDialogProps) {
  const [opened, close] = useOpened()
  return (
    <Modal opened={opened} onClose={close} onExitTransitionEnd={onClosed} title={heading}>
      <Stack gap="sm">
        <Text size="sm">{about}</Text>
        <ReasonForm
          {...form}
          onConfirm={async (reason) => {
            await onConfirm(reason)
            close()
          }}
          onKeep={close}
        />
      </Stack>
    </Modal>
  )
}
