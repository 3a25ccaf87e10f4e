import type { PROFIT_GROUPINGS, ProfitRow } from '@tallyroom/contract/pay/bookings/profit'
import { moneyText, rateText } from '@tallyroom/contract/pay/statements/statement-sections'
import { formatCount } from '@tallyroom/domain/money'
import { LinkText } from '../../ui/links.tsx'
import type { ListColumn } from '../../ui/list/columns.ts'
import classes from '../pay.module.css'

/** The money of closed periods, by what it is grouped. */
export const profitColumns = (by: (typeof PROFIT_GROUPINGS)[number]): ListColumn<ProfitRow>[] => [
  {
    id: 'name',
    header: { period: 'Period', site: 'Site', office: 'Office' }[by],
    fixed: true,
    cell: ({ key, name }) =>
      by === 'period' && key !== null ? (
        <LinkText to="/app/pay/profit" search={{ by: 'site', period: key }}>
          {name}
        </LinkText>
      ) : (
        name
      ),
  },
  count('events', 'Events', ({ events }) => formatCount(events)),
  count('rates', 'By rates', ({ ratesCentavos }) => moneyText(ratesCentavos, 'PHP')),
  count('tiers', 'By tiers', ({ tiersCentavos }) => pesos(tiersCentavos)),
  count('adjustments', 'Adjustments', (row) => pesos(row.adjustmentsCentavos)),
  count('payout', 'Paid out', ({ payoutCentavos }) => pesos(payoutCentavos)),
  {
    id: 'rate',
    header: 'Exchange rate',
    card: 'detail',
    cell: ({ exchangeRate }) =>
      exchangeRate ? (
        <>
          {rateText(exchangeRate.pesosE4)}
          <div className={classes.source}>
            {exchangeRate.source}
            {exchangeRate.setBy !== null && `, by ${exchangeRate.setBy}`}
          </div>
        </>
      ) : (
        '–'
      ),
  },
  count('payoutCents', 'Paid out $', ({ payoutCents }) => dollars(payoutCents)),
  count('earning', 'Earned $', ({ earningCents }) => moneyText(earningCents, 'USD')),
  {
    id: 'margin',
    header: 'Margin $',
    numeric: true,
    card: 'money',
    note: 'Earned minus paid out. Empty if a period has no exchange rate.',
    cell: ({ marginCents }) => dollars(marginCents),
  },
]

function count(
  id: string,
  header: string,
  cell: (row: ProfitRow) => string,
): ListColumn<ProfitRow> {
  return { id, header, numeric: true, card: 'detail', cell }
}

const dollars = (cents: number | null) => (cents === null ? 'no rate' : moneyText(cents, 'USD'))
const pesos = (centavos: number | null) =>
  centavos === null ? 'no rate' : moneyText(centavos, 'PHP')

/** All rows together: an amount only if each row has it. */
export function profitTotal(rows: readonly ProfitRow[]) {
  const sum = (of: (row: ProfitRow) => number) => rows.reduce((total, row) => total + of(row), 0)
  const known = (of: (row: ProfitRow) => number | null) =>
    rows.some((row) => of(row) === null) ? null : sum((row) => of(row) ?? 0)
  return {
    id: 'total',
    label: 'Total',
    cells: {
      events: formatCount(sum(({ events }) => events)),
      rates: moneyText(
        sum(({ ratesCentavos }) => ratesCentavos),
        'PHP',
      ),
      tiers: pesos(known(({ tiersCentavos }) => tiersCentavos)),
      adjustments: pesos(known((row) => row.adjustmentsCentavos)),
      payout: pesos(known(({ payoutCentavos }) => payoutCentavos)),
      payoutCents: dollars(known(({ payoutCents }) => payoutCents)),
      earning: moneyText(
        sum(({ earningCents }) => earningCents),
        'USD',
      ),
      margin: dollars(known(({ marginCents }) => marginCents)),
    },
  }
}
