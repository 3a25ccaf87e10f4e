import type { AvpSchedule } from '@tallyroom/contract/catalogue/avp-schedules'
import { AVP_OPEN_END } from '@tallyroom/domain/avp'
import { formatDollars, formatPesos } from '@tallyroom/domain/money'
import { PlainTable } from '../../ui/PlainTable.tsx'
import classes from './TierTable.module.css'

/** The tiers of a schedule with their real bounds. In the box that agents see, tiers without pay say 'NO'. */
export const TierTable = ({ tiers }: Pick<AvpSchedule, 'tiers'>) => (
  <PlainTable
    label="Tiers"
    look="bare"
    className={classes.tiers}
    columns={[
      { header: 'Sales a week', namesRow: true, cell: ({ from, to }) => boundsText(from, to) },
      { header: '₱ per sale', numeric: true, cell: ({ payoutPhp }) => formatPesos(payoutPhp) },
      {
        header: '$ per sale',
        numeric: true,
        cell: ({ payoutDollars }) => formatDollars(payoutDollars),
      },
    ]}
    rows={tiers}
    rowKey={({ index }) => index}
  />
)

const boundsText = (from: number, to: number) =>
  to >= AVP_OPEN_END ? `${from} and up` : from === to ? String(from) : `${from} – ${to}`
