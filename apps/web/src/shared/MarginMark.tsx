import { payEndpoints } from '@tallyroom/contract/pay/closing/periods'
import { can } from '@tallyroom/domain/abilities'
import { lossCents } from '@tallyroom/domain/margin'
import { formatDollars, fromMinorUnits, toMinorUnits } from '@tallyroom/domain/money'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { queryOf } from '../lib/queries.ts'
import { useMe } from '../lib/session.ts'
import classes from './MarginMark.module.css'
import { OPTIONS_STALE_MS } from './pickers/picker.ts'

interface MarginMarkProps {
  /** Dollars per sale; undefined while it is being typed. */
  earning: number | undefined
  /** Pesos per sale. */
  payout: number | undefined
  /** What the rate is for, if several are shown together: 'Bonus'. */
  of?: string | undefined
}

/**
 * The last exchange rate entered. `isLoading` while it is fetched: rows rendered earlier would shift when a mark
 * appears.
 */
export function useExchangeRate() {
  const me = useMe()
  return useQuery({
    ...queryOf(payEndpoints.latestExchangeRate, {}, { meta: { ownErrors: true } }),
    staleTime: OPTIONS_STALE_MS,
    enabled: can(me, 'earning.see'),
  })
}

/** A quiet warning that a rate pays more than it earns, at the exchange rate entered last. */
export function MarginMark({ earning, payout, of }: MarginMarkProps) {
  const { data } = useExchangeRate()
  const earningCents = toMinorUnits(earning ?? Number.NaN)
  const payoutCentavos = toMinorUnits(payout ?? Number.NaN)
  if (!data?.latest || earningCents === undefined || payoutCentavos === undefined) return null
  const { period, pesosE4 } = data.latest
  const loss = lossCents({ earningCents, payoutCentavos }, pesosE4)
  if (loss === undefined) return null
  return (
    <span className={classes.mark} role="note">
      <IconAlertTriangle size={14} aria-hidden />
      <span>
        {of ? `${of}: pays` : 'Pays'} {formatDollars(fromMinorUnits(loss))} more than it earns, at ₱
        {pesosE4 / 10_000} for $1 ({period}).
      </span>
    </span>
  )
}
