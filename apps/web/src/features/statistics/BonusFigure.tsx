import type { ReactNode } from 'react'
import classes from './BonusFigure.module.css'

export const BonusFigure = ({ children }: { children: ReactNode }) => (
  <span className={classes.figure}>{children}</span>
)
