import type { PayeeAccount } from '@tallyroom/contract/pay/accounts/payee-accounts'
import { detailLabels, enteredDetails } from '@tallyroom/contract/pay/accounts/payee-details'
import classes from './accounts.module.css'

interface AccountFactsProps {
  /** 'In force' or 'New'; undefined if only one account is shown. */
  heading?: string
  /** Null if there is none. */
  account: Omit<PayeeAccount, 'enteredAt' | 'enteredBy' | 'id'> | null
  /** The account to compare with, to mark differences. */
  other?: Pick<
    PayeeAccount,
    'institution' | 'accountName' | 'currency' | 'channel' | 'details'
  > | null
  /** The last characters alone do not tell. */
  numberChanged?: boolean
}

/** An account, with all but the last four characters of its number hidden. */
export function AccountFacts({ heading, account, other, numberChanged }: AccountFactsProps) {
  if (!account) {
    return (
      <div className={classes.facts}>
        {heading && <h3>{heading}</h3>}
        <p className={classes.dim}>None yet</p>
      </div>
    )
  }
  const { channel, institution, institutionName, accountName, lastCharacters, currency, details } =
    account
  const facts = [
    {
      name: channel === 'bank' ? 'Bank' : 'E-wallet',
      value: institutionName,
      differs: other && other.institution !== institution,
    },
    {
      name: channel === 'bank' ? 'Account number' : 'Mobile number',
      value: `•••• ${lastCharacters}`,
      differs: numberChanged,
    },
    {
      name: 'Account name',
      value: accountName ?? 'Can’t be read: a secret key is missing',
      differs: other && other.accountName !== accountName,
    },
    {
      name: 'Currency',
      value: currency === 'PHP' ? 'Philippine pesos' : 'US dollars',
      differs: other && other.currency !== currency,
    },
    ...enteredDetails
      .filter((detail) => details[detail])
      .map((detail) => ({
        name: detailLabels[detail],
        value: details[detail],
        differs: other && other.details[detail] !== details[detail],
      })),
  ]
  return (
    <div className={classes.facts}>
      {heading && <h3>{heading}</h3>}
      <dl>
        {facts.map(({ name, value, differs }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd data-differs={differs || undefined}>
              {value}
              {differs && <span className={classes.changed}>changed</span>}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
