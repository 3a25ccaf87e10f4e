import type { ReactNode } from 'react'
import classes from './RowActions.module.css'

/** The content of a row's last cell: an edit link and a menu. */
export const RowActions = ({ children }: { children: ReactNode }) => (
  <div className={classes.actions}>{children}</div>
)
