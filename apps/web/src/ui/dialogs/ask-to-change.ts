import type { ReactNode } from 'react'
import type { Consequence } from './consequences.ts'
import { confirm } from './dialogs.tsx'
import { type NextStep, toastDone } from '../toasts.tsx'

/** The name of a change, and its confirmation question. */
export interface ChangeWords {
  label: string
  question: ReactNode
  consequence?: Consequence | undefined
  /** The change can't be undone. */
  danger?: boolean
}

export interface Asked {
  /** Whose status changes: a name, or a number of accounts. */
  whose: string
  refresh: () => Promise<unknown>
  /** What people usually do next. */
  next?: NextStep
  /** Called after the change, once the dialog is closed. */
  onDone?: () => void
}

/** Asks for confirmation of a change. The dialog stays open while the change is made. */
export async function askToChange(
  { label, question, consequence, danger = false }: ChangeWords,
  { whose, refresh, next, onDone }: Asked,
  change: () => Promise<unknown>,
) {
  const isDone = await confirm({
    heading: `${label}: ${whose}`,
    body: question,
    consequence,
    confirmLabel: label,
    danger,
    action: async () => {
      await change()
      await refresh()
      toastDone(next)
    },
  })
  if (isDone) onDone?.()
}
