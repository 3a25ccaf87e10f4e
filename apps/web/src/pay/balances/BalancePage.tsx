import { Badge, Button } from '@mantine/core'
import { laterText, moneyText } from '@tallyroom/contract/pay/statements/statement-sections'
import type { Balance } from '@tallyroom/contract/pay/balances/balances'
import { can } from '@tallyroom/domain/abilities'
import { daysInWords } from '@tallyroom/domain/periods'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { usePageName } from '../../lib/pages/page-name.ts'
import { useMe } from '../../lib/session.ts'
import { FormLoader } from '../../ui/form/FormLoader.tsx'
import { LinkText } from '../../ui/links.tsx'
import { BalanceActions } from './BalanceActions.tsx'
import { AdvancesNote, HoldNote, WaitingNote } from './BalanceNotes.tsx'
import { BalanceTables } from './BalanceTables.tsx'
import { FormerBalance } from './FormerBalance.tsx'
import { holdingBack, minimumText, owedIn } from '../balance-words.ts'
import { balanceStates, payeeParams } from '../pay-words.ts'
import { balanceQuery } from '../pay.api.ts'
import classes from '../pay.module.css'
import { OwnMinimums } from './OwnMinimums.tsx'
import { PayeeLink } from '../../shared/payee-links.tsx'
import { useAsked } from '../../ui/use-asked.ts'

const BalanceDialog = lazy(() => import('./BalanceDialog.tsx'))
const TaxDetails = lazy(async () => ({
  default: (await import('../direct-dialogs.ts')).TaxDetails,
}))
const TaxCertificates = lazy(async () => ({
  default: (await import('../direct-dialogs.ts')).TaxCertificates,
}))
const OutsideDialog = lazy(async () => ({
  default: (await import('../direct-dialogs.ts')).OutsideDialog,
}))
const GiveUpDialog = lazy(async () => ({
  default: (await import('../direct-dialogs.ts')).GiveUpDialog,
}))
const ReceivedDialog = lazy(async () => ({
  default: (await import('../direct-dialogs.ts')).ReceivedDialog,
}))

const route = getRouteApi('/app/pay/balances/$kind/$id')

/** What is owed to one payee, with every entry of the balance. */
export function BalancePage() {
  const { kind, id } = route.useParams()
  const navigate = route.useNavigate()
  const search = route.useSearch()
  return (
    <FormLoader
      query={useQuery(balanceQuery({ kind: kind === 'agent' ? 'agent' : 'office', id }))}
      back={{ to: '/app/pay/statements', label: 'Statements' }}
    >
      {(balance) => (
        <BalanceView
          balance={balance}
          asked={search}
          onActed={() => void navigate({ search: {}, replace: true })}
        />
      )}
    </FormLoader>
  )
}

/** The same of the viewer: a tab of theirs. */
export function OwnBalancePage() {
  const { role, companyId, agentId } = useMe()
  const kind = role === 'agent' ? 'agent' : 'office'
  const id = String(role === 'agent' ? agentId : companyId)
  return (
    <FormLoader query={useQuery(balanceQuery({ kind, id }))}>
      {(balance) => <BalanceView balance={balance} />}
    </FormLoader>
  )
}

interface BalanceViewProps {
  balance: Balance
  /** An adjustment to begin with, as far as the viewer may make one. */
  asked?: Parameters<typeof holdingBack>[1]
  /** After an act was done or given up. */
  onActed?: () => void
}

const NOTHING = {}

function BalanceView({ balance, asked = NOTHING, onActed }: BalanceViewProps) {
  const { payee, balances, holds, advances, waiting = [], toGiveUp = [] } = balance
  const mayManage = can(useMe(), 'pay.manage')
  const act = useAsked(() => (mayManage ? holdingBack(balance, asked) : undefined))
  const paying = useAsked<true>()
  const receiving = useAsked<true>()
  const givingUp = useAsked<true>()
  const endAct = () => {
    act.end()
    onActed?.()
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
          <BalanceActions
            payee={payee}
            heldSince={hold?.setAt ?? null}
            onAct={act.ask}
            onPay={() => paying.ask(true)}
            onReceive={owedIn(balance).length > 0 ? () => receiving.ask(true) : undefined}
          />
        )}
        {toGiveUp.length > 0 && (
          <Button variant="default" onClick={() => givingUp.ask(true)}>
            Give up what is left
          </Button>
        )}
      </header>
      {hold && <HoldNote hold={hold} />}
      <p className={classes.lead}>
        <LinkText to="/app/pay/years/$kind/$id" params={payeeParams(payee)} underlined>
          Earned and paid, month by month
        </LinkText>
      </p>
      <Figures balance={balance} />
      {balances
        .filter((one) => one.currency !== balance.currency && one.balance !== 0)
        .map((one) => (
          <FormerBalance
            key={one.currency}
            item={one}
            onAdjust={
              mayManage ? () => act.ask({ kind: 'adjust', former: one.currency }) : undefined
            }
          />
        ))}
      {waiting.length > 0 && <WaitingNote waiting={waiting} />}
      {advances.length > 0 && <AdvancesNote advances={advances} />}
      <OwnMinimums balance={balance} />
      <BalanceTables balance={balance} onAct={mayManage ? act.ask : undefined} />
      <Suspense>
        <TaxDetails payee={payee} />
        <TaxCertificates payee={payee} />
      </Suspense>
      {paying.asked && (
        <Suspense>
          <OutsideDialog key={paying.key} balance={balance} onClosed={paying.end} />
        </Suspense>
      )}
      {givingUp.asked && (
        <Suspense>
          <GiveUpDialog key={givingUp.key} payee={payee} left={toGiveUp} onClosed={givingUp.end} />
        </Suspense>
      )}
      {receiving.asked && (
        <Suspense>
          <ReceivedDialog key={receiving.key} balance={balance} onClosed={receiving.end} />
        </Suspense>
      )}
      {act.asked && (
        <Suspense>
          <BalanceDialog key={act.key} balance={balance} act={act.asked} onClosed={endAct} />
        </Suspense>
      )}
    </div>
  )
}

/** What is owed in each currency, and when it is paid. */
const Figures = ({ balance }: { balance: Balance }) => (
  <div className={classes.figures}>
    {balance.balances.map(({ currency, balance: sum, running, state, paidFrom, later }) => (
      <div key={currency} className={classes.figure}>
        <span className={classes.dim}>Balance in {currency === 'PHP' ? 'pesos' : 'dollars'}</span>
        <strong>{moneyText(sum, currency)}</strong>
        <span>
          <Badge color={balanceStates[state].color}>{balanceStates[state].label}</Badge>
        </span>
        {paidFrom !== null && state === 'account-new' && (
          <span className={classes.dim}>
            Paid from {daysInWords({ start: paidFrom, end: paidFrom })}, because its account is new
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
)
