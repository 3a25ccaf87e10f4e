import { Badge, Button } from '@mantine/core'
import { moneyText } from '@tallyroom/contract/pay/statement-sections'
import type { PayPeriodItem, PreviewedStatement } from '@tallyroom/contract/pay/periods'
import { formatCount } from '@tallyroom/domain/money'
import { addDays } from '@tallyroom/domain/new-york'
import { CURRENCIES } from '@tallyroom/domain/pay'
import { rangeInWords } from '@tallyroom/domain/periods'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { usePageName } from '../../lib/page-name.ts'
import { FormLoader } from '../../ui/form/FormLoader.tsx'
import { Instant } from '../../ui/Instant.tsx'
import { LinkButton, LinkText } from '../../ui/links.tsx'
import { avpWords, payeeParams, payeesWords, periodStates } from './pay-words.ts'
import { checksQuery, periodsQuery, previewQuery } from './pay.api.ts'
import { WithDays } from '../../ui/WithDays.tsx'
import classes from './pay.module.css'
import { PayTable, type PayColumn } from './PayTable.tsx'
import { PeriodChecks } from './PeriodChecks.tsx'

const CloseDialog = lazy(() => import('./CloseDialog.tsx'))

const route = getRouteApi('/app/pay/periods/$name')

/** One pay period: checks and preview while it is open, its statements once it is closed. */
export function PeriodPage() {
  const { name } = route.useParams()
  usePageName(name)
  return (
    <FormLoader query={useQuery(periodsQuery)} fields={3}>
      {(periods) => {
        const period = periods.find((one) => one.name === name)
        const first = periods.find(({ state }) => state === 'ready')
        if (!period)
          return (
            <p role="alert">
              There is no pay period {name}.{' '}
              <LinkText to="/app/pay/periods" underlined>
                All periods
              </LinkText>
            </p>
          )
        return (
          <div className={classes.page}>
            <PeriodHead period={period} />
            {period.state === 'closed' && <Closed period={period} />}
            {period.state === 'open' && (
              <p className={classes.lead}>
                <WithDays>
                  This period runs until {period.end}. It can be closed from{' '}
                  {addDays(period.end, 1)} on.
                </WithDays>
              </p>
            )}
            {period.state === 'waits' && first && (
              <p className={classes.lead}>
                Periods are closed in their order.{' '}
                <LinkText
                  to="/app/pay/periods/$name"
                  params={{ name: first.name }}
                  underlined
                >{`Close ${first.name} first`}</LinkText>
                .
              </p>
            )}
            {period.state !== 'closed' && <PeriodChecks period={period} />}
            {period.state === 'ready' && (
              <Preview period={period} isFirst={periods.every((one) => one.state !== 'closed')} />
            )}
          </div>
        )
      }}
    </FormLoader>
  )
}

const PeriodHead = ({ period }: { period: PayPeriodItem }) => (
  <header>
    <div className={classes.head}>
      <h2>{period.name}</h2>
      <Badge color={periodStates[period.state].color} variant="light">
        {periodStates[period.state].label}
      </Badge>
    </div>
    <p className={classes.facts}>
      <span>{rangeInWords(period)}, New York days</span>
      <span>{payeesWords[period.payees].label} are paid</span>
      <span>AVP: {avpWords[period.avp].label.toLowerCase()}</span>
      {period.closed && (
        <span>
          Closed <Instant at={period.closed.at} /> by {period.closed.by}
        </span>
      )}
    </p>
  </header>
)

function Closed({ period: { name, closed } }: { period: PayPeriodItem }) {
  if (!closed) return null
  return (
    <>
      <div className={classes.figures}>
        <div className={classes.figure}>
          <span className={classes.dim}>Statements</span>
          <strong>{formatCount(closed.statements)}</strong>
        </div>
        {(closed.centavos !== 0 || closed.cents === 0) && (
          <div className={classes.figure}>
            <span className={classes.dim}>Sum in pesos</span>
            <strong>{moneyText(closed.centavos, 'PHP')}</strong>
          </div>
        )}
        {closed.cents !== 0 && (
          <div className={classes.figure}>
            <span className={classes.dim}>Sum in dollars</span>
            <strong>{moneyText(closed.cents, 'USD')}</strong>
          </div>
        )}
      </div>
      <section className={classes.card} aria-label="What to do next">
        <h3>What to do next</h3>
        <div className={classes.cardRow}>
          <p>
            The statements are made and never change. What arrives late goes on the next statements.
            The balances can now be paid.
          </p>
          <LinkButton to="/app/pay/statements" search={{ period: name }} variant="default">
            See the statements
          </LinkButton>
          <LinkButton to="/app/pay/runs/prepare">Prepare a payment run</LinkButton>
        </div>
      </section>
    </>
  )
}

/** The statements that closing would make, largest change first, and the button that closes. */
function Preview({ period, isFirst }: { period: PayPeriodItem; isFirst: boolean }) {
  const query = useQuery(previewQuery(period.name))
  const checks = useQuery(checksQuery(period.name))
  const [isClosing, setIsClosing] = useState(false)
  // Rendering it earlier would shift the layout when the checks above it arrive.
  if (checks.isPending) return null
  return (
    <FormLoader query={query} fields={4}>
      {(statements) => (
        <section className={classes.section}>
          <div className={classes.head}>
            <h3>Preview</h3>
            <div className={classes.actions}>
              <Button
                disabled={!checks.data || checks.data.needsExchangeRate}
                onClick={() => setIsClosing(true)}
              >
                Close {period.name}
              </Button>
            </div>
          </div>
          <p className={classes.lead}>
            {statements.length === 0
              ? 'Nothing was earned in this period. You can still close it.'
              : isFirst
                ? 'Nothing is saved yet. The highest sums come first.'
                : 'Nothing is saved yet. The payees whose sum changed most since the previous period come first.'}
          </p>
          {statements.length > 0 && (
            <PayTable
              label="Preview"
              columns={columnsOf(period.name).filter(
                ({ header }) => !isFirst || !comparing.has(header),
              )}
              rows={byChange(statements)}
              rowKey={({ payee, currency }) => `${payee.kind} ${payee.id} ${currency}`}
              sums={sumsOf(statements)}
            />
          )}
          {isClosing && checks.data && (
            <Suspense>
              <CloseDialog
                period={period}
                statements={statements.length}
                checks={checks.data}
                onClosed={() => setIsClosing(false)}
              />
            </Suspense>
          )}
        </section>
      )}
    </FormLoader>
  )
}

const byChange = (statements: readonly PreviewedStatement[]) =>
  statements.toSorted((one, other) => Math.abs(other.change) - Math.abs(one.change))

const sumsOf = (statements: readonly PreviewedStatement[]) =>
  CURRENCIES.flatMap((currency) => {
    const own = statements.filter((one) => one.currency === currency)
    if (own.length === 0) return []
    // What is on hold is owed, but is not paid.
    const dueOf = (isHeld: boolean) =>
      own.reduce((total, { due, held }) => total + (held === isHeld ? due : 0), 0)
    const [toPay, onHold] = [dueOf(false), dueOf(true)]
    const sum = (name: 'amount' | 'before' | 'change' | 'carried') =>
      moneyText(
        own.reduce((total, one) => total + one[name], 0),
        currency,
      )
    return [
      {
        label: `${formatCount(own.length)} ${own.length === 1 ? 'statement' : 'statements'}`,
        cells: {
          'This period': sum('amount'),
          'Period before': sum('before'),
          Change: sum('change'),
          'Balance before': sum('carried'),
          'To pay': (
            <>
              {moneyText(toPay, currency)}
              {onHold !== 0 && (
                <div className={classes.dim}>on hold {moneyText(onHold, currency)}</div>
              )}
            </>
          ),
        },
      },
    ]
  })

/** Columns that compare with the period before; the first period has none. */
const comparing = new Set(['Period before', 'Change'])

const columnsOf = (name: string): PayColumn<PreviewedStatement>[] => [
  {
    header: 'Payee',
    cell: ({ payee, held }) => (
      <>
        <LinkText to="/app/pay/periods/$name/$kind/$id" params={{ name, ...payeeParams(payee) }}>
          {payee.name}
        </LinkText>
        {held && (
          <Badge color="yellow" variant="light" ml={8}>
            On hold
          </Badge>
        )}
      </>
    ),
  },
  { header: 'Period before', numeric: true, cell: (row) => moneyText(row.before, row.currency) },
  { header: 'This period', numeric: true, cell: (row) => moneyText(row.amount, row.currency) },
  {
    header: 'Change',
    numeric: true,
    cell: ({ change, currency }) => (change > 0 ? '+' : '') + moneyText(change, currency),
  },
  { header: 'Balance before', numeric: true, cell: (row) => moneyText(row.carried, row.currency) },
  { header: 'To pay', numeric: true, cell: (row) => moneyText(row.due, row.currency) },
]
