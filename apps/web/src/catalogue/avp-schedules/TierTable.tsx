import type { AvpSchedule } from '@tallyroom/contract/catalogue/avp-schedules'
import { AVP_OPEN_END } from '@tallyroom/domain/avp'
import { formatDollars, formatPesos } from '@tallyroom/domain/money'
import classes from './TierTable.module.css'

/** The tiers of a schedule with their real bounds. In the box that agents see, tiers without pay say 'NO'. */
export const TierTable = ({ tiers }: Pick<AvpSchedule, 'tiers'>) => (
  <table className={classes.tiers}>
    <thead>
      <tr>
        <th scope="col">Sales a week</th>
        <th scope="col">₱ per sale</th>
        <th scope="col">$ per sale</th>
      </tr>
    </thead>
    <tbody>
      {tiers.map(({ index, from, to, payoutPhp, payoutDollars }) => (
        <tr key={index}>
          <th scope="row">{boundsText(from, to)}</th>
          <td>{formatPesos(payoutPhp)}</td>
          <td>{formatDollars(payoutDollars)}</td>
        </tr>
      ))}
    </tbody>
  </table>
)

const boundsText = (from: number, to: number) =>
  to >= AVP_OPEN_END ? `${from} and up` : from === to ? String(from) : `${from} – ${to}`
