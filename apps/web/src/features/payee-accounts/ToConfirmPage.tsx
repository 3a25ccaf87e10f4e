import { Alert, Button } from '@mantine/core'
import type { AccountDoubt, AccountToConfirm } from '@tallyroom/contract/payee-accounts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { thenRefresh } from '../../lib/then-refresh.ts'
import { confirm } from '../../ui/dialogs.tsx'
import { FormLoader } from '../../ui/form/FormLoader.tsx'
import { ReasonForm } from '../../ui/form/ReasonForm.tsx'
import { Instant } from '../../ui/Instant.tsx'
import { EmptyList } from '../../ui/list/EmptyList.tsx'
import { AgentLink, OfficeLink } from '../../ui/ObjectLink.tsx'
import { toastDone } from '../../ui/toasts.tsx'
import { AccountFacts } from './AccountFacts.tsx'
import classes from './accounts.module.css'
import { decide, refreshAccounts, toConfirmQuery } from './payee-accounts.api.ts'

/** New accounts. Each takes effect once staff have compared it with the old one. */
export const ToConfirmPage = () => (
  <FormLoader query={useQuery(toConfirmQuery)} fields={4}>
    {(accounts) => (
      <div className={classes.page}>
        <p className={classes.lead}>
          Check with the payee by phone or in person before you confirm: changing an account is how
          pay is stolen. Nothing is paid to them until then.
        </p>
        {accounts.length === 0 ? (
          <EmptyList
            text="No account is waiting for confirmation"
            about="When a payee enters an account, compare it here with the one in force."
          />
        ) : (
          accounts.map((one) => <WaitingAccount key={one.account.id} waiting={one} />)
        )}
      </div>
    )}
  </FormLoader>
)

const doubtWords: Record<AccountDoubt, string> = {
  'staff address': 'It was entered from an IP address that staff also signed in from.',
  'password shown': 'It was entered soon after the payee’s password was shown to somebody else.',
}

function WaitingAccount({ waiting }: { waiting: AccountToConfirm }) {
  const { payee, old, account, doubts, closedToYou } = waiting
  const client = useQueryClient()
  const [isRefusing, setRefusing] = useState(false)
  const send = async (decision: Parameters<typeof decide>[1]) => {
    await thenRefresh(decide(account.id, decision), () => refreshAccounts(client))
    toastDone()
  }
  return (
    <section className={classes.card} aria-label={payee.name}>
      <h2>
        {payee.kind === 'office' ? (
          <OfficeLink id={payee.id}>{payee.name}</OfficeLink>
        ) : (
          <AgentLink id={payee.id}>{payee.name}</AgentLink>
        )}
      </h2>
      <div className={classes.beside}>
        <AccountFacts heading="In force" account={old} />
        <AccountFacts
          heading="New"
          account={account}
          other={old}
          numberChanged={waiting.numberChanged}
        />
      </div>
      {doubts.length > 0 && (
        <Alert color="yellow" variant="light" title="Needs two confirmations">
          {doubts.map((doubt) => doubtWords[doubt]).join(' ')}
        </Alert>
      )}
      <p className={classes.dim}>
        Entered <Instant at={account.enteredAt} /> by {account.enteredBy}.
        {account.confirmedBy.length > 0 && ` Confirmed by ${account.confirmedBy.join(', ')}.`}
      </p>
      {closedToYou !== null ? (
        <p>{closedToYou}</p>
      ) : isRefusing ? (
        <ReasonForm
          label="Reason, for the payee"
          maxLength={1000}
          confirmLabel="Refuse account"
          isFinal
          onConfirm={(reason) => send({ confirm: false, reason })}
          onKeep={() => setRefusing(false)}
        />
      ) : (
        <div className={classes.actions}>
          <Button
            onClick={() =>
              void confirm({
                heading: `Confirm: ${payee.name}`,
                body: `Pay goes to the account ending in ${account.lastCharacters} from now on.`,
                confirmLabel: 'Confirm account',
                action: () => send({ confirm: true, reason: '' }),
              })
            }
          >
            Confirm
          </Button>
          <Button variant="default" onClick={() => setRefusing(true)}>
            Refuse
          </Button>
        </div>
      )}
    </section>
  )
}
