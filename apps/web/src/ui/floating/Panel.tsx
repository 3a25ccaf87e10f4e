import type { ReactNode } from 'react'
import { laterComponent } from '../../lib/later.ts'

export interface PanelProps {
  /** Names it, to screen readers. */
  label: string
  /** The button that it hangs at: `useOpener`. */
  target: HTMLElement
  opened: boolean
  onClose: () => void
  position?: 'bottom-start' | 'bottom-end'
  className?: string | undefined
  children: ReactNode
}

/** A small dialog that hangs at the button that opened it. */
export const Panel = laterComponent<PanelProps>(() =>
  import('./PanelNow.tsx').then(({ PanelNow }) => PanelNow),
)
