import { Badge, Button } from '@mantine/core'
import { moneyText } from '@tallyroom/contract/pay/statements/statement-sections'
import type { PayPeriodItem } from '@tallyroom/contract/pay/closing/periods'
import { formatCount } from '@tallyroom/domain/money'
import { addDays } from '@tallyroom/domain/new-york'
import { rangeInWords } from '@tallyroom/domain/periods'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { usePageName } from '../../lib/pages/page-name.ts'
import { FormLoader } from '../../ui/form/FormLoader.tsx'
import { Instant } from '../../ui/text/Instant.tsx'
import { LinkButton, LinkText } from '../../ui/links.tsx'
import { avpWords, payeesWords, periodStates } from '../pay-words.ts'
import { checksQuery, periodsQuery, previewQuery } from '../pay.api.ts'
import { WithDays } from '../../ui/text/WithDays.tsx'
import classes from '../pay.module.css'
import { PlainTable } from '../../ui/PlainTable.tsx'
import { PeriodChecks } from './PeriodChecks.tsx'
import { byChange, previewColumns, previewSums } from './preview-columns.tsx'
import { useAsked } from '../../ui/use-asked.ts'

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
      <Badge color={periodStates[period.state].color}>{periodStates[period.state].label}</Badge>
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
  const closing = useAsked<true>()
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
                disabled={!checks.data || checks.data.needExchangeRate.length > 0}
                onClick={() => closing.ask(true)}
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
            <PlainTable
              cards
              label="Preview"
              columns={previewColumns(period.name, isFirst, statements)}
              rows={byChange(statements)}
              rowKey={({ payee, currency }) => `${payee.kind} ${payee.id} ${currency}`}
              sums={previewSums(statements, checks.data?.notPaid ?? [])}
            />
          )}
          {closing.asked && checks.data && (
            <Suspense>
              <CloseDialog
                key={closing.key}
                period={period}
                statements={statements.length}
                checks={checks.data}
                onClosed={closing.end}
              />
            </Suspense>
          )}
        </section>
      )}
    </FormLoader>
  )
}
