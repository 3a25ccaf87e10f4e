import { UnstyledButton, VisuallyHidden } from '@mantine/core'
import { IconChevronRight } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './RowToggle.module.css'

interface RowToggleProps {
  /** A prefix for screen readers. */
  label?: string
  opened: boolean
  onToggle: () => void
  /** The maximum width of `children`, beyond which they are truncated. */
  maxWidth?: number | string
  /** The beginning of the detail that a click expands. */
  children: ReactNode
}

/** Expands and collapses the detail below a row. */
export const RowToggle = ({ label, opened, onToggle, maxWidth, children }: RowToggleProps) => (
  <UnstyledButton className={classes.toggle} aria-expanded={opened} onClick={onToggle}>
    <IconChevronRight size={14} aria-hidden />
    {label !== undefined && <VisuallyHidden>{label}: </VisuallyHidden>}
    <span className={classes.beginning} style={{ maxWidth }}>
      {children}
    </span>
  </UnstyledButton>
)
