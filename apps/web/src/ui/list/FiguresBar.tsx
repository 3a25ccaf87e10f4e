import type { ReactNode } from 'react'
import { TimeZoneNote } from '../TimeZoneNote.tsx'
import classes from './FiguresBar.module.css'
import { PageActions } from './PageActions.tsx'

interface FiguresBarProps {
  /** The days of the figures below. */
  summary: ReactNode
  /** Export, Print. */
  actions: ReactNode
}

/** The bar between the criteria and the table of an unpaged report. */
export const FiguresBar = ({ summary, actions }: FiguresBarProps) => (
  <div className={classes.bar}>
    <div className={classes.summary}>
      {summary}
      <TimeZoneNote />
    </div>
    <div className={classes.actions}>
      <PageActions>{actions}</PageActions>
    </div>
  </div>
)
