import { Button } from '@mantine/core'
import type { AnswerOf } from '@tallyroom/contract/endpoint'
import {
  accountName,
  booksEndpoints,
  isLeftOutOfXero,
  type JournalLine,
} from '@tallyroom/contract/pay/books/books'
import { moneyText } from '@tallyroom/contract/pay/statements/statement-sections'
import { formatCount } from '@tallyroom/domain/money'
import { formatDateTime } from '@tallyroom/domain/new-york'
import { monthInWords } from '@tallyroom/domain/periods'
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { call } from '../../lib/call.ts'
import { useToday } from '../../lib/clock.ts'
import { useIsPhone } from '../../lib/phone.ts'
import { askToChange } from '../../ui/dialogs/ask-to-change.ts'
import { confirm } from '../../ui/dialogs/dialogs.tsx'
import { FormLoader } from '../../ui/form/FormLoader.tsx'
import { LinkText } from '../../ui/links.tsx'
import { DataTable } from '../../ui/list/DataTable.tsx'
import { EmptyList } from '../../ui/list/EmptyList.tsx'
import type { ListColumn } from '../../ui/list/columns.ts'
import { PlainTable } from '../../ui/PlainTable.tsx'
import { Select } from '../../ui/Select.tsx'
import classes from '../pay.module.css'
import { journalQuery } from '../books.api.ts'
import { refreshPay } from '../refresh-pay.ts'
import { unclosedText } from './unclosed-text.ts'
import { JournalExportMenu, JournalExports, sinceLastExport } from './JournalExports.tsx'
import { byCurrency } from '../../shared/money-columns.ts'

const route = getRouteApi('/app/pay/journal')

type Journal = AnswerOf<(typeof booksEndpoints)['journal']>

/** Lines that are shown; files have all. */
const MOST_SHOWN = 200

/** What an accountant books of a month: each change of a balance, debited and credited. */
export function JournalPage() {
  const today = useToday()
  const navigate = useNavigate()
  const client = useQueryClient()
  const { start = today } = route.useSearch()
  const isPhone = useIsPhone()
  const month = start.slice(0, 7)
  return (
    <FormLoader query={useQuery(journalQuery(month))} fields={4}>
      {({ accounts, months, lines, closed, canClose, unclosed, exports }) => {
        const nameOf = (line: Pick<JournalLine, 'account' | 'currency'>) =>
          accountName(accounts, line)
        return (
          <div className={classes.page}>
            <div className={classes.head}>
              <Select
                aria-label="Month"
                data={[...new Set([month, ...months])].toSorted().toReversed()}
                value={month}
                onChange={(value) =>
                  void navigate({
                    to: '/app/pay/journal',
                    search: { start: `${value ?? month}-01` },
                  })
                }
              />
              <div className={classes.actions}>
                {canClose && (
                  <Button
                    variant="default"
                    onClick={() => void askToClose(client, month, unclosed)}
                  >
                    Close {monthInWords(`${month}-01`)}
                  </Button>
                )}
                <JournalExportMenu
                  month={month}
                  exports={exports}
                  disabled={lines.length === 0 && exports.length === 0}
                />
              </div>
            </div>
            <p className={classes.lead} role="status">
              {stateOf(month, closed, sinceLastExport(exports))}
            </p>
            {lines.some(isLeftOutOfXero) && (
              <p className={classes.lead}>
                Xero’s manual journals name no currency, so its file has the pesos alone. Book the{' '}
                {formatCount(lines.filter(isLeftOutOfXero).length)} lines in dollars from the CSV.
              </p>
            )}
            {lines.length > 0 && (
              <PlainTable
                label="Accounts"
                columns={[
                  {
                    header: 'Account',
                    namesRow: true,
                    cell: (sum) =>
                      sum.currency === 'USD' && nameOf(sum) === nameOf({ ...sum, currency: 'PHP' })
                        ? `${nameOf(sum)} in dollars`
                        : nameOf(sum),
                  },
                  {
                    header: 'Debit',
                    numeric: true,
                    cell: ({ debit, currency }) => moneyText(debit, currency),
                  },
                  {
                    header: 'Credit',
                    numeric: true,
                    cell: ({ credit, currency }) => moneyText(credit, currency),
                  },
                ]}
                rows={sumsOf(lines)}
                rowKey={({ account, currency }) => `${account} ${currency}`}
                sums={byCurrency(lines, ({ label, sum }) => ({
                  label,
                  cells: { Debit: sum(({ debit }) => debit), Credit: sum(({ credit }) => credit) },
                }))}
              />
            )}
            <DataTable
              caption="Journal"
              columns={isPhone ? phoneColumnsOf(nameOf) : columnsOf(nameOf)}
              rows={lines.slice(0, MOST_SHOWN)}
              rowKey={({ entry, account }) => `${entry} ${account}`}
              empty={
                <EmptyList
                  text="Nothing was booked in this month"
                  about="Statements, payments, and what failed or came back."
                />
              }
            />
            <p className={classes.lead}>
              Bills are statements with their tax, for books that have payables by vendor. Beside
              them, export the journal without bills, so that nothing is booked twice. Xero and
              QuickBooks take no bill of nothing or less; it stays in that journal. Statements,
              their tax and instalments are booked on the last day of their period in New York,
              money on the bank’s day. A transfer is in transit from its approval until then. The
              accounts are named in{' '}
              <LinkText to="/app/settings/pay" underlined>
                Settings → Pay
              </LinkText>
              .
            </p>
            <JournalExports exports={exports} />
            {lines.length > MOST_SHOWN && (
              <p className={classes.lead}>
                The first {formatCount(MOST_SHOWN)} of {formatCount(lines.length)} lines. The export
                has all.
              </p>
            )}
          </div>
        )
      }}
    </FormLoader>
  )
}

/** Whether what belongs to a month can still be booked in it. */
function stateOf(month: string, closed: Journal['closed'], since: string): string {
  const name = monthInWords(`${month}-01`)
  if (closed === null || closed.month < month)
    return `${name} is open: ${since || 'what belongs to it is still booked in it'}.`
  const state = `Closed with ${monthInWords(`${closed.month}-01`)} by ${closed.closedBy} on ${formatDateTime(new Date(closed.closedAt))}. What belongs to it and came later is booked afterwards.`
  return since ? `${state} Not exported yet: ${since}.` : state
}

/** @param unclosed the pay periods that should be closed before */
async function askToClose(
  client: QueryClient,
  month: string,
  unclosed: readonly string[],
): Promise<void> {
  const question = unclosedText(month, unclosed)
  const evenUnclosed = question !== undefined
  const isMeant =
    !evenUnclosed ||
    (await confirm({
      heading: 'Pay periods are not closed',
      body: question,
      confirmLabel: 'Close the month before them',
      danger: true,
    }))
  if (!isMeant) return
  await askToChange(
    {
      label: 'Close',
      question:
        'What is entered from now on and belongs to this month, or to one before it, is booked on the first day after it. Close it once your books have it: it can’t be opened again.',
    },
    { whose: monthInWords(`${month}-01`), refresh: () => refreshPay(client) },
    () => call(booksEndpoints.closeMonth, { body: { month, evenUnclosed } }),
  )
}

type Sum = Pick<JournalLine, 'account' | 'currency' | 'debit' | 'credit'>

const sumsOf = (lines: readonly JournalLine[]): Sum[] =>
  [...Map.groupBy(lines, ({ account, currency }) => `${currency} ${account}`).values()].flatMap(
    (own) => {
      const [first] = own
      if (!first) return []
      const { account, currency } = first
      const debit = own.reduce((sum, line) => sum + line.debit, 0)
      return [{ account, currency, debit, credit: own.reduce((sum, line) => sum + line.credit, 0) }]
    },
  )

/** Of the two amounts of a line, one is nothing. */
const phoneColumnsOf = (nameOf: (line: JournalLine) => string): ListColumn<JournalLine>[] => [
  {
    id: 'account',
    header: 'Account',
    card: 'title',
    cell: (line) => `${nameOf(line)}, ${line.debit === 0 ? 'credit' : 'debit'}`,
  },
  { id: 'payee', header: 'Payee', card: 'title', cell: ({ payee }) => payee },
  { id: 'text', header: 'Text', card: 'title', cell: (line) => withWholeDays(textOf(line)) },
  { id: 'day', header: 'Date', card: 'detail', cell: ({ day }) => day },
  {
    id: 'amount',
    header: 'Amount',
    numeric: true,
    card: 'money',
    cell: ({ debit, credit, currency }) => moneyText(debit || credit, currency),
  },
]

/** With the day to which it belongs, if that was closed. */
function textOf({ text, day, belongs }: JournalLine): string {
  return day === belongs ? text : `${text} (belongs to ${belongs})`
}

/** Days do not break at their hyphens. */
const withWholeDays = (text: string): string =>
  text.replaceAll(/\d{4}-\d\d-\d\d/g, (day) => day.replaceAll('-', '\u2011'))

const columnsOf = (nameOf: (line: JournalLine) => string): ListColumn<JournalLine>[] => [
  { id: 'day', header: 'Date', card: 'detail', cell: ({ day }) => day },
  { id: 'account', header: 'Account', card: 'title', cell: nameOf },
  { id: 'payee', header: 'Payee', card: 'title', cell: ({ payee }) => payee },
  { id: 'text', header: 'Text', card: 'title', cell: textOf },
  {
    id: 'debit',
    header: 'Debit',
    numeric: true,
    card: 'money',
    cell: ({ debit, currency }) => (debit === 0 ? '' : moneyText(debit, currency)),
  },
  {
    id: 'credit',
    header: 'Credit',
    numeric: true,
    card: 'money',
    cell: ({ credit, currency }) => (credit === 0 ? '' : moneyText(credit, currency)),
  },
]
