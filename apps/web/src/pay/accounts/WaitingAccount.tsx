import { Alert, Button } from '@mantine/core'
import {
  type AccountToConfirm,
  payeeAccountsEndpoints,
} from '@tallyroom/contract/pay/accounts/payee-accounts'
import { useQueryClient } from '@tanstack/react-query'
import type { BodyOf } from '@tallyroom/contract/endpoint'
import { thenRefresh } from '../../lib/forms/then-refresh.ts'
import { confirm } from '../../ui/dialogs/dialogs.tsx'
import { Instant } from '../../ui/text/Instant.tsx'
import { ReasonDialog } from '../../ui/dialogs/ReasonDialog.tsx'
import { toastDone } from '../../ui/toasts.tsx'
import { dayInWords, doubtText, doubtTitle, sharedWords } from './account-words.ts'
import { AccountFacts } from './AccountFacts.tsx'
import classes from './accounts.module.css'
import { refreshAccounts } from './payee-accounts.api.ts'
import { call } from '../../lib/call.ts'
import { leftToApprove } from '../pay-words.ts'
import { PayeeLink } from '../../shared/payee-links.tsx'
import { useAsked } from '../../ui/use-asked.ts'

/** An account beside the one in force, why it is doubted, and who can decide on it. */
export function WaitingAccount({ waiting }: { waiting: AccountToConfirm }) {
  const { payee, old, account, doubts, sharedWith, closedToYou } = waiting
  const client = useQueryClient()
  const refusing = useAsked<true>()
  const send = async (body: BodyOf<typeof payeeAccountsEndpoints.decideAccount>) => {
    const params = { id: String(account.id) }
    const deciding = call(payeeAccountsEndpoints.decideAccount, { params, body })
    await thenRefresh(deciding, () => refreshAccounts(client))
    toastDone()
  }
  return (
    <section className={classes.card} aria-label={payee.name}>
      <h2>
        <PayeeLink payee={payee} />
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
      {(doubts.length > 0 || sharedWith.length > 0) && (
        <Alert color="yellow" title={doubtTitle(waiting)}>
          <ul className={classes.doubts}>
            {sharedWith.map((other) => (
              <li key={`${other.kind} ${other.id}`}>
                <PayeeLink payee={other} /> {sharedWords[other.state]}
              </li>
            ))}
            {doubts.map((one) => (
              <li key={one.doubt}>{doubtText(one)}</li>
            ))}
          </ul>
        </Alert>
      )}
      <p className={classes.dim}>
        Entered <Instant at={account.enteredAt} /> by {account.enteredBy}.
        {account.confirmedBy.length > 0 && ` Confirmed by ${account.confirmedBy.join(', ')}.`}{' '}
        {account.confirmations > 1 &&
          `${account.confirmedBy.length} of ${account.confirmations} confirmations.`}
        {account.paidFrom !== null && ` Paid from ${dayInWords(account.paidFrom)} at the earliest.`}
      </p>
      {closedToYou !== null ? (
        <p>
          You {closedToYou}, so somebody else must decide. <WhoCan waiting={waiting} />
        </p>
      ) : (
        <div className={classes.actions}>
          <Button
            onClick={() =>
              void confirm({
                heading: `Confirm: ${payee.name}`,
                body: [
                  account.paidFrom === null
                    ? `Pay goes to the account ending in ${account.lastCharacters} once it is confirmed.`
                    : `Pay goes to the account ending in ${account.lastCharacters} once it is confirmed, from ${dayInWords(account.paidFrom)} on.`,
                  leftToApprove(payee.name, waiting.approversAfter) ?? '',
                ]
                  .join(' ')
                  .trim(),
                confirmLabel: 'Confirm account',
                action: () => send({ confirm: true, reason: '' }),
              })
            }
          >
            Confirm
          </Button>
          <Button variant="default" onClick={() => refusing.ask(true)}>
            Refuse
          </Button>
        </div>
      )}
      {refusing.asked && (
        <ReasonDialog
          key={refusing.key}
          heading={`Refuse: ${payee.name}`}
          about={
            old
              ? 'Pay goes on to the account in force.'
              : 'Nothing can be paid until another account is confirmed.'
          }
          label="Reason, for the payee"
          maxLength={1000}
          confirmLabel="Refuse account"
          isFinal
          onConfirm={(reason) => send({ confirm: false, reason })}
          onClosed={refusing.end}
        />
      )}
    </section>
  )
}

/** Who can decide instead of the viewer; what to do if nobody can. */
function WhoCan({ waiting: { confirmers } }: { waiting: AccountToConfirm }) {
  const able = confirmers.filter(({ whyNot }) => whyNot === null).map(({ name }) => name)
  if (able.length > 0) return <>It can be decided by {able.join(', ')}.</>
  return (
    <>
      {confirmers.length > 0 && 'Nobody else can: '}
      {confirmers.map(({ name, whyNot }) => `${name} ${whyNot}`).join('; ')}
      {confirmers.length > 0 && '. '}A superadmin can give PAY to another person in Admins.
    </>
  )
}
