import { avpScheduleLabel, avpSelectLabel, type AvpPeriod } from '@tallyroom/domain/avp'
import { formatDollars, formatPesos } from '@tallyroom/domain/money'
import type { Day } from '@tallyroom/domain/new-york'
import { type PlainColumn, PlainTable } from '../ui/PlainTable.tsx'
import classes from './AvpSchedule.module.css'

interface AvpScheduleProps {
  periods: readonly AvpPeriod[]
  /** The Monday of its week, if the caption should name it. */
  week?: Day
}

/** The A.V.P. pay schedule: what a sale pays, depending on the agent's number of sales in a week. */
export const AvpSchedule = ({ periods, week }: AvpScheduleProps) => {
  const name = `A.V.P. pay schedule${week ? `, week of ${week}` : ''}`
  return (
    <PlainTable
      label={name}
      caption={name}
      look="bare"
      className={classes.box}
      columns={columns}
      rows={periods}
      rowKey={({ index }) => index}
    />
  )
}

const columns: PlainColumn<AvpPeriod>[] = [
  {
    header: 'Sales a week',
    namesRow: true,
    cell: (period) => (
      <>
        {avpScheduleLabel(period)}
        {period.index <= 1 && <span className={classes.range}> ({avpSelectLabel(period)})</span>}
      </>
    ),
  },
  { header: 'Pay in ₱', numeric: true, cell: ({ payoutPhp }) => formatPesos(payoutPhp) },
  { header: 'Pay in $', numeric: true, cell: ({ payoutDollars }) => formatDollars(payoutDollars) },
]
