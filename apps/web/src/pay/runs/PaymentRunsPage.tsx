import { Badge } from '@mantine/core'
import type { RunItem } from '@tallyroom/contract/pay/runs/runs'
import { moneyText } from '@tallyroom/contract/pay/statements/statement-sections'
import { formatCount } from '@tallyroom/domain/money'
import { formatClock } from '@tallyroom/domain/new-york'
import { useQuery } from '@tanstack/react-query'
import { FormLoader } from '../../ui/form/FormLoader.tsx'
import { Instant } from '../../ui/text/Instant.tsx'
import { LinkButton, LinkText } from '../../ui/links.tsx'
import type { ListColumn } from '../../ui/list/columns.ts'
import { DataTable } from '../../ui/list/DataTable.tsx'
import { EmptyList } from '../../ui/list/EmptyList.tsx'
import { ExportList } from '../../ui/export/ExportList.tsx'
import { partsOfWhole } from '../../ui/export/whole-list.ts'
import { csvCurrency, csvMoney } from '../../shared/money-columns.ts'
import { runsQuery } from '../payment-runs.api.ts'
import { resultCounts, runStates } from './run-words.ts'
import classes from '../runs.module.css'

/** The payment runs, newest first. */
export const PaymentRunsPage = () => (
  <FormLoader query={useQuery(runsQuery)} fields={4}>
    {({ runs }) => (
      <div className={classes.page}>
        <div className={classes.bar}>
          <div className={classes.end}>
            <ExportList
              fileName="payment-runs"
              columns={columns}
              fetchPage={partsOfWhole(runs)}
              disabled={runs.length === 0}
            />
          </div>
          <LinkButton to="/app/pay/runs/prepare">+ Prepare Payment Run</LinkButton>
        </div>
        <DataTable
          caption="Payment runs"
          columns={columns}
          rows={runs}
          rowKey={({ id }) => String(id)}
          empty={
            <EmptyList
              text="No payment run yet"
              about="Once a period is closed, prepare a run to pay its balances."
            >
              <LinkButton to="/app/pay/runs/prepare">Prepare the first payment run</LinkButton>
            </EmptyList>
          }
        />
      </div>
    )}
  </FormLoader>
)

const columns: ListColumn<RunItem>[] = [
  {
    id: 'number',
    header: 'Run',
    fixed: true,
    cell: ({ id, number }) => (
      <LinkText to="/app/pay/runs/$runId" params={{ runId: String(id) }}>
        {number}
      </LinkText>
    ),
    csv: ({ number }) => number,
  },
  {
    id: 'state',
    header: 'State',
    card: 'title',
    cell: ({ state }) => <Badge color={runStates[state].color}>{runStates[state].label}</Badge>,
    csv: ({ state }) => runStates[state].label,
  },
  {
    id: 'period',
    header: 'Period',
    cell: ({ period }) => period ?? 'All balances',
    csv: ({ period }) => period,
  },
  {
    id: 'payees',
    header: 'Payees',
    numeric: true,
    card: 'detail',
    cell: ({ payees }) => formatCount(payees),
    csv: ({ payees }) => payees,
  },
  {
    id: 'results',
    header: 'Results',
    card: 'detail',
    cell: (run) => resultCounts(run) || '–',
    csv: resultCounts,
  },
  {
    id: 'amount',
    header: 'Amount',
    numeric: true,
    card: 'money',
    cell: ({ amount, currency }) => moneyText(amount, currency),
    csv: [csvCurrency, { header: 'Amount', value: ({ amount }) => csvMoney(amount) }],
  },
  {
    id: 'prepared',
    header: 'Prepared',
    cell: ({ preparedAt, preparedBy }) => (
      <>
        <Instant at={preparedAt} /> by {preparedBy}
      </>
    ),
    csv: [
      {
        header: 'Prepared (New York)',
        value: ({ preparedAt }) => formatClock(new Date(preparedAt)),
      },
      { header: 'Prepared by', value: ({ preparedBy }) => preparedBy },
    ],
  },
]
