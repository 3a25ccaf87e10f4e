import { Alert } from '@mantine/core'
import type {
  AccountsToConfirm,
  DisownedAccount,
} from '@tallyroom/contract/pay/accounts/payee-accounts'
import { useQuery } from '@tanstack/react-query'
import { FormLoader } from '../../ui/form/FormLoader.tsx'
import { Instant } from '../../ui/text/Instant.tsx'
import { EmptyList } from '../../ui/list/EmptyList.tsx'
import { AccountFacts } from './AccountFacts.tsx'
import classes from './accounts.module.css'
import { toConfirmQuery } from './payee-accounts.api.ts'
import { WaitingAccount } from './WaitingAccount.tsx'
import { PayeeLink, BalanceLink } from '../../shared/payee-links.tsx'
import { LinkText } from '../../ui/links.tsx'

/** New accounts, each of which takes effect once staff have compared it with the old one. */
export const ToConfirmPage = () => (
  <FormLoader query={useQuery(toConfirmQuery)} fields={4}>
    {(accounts) => <Accounts accounts={accounts} />}
  </FormLoader>
)

const Accounts = ({
  accounts: { passwordsShown, waiting, disowned },
}: {
  accounts: AccountsToConfirm
}) => (
  <div className={classes.page}>
    <p className={classes.lead}>
      Changing an account is how pay is stolen: check it with the payee, by phone or in person,
      before you confirm it. While a new account waits here, nothing is paid to its payee, not even
      to the account in force.
    </p>
    {passwordsShown && (
      <p className={classes.lead}>
        Every account needs two confirmations, by people who did not enter it, because lists show
        passwords: staff could sign in as any payee without leaving a trace. Whoever runs this
        installation can change that with PASSWORD_COLUMN=reveal or off.
      </p>
    )}
    {disowned.map((one) => (
      <Disowned key={one.account.id} disowned={one} />
    ))}
    {waiting.length === 0 ? (
      <EmptyList
        text="No account is waiting for confirmation"
        about="When a payee enters an account, compare it here with the one in force."
      />
    ) : (
      waiting.map((one) => <WaitingAccount key={one.account.id} waiting={one} />)
    )}
  </div>
)

/** A payee said *That wasn't me*. Stays here until the hold is lifted. */
const Disowned = ({
  disowned: { payee, account, saidAt, runs },
}: {
  disowned: DisownedAccount
}) => (
  <section className={classes.card} aria-label={`${payee.name}: That wasn’t me`}>
    <div className={classes.head}>
      <h2>
        <PayeeLink payee={payee} />
      </h2>
    </div>
    <Alert color="red" title="The payee says that they did not enter this account">
      {runs.map(({ id, number }) => (
        <p key={id}>
          <LinkText to="/app/pay/runs/$runId" params={{ runId: String(id) }} underlined>
            {number}
          </LinkText>{' '}
          is approved and pays to it. Cancel the run, or stop the transfer at your bank if its file
          has left.
        </p>
      ))}
      Call the payee, and have them set a new password. Then{' '}
      <BalanceLink payee={payee} underlined>
        lift the hold
      </BalanceLink>
      . The account stays refused: to be paid to it after all, the payee enters it again.
    </Alert>
    <AccountFacts account={account} />
    <p className={classes.dim}>
      Entered <Instant at={account.enteredAt} /> by {account.enteredBy}. Said{' '}
      <Instant at={saidAt} />.
    </p>
  </section>
)
