import type { ReactNode } from 'react'
import type { EntityOption } from '../../ui/EntitySelect.tsx'

/** The props that all single pickers share. No value means all, or none chosen yet. */
export interface PickerProps {
  value: number | null | undefined
  onChange: (id: number | undefined) => void
  label?: string
  /** Asks for a choice. Without a placeholder, All is offered. */
  placeholder?: string
  disabled?: boolean
  required?: boolean
  error?: ReactNode
  /** In pixels. */
  width?: number
}

/** Marks a suspended item. */
export const nameOf = (name: string, active: boolean) => (active ? name : `${name} (Suspended)`)

/** Options rarely change, so switching filters refetches them at most once a minute. */
export const OPTIONS_STALE_MS = 60_000

/** Adds the chosen option in case it is no longer offered. */
export const withPresent = (
  options: readonly EntityOption[] | undefined,
  present: EntityOption | undefined,
): readonly EntityOption[] | undefined =>
  options && present && !options.some(({ id }) => id === present.id)
    ? [...options, present]
    : options
