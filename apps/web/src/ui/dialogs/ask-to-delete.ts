import type { ReactNode } from 'react'
import { confirm } from './dialogs.tsx'
import { toast } from '../toasts.tsx'

interface Doomed {
  /** 'Site', 'Link'. */
  what: string
  name: string
  /** Should say what else is deleted, and what stays. */
  question: ReactNode
  action: () => Promise<unknown>
  /** What to ask next if the action fails and an answer could help; undefined otherwise. */
  askAgain?: (error: unknown) => Doomed | undefined
  /** Called after the deletion, once the dialog is closed. */
  onDeleted?: () => void
}

/** Asks for confirmation, then deletes for good. The dialog stays open meanwhile. */
export async function askToDelete(doomed: Doomed): Promise<void> {
  const { what, name, question, action, askAgain, onDeleted } = doomed
  let next: Doomed | undefined
  const isDone = await confirm({
    heading: `Delete: ${name}`,
    body: question,
    confirmLabel: 'Delete',
    danger: true,
    action: async () => {
      try {
        await action()
      } catch (error) {
        next = askAgain?.(error)
        if (!next) throw error
      }
    },
  })
  if (next) return askToDelete(next)
  if (!isDone) return
  toast({
    kind: 'success',
    heading: 'Deleted',
    body: `${what} "${name}" has been successfully deleted`,
  })
  onDeleted?.()
}
