import { avpScheduleLabel, avpSelectLabel, type AvpPeriod } from '@tallyroom/domain/avp'
import { formatDollars, formatPesos } from '@tallyroom/domain/money'
import type { Day } from '@tallyroom/domain/new-york'
import classes from './AvpSchedule.module.css'

interface AvpScheduleProps {
  periods: readonly AvpPeriod[]
  /** The Monday of its week, if the caption should name it. */
  week?: Day
}

/** The A.V.P. pay schedule: what a sale pays, depending on the agent's number of sales in a week. */
export const AvpSchedule = ({ periods, week }: AvpScheduleProps) => (
  <table className={classes.box}>
    <caption>A.V.P. pay schedule{week && `, week of ${week}`}</caption>
    <thead>
      <tr>
        <th scope="col">Sales a week</th>
        <th scope="col">Pay in ₱</th>
        <th scope="col">Pay in $</th>
      </tr>
    </thead>
    <tbody>
      {periods.map((period) => (
        <tr key={period.index}>
          <th scope="row">
            {avpScheduleLabel(period)}
            {period.index <= 1 && (
              <span className={classes.range}> ({avpSelectLabel(period)})</span>
            )}
          </th>
          <td>{formatPesos(period.payoutPhp)}</td>
          <td>{formatDollars(period.payoutDollars)}</td>
        </tr>
      ))}
    </tbody>
  </table>
)
