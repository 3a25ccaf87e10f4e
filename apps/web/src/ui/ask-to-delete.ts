import { confirm } from './dialogs.tsx'
import { toast } from './toasts.tsx'

interface Doomed {
  /** 'Site', 'Link'. */
  what: string
  name: string
  /** With what else is deleted, and what stays. */
  question: string
  action: () => Promise<unknown>
  /** It is gone, and the dialog too. */
  onDeleted?: () => void
}

/** Asks before something is deleted for good, and deletes it while the dialog stays. */
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
