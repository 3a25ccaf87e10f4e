import { useMe } from '../../lib/session.ts'
import { LinkButton } from '../../ui/links.tsx'
import classes from '../pay.module.css'

/** The way from a sale to money on one screen, for offices and agents. */
export function HowPayWorksPage() {
  const isAgent = useMe().role === 'agent'
  return (
    <div className={classes.text}>
      <h2>1. You sell</h2>
      <p>
        Each sale is paid at the rate in force when it happened. You see it at once, in your
        statistics and in Sale Logs. A sale of an AVP site can be paid by its week’s tier instead.
        On sites whose orders have two steps, statements count the approval as Day#1 and the sale as
        Day#2.
      </p>
      <h2>2. The period is closed</h2>
      <p>
        After its last day, the network closes the pay period and makes your statement. It lists
        what you sold, at which rate, and what it comes to. If the law makes the network withhold
        tax from you, the statement names the rate and the amount, and your balance has a
        certificate for each quarter. A statement never changes.
      </p>
      <h2>3. Late sales go on the next statement</h2>
      <p>
        A sale that arrives later appears on your next statement, with its own date. So does a
        chargeback, which deducts what was paid for that sale, and the difference if a rate is
        corrected for days that are over, with the reason. An AVP week is paid in the period that
        contains its Sunday.
      </p>
      <h2>4. The balance is paid</h2>
      <p>
        {isAgent
          ? 'The network pays your office or you, as it has chosen. '
          : 'The network pays your office or each agent, as it has chosen. '}
        Pay can be held for some days after its period, because sales can still be taken back. Then
        your statement says from which day it is paid. A balance below the minimum is carried to the
        next period, and so is a negative one. If a transfer fails, or comes back from your bank,
        the money goes back to the balance, and the next payment includes it. If you are paid more
        than is owed, the next statements take it back in instalments, which they name. Your balance
        says where each payment stands.
      </p>
      <h2>Something looks wrong?</h2>
      <p>
        Open the amount to see its sales. If one is missing or wrong, tell the network. They correct
        it by an adjustment on your next statement, which gives the reason. What is not income, such
        as an expense that is paid back to you, stands there under a heading of its own, and no tax
        is withheld from it.
      </p>
      <LinkButton to="/app/pay/statements" variant="default">
        See my statements
      </LinkButton>
    </div>
  )
}
