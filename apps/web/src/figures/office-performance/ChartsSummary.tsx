import type { ChartPreset } from '@tallyroom/domain/periods'
import { MoreLine } from '../../ui/list/MoreLine.tsx'
import { TimeZoneNote } from '../../ui/text/TimeZoneNote.tsx'
import { WithDays } from '../../ui/text/WithDays.tsx'
import classes from './OfficeChartsPage.module.css'

interface ChartsSummaryProps {
  preset: ChartPreset
  /** Whether there are charts, which need a legend. */
  isDrawn: boolean
}

/** Which days the charts show, and what their marks mean. */
export const ChartsSummary = ({ preset: { start, end, groupBy }, isDrawn }: ChartsSummaryProps) => (
  <div className={classes.summary}>
    <MoreLine>
      <span>
        <WithDays>
          From {start} To {end}
        </WithDays>
      </span>
      {isDrawn && (
        <span className={classes.legend}>
          <i className={classes.columnMark} /> Sales
          <i className={classes.curveMark} /> Progress, against the{' '}
          {groupBy === 'day' ? 'day' : 'month'} before, once the {groupBy} is over
        </span>
      )}
      <TimeZoneNote />
    </MoreLine>
  </div>
)
