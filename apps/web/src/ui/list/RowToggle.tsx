import { UnstyledButton, VisuallyHidden } from '@mantine/core'
import { IconChevronRight } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './RowToggle.module.css'

interface RowToggleProps {
  /** What is said, and not shown, before the beginning. */
  label?: string
  opened: boolean
  onToggle: () => void
  /** The widest that the beginning is shown; without it, it is shown whole. */
  maxWidth?: number | string
  /** What stands in the row: the beginning of what a click shows below it. */
  children: ReactNode
}

/** Opens and closes what stands below a row of a list. */
export const RowToggle = ({ label, opened, onToggle, maxWidth, children }: RowToggleProps) => (
  <UnstyledButton className={classes.toggle} aria-expanded={opened} onClick={onToggle}>
    <IconChevronRight size={14} aria-hidden />
    {label !== undefined && <VisuallyHidden>{label}: </VisuallyHidden>}
    <span className={classes.beginning} style={{ maxWidth }}>
      {children}
    </span>
  </UnstyledButton>
)
