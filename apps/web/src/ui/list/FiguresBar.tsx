import type { ReactNode } from 'react'
import { TimeZoneNote } from '../TimeZoneNote.tsx'
import classes from './FiguresBar.module.css'

interface FiguresBarProps {
  /** What the figures below are of: their days. */
  summary: ReactNode
  /** Export, Print. */
  actions: ReactNode
}

/** Between the criteria of a report that has no pages, and its table. */
export const FiguresBar = ({ summary, actions }: FiguresBarProps) => (
  <div className={classes.bar}>
    <div className={classes.summary}>
      {summary}
      <TimeZoneNote />
    </div>
    <div className={classes.actions}>{actions}</div>
  </div>
)
