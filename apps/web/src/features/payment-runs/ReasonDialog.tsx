import { Modal, Stack, Text } from '@mantine/core'
import { ReasonForm } from '../../ui/form/ReasonForm.tsx'
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
  return (
    <Modal
      opened={opened}
      onClose={close}
      onExitTransitionEnd={props.onClosed}
      title={props.heading}
    >
      <Stack gap="sm">
        <Text size="sm">{props.about}</Text>
        <ReasonForm
          maxLength={300}
          confirmLabel={props.confirmLabel}
          onConfirm={async (reason) => {
            await props.onConfirm(reason)
            close()
          }}
          onKeep={close}
        />
      </Stack>
    </Modal>
  )
}
