import type { ReactNode } from 'react'
import classes from './DatesButton.module.css'

interface DatesButtonProps {
  /** Names whose rates, where the text alone doesn't. */
  label?: string
  children?: ReactNode
  onClick: () => void
}

/** Opens rates with their dates. */
export const DatesButton = ({ label, children = 'Dates…', onClick }: DatesButtonProps) => (
  <button type="button" className={classes.button} aria-label={label} onClick={onClick}>
    {children}
  </button>
)
