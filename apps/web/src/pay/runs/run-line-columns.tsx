import { Badge } from '@mantine/core'
import type { PaymentRun, RunLine } from '@tallyroom/contract/pay/runs/runs'
import { moneyText } from '@tallyroom/contract/pay/statements/statement-sections'
import { dayOf, formatDateTime } from '@tallyroom/domain/new-york'
import { csvMoney } from '../../shared/money-columns.ts'
import { BalanceLink } from '../../shared/payee-links.tsx'
import { LinkText } from '../../ui/links.tsx'
import type { ListColumn } from '../../ui/list/columns.ts'
import { type MenuAction, RowMenu } from '../../ui/list/RowMenu.tsx'
import { lineStates, partText } from './run-words.ts'
import classes from '../runs.module.css'

/** The columns of a run’s lines, which its export has as well. */
export const runLineColumns = (
  { currency, state, lines }: Pick<PaymentRun, 'currency' | 'state' | 'lines'>,
  actionsOf: (line: RunLine) => MenuAction[],
): ListColumn<RunLine>[] => [
  {
    id: 'payee',
    header: 'Payee',
    fixed: true,
    card: 'title',
    cell: ({ payee }) => <BalanceLink payee={payee} />,
    csv: [
      { header: 'Payee', value: ({ payee }) => payee.name },
      { header: 'Currency', value: () => currency },
    ],
  },
  {
    id: 'account',
    header: 'Account',
    card: 'title',
    cell: ({ institutionName, lastCharacters }) => (
      <span className={classes.wraps}>{`${institutionName} ••••\u00A0${lastCharacters}`}</span>
    ),
    csv: [
      { header: 'Institution', value: ({ institutionName }) => institutionName },
      { header: 'Account ends with', value: ({ lastCharacters }) => lastCharacters },
    ],
  },
  {
    id: 'reference',
    header: 'Reference',
    card: 'detail',
    cell: (line) => (
      <div className={classes.wraps}>
        {line.reference}
        <div className={classes.dim}>{partText(line, lines, currency)}</div>
      </div>
    ),
    csv: ({ reference }) => reference,
  },
  {
    id: 'state',
    header: 'State',
    card: 'title',
    cell: (line) => (
      <div className={classes.wraps}>
        <Badge color={lineStates[line.state].color} className={classes.state}>
          {lineStates[line.state].label}
        </Badge>
        {line.failureWaits && (
          <div className={classes.dim}>
            {line.failureWaits.by} entered that it failed: {line.failureWaits.reason}.{' '}
            {waitingForAnother}
          </div>
        )}
        {line.returned && (
          <div className={classes.dim}>
            On {line.returned.on}, entered by {line.returned.by}: {line.returned.reason}. Paid
            before
            {line.by !== null && `, entered by ${line.by}`}
          </div>
        )}
        {line.refused && (
          <div className={classes.dim}>
            Refused on {line.refused.on} in {line.refused.message.name}
            {line.refused.message.id !== null && ` ${line.refused.message.id}`}, read by{' '}
            {line.refused.by}
          </div>
        )}
        {line.refused?.settled && (
          <div className={classes.dim}>
            Paid after all, entered by {line.refused.settled.by},{' '}
            {formatDateTime(new Date(line.refused.settled.at))}: {line.refused.settled.note}
          </div>
        )}
        {line.returnWaits && (
          <div className={classes.dim}>
            {line.returnWaits.by} entered that it came back on {line.returnWaits.on}:{' '}
            {line.returnWaits.reason}. {waitingForAnother}
          </div>
        )}
        {line.partOf && (
          <div className={classes.dim}>
            A part of {moneyText(line.partOf.balance, currency)}: {line.partOf.reason}
          </div>
        )}
        {line.reason !== null && <div className={classes.dim}>{line.reason}</div>}
        {line.paidOn !== null && <div className={classes.dim}>Paid on {line.paidOn}</div>}
        {line.failedOn !== null && <div className={classes.dim}>Failed on {line.failedOn}</div>}
        {line.bankReference !== null && <div className={classes.dim}>{line.bankReference}</div>}
      </div>
    ),
    csv: [
      { header: 'State', value: ({ state: became }) => lineStates[became].label },
      { header: 'Bank’s reference', value: ({ bankReference }) => bankReference },
      { header: 'Paid on', value: ({ paidOn }) => paidOn },
      { header: 'Failed on', value: ({ failedOn }) => failedOn },
      { header: 'Refused on', value: ({ refused }) => refused?.on },
      { header: 'Paid after all, entered on', value: ({ refused }) => settledDay(refused) },
      { header: 'Paid after all, entered by', value: ({ refused }) => refused?.settled?.by },
      { header: 'Note: what the bank said', value: ({ refused }) => refused?.settled?.note },
      { header: 'Came back on', value: ({ returned }) => returned?.on },
      { header: 'Reason', value: ({ returned, reason }) => returned?.reason ?? reason },
    ],
  },
  {
    id: 'amount',
    header: 'Amount',
    numeric: true,
    card: 'money',
    cell: ({ amount }) => moneyText(amount, currency),
    csv: ({ amount }) => csvMoney(amount),
  },
  ...(state === 'prepared' || state === 'sent' || state === 'finished'
    ? [
        {
          id: 'actions',
          header: 'Actions',
          cell: (line: RunLine) => {
            const actions = actionsOf(line)
            return actions.length > 0 ? <RowMenu of={nameOf(line)} actions={actions} /> : null
          },
        },
      ]
    : []),
]

const settledDay = (refused: RunLine['refused']): string | undefined =>
  refused?.settled ? dayOf(new Date(refused.settled.at)) : undefined

const waitingForAnother = (
  <LinkText to="/app/pay/proposals" underlined>
    Waiting for a second person
  </LinkText>
)

/** The parts of one payee have different menus. */
const nameOf = ({ payee, part, reference }: RunLine): string =>
  part === null ? payee.name : `${payee.name} ${reference}`
