import { avpSchedulesEndpoints } from '@tallyroom/contract/catalogue/avp-schedules'
import { avpSelectLabel, tierOf, type AvpPeriod } from '@tallyroom/domain/avp'
import { formatDollars, formatPesos } from '@tallyroom/domain/money'
import { useQuery } from '@tanstack/react-query'
import { queryOf } from '../../lib/queries.ts'
import { AvpSchedule } from '../../shared/AvpSchedule.tsx'
import classes from './HowFiguresWorkPage.module.css'

/** Agent volume pay, with the schedule that is in force this week. */
export function AvpSection() {
  const { data: tiers, error } = useQuery(queryOf(avpSchedulesEndpoints.avpPeriods, { query: {} }))
  return (
    <section className={classes.section}>
      <h2>A.V.P.: Agent Volume Pay</h2>
      <p>
        A.V.P. sites pay by volume. Your sales on all of these sites from Monday to Sunday, minus
        those that were reversed, decide your tier. Each of these sales then pays that tier’s rate.
        Your tier can rise until the week ends, and then all sales of the week pay the higher rate.
        Sales on other sites don’t count towards it.
      </p>
      {error && <p role="alert">{error.message}</p>}
      {tiers?.length === 0 && <p>No schedule is in force this week.</p>}
      {tiers && tiers.length > 0 && (
        <>
          <p>This week’s schedule:</p>
          <div className={classes.schedule}>
            <AvpSchedule periods={tiers} />
          </div>
          <AvpExample tiers={tiers} />
        </>
      )}
    </section>
  )
}

/** Compares the lowest number of sales in the highest tier with one sale less. */
function AvpExample({ tiers }: { tiers: readonly AvpPeriod[] }) {
  const top = tiers.at(-1)
  if (!top || top.from < 2) return null
  const before = tierOf(top.from - 1, tiers)
  return (
    <p>
      {before && <>{sentence(top.from - 1, before)} </>}
      {sentence(top.from, top)}
    </p>
  )
}

const sentence = (sales: number, tier: AvpPeriod) =>
  `${sales} sales in a week are in the tier ${avpSelectLabel(tier)}: ${sales} × ${formatPesos(tier.payoutPhp)} = ${formatPesos(sales * tier.payoutPhp)}, or ${formatDollars(sales * tier.payoutDollars)}.`
