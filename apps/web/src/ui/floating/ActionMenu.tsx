import type { Icon } from '@tabler/icons-react'
import { laterComponent } from '../../lib/later.ts'

export interface MenuAction {
  label: string
  icon?: Icon
  onSelect: () => void
  disabled?: boolean
  /** Stands apart from the others, in red. */
  danger?: boolean
}

export interface ActionMenuProps {
  /** The button's. */
  id: string
  /** The button that it hangs at: `useOpener`. */
  target: HTMLElement
  opened: boolean
  onClose: () => void
  actions: readonly MenuAction[]
  width: number
}

/** The actions behind a button. */
export const ActionMenu = laterComponent<ActionMenuProps>(() =>
  import('./ActionMenuNow.tsx').then(({ ActionMenuNow }) => ActionMenuNow),
)
