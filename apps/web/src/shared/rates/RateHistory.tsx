import { Button } from '@mantine/core'
import { type DatedRate, ratesEndpoints } from '@tallyroom/contract/catalogue/rates'
import { dayOf } from '@tallyroom/domain/new-york'
import { useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'
import { askToChange } from '../../ui/dialogs/ask-to-change.ts'
import type { RateColumn } from './rate-columns.ts'
import { refreshRates } from './rates.api.ts'
import { currencyOf, rateText } from './rate-text.ts'
import classes from './RatesDrawer.module.css'

interface RateHistoryProps {
  columns: readonly RateColumn[]
  rates: readonly DatedRate[]
  mayChange: boolean
}

/** Rates with their dates, newest first. Prepared ones can be withdrawn. */
export function RateHistory({ columns, rates, mayChange }: RateHistoryProps) {
  const client = useQueryClient()
  const withdraw = (rate: DatedRate) =>
    askToChange(
      {
        label: 'Withdraw',
        question: 'These rates will not take effect. They stay in the history.',
      },
      { whose: `rates from ${dayFrom(rate)}`, refresh: () => refreshRates(client) },
      () => call(ratesEndpoints.withdrawRate, { params: { id: String(rate.id) } }),
    )
  return (
    <section aria-label="History">
      <h2 className={classes.heading}>History</h2>
      {rates.length === 0 ? (
        <p className={classes.about}>It has never had rates of its own.</p>
      ) : (
        <ol className={classes.list}>
          {rates.map((rate) => (
            <li key={rate.id} className={classes.entry} data-state={rate.state}>
              <div className={classes.line}>
                <strong>{dayFrom(rate)}</strong>
                <span className={classes.state}>{STATES[rate.state]}</span>
                {rate.state === 'prepared' && mayChange && (
                  <Button size="compact-xs" variant="default" onClick={() => void withdraw(rate)}>
                    Withdraw
                  </Button>
                )}
              </div>
              <div className={classes.amounts}>
                {rate.enable
                  ? columns
                      .map(
                        ({ field, header, unit }) =>
                          `${header} ${currencyOf(unit)}${rateText(rate[field] ?? 0, unit)}`,
                      )
                      .join(' · ')
                  : 'The link type’s default rates'}
              </div>
              <div className={classes.about}>{whoOf(rate)}</div>
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}

const STATES: Record<DatedRate['state'], string> = {
  prepared: 'Prepared',
  'in force': 'In force',
  over: 'Over',
  withdrawn: 'Withdrawn',
}

const dayFrom = ({ validFrom }: DatedRate) =>
  validFrom === null ? 'Since the beginning' : dayOf(new Date(validFrom))

/** `By admin on 2026-11-20. Holiday season. Withdrawn by admin on 2026-11-21.` */
const whoOf = ({ addedAt, addedBy, note, withdrawnAt, withdrawnBy }: DatedRate) =>
  [
    addedAt && `By ${addedBy ?? 'somebody'} on ${dayOf(new Date(addedAt))}`,
    note,
    withdrawnAt && `Withdrawn by ${withdrawnBy} on ${dayOf(new Date(withdrawnAt))}`,
  ]
    .filter(Boolean)
    .join(' · ') || 'From before rates were dated'
