import { moneyText, rateText } from '@tallyroom/contract/pay/statement-sections'
import type { PayChecks, PayPeriodItem } from '@tallyroom/contract/pay/periods'
import { formatCount } from '@tallyroom/domain/money'
import { taxRateText } from '@tallyroom/domain/withholding'
import { Fragment, type ReactNode } from 'react'
import { LinkText } from '../../ui/links.tsx'
import classes from './pay.module.css'
import { BalanceLink } from '../../shared/payee-links.tsx'

type Line = readonly [key: string, what: ReactNode, fact: ReactNode]

/** What to look at before a period is closed: a key, what it is, and the figure beside it. */
export function checkLines(
  checks: PayChecks,
  { name, state, exchangeRate }: PayPeriodItem,
): Line[] {
  const notPaid = checks.notPaid.filter(({ cause }) => cause !== 'not free yet')
  const held = checks.notPaid.length - notPaid.length
  return [
    ...checks.postbacks.map(({ siteId, siteName, waiting, conflicts, centavos }): Line => [
      `postbacks ${siteId}`,
      <>
        {siteName}:{' '}
        {waiting > 0 && (
          <LinkText
            to="/app/sites/postbacks"
            // Waiting postbacks become unmatched after three days, so most are once the period is over.
            search={{ siteId, outcome: state === 'open' ? 'waiting' : 'unmatched' }}
            underlined
          >
            {openText({ waiting, conflicts: 0 })}
          </LinkText>
        )}
        {waiting > 0 && conflicts > 0 && ', '}
        {conflicts > 0 && (
          <LinkText to="/app/sites/postbacks" search={{ siteId, outcome: 'conflict' }} underlined>
            {openText({ waiting: 0, conflicts })}
          </LinkText>
        )}
      </>,
      `about ${moneyText(centavos, 'PHP')}`,
    ]),
    ...checks.fraudAgents.map(({ agentId, agentName, marked, payee, centavos, cents }): Line => [
      `fraud ${agentId} ${payee.kind} ${payee.id}`,
      <>
        <LinkText to="/app/agents/$agentId" params={{ agentId: String(agentId) }} underlined>
          {agentName}
        </LinkText>{' '}
        {marked ? 'is marked for fraud' : 'has sales marked for fraud'}.{' '}
        {(centavos > 0 || cents > 0) && (
          <>
            {centavos > 0 && (
              <>
                <BalanceLink
                  payee={payee}
                  search={{
                    holdBack: centavos,
                    agentId,
                    because: `Held back until the sales of ${agentName} in ${name} are checked`,
                  }}
                  underlined
                >
                  Hold back {moneyText(centavos, 'PHP')}
                </BalanceLink>
                , or{' '}
              </>
            )}
            <BalanceLink payee={payee} underlined>
              {centavos > 0 ? 'put' : 'Put'} {payee.name} on hold
            </BalanceLink>
            .
          </>
        )}
      </>,
      bothText(centavos, cents),
    ]),
    ...checks.suspendedAgents.map(({ agentId, agentName, sales, centavos, cents }): Line => [
      `suspended ${agentId}`,
      <>
        <LinkText to="/app/agents/$agentId" params={{ agentId: String(agentId) }} underlined>
          {agentName}
        </LinkText>{' '}
        was suspended when {sales === 1 ? 'a sale' : `${formatCount(sales)} sales`} came. The clicks
        were made before.
      </>,
      bothText(centavos, cents),
    ]),
    ...(isCompared(checks.totals) && checks.totals.differences > 0
      ? [totalsLine(checks.totals)]
      : []),
    ...checks.equalAdjustments.map(({ payee, currency, amount, reason, times }): Line => [
      `equal ${payee.kind} ${payee.id} ${currency} ${amount} ${reason}`,
      <>
        <BalanceLink payee={payee} underlined /> has {formatCount(times)} equal adjustments:{' '}
        {reason}. If one is a mistake, take it back.
      </>,
      moneyText(amount, currency),
    ]),
    ...checks.unusual.map(({ payee, currency, amount, usual }): Line => [
      `unusual ${payee.kind} ${payee.id}`,
      <>
        <BalanceLink payee={payee} underlined /> is far from usual, which is{' '}
        {moneyText(usual, currency)}
      </>,
      moneyText(amount, currency),
    ]),
    ...checks.waiting.map((one): Line => [
      `waits ${one.id}`,
      <>
        <LinkText to="/app/pay/proposals" underlined>
          Waiting for a second person
        </LinkText>
        {waitsText(one)}
      </>,
      one.kind === 'adjustment'
        ? moneyText(one.amount, one.currency)
        : one.kind === 'tax rate'
          ? taxRateText(one.rateBp)
          : rateText(one.pesosE4),
    ]),
    ...(held > 0
      ? [
          [
            'held',
            'Payees are paid later, because what the period adds is held.',
            formatCount(held),
          ] as const,
        ]
      : []),
    ...notPaid.slice(0, MOST_NOT_PAID).map(notPaidLine),
    ...(notPaid.length > MOST_NOT_PAID
      ? [
          [
            'not paid',
            'More payees would not be paid. Once the period is closed, preparing a run names them all.',
            formatCount(notPaid.length - MOST_NOT_PAID),
          ] as const,
        ]
      : []),
    ...(checks.needExchangeRate.length > 0
      ? [
          [
            'rate',
            <>
              {checks.needExchangeRate.slice(0, MOST_NOT_PAID).map((payee, index) => (
                <Fragment key={`${payee.kind} ${payee.id}`}>
                  {index > 0 && ', '}
                  <BalanceLink payee={payee} underlined />
                </Fragment>
              ))}
              {checks.needExchangeRate.length > MOST_NOT_PAID && ' and others'}: paid in the other
              currency. Enter the exchange rate of this period.
            </>,
            'Needed',
          ] as const,
        ]
      : []),
    ...(exchangeRate
      ? [
          [
            'rate set',
            `Exchange rate: ${exchangeRate.source}${exchangeRate.setBy === null ? '' : `, entered by ${exchangeRate.setBy}`}`,
            rateText(exchangeRate.pesosE4),
          ] as const,
        ]
      : []),
  ]
}

function waitsText(one: PayChecks['waiting'][number]): string {
  switch (one.kind) {
    case 'adjustment':
      return `: the adjustment of ${one.payee.name} that ${one.by} entered. If you close first, it goes on the next statement once it is approved.`
    case 'exchange rate':
      return `: the exchange rate that ${one.by} entered. If you close first, it can’t be approved any more.`
    case 'tax rate':
      return `: the withholding tax of ${one.payee.name} that ${one.by} entered. If you close first, it can’t be approved any more.`
  }
}

/** A network may have hundreds of payees below the minimum. */
const MOST_NOT_PAID = 50

type NotPaid = PayChecks['notPaid'][number]

const notPaidLine = (one: NotPaid): Line => [
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
      return onBalance('Look at its hold')
    case 'below minimum':
      return onBalance('Give it a minimum of its own')
    case 'new account':
    case 'no confirmed account':
      return (
        <LinkText to="/app/pay/accounts" underlined>
          Look at the accounts
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

/** Pesos, dollars, or both. */
const bothText = (centavos: number, cents: number): string =>
  [
    (centavos !== 0 || cents === 0) && moneyText(centavos, 'PHP'),
    cents !== 0 && moneyText(cents, 'USD'),
  ]
    .filter((text) => text !== false)
    .join(' and ')

type Compared = Exclude<PayChecks['totals'], 'too many' | null>

/** Whether reports were compared with clicks and sales. */
export const isCompared = (totals: PayChecks['totals']): totals is Compared =>
  totals !== null && totals !== 'too many'

const totalsLine = ({ differences, first }: Compared): Line => [
  'totals',
  <>
    The reports of these days differ from their clicks and sales. Statements are made from the
    sales, so they are right. Ask an operator to run <code>totals verify</code>, then{' '}
    <code>totals rebuild</code>.<div className={classes.dim}>{first}</div>
  </>,
  `${formatCount(differences)} ${differences === 1 ? 'difference' : 'differences'}`,
]

/** `3 waiting, 1 in conflict` */
export const openText = ({ waiting, conflicts }: { waiting: number; conflicts: number }): string =>
  [
    waiting > 0 && `${formatCount(waiting)} waiting ${waiting === 1 ? 'postback' : 'postbacks'}`,
    conflicts > 0 && `${formatCount(conflicts)} in conflict`,
  ]
    .filter((words) => words !== false)
    .join(', ')
