import type { PayChecks } from '@tallyroom/contract/pay/closing/periods'
import { moneyText } from '@tallyroom/contract/pay/statements/statement-sections'
import { formatCount } from '@tallyroom/domain/money'
import { Fragment, type ReactNode } from 'react'
import { BalanceLink } from '../../shared/payee-links.tsx'
import { LinkText } from '../../ui/links.tsx'

/** What to look at before a period is closed, and the figure beside it. */
export type CheckLine = readonly [key: string, what: ReactNode, fact: ReactNode]

/** A network may have hundreds of payees below the minimum, or paid in another currency. */
const MOST_PAYEES = 50

type NotPaid = PayChecks['notPaid'][number]

/** Payees that are paid later are only counted, the others named with what can be done about it. */
export function notPaidLines(all: readonly NotPaid[]): CheckLine[] {
  const notPaid = all.filter(({ cause }) => cause !== 'not free yet')
  const held = all.length - notPaid.length
  const more = notPaid.length - MOST_PAYEES
  return [
    ...(held > 0
      ? [
          [
            'held',
            'Payees are paid later, because what the period adds is held.',
            formatCount(held),
          ] as const,
        ]
      : []),
    ...notPaid.slice(0, MOST_PAYEES).map(notPaidLine),
    ...(more > 0
      ? [
          [
            'not paid',
            'More payees would not be paid. Once the period is closed, preparing a run names them all.',
            formatCount(more),
          ] as const,
        ]
      : []),
  ]
}

const notPaidLine = (one: NotPaid): CheckLine => [
  `not paid ${one.kind} ${one.id} ${one.currency}`,
  <>
    <BalanceLink payee={one} underlined /> would not be paid: {one.why.replace(/[^.]$/, '$&.')}{' '}
    {remedyOf(one)}
  </>,
  moneyText(one.balance, one.currency),
]

/** Where somebody can do something about it, as a link. */
function remedyOf(one: NotPaid): ReactNode {
  const onBalance = (text: string) => (
    <BalanceLink payee={one} underlined>
      {text}
    </BalanceLink>
  )
  switch (one.cause) {
    case 'on hold':
      return onBalance('Open the hold')
    case 'deleted':
      return onBalance('Open the balance')
    case 'below minimum':
      return onBalance('Give it a minimum of its own')
    case 'new account':
    case 'no confirmed account':
      return (
        <LinkText to="/app/pay/accounts" underlined>
          Open the accounts
        </LinkText>
      )
    case 'in another run':
      return (
        <LinkText to="/app/pay/runs" underlined>
          Finish that run
        </LinkText>
      )
    case 'not in the file':
      return (
        <LinkText to="/app/settings/pay-files" underlined>
          Change the template
        </LinkText>
      )
    default:
      return undefined
  }
}

/** Those who are paid in another currency than they earn need a rate. */
export const needsRateLines = (payees: PayChecks['needExchangeRate']): CheckLine[] =>
  payees.length === 0
    ? []
    : [
        [
          'rate',
          <>
            {payees.slice(0, MOST_PAYEES).map((payee, index) => (
              <Fragment key={`${payee.kind} ${payee.id}`}>
                {index > 0 && ', '}
                <BalanceLink payee={payee} underlined />
              </Fragment>
            ))}
            {payees.length > MOST_PAYEES && ' and others'}: paid in the other currency. Enter the
            exchange rate of this period.
          </>,
          'Needed',
        ],
      ]
