import type { PayeeMonth, PayeeYear } from '@tallyroom/contract/pay/books/books'
import type { Payee } from '@tallyroom/contract/pay/terms/payees'
import { moneyText } from '@tallyroom/contract/pay/statements/statement-sections'
import { CURRENCIES } from '@tallyroom/domain/pay'
import {
  type DateRange,
  daysInWords,
  type MaybeRange,
  monthInWords,
} from '@tallyroom/domain/periods'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { useToday } from '../../lib/clock.ts'
import { usePageName } from '../../lib/pages/page-name.ts'
import { DateRangePicker } from '../../ui/dates/DateRangePicker.tsx'
import { FormLoader } from '../../ui/form/FormLoader.tsx'
import { LinkText } from '../../ui/links.tsx'
import { DataTable } from '../../ui/list/DataTable.tsx'
import { EmptyList } from '../../ui/list/EmptyList.tsx'
import { ExportList } from '../../ui/export/ExportList.tsx'
import type { ListColumn } from '../../ui/list/columns.ts'
import { partsOfWhole } from '../../ui/export/whole-list.ts'
import { csvCurrency, csvMoney } from '../../shared/money-columns.ts'
import { payeeParams } from '../pay-words.ts'
import classes from '../pay.module.css'
import { yearQuery, yearsQuery } from '../books.api.ts'

const yearsRoute = getRouteApi('/app/pay/years')
const yearRoute = getRouteApi('/app/pay/years/$kind/$id')

/** What each payee earned and was paid from a day to a day. */
export function YearsPage() {
  const navigate = yearsRoute.useNavigate()
  const range = useRange(yearsRoute.useSearch())
  return (
    <FormLoader query={useQuery(yearsQuery(range))} fields={4}>
      {(years) => (
        <YearTable
          caption="Years"
          fileName="payees"
          range={range}
          onRange={(search) => void navigate({ search, replace: true })}
          columns={[
            {
              id: 'payee',
              header: 'Payee',
              fixed: true,
              cell: ({ payee }) => (
                <LinkText to="/app/pay/years/$kind/$id" params={payeeParams(payee)} search={range}>
                  {payee.name}
                </LinkText>
              ),
              csv: [{ header: 'Payee', value: ({ payee }) => payee.name }, csvCurrency],
            },
            ...sumColumns<PayeeYear>(),
          ]}
          rows={years}
          rowKey={({ payee, currency }) => `${payee.kind} ${payee.id} ${currency}`}
          first="payee"
        />
      )}
    </FormLoader>
  )
}

/** What one payee earned and was paid, by month. */
export function YearPage() {
  const { kind, id } = yearRoute.useParams()
  const navigate = yearRoute.useNavigate()
  const range = useRange(yearRoute.useSearch())
  const key = { kind: kind === 'agent' ? ('agent' as const) : ('office' as const), id }
  return (
    <FormLoader
      query={useQuery(yearQuery(key, range))}
      back={{ to: '/app/pay/statements', label: 'Statements' }}
    >
      {({ payee, months }) => (
        <>
          <Named payee={payee} />
          <YearTable
            caption={payee.name}
            fileName={payee.name.replaceAll(/[^\w-]+/g, '-')}
            range={range}
            onRange={(search) => void navigate({ search, replace: true })}
            columns={[
              {
                id: 'month',
                header: 'Month',
                fixed: true,
                cell: ({ month }) => monthInWords(month),
                csv: [{ header: 'Month', value: ({ month }) => month.slice(0, 7) }, csvCurrency],
              },
              ...sumColumns<PayeeMonth>(),
            ]}
            rows={months}
            rowKey={({ month, currency }) => `${month} ${currency}`}
            first="month"
          />
        </>
      )}
    </FormLoader>
  )
}

function Named({ payee }: { payee: Payee }) {
  usePageName(payee.name)
  return (
    <header className={classes.head}>
      <h2>{payee.name}</h2>
    </header>
  )
}

type Sums = Omit<PayeeMonth, 'month'>

interface YearTableProps<Row extends Sums> {
  caption: string
  fileName: string
  range: DateRange
  onRange: (range: DateRange) => void
  columns: ListColumn<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
  /** The column whose rows follow each other, or stand beside each other. */
  first: 'month' | 'payee'
}

function YearTable<Row extends Sums>(props: YearTableProps<Row>) {
  const { caption, fileName, range, onRange, columns, rows, rowKey, first } = props
  const [typed, setTyped] = useState<MaybeRange>(range)
  return (
    <div className={classes.page}>
      <div className={classes.head}>
        <DateRangePicker
          label="Days"
          value={typed}
          onChange={(next) => {
            setTyped(next)
            const { start, end } = next
            if (start && end && start <= end) onRange({ start, end })
          }}
        />
        <div className={classes.actions}>
          <ExportList
            fileName={`${fileName}-${range.start}-${range.end}`}
            columns={columns}
            fetchPage={partsOfWhole(rows)}
            disabled={rows.length === 0}
          />
        </div>
      </div>
      <DataTable
        caption={caption}
        columns={columns}
        rows={rows}
        rowKey={rowKey}
        empty={
          <EmptyList
            text="Nothing was earned or paid on these days"
            about={`From ${daysInWords(range)}, New York.`}
          />
        }
        totals={totalsOf(rows, first)}
      />
      <p className={classes.lead}>
        What statements were for, on the last days of their periods, and what was paid, on the
        bank’s days. What failed or was cancelled was not paid. What is not income is a
        reimbursement, a returned fee and the like.
      </p>
    </div>
  )
}

/** The range of the URL, or this year. */
function useRange({ start, end }: { start?: string; end?: string }): DateRange {
  const today = useToday()
  const year = today.slice(0, 4)
  const range = { start: start ?? `${year}-01-01`, end: end ?? `${year}-12-31` }
  return range.start <= range.end ? range : { start: range.end, end: range.end }
}

const COLUMNS = [
  ['before', 'Before'],
  ['earned', 'Earned'],
  ['notIncome', 'Not income'],
  ['tax', 'Tax'],
  ['paid', 'Paid'],
  ['returned', 'Returned'],
  ['received', 'Received'],
  ['converted', 'Converted'],
  ['givenUp', 'Given up'],
  ['carried', 'Carried'],
] as const

const sumColumns = <Row extends Sums>(): ListColumn<Row>[] =>
  COLUMNS.map(([id, header]) => ({
    id,
    header,
    numeric: true,
    card: id === 'earned' || id === 'paid' ? 'money' : 'detail',
    cell: (row) => moneyText(row[id], row.currency),
    csv: (row) => csvMoney(row[id]),
  }))

/** Of rows that follow each other, what the first had before and the last carries. */
const totalsOf = (rows: readonly Sums[], first: 'month' | 'payee') =>
  CURRENCIES.flatMap((currency) => {
    const own = rows.filter((one) => one.currency === currency)
    if (own.length < 2) return []
    const sum = (name: (typeof COLUMNS)[number][0]) =>
      own.reduce((total, one) => total + one[name], 0)
    const before = first === 'month' ? (own[0]?.before ?? 0) : sum('before')
    const carried = first === 'month' ? (own.at(-1)?.carried ?? 0) : sum('carried')
    const cells = Object.fromEntries(
      COLUMNS.map(([id]) => [
        id,
        moneyText(id === 'before' ? before : id === 'carried' ? carried : sum(id), currency),
      ]),
    )
    return [{ id: currency, label: currency === 'PHP' ? 'Total' : 'Total in dollars', cells }]
  })
