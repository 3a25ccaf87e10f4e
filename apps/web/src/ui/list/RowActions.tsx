import type { ReactNode } from 'react'
import classes from './RowActions.module.css'

/** The last cell of a row: an edit link, a menu. */
export const RowActions = ({ children }: { children: ReactNode }) => (
  <div className={classes.actions}>{children}</div>
)
