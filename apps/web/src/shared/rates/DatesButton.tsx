import type { ReactNode } from 'react'
import classes from './DatesButton.module.css'

interface DatesButtonProps {
  /** Says whose rates these are, if the text doesn't. */
  label?: string
  children?: ReactNode
  onClick: () => void
}

/** Opens the drawer of rates and their dates. */
export const DatesButton = ({ label, children = 'Dates…', onClick }: DatesButtonProps) => (
  <button type="button" className={classes.button} aria-label={label} onClick={onClick}>
    {children}
  </button>
)
