import { SegmentedControl } from '@mantine/core'
import { moneyText, rateText } from '@tallyroom/contract/pay/statement-sections'
import { PROFIT_GROUPINGS, type ProfitRow } from '@tallyroom/contract/pay/profit'
import { formatCount } from '@tallyroom/domain/money'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { FormLoader } from '../../ui/form/FormLoader.tsx'
import { LinkText } from '../../ui/links.tsx'
import type { ListColumn } from '../../ui/list/columns.ts'
import { DataTable } from '../../ui/list/DataTable.tsx'
import { EmptyList } from '../../ui/list/EmptyList.tsx'
import { profitQuery } from './pay.api.ts'
import classes from './pay.module.css'

const route = getRouteApi('/app/pay/profit')

const LABELS = { period: 'By period', site: 'By site', office: 'By office' }

/** What the network earned and paid in closed periods, with each period’s exchange rate. */
export function ProfitPage() {
  const { by = 'period', period } = route.useSearch()
  const navigate = useNavigate()
  return (
    <div className={classes.page}>
      <div className={classes.head}>
        <SegmentedControl
          aria-label="Group by"
          data={PROFIT_GROUPINGS.map((value) => ({ value, label: LABELS[value] }))}
          value={by}
          onChange={(value) =>
            void navigate({
              to: '/app/pay/profit',
              search: { by: value, period }, // one of the groupings
              replace: true,
            })
          }
        />
        {period !== undefined && (
          <span>
            Of {period}.{' '}
            <LinkText to="/app/pay/profit" search={{ by }} underlined>
              All periods
            </LinkText>
          </span>
        )}
      </div>
      <p className={classes.lead}>
        What closed periods earned in dollars and paid out in pesos. Pesos are converted at the
        exchange rate entered for each period.
      </p>
      <FormLoader query={useQuery(profitQuery({ groupBy: by, period }))} fields={4}>
        {(rows) => (
          <DataTable
            caption="Profit"
            columns={columnsOf(by)}
            rows={rows}
            rowKey={({ key }) => key ?? 'rest'}
            empty={
              <EmptyList
                text="No period is closed yet"
                about="What was earned and paid out in each closed period."
              />
            }
            totals={rows.length > 1 ? [totalOf(rows)] : []}
          />
        )}
      </FormLoader>
    </div>
  )
}

const columnsOf = (by: keyof typeof LABELS): ListColumn<ProfitRow>[] => [
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
  count('tiers', 'By tiers', ({ tiersCentavos }) => moneyText(tiersCentavos, 'PHP')),
  count('adjustments', 'Adjustments', (row) => moneyText(row.adjustmentsCentavos, 'PHP')),
  count('payout', 'Paid out', ({ payoutCentavos }) => moneyText(payoutCentavos, 'PHP')),
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

function totalOf(rows: readonly ProfitRow[]) {
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
      tiers: moneyText(
        sum(({ tiersCentavos }) => tiersCentavos),
        'PHP',
      ),
      adjustments: moneyText(
        sum((row) => row.adjustmentsCentavos),
        'PHP',
      ),
      payout: moneyText(
        sum(({ payoutCentavos }) => payoutCentavos),
        'PHP',
      ),
      payoutCents: dollars(known(({ payoutCents }) => payoutCents)),
      earning: moneyText(
        sum(({ earningCents }) => earningCents),
        'USD',
      ),
      margin: dollars(known(({ marginCents }) => marginCents)),
    },
  }
}
