import { formatCount, formatPercent, formatPesos } from '@tallyroom/domain/money'
import type { Day } from '@tallyroom/domain/new-york'
import { bonusRatio, uniqueToSaleLabel } from '@tallyroom/domain/ratios'
import { WithDays } from '../../ui/text/WithDays.tsx'
import { PlainTable } from '../../ui/PlainTable.tsx'
import classes from './HowFiguresWorkPage.module.css'

/** A made-up day, in round numbers. */
const made = {
  raws: 210,
  uniques: 150,
  sales: 6,
  takenBack: 1,
  bonuses: 2,
  rate: 400,
  bonusRate: 150,
}

/** An agent's day: what happened, and what the statistics show. */
export function WorkedExample({ day }: { day: Day }) {
  const { raws, uniques, bonuses, rate, bonusRate } = made
  const sales = made.sales - made.takenBack
  return (
    <div className={classes.example}>
      <h3>An example</h3>
      <p>
        On <WithDays>{day}</WithDays> you made {made.sales} sales with a link that pays{' '}
        {formatPesos(rate)}. One older sale was reversed, and you got {bonuses} bonuses of{' '}
        {formatPesos(bonusRate)}.
      </p>
      <PlainTable
        label="Figures of the example"
        look="bare"
        scrolls
        columns={[
          ['Raws', formatCount(raws)],
          ['Uniques', formatCount(uniques)],
          ['Sales', sales],
          ['Bonus Sales', bonuses],
          ['Bonus Ratio', formatPercent(bonusRatio(bonuses, sales))],
          ['Payout', formatPesos(sales * rate)],
          ['Bonus Payout', formatPesos(bonuses * bonusRate)],
          ['Unique to Sale Ratio', uniqueToSaleLabel(uniques, sales)],
        ].map(([header, figure]) => ({
          header: String(header),
          numeric: true,
          cell: () => figure,
        }))}
        rows={[made]}
        rowKey={() => day}
      />
      <p>
        Sales: {made.sales} − {made.takenBack} = {sales}. Payout: {sales} × {formatPesos(rate)} ={' '}
        {formatPesos(sales * rate)}. Bonus Payout: {bonuses} × {formatPesos(bonusRate)} ={' '}
        {formatPesos(bonuses * bonusRate)}. Unique to Sale Ratio: {uniques} uniques ÷ {sales} sales.
      </p>
    </div>
  )
}
