import type { ReactNode } from 'react'
import type { EntityOption } from '../ui/EntitySelect.tsx'

/** What all pickers of one thing have in common; no value means all, or none yet. */
export interface PickerProps {
  value: number | null | undefined
  onChange: (id: number | undefined) => void
  label?: string
  /** Asks for a choice; left out, all is a choice. */
  placeholder?: string
  disabled?: boolean
  required?: boolean
  error?: ReactNode
  /** In pixels. */
  width?: number
}

/** A suspended one is offered where asked for, and says so. */
export const nameOf = (name: string, active: boolean) => (active ? name : `${name} (Suspended)`)

/** Options change seldom: switching filters back and forth asks the server once a minute at most. */
export const OPTIONS_STALE_MS = 60_000

/** The options with the one that is chosen already, in case that it is offered no more. */
export const withPresent = (
  options: readonly EntityOption[] | undefined,
  present: EntityOption | undefined,
): readonly EntityOption[] | undefined =>
  options && present && !options.some(({ id }) => id === present.id)
    ? [...options, present]
    : options
