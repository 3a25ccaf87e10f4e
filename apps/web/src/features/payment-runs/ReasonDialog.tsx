import { Button, Group, Modal, Stack, Text, Textarea } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useOpened } from '../../ui/use-opened.ts'

interface ReasonDialogProps {
  heading: string
  about: string
  confirmLabel: string
  onConfirm: (reason: string) => Promise<unknown>
  onClosed: () => void
}

/** Asks for the reason of a change. Stays open while it is made, and if it fails. */
export function ReasonDialog(props: ReasonDialogProps) {
  const [opened, close] = useOpened()
  const [reason, setReason] = useState('')
  const saving = useMutation({ mutationFn: () => props.onConfirm(reason.trim()), onSuccess: close })
  return (
    <Modal
      opened={opened}
      onClose={close}
      onExitTransitionEnd={props.onClosed}
      title={props.heading}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Stack gap="sm">
        <Text size="sm">{props.about}</Text>
        <Textarea
          label="Reason"
          withAsterisk
          autosize
          minRows={2}
          maxLength={300}
          data-autofocus
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        <Group gap="xs">
          <Button
            loading={saving.isPending}
            disabled={reason.trim() === ''}
            onClick={() => saving.mutate()}
          >
            {props.confirmLabel}
          </Button>
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
