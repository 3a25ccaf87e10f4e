import { Alert, Badge, Button } from '@mantine/core'
import type { OwnPayeeAccount } from '@tallyroom/contract/pay/accounts/payee-accounts'
import { detailLabels } from '@tallyroom/contract/pay/accounts/payee-details'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useMe } from '../../lib/session.ts'
import { FormLoader } from '../../ui/form/FormLoader.tsx'
import { askToDisown } from '../../shared/ask-to-disown.ts'
import { Instant } from '../../ui/text/Instant.tsx'
import { LinkText } from '../../ui/links.tsx'
import { AccountFacts } from './AccountFacts.tsx'
import { AccountForm } from './AccountForm.tsx'
import classes from './accounts.module.css'
import { dayInWords } from './account-words.ts'
import { ownAccountQuery } from './payee-accounts.api.ts'

/** The account that the viewer's pay goes to, and the state of a change. */
export const OwnAccountPage = () => (
  <FormLoader query={useQuery(ownAccountQuery)} fields={4}>
    {(account) => <OwnAccount account={account} />}
  </FormLoader>
)

function OwnAccount({
  account: { needed, wanted, missing, inForce, newest },
}: {
  account: OwnPayeeAccount
}) {
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
        Your pay goes to this account. The network confirms each change, and pays to a new account
        only after some days, so that you have time to notice if somebody else entered it. Nothing
        is paid to you until then.
      </p>
      {missing.length > 0 && (
        <Alert color="yellow" title="The bank wants to know more">
          To pay you, the bank needs what your account does not say yet:{' '}
          {missing.map((detail) => detailLabels[detail].toLowerCase()).join(', ')}. Change the
          account, and enter it with them.
        </Alert>
      )}
      {newest?.state === 'refused' && newest.refusal && (
        <Alert color="red" title="Your last change was refused">
          {newest.refusal.reason}
        </Alert>
      )}
      {newest?.state === 'disowned' && (
        <Alert color="yellow" title="Your pay is on hold">
          You said that you did not enter the account at {newest.institutionName}, number ending in{' '}
          {newest.lastCharacters}. It will not be paid, and we will contact you. Change your
          password now, and end your other sessions in your{' '}
          <LinkText to="/app/profile" underlined>
            profile
          </LinkText>
          .
        </Alert>
      )}
      {newest?.state === 'waiting' && (
        <section className={classes.card} aria-label="New account">
          <div className={classes.head}>
            <h2>Your new account</h2>
            <Badge color="yellow">Waiting for confirmation</Badge>
          </div>
          <AccountFacts account={newest} />
          <p className={classes.dim}>
            Entered <Instant at={newest.enteredAt} /> by {newest.enteredBy}. {newest.confirmed} of{' '}
            {newest.confirmations} confirmations.{' '}
            {newest.paidFrom === null
              ? 'Nothing is paid to you until then.'
              : `Nothing is paid to you until then, and not before ${dayInWords(newest.paidFrom)}.`}
          </p>
          <Disown accountId={newest.id} />
        </section>
      )}
      {inForce && (
        <section className={classes.card} aria-label="Account in force">
          <div className={classes.head}>
            <h2>Your account</h2>
            <Badge color="green">Confirmed</Badge>
          </div>
          <AccountFacts account={inForce} />
          {inForce.paidFrom !== null && (
            <p className={classes.dim}>
              It is new: you are paid from {dayInWords(inForce.paidFrom)}, New York.
            </p>
          )}
          <Disown accountId={inForce.id} />
        </section>
      )}
      {signedInBy !== null ? (
        <p className={classes.lead}>
          Only the account’s holder can change this. Pay can’t be changed while you are signed in as
          somebody else.
        </p>
      ) : isFirst || isEditing ? (
        <AccountForm
          wanted={wanted}
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

/** For whoever finds an account here that they did not enter. */
function Disown({ accountId }: { accountId: number }) {
  const client = useQueryClient()
  if (useMe().signedInBy !== null) return null
  return (
    <div className={classes.actions}>
      <Button
        variant="subtle"
        color="red"
        size="compact-sm"
        onClick={() => void askToDisown(client, accountId)}
      >
        That wasn’t me
      </Button>
    </div>
  )
}
