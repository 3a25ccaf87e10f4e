import { Badge, Button } from '@mantine/core'
import { outsideText } from '@tallyroom/contract/pay/outside'
import { laterText, moneyText } from '@tallyroom/contract/pay/statement-sections'
import type { Balance } from '@tallyroom/contract/pay/balances'
import { can } from '@tallyroom/domain/abilities'
import { daysInWords } from '@tallyroom/domain/periods'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { useToday } from '../../lib/clock.ts'
import { usePageName } from '../../lib/page-name.ts'
import { useMe } from '../../lib/session.ts'
import { FormLoader } from '../../ui/form/FormLoader.tsx'
import { Instant } from '../../ui/Instant.tsx'
import { LinkButton, LinkText } from '../../ui/links.tsx'
import { adjustmentColumns, entryColumnsOf, holdColumnsOf } from './balance-columns.tsx'
import { FormerBalance } from './FormerBalance.tsx'
import { advanceText, holdingBack, minimumText, waitingText } from './balance-words.ts'
import { balanceStates, payeeParams } from './pay-words.ts'
import { balanceQuery } from './pay.api.ts'
import classes from './pay.module.css'
import { OwnMinimums } from './OwnMinimums.tsx'
import { PlainTable } from '../../ui/PlainTable.tsx'
import { PayeeLink } from '../../shared/payee-links.tsx'

const BalanceDialog = lazy(() => import('./BalanceDialog.tsx'))
const TaxDetails = lazy(async () => ({
  default: (await import('./direct-dialogs.ts')).TaxDetails,
}))
const TaxCertificates = lazy(async () => ({
  default: (await import('./direct-dialogs.ts')).TaxCertificates,
}))
const OutsideDialog = lazy(async () => ({
  default: (await import('./direct-dialogs.ts')).OutsideDialog,
}))

const route = getRouteApi('/app/pay/balances/$kind/$id')

/** What is owed to one payee, with every entry of the balance. */
export function BalancePage() {
  const { kind, id } = route.useParams()
  return (
    <FormLoader
      query={useQuery(balanceQuery({ kind: kind === 'agent' ? 'agent' : 'office', id }))}
      back={{ to: '/app/pay/statements', label: 'Statements' }}
    >
      {(balance) => <BalanceView balance={balance} />}
    </FormLoader>
  )
}

function BalanceView({ balance }: { balance: Balance }) {
  const { payee, balances, entries, adjustments, holds, waiting = [] } = balance
  const me = useMe()
  const today = useToday()
  const mayManage = can(me, 'pay.manage')
  const mayReadLogs = can(me, 'logs.common')
  const navigate = route.useNavigate()
  const search = route.useSearch()
  const [act, setAct] = useState(() => (mayManage ? holdingBack(balance, search) : undefined))
  const [isPaying, setPaying] = useState(false)
  const endAct = () => {
    setAct(undefined)
    void navigate({ search: {}, replace: true })
  }
  usePageName(payee.name)
  const hold = balances.find((one) => one.hold)?.hold ?? (holds[0]?.held ? holds[0] : null)
  return (
    <div className={classes.page}>
      <header className={classes.head}>
        <h2>
          <PayeeLink payee={payee} />
        </h2>
        {mayManage && (
          <div className={classes.actions}>
            {mayReadLogs && <HistoryButton payee={payee} />}
            <Button onClick={() => setAct({ kind: 'adjust' })}>Add an adjustment</Button>
            <Button variant="default" onClick={() => setPaying(true)}>
              Enter a payment outside
            </Button>
            <Button
              variant="default"
              onClick={() =>
                setAct({ kind: 'hold', held: hold === null, seen: hold?.setAt ?? null })
              }
            >
              {hold === null ? 'Put on hold' : 'Lift the hold'}
            </Button>
            <Button variant="default" onClick={() => setAct({ kind: 'minimum' })}>
              Set a minimum
            </Button>
          </div>
        )}
      </header>
      {hold && (
        <section className={classes.card} data-tone="stop" aria-label="On hold">
          {hold.reason === undefined ? (
            <>
              {hold.told}
              <div className={classes.dim}>
                Since <Instant at={hold.setAt} />
              </div>
            </>
          ) : (
            <>
              <strong>On hold.</strong> {hold.reason}
              <div className={classes.dim}>
                By {hold.setBy}, <Instant at={hold.setAt} />. The payee reads: {hold.told}
              </div>
            </>
          )}
        </section>
      )}
      <p className={classes.lead}>
        <LinkText to="/app/pay/years/$kind/$id" params={payeeParams(payee)} underlined>
          Earned and paid, month by month
        </LinkText>
      </p>
      <div className={classes.figures}>
        {balances.map(({ currency, balance: sum, running, state, paidFrom, later }) => (
          <div key={currency} className={classes.figure}>
            <span className={classes.dim}>
              Balance in {currency === 'PHP' ? 'pesos' : 'dollars'}
            </span>
            <strong>{moneyText(sum, currency)}</strong>
            <span>
              <Badge color={balanceStates[state].color}>{balanceStates[state].label}</Badge>
            </span>
            {paidFrom !== null && state === 'account-new' && (
              <span className={classes.dim}>
                Paid from {daysInWords({ start: paidFrom, end: paidFrom })}, because its account is
                new
              </span>
            )}
            {later.length > 0 && (
              <span className={classes.dim}>Paid later: {laterText(later, currency)}</span>
            )}
            <span className={classes.dim}>
              {running !== 0 && `${moneyText(running, currency)} in a payment run. `}
              {minimumText(balance, currency)}
            </span>
          </div>
        ))}
      </div>
      {balances
        .filter((one) => one.currency !== balance.currency && one.balance !== 0)
        .map((one) => (
          <FormerBalance
            key={one.currency}
            item={one}
            onAdjust={
              mayManage ? () => setAct({ kind: 'adjust', former: one.currency }) : undefined
            }
          />
        ))}
      {waiting.length > 0 && (
        <section className={classes.card} data-tone="act" aria-label="Waiting for a second person">
          <strong>Waiting for a second person.</strong>{' '}
          {waiting.map(({ id, kind, amount, currency, reason, madeBy }) => (
            <div key={id}>
              {waitingText({ kind, amount, currency })}, entered by {madeBy}: {reason}
            </div>
          ))}
          <LinkText to="/app/pay/proposals" underlined>
            See who can approve
          </LinkText>
        </section>
      )}
      {balance.advances.length > 0 && (
        <section className={classes.card} aria-label="Advances">
          <strong>Advances</strong>
          {balance.advances.map((one) => (
            <div key={one.id}>
              {moneyText(one.amount, one.currency)}, paid {outsideText(one)}. {advanceText(one)}
            </div>
          ))}
        </section>
      )}
      <OwnMinimums balance={balance} />
      <section className={classes.section}>
        <h3>Entries</h3>
        {entries.length === 0 ? (
          <NothingYet balance={balance} />
        ) : (
          <PlainTable
            cards
            label="Entries"
            columns={entryColumnsOf(mayManage, today)}
            rows={entries}
            rowKey={({ id }) => id}
          />
        )}
      </section>
      {(mayManage || adjustments.length > 0) && (
        <section className={classes.section}>
          <h3>Adjustments</h3>
          {adjustments.length === 0 ? (
            <p>None yet. An adjustment adds an amount to the next statement, or subtracts one.</p>
          ) : (
            <PlainTable
              cards
              label="Adjustments"
              columns={adjustmentColumns(entries, mayManage ? setAct : undefined)}
              rows={adjustments}
              rowKey={({ id }) => id}
            />
          )}
        </section>
      )}
      {holds.length > 0 && (
        <section className={classes.section}>
          <h3>Holds</h3>
          <PlainTable
            cards
            label="Holds"
            columns={holdColumnsOf(mayManage)}
            rows={holds}
            rowKey={({ setAt, held }) => `${setAt} ${held}`}
          />
        </section>
      )}
      <Suspense>
        <TaxDetails payee={payee} />
        <TaxCertificates payee={payee} />
      </Suspense>
      {isPaying && (
        <Suspense>
          <OutsideDialog balance={balance} onClosed={() => setPaying(false)} />
        </Suspense>
      )}
      {act && (
        <Suspense>
          <BalanceDialog balance={balance} act={act} onClosed={endAct} />
        </Suspense>
      )}
    </div>
  )
}

/** Leads to the payee's history, which includes the changes of their account. */
const HistoryButton = ({ payee: { kind, id } }: Pick<Balance, 'payee'>) =>
  kind === 'office' ? (
    <LinkButton
      to="/app/offices/$companyId/history"
      params={{ companyId: String(id) }}
      variant="default"
    >
      History
    </LinkButton>
  ) : (
    <LinkButton
      to="/app/agents/$agentId/history"
      params={{ agentId: String(id) }}
      variant="default"
    >
      History
    </LinkButton>
  )

/** Why somebody has no balance, and where to look instead. */
function NothingYet({ balance: { payee, payees } }: { balance: Balance }) {
  const isOwn = !can(useMe(), 'pay.manage')
  const statements = (
    <LinkText to="/app/pay/statements" underlined>
      Statements
    </LinkText>
  )
  if (payees === null) return <p>Pay is not switched on yet.</p>
  if (payees === 'offices' && payee.kind === 'agent') {
    return isOwn ? (
      <p>
        The network pays your office, and your office pays you, so you have no balance here. What
        your office gets for your sales is under {statements}.
      </p>
    ) : (
      <p>
        Offices are paid, so agents have no balance. What an office gets for this agent’s sales is
        on its statements.
      </p>
    )
  }
  if (payees === 'agents' && payee.kind === 'office') {
    return <p>Agents are paid themselves, so offices have no balance.</p>
  }
  return (
    <p>
      No statement and no payment yet. {isOwn ? 'Your' : 'The'} first statement is made when the
      first pay period with {isOwn ? 'your' : 'their'} sales is closed.
    </p>
  )
}
