import { SegmentedControl } from '@mantine/core'
import { PROFIT_GROUPINGS } from '@tallyroom/contract/pay/bookings/profit'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { FormLoader } from '../../ui/form/FormLoader.tsx'
import { LinkText } from '../../ui/links.tsx'
import { DataTable } from '../../ui/list/DataTable.tsx'
import { EmptyList } from '../../ui/list/EmptyList.tsx'
import { profitQuery } from '../pay.api.ts'
import { profitColumns, profitTotal } from './profit-columns.tsx'
import classes from '../pay.module.css'

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
        What closed periods earned in dollars and paid out in pesos or dollars, converted at the
        exchange rate entered for each period.
      </p>
      <FormLoader query={useQuery(profitQuery({ groupBy: by, period }))} fields={4}>
        {(rows) => (
          <DataTable
            caption="Profit"
            columns={profitColumns(by)}
            rows={rows}
            rowKey={({ key }) => key ?? 'rest'}
            empty={
              <EmptyList
                text="No period is closed yet"
                about="What was earned and paid out in each closed period."
              />
            }
            totals={rows.length > 1 ? [profitTotal(rows)] : []}
          />
        )}
      </FormLoader>
    </div>
  )
}
