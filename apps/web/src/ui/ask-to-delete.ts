import { confirm } from './dialogs.tsx'
import { toast } from './toasts.tsx'

interface Doomed {
  /** 'Site', 'Link'. */
  what: string
  name: string
  /** Should say what else is deleted, and what stays. */
  question: string
  action: () => Promise<unknown>
  /** Called after the deletion, once the dialog is closed. */
  onDeleted?: () => void
}

/** Asks for confirmation, then deletes for good. The dialog stays open meanwhile. */
export async function askToDelete({ what, name, question, action, onDeleted }: Doomed) {
  const isDone = await confirm({
    heading: `Delete: ${name}`,
    body: question,
    confirmLabel: 'Delete',
    danger: true,
    action,
  })
  if (!isDone) return
  toast({
    kind: 'success',
    heading: 'Deleted',
    body: `${what} "${name}" has been successfully deleted`,
  })
  onDeleted?.()
}
