import { Button, Loader } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import type { BookedEvent, StatementLine } from '@tallyroom/contract/pay/bookings/statement-lines'
import { moneyText, type StatementRow } from '@tallyroom/contract/pay/statements/statement-sections'
import { formatCount } from '@tallyroom/domain/money'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { Instant } from '../../ui/text/Instant.tsx'
import { ListPagination } from '../../ui/list/ListPagination.tsx'
import { SaleLink } from '../../ui/ObjectLink.tsx'
import { UrlDrawer, usePaging } from '../../ui/UrlDrawer.tsx'
import { bookedKind, provenText } from './booked-words.ts'
import { statementLineQuery } from '../pay.api.ts'
import classes from '../pay.module.css'
import { PlainTable, type PlainColumn } from '../../ui/PlainTable.tsx'
import { LinkText } from '../../ui/links.tsx'

const route = getRouteApi('/app/pay/statements/$statementId')

/** Events per page. */
const PAGE_SIZE = 25

interface StatementLineDrawerProps {
  statementId: number
  /** The line's key, from the URL. */
  line: string
  /** Undefined if the statement has no such line. */
  row: StatementRow | undefined
}

/** The bookings behind a line of a statement, event by event. Back closes it. */
export default function StatementLineDrawer({ statementId, line, row }: StatementLineDrawerProps) {
  const { linePage: page = 1 } = route.useSearch()
  const goToPage = usePaging('linePage')
  const query = useQuery(
    statementLineQuery(statementId, {
      key: line,
      page: String(page),
      pageSize: String(PAGE_SIZE),
    }),
  )
  return (
    <UrlDrawer
      params={['line', 'linePage']}
      width={760}
      title={row ? [row.agent?.name, row.what].filter(Boolean).join(' · ') : 'Line'}
      about={row?.note && <div className={classes.about}>{row.note}</div>}
    >
      {query.isError ? (
        <div role="alert">
          <p>{row ? query.error.message : 'This line is not on the statement.'}</p>
          {row && (
            <Button variant="default" onClick={() => void query.refetch()}>
              Retry
            </Button>
          )}
        </div>
      ) : query.data === undefined ? (
        <div role="status">
          <Loader size={18} /> Looking up the bookings…
        </div>
      ) : (
        <div className={classes.page}>
          <LineSum line={query.data} />
          <Events
            line={query.data}
            isTier={row?.of.kind === 'tier'}
            stale={query.isPlaceholderData}
          />
          {query.data.total > PAGE_SIZE && (
            <ListPagination
              label="Pages of bookings"
              page={page}
              pageSize={PAGE_SIZE}
              total={query.data.total}
              onPage={goToPage}
            />
          )}
          <Earlier line={query.data} />
        </div>
      )}
    </UrlDrawer>
  )
}

/** The line's amount, and the proof that its bookings add up to it. */
function LineSum({ line: { amount, sum, total, currency, earlier } }: { line: StatementLine }) {
  return (
    <section aria-label="Sum">
      <div className={classes.big}>{moneyText(amount, currency)}</div>
      {sum === amount ? (
        <p className={classes.good}>
          <IconCheck size={15} aria-hidden />
          {provenText({ total, earlier })}
        </p>
      ) : (
        <p role="alert">
          The bookings add up to {moneyText(sum, currency)}. Tell whoever runs this system to verify
          pay.
        </p>
      )}
    </section>
  )
}

interface EventsProps {
  line: StatementLine
  /** The line of an AVP week. */
  isTier: boolean
  /** The previous page is still shown. */
  stale: boolean
}

function Events({ line, isTier, stale }: EventsProps) {
  const { events, total, eventsAmount, currency } = line
  if (total === 0) return null
  return (
    <section className={classes.section} aria-busy={stale}>
      <h3>Event by event</h3>
      <PlainTable
        cards
        label="Event by event"
        columns={columnsOf(line, isTier)}
        rows={events}
        rowKey={({ eventId }) => eventId}
        sums={[
          {
            label: total > events.length ? `All ${formatCount(total)}` : 'Sum',
            cells: { Amount: moneyText(eventsAmount, currency) },
          },
        ]}
      />
    </section>
  )
}

const columnsOf = ({ currency }: StatementLine, isTier: boolean): PlainColumn<BookedEvent>[] => [
  {
    header: 'Event',
    cell: (event) => (
      <>
        {event.occurredAt === null ? (
          bookedKind(event)
        ) : (
          <SaleLink id={event.eventId}>{bookedKind(event)}</SaleLink>
        )}
        <div className={classes.dim}>
          {event.occurredAt === null ? (
            `${event.day}. The agent was deleted.`
          ) : (
            <Instant at={event.occurredAt} />
          )}
        </div>
        {event.reason !== null && <div className={classes.dim}>“{event.reason}”</div>}
      </>
    ),
  },
  {
    header: 'Sold',
    cell: ({ siteName, typeName, transactionId, settledOutside }) => (
      <>
        {siteName} · {typeName}
        {isTier && settledOutside && (
          <div className={classes.dim}>Paid before pay was switched on: it counts for the tier</div>
        )}
        {transactionId !== null && (
          <div className={classes.dim}>
            <bdi>
              <code>{transactionId}</code>
            </bdi>{' '}
            <CopyButton value={transactionId} what="order number" />
          </div>
        )}
      </>
    ),
  },
  {
    header: 'Rate',
    numeric: true,
    cell: ({ rate }) => moneyText(rate, currency),
  },
  { header: 'Quantity', numeric: true, cell: ({ quantity }) => formatCount(quantity) },
  {
    header: 'Amount',
    numeric: true,
    cell: ({ amount }) => moneyText(amount, currency),
  },
]

/** What earlier statements paid for the same AVP week. */
function Earlier({ line: { earlier, currency } }: { line: StatementLine }) {
  if (earlier.length === 0) return null
  return (
    <section className={classes.section}>
      <h3>Paid before</h3>
      <p>Earlier statements already paid for this week. That is deducted.</p>
      <PlainTable
        cards
        label="Paid before"
        columns={[
          {
            header: 'Statement',
            cell: ({ statementId, number }) => (
              <LinkText
                to="/app/pay/statements/$statementId"
                params={{ statementId: String(statementId) }}
              >
                {number}
              </LinkText>
            ),
          },
          { header: 'Sales', numeric: true, cell: ({ sales }) => formatCount(sales) },
          { header: 'Tier', numeric: true, cell: ({ tier }) => (tier < 0 ? 'none' : tier) },
          {
            header: 'Amount',
            numeric: true,
            cell: ({ amount }) => moneyText(amount, currency),
          },
        ]}
        rows={earlier}
        rowKey={({ statementId }) => statementId}
        sums={[
          {
            label: 'Sum',
            cells: {
              Amount: moneyText(
                earlier.reduce((sum, { amount }) => sum + amount, 0),
                currency,
              ),
            },
          },
        ]}
      />
    </section>
  )
}
