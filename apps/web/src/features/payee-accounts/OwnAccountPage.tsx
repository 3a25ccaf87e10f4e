import { Alert, Badge, Button } from '@mantine/core'
import type { OwnPayeeAccount } from '@tallyroom/contract/payee-accounts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useMe } from '../../lib/session.ts'
import { FormLoader } from '../../ui/form/FormLoader.tsx'
import { Instant } from '../../ui/Instant.tsx'
import { AccountFacts } from './AccountFacts.tsx'
import { AccountForm } from './AccountForm.tsx'
import classes from './accounts.module.css'
import { ownAccountQuery } from './payee-accounts.api.ts'

/** The account that the viewer's pay goes to, and the state of a change. */
export const OwnAccountPage = () => (
  <FormLoader query={useQuery(ownAccountQuery)} fields={4}>
    {(account) => <OwnAccount account={account} />}
  </FormLoader>
)

function OwnAccount({ account: { needed, inForce, newest } }: { account: OwnPayeeAccount }) {
  const { role, signedInBy } = useMe()
  const [isEditing, setEditing] = useState(false)
  const isFirst = inForce === null && newest === null
  if (!needed) {
    return (
      <p className={classes.lead}>
        {role === 'agent'
          ? 'Your office is paid for your sales, and pays you. There is nothing to enter here.'
          : 'Your agents are paid directly. There is nothing to enter here.'}
      </p>
    )
  }
  return (
    <div className={classes.page}>
      <p className={classes.lead}>
        Your pay goes to this account. A change takes effect once the network has confirmed it, and
        nothing is paid to you until then.
      </p>
      {newest?.state === 'refused' && newest.refusal && (
        <Alert color="red" variant="light" title="Your last change was refused">
          {newest.refusal.reason}
        </Alert>
      )}
      {newest?.state === 'waiting' && (
        <section className={classes.card} aria-label="New account">
          <div className={classes.head}>
            <h2>Your new account</h2>
            <Badge color="yellow" variant="light">
              Waiting for confirmation
            </Badge>
          </div>
          <AccountFacts account={newest} />
          <p className={classes.dim}>
            Entered <Instant at={newest.enteredAt} /> by {newest.enteredBy}.{' '}
            {newest.confirmedBy.length} of {newest.confirmations} confirmations. Until then,
            payments to you are on hold.
          </p>
        </section>
      )}
      {inForce && (
        <section className={classes.card} aria-label="Account in force">
          <div className={classes.head}>
            <h2>Your account</h2>
            <Badge color="green" variant="light">
              Confirmed
            </Badge>
          </div>
          <AccountFacts account={inForce} />
        </section>
      )}
      {signedInBy !== null ? (
        <p className={classes.lead}>
          Only the account’s holder can change this. Pay can’t be changed while you are signed in as
          somebody else.
        </p>
      ) : isFirst || isEditing ? (
        <AccountForm
          isFirst={isFirst}
          onDone={() => setEditing(false)}
          {...(!isFirst && { onCancel: () => setEditing(false) })}
        />
      ) : (
        <div className={classes.actions}>
          <Button variant="default" onClick={() => setEditing(true)}>
            Change account
          </Button>
        </div>
      )}
    </div>
  )
}
