import type { ReactNode } from 'react'
import type { ColumnChoice } from './ColumnMenu.tsx'
import classes from './ListFrame.module.css'
import { PageActions } from './PageActions.tsx'

export interface TableFrameProps {
  /** The filters above the table: a CriteriaRow, or a custom panel. One line. */
  criteria?: ReactNode
  /** What stands between the filters and the table: figures, a chart, a form. */
  above?: ReactNode
  /** A summary line or breadcrumb between the filters and the table. */
  summary?: ReactNode
  /** Buttons above the table, at the right: '+ Add …', Export CSV, Print. */
  actions?: ReactNode
  /** It is only a part of its page. */
  isPart?: boolean
}

interface FrameProps extends TableFrameProps {
  /** Called with its element. */
  onFrame?: (frame: HTMLDivElement | null) => void
  /** The selected rows and what can be done with them, in place of the summary. */
  selection?: ReactNode
  columns?: ColumnChoice
  /** The table. */
  children: ReactNode
}

/** What stands above a table, in as few lines as possible, and the table, which scrolls with the page. */
export const TableFrame = ({ onFrame, ...props }: FrameProps) => (
  <div ref={onFrame} className={classes.frame} data-list={!props.isPart || undefined}>
    <div className={classes.head}>
      {props.criteria}
      {props.above && <div className={classes.above}>{props.above}</div>}
      <div className={classes.bar}>
        {props.selection ? (
          <div className={classes.bulk} role="group" aria-label="Selected rows">
            {props.selection}
          </div>
        ) : (
          <div className={classes.summary}>{props.summary}</div>
        )}
        <div className={classes.actions}>
          <PageActions {...(props.columns && { columns: props.columns })}>
            {props.actions}
          </PageActions>
        </div>
      </div>
    </div>
    {props.children}
  </div>
)
