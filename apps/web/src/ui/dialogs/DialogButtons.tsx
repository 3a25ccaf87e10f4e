import { Button, Group } from '@mantine/core'
import classes from './DialogButtons.module.css'

interface DialogButtonsProps {
  /** Begins with a verb. If it can't be undone, with the sum and whom it is about. */
  act: string
  /** Without it, the button submits the form around it. */
  onAct?: () => void
  /** Null: there is nothing to cancel. */
  onCancel: (() => void) | null
  cancelLabel?: string
  busy?: boolean
  disabled?: boolean
  /** The act destroys something. */
  danger?: boolean
  /** The act has the focus when the dialog opens. */
  isFirst?: boolean
}

/** The end of every dialog and form of a question: cancel left, act right. */
export const DialogButtons = ({
  act,
  onAct,
  onCancel,
  cancelLabel = 'Cancel',
  busy = false,
  disabled = false,
  danger = false,
  isFirst = false,
}: DialogButtonsProps) => (
  <Group justify="flex-end" gap="xs" mt="md" className={classes.buttons}>
    {onCancel && (
      <Button variant="default" onClick={onCancel} disabled={busy}>
        {cancelLabel}
      </Button>
    )}
    <Button
      type={onAct ? 'button' : 'submit'}
      {...(onAct && { onClick: onAct })}
      {...(danger && { color: 'red' })}
      {...(isFirst && { 'data-autofocus': true })}
      loading={busy}
      disabled={disabled}
    >
      {act}
    </Button>
  </Group>
)
