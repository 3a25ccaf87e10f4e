import { moneyText, rateText } from '@tallyroom/contract/pay/statements/statement-sections'
import type { PayChecks, PayPeriodItem } from '@tallyroom/contract/pay/closing/periods'
import { formatCount } from '@tallyroom/domain/money'
import { taxRateText } from '@tallyroom/domain/withholding'
import { LinkText } from '../../ui/links.tsx'
import { type CheckLine, needsRateLines, notPaidLines } from './not-paid-lines.tsx'
import classes from '../pay.module.css'
import { BalanceLink } from '../../shared/payee-links.tsx'

/** What to look at before a period is closed: a key, what it is, and the figure beside it. */
export const checkLines = (
  checks: PayChecks,
  { name, state, exchangeRate }: PayPeriodItem,
): CheckLine[] => [
  ...checks.postbacks.map((site) => postbacksLine(site, state)),
  ...checks.fraudAgents.map((agent) => fraudLine(agent, name)),
  ...checks.suspendedAgents.map(suspendedLine),
  ...totalsLines(checks.totals),
  ...checks.equalAdjustments.map(equalLine),
  ...checks.unusual.map(unusualLine),
  ...checks.waiting.map(waitingLine),
  ...notPaidLines(checks.notPaid),
  ...needsRateLines(checks.needExchangeRate),
  ...rateLines(exchangeRate),
]

function postbacksLine(
  { siteId, siteName, waiting, conflicts, centavos }: PayChecks['postbacks'][number],
  state: PayPeriodItem['state'],
): CheckLine {
  return [
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
  ]
}

/** @param period its name */
function fraudLine(
  { agentId, agentName, marked, payee, centavos, cents }: PayChecks['fraudAgents'][number],
  period: string,
): CheckLine {
  return [
    `fraud ${agentId} ${payee.kind} ${payee.id}`,
    <>
      <AgentLink id={agentId} name={agentName} />{' '}
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
                  because: `Held back until the sales of ${agentName} in ${period} are checked`,
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
  ]
}

const suspendedLine = ({
  agentId,
  agentName,
  sales,
  centavos,
  cents,
}: PayChecks['suspendedAgents'][number]): CheckLine => [
  `suspended ${agentId}`,
  <>
    <AgentLink id={agentId} name={agentName} /> was suspended when{' '}
    {sales === 1 ? 'a sale' : `${formatCount(sales)} sales`} came. The clicks were made before.
  </>,
  bothText(centavos, cents),
]

const AgentLink = ({ id, name }: { id: number; name: string }) => (
  <LinkText to="/app/agents/$agentId" params={{ agentId: String(id) }} underlined>
    {name}
  </LinkText>
)

const equalLine = ({
  payee,
  currency,
  amount,
  reason,
  times,
}: PayChecks['equalAdjustments'][number]): CheckLine => [
  `equal ${payee.kind} ${payee.id} ${currency} ${amount} ${reason}`,
  <>
    <BalanceLink payee={payee} underlined /> has {formatCount(times)} equal adjustments: {reason}.
    If one is a mistake, take it back.
  </>,
  moneyText(amount, currency),
]

const unusualLine = ({
  payee,
  currency,
  amount,
  usual,
}: PayChecks['unusual'][number]): CheckLine => [
  `unusual ${payee.kind} ${payee.id}`,
  <>
    <BalanceLink payee={payee} underlined /> is far from usual, which is{' '}
    {moneyText(usual, currency)}
  </>,
  moneyText(amount, currency),
]

type Waiting = PayChecks['waiting'][number]

const waitingLine = (one: Waiting): CheckLine => [
  `waits ${one.id}`,
  <>
    <LinkText to="/app/pay/proposals" underlined>
      Waiting for a second person
    </LinkText>
    {waitsText(one)}
  </>,
  askedText(one),
]

function waitsText(one: Waiting): string {
  switch (one.kind) {
    case 'adjustment':
      return `: the adjustment of ${one.payee.name} that ${one.by} entered. If you close first, it goes on the next statement once it is approved.`
    case 'exchange rate':
      return `: the exchange rate that ${one.by} entered. If you close first, it can’t be approved any more.`
    case 'tax rate':
      return `: the withholding tax of ${one.payee.name} that ${one.by} entered. If you close first, it can’t be approved any more.`
  }
}

/** The amount or rate that waits. */
function askedText(one: Waiting): string {
  switch (one.kind) {
    case 'adjustment':
      return moneyText(one.amount, one.currency)
    case 'exchange rate':
      return rateText(one.pesosE4)
    case 'tax rate':
      return taxRateText(one.rateBp)
  }
}

const rateLines = (rate: PayPeriodItem['exchangeRate']): CheckLine[] =>
  rate
    ? [
        [
          'rate set',
          `Exchange rate: ${rate.source}${rate.setBy === null ? '' : `, entered by ${rate.setBy}`}`,
          rateText(rate.pesosE4),
        ],
      ]
    : []

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

const totalsLines = (totals: PayChecks['totals']): CheckLine[] =>
  isCompared(totals) && totals.differences > 0
    ? [
        [
          'totals',
          <>
            The reports of these days differ from their clicks and sales. Statements are made from
            the sales, so they are right. Ask an operator to run <code>totals verify</code>, then{' '}
            <code>totals rebuild</code>.<div className={classes.dim}>{totals.first}</div>
          </>,
          `${formatCount(totals.differences)} ${totals.differences === 1 ? 'difference' : 'differences'}`,
        ],
      ]
    : []

/** `3 waiting, 1 in conflict` */
export const openText = ({ waiting, conflicts }: { waiting: number; conflicts: number }): string =>
  [
    waiting > 0 && `${formatCount(waiting)} waiting ${waiting === 1 ? 'postback' : 'postbacks'}`,
    conflicts > 0 && `${formatCount(conflicts)} in conflict`,
  ]
    .filter((words) => words !== false)
    .join(', ')
