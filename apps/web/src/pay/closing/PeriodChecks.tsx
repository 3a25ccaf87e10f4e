import type { PayPeriodItem } from '@tallyroom/contract/pay/closing/periods'
import { IconCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { FormLoader } from '../../ui/form/FormLoader.tsx'
import { checkLines, isCompared } from './check-lines.tsx'
import { ExchangeRateForm } from './ExchangeRateForm.tsx'
import { checksQuery } from '../pay.api.ts'
import classes from '../pay.module.css'

/** What to check before closing. Each line links to the page that settles it. */
export const PeriodChecks = ({ period }: { period: PayPeriodItem }) => (
  <FormLoader query={useQuery(checksQuery(period.name))} fields={2}>
    {(checks) => {
      const lines = checkLines(checks, period)
      return (
        <section className={classes.card} aria-labelledby="checks">
          <h3 id="checks">Before you close</h3>
          {lines.length === 0 ? (
            <p className={classes.good}>
              <IconCheck size={16} aria-hidden /> Nothing to look at.
            </p>
          ) : (
            <ul className={classes.checks}>
              {lines.map(([key, what, fact]) => (
                <li key={key}>
                  <span>{what}</span>
                  <span className="tr-figures">{fact}</span>
                </li>
              ))}
            </ul>
          )}
          {checks.totals === 'too many' && (
            <p className={classes.dim}>
              These days have too many clicks to compare with the reports here. An operator can run{' '}
              <code>totals verify</code>.
            </p>
          )}
          {isCompared(checks.totals) && checks.totals.differences === 0 && (
            <p className={classes.dim}>
              The reports of these days were compared with every click and sale: they agree.
            </p>
          )}
          <ExchangeRateForm period={period} isNeeded={checks.needExchangeRate.length > 0} />
        </section>
      )
    }}
  </FormLoader>
)
