import { Modal } from '@mantine/core'
import { useOneMutation } from '../../lib/forms/use-one-mutation.ts'
import { consequences } from './consequences.ts'
import { DialogButtons } from './DialogButtons.tsx'
import { closeDialog, type AlertRequest, type ConfirmRequest, type OpenDialog } from './dialogs.tsx'
import classes from './DialogView.module.css'
import { useOpened } from '../use-opened.ts'
import { WithDays } from '../text/WithDays.tsx'

/** One confirm or alert dialog, from its opening to its answer. */
export default function DialogView({ dialog }: { dialog: OpenDialog }) {
  const handleClosed = (confirmed: boolean) => closeDialog(dialog, confirmed)
  return dialog.kind === 'confirm' ? (
    <ConfirmDialog request={dialog} onClosed={handleClosed} />
  ) : (
    <AlertDialog request={dialog} onClosed={() => handleClosed(true)} />
  )
}

interface ConfirmDialogProps {
  request: ConfirmRequest
  onClosed: (confirmed: boolean) => void
}

function ConfirmDialog({ request, onClosed }: ConfirmDialogProps) {
  const [opened, close] = useClosing()
  const run = useOneMutation({
    mutationFn: async () => request.action?.(),
    meta: { silentErrors: request.silentErrors ?? false },
  })
  const busy = run.isPending

  const cancel = () => {
    if (!busy) close(() => onClosed(false))
  }
  const handleConfirm = () =>
    run.mutate(undefined, {
      onSuccess: () => close(() => onClosed(true)),
      onError: () => close(() => onClosed(false)),
    })

  return (
    <Modal
      opened={opened}
      onClose={cancel}
      title={<WithDays>{request.heading}</WithDays>}
      withCloseButton={false}
    >
      <div>
        <WithDays>{request.body}</WithDays>
      </div>
      {request.consequence && (
        <ul className={classes.consequences}>
          {consequences[request.consequence].map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
      <DialogButtons
        act={request.confirmLabel ?? 'Confirm'}
        onAct={handleConfirm}
        onCancel={request.hideCancel ? null : cancel}
        busy={busy}
        danger={request.danger ?? false}
        isFirst
      />
    </Modal>
  )
}

function AlertDialog({ request, onClosed }: { request: AlertRequest; onClosed: () => void }) {
  const [opened, close] = useClosing()
  return (
    <Modal
      opened={opened}
      onClose={() => {}}
      title={<WithDays>{request.heading ?? 'Notice'}</WithDays>}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      <div>
        <WithDays>{request.body}</WithDays>
      </div>
      <DialogButtons act="Enter" onAct={() => close(onClosed)} onCancel={null} isFirst />
    </Modal>
  )
}

/** Calls back once the dialog is closed, because focus returns only then. */
function useClosing(): [boolean, (then: () => void) => void] {
  const [opened, close] = useOpened()
  return [
    opened,
    (then) => {
      close()
      setTimeout(then, CLOSING_MS)
    },
  ]
}

/** The duration of the theme's modal transition. */
const CLOSING_MS = 120
