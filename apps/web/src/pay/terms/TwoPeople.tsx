import type { PaySettings } from '@tallyroom/contract/pay/terms/settings'
import { dayInWords } from '@tallyroom/domain/acts'
import classes from '../pay.module.css'

/** Whether two people can pay, who counts as one person and until when; and what shown passwords mean for that. */
export function TwoPeople({
  settings: { on, payers, onePerson, passwordsShown },
}: {
  settings: PaySettings
}) {
  const isNobody = onePerson.length === (payers.length * (payers.length - 1)) / 2
  return (
    <section
      className={`${classes.card} ${classes.people}`}
      data-tone={isNobody ? 'act' : undefined}
      aria-label="Two people"
    >
      <p>
        <strong>Two people for every payment.</strong>{' '}
        {isNobody ? nobodyYet(payers, onePerson) : `These may pay: ${payers.join(', ')}.`}
      </p>
      {payers.length < 3 && (
        <p>
          One prepares a payment run, the other approves it. What one of them does alone, such as
          confirming an account, a small adjustment, rates or the bank’s template, only the other
          can approve: so let one person do all of that and prepare, and the other approve. What a
          second person has approved bars neither. An account that needs two confirmations needs a
          third person. Whoever gets PAY or a new password counts as one person with who gave it for
          seven days: invite them before anything is due.
        </p>
      )}
      {onePerson.length > 0 && (
        <details className={classes.folded} open={isNobody}>
          <summary>Who counts as one person</summary>
          <ul>
            {onePerson.map(({ name, other, why, until }) => (
              <li key={`${name} ${other}`}>
                {name} and {other},{' '}
                {until === null
                  ? 'until seven days after the holder sets a password that the other can’t know: with “Forgot password”, if nobody else has set the address'
                  : `until ${dayInWords(new Date(until))}`}
                : {name} {why}.
              </li>
            ))}
          </ul>
        </details>
      )}
      {passwordsShown && (
        <p>
          <strong>Lists show passwords</strong>, so staff could sign in as any payee without leaving
          a trace, and every payment account needs two confirmations. Those who may pay have no
          password in lists; whoever had one when PAY was granted counts as one person with each
          superadmin until they set another with “Forgot password”.
          {!on && ' Ask your operator to hide passwords first (PASSWORD_COLUMN=reveal or off).'}
        </p>
      )}
    </section>
  )
}

function nobodyYet(payers: readonly string[], onePerson: PaySettings['onePerson']): string {
  if (payers.length < 2)
    return `Only ${payers.join()} may pay. A superadmin gives PAY to somebody else in Admins: they can approve seven days after they were granted it and set a password of their own.`
  const [first] = onePerson.flatMap(({ until }) => until ?? []).toSorted()
  return first === undefined
    ? 'All who may pay count as one person, so nobody can approve what another has prepared.'
    : `All who may pay count as one person until ${dayInWords(new Date(first))}. From then on, one can approve what another has prepared.`
}
