import type { ReactNode } from 'react'
import { confirm } from './dialogs.tsx'
import { toastDone } from './toasts.tsx'

/** What a change is called, and the question before it. */
export interface ChangeWords {
  label: string
  question: ReactNode
  /** It can't be undone. */
  danger?: boolean
}

export interface Asked {
  /** Whom it is about: a name, or how many. */
  whose: string
  refresh: () => Promise<unknown>
  /** It is done, and the dialog gone. */
  onDone?: () => void
}

/** Asks before a change of status, and makes it while the dialog stays. */
export async function askToChange(
  { label, question, danger = false }: ChangeWords,
  { whose, refresh, onDone }: Asked,
  change: () => Promise<unknown>,
) {
  const isDone = await confirm({
    heading: `${label}: ${whose}`,
    body: question,
    confirmLabel: label,
    danger,
    action: async () => {
      await change()
      await refresh()
      toastDone()
    },
  })
  if (isDone) onDone?.()
}
