import { Button } from '@mantine/core'
import type { Adjustment, Balance } from '@tallyroom/contract/pay/balances/balances'
import { outsideText } from '@tallyroom/contract/pay/outside/outside'
import { moneyText, rateText } from '@tallyroom/contract/pay/statements/statement-sections'
import type { Day } from '@tallyroom/domain/new-york'
import { daysInWords } from '@tallyroom/domain/periods'
import { Instant } from '../../ui/text/Instant.tsx'
import type { BalanceAct } from '../balance-words.ts'
import { isDaySaid, signedMoney } from '../pay-words.ts'
import classes from '../pay.module.css'
import type { PlainColumn } from '../../ui/PlainTable.tsx'
import { LinkText } from '../../ui/links.tsx'

type Entry = Balance['entries'][number]

const ENTRY_WORDS: Record<Entry['kind'], string> = {
  statement: 'Statement',
  payment: 'Payment',
  failed: 'Transfer failed',
  cancelled: 'Payment cancelled',
  returned: 'Payment came back',
  outside: 'Paid',
  correction: 'Adjustment of a former balance',
  conversion: 'Converted',
  advance: 'Advance, of what was paid',
  instalment: 'Taken back of the advance paid',
  tax: 'Tax withheld by',
  received: 'Money received',
  'given back': 'Given back of the advance paid',
  'given up': 'Given up',
  'advance given up': 'Ended of the advance paid',
}

/** A correction after which nothing is left is a write-off, and tax may be given back. The payee reads what they did. */
function wordOf(
  { kind, amount, balance }: Pick<Entry, 'kind' | 'amount' | 'balance'>,
  mayManage: boolean,
  outside: Entry['outside'],
): string {
  if (kind === 'given up' && outside)
    return amount > 0 ? 'Given up of the advance paid' : 'Received of what was given up,'
  if (kind === 'received' && !mayManage) return 'You paid back'
  if (kind === 'correction' && balance === 0) return 'Written off'
  return kind === 'tax' && amount > 0 ? 'Tax given back by' : ENTRY_WORDS[kind]
}

/** How far a payment is. A cancelled or failed one has an entry of its own, and so has one that came back. */
const PAYMENT_WORDS: Record<NonNullable<Entry['payment']>['state'], string> = {
  approved: 'approved',
  sent: 'sent to the bank',
  paid: 'paid',
  failed: 'failed',
  returned: 'paid, came back',
  cancelled: 'cancelled',
}

/** `to BDO ••8871 · sent to the bank: on 18 Dec`, or `to BDO ••8871 · paid · bank’s reference 0012` */
const paymentText = (
  {
    state,
    institutionName,
    lastCharacters,
    bankReference,
    part,
    isPart,
    executionDay,
  }: NonNullable<Entry['payment']>,
  today: Day,
): string =>
  [
    ...(isPart ? ['a part of the balance'] : []),
    ...(part === null ? [] : [`transfer ${part}`]),
    ...(lastCharacters ? [`to ${institutionName} ••${lastCharacters}`.replace('  ', ' ')] : []),
    `${PAYMENT_WORDS[state]}${isDaySaid(state, executionDay, today) ? `: on ${daysInWords({ start: executionDay, end: executionDay })}` : ''}`,
    ...(bankReference === null ? [] : [`bank’s reference ${bankReference}`]),
  ].join(' · ')

/** What changed a balance. Staff get links to payment runs. */
export const entryColumnsOf = (mayManage: boolean, today: Day): PlainColumn<Entry>[] => [
  { header: 'When', cell: ({ madeAt }) => <Instant at={madeAt} /> },
  {
    header: 'What',
    cell: ({
      number,
      statementId,
      runId,
      reason,
      returnedOn,
      payment,
      outside,
      pesosE4,
      ...row
    }) => (
      <>
        {wordOf(row, mayManage, outside)} {outside && outsideText(outside)}
        {row.kind === 'instalment' && ', by '}
        {pesosE4 !== null && `at ${rateText(pesosE4)}`}
        {statementId !== null ? (
          <LinkText
            to="/app/pay/statements/$statementId"
            params={{ statementId: String(statementId) }}
            underlined
          >
            {number}
          </LinkText>
        ) : mayManage && runId !== null ? (
          <LinkText to="/app/pay/runs/$runId" params={{ runId: String(runId) }} underlined>
            {number}
          </LinkText>
        ) : (
          number
        )}
        {payment && <div className={classes.dim}>{paymentText(payment, today)}</div>}
        {reason !== null && (
          <div className={classes.dim}>
            {returnedOn !== null && `On ${returnedOn}: `}
            {reason}
          </div>
        )}
      </>
    ),
  },
  { header: 'Balance after', numeric: true, cell: (row) => moneyText(row.balance, row.currency) },
  {
    header: 'Amount',
    numeric: true,
    cell: ({ amount, currency }) => signedMoney(amount, currency),
  },
]

/** Adjustments, with a button to take one back for whoever may. */
export const adjustmentColumns = (
  entries: readonly Entry[],
  onAct: ((act: BalanceAct) => void) | undefined,
): PlainColumn<Adjustment>[] => [
  {
    header: 'Reason',
    cell: ({ reason, countsAs, madeBy, madeAt, approvedBy }) => (
      <>
        {reason}
        {countsAs === 'not income' && <div className={classes.dim}>Not income</div>}
        <div className={classes.dim}>
          {madeBy === undefined ? (
            <Instant at={madeAt} />
          ) : (
            <>
              By {madeBy}, <Instant at={madeAt} />
              {approvedBy != null && `, approved by ${approvedBy}`}
            </>
          )}
        </div>
      </>
    ),
  },
  {
    header: 'On statement',
    cell: (adjustment) => (
      <>
        {adjustment.statementId === null ? (
          'The next statement'
        ) : (
          <LinkText
            to="/app/pay/statements/$statementId"
            params={{ statementId: String(adjustment.statementId) }}
          >
            {entries.find(({ statementId }) => statementId === adjustment.statementId)?.number}
          </LinkText>
        )}
        {adjustment.oppositeOf !== null && (
          <div className={classes.dim}>Takes back another adjustment</div>
        )}
        {adjustment.takenBackBy !== null && <div className={classes.dim}>Taken back</div>}
        {adjustment.heldBackFor && adjustment.takenBackBy === null && (
          <div className={classes.dim}>{heldBackText(adjustment.heldBackFor)}</div>
        )}
        {onAct && adjustment.takenBackBy === null && adjustment.oppositeOf === null && (
          <div>
            <Button
              variant="subtle"
              size="compact-xs"
              aria-label={`Take back ${moneyText(adjustment.amount, adjustment.currency)}`}
              onClick={() => onAct({ kind: 'take-back', adjustment })}
            >
              Take back
            </Button>
          </div>
        )}
      </>
    ),
  },
  {
    header: 'Amount',
    numeric: true,
    cell: ({ amount, currency }) => signedMoney(amount, currency),
  },
]

const heldBackText = ({ name, isDoubted }: NonNullable<Adjustment['heldBackFor']>): string =>
  isDoubted
    ? `Taken back by itself when an admin clears ${name} of fraud`
    : `Held back for ${name}, who is not marked for fraud: take it back when their sales are checked`

/** Staff read why; the payee only what was written for them. */
export const holdColumnsOf = (mayManage: boolean): PlainColumn<Balance['holds'][number]>[] => [
  { header: 'When', cell: ({ setAt }) => <Instant at={setAt} /> },
  { header: 'What', cell: ({ held }) => (held ? 'Put on hold' : 'Hold lifted') },
  ...(mayManage
    ? [
        {
          header: 'Reason, for staff',
          cell: ({ reason, setBy }: Balance['holds'][number]) => (
            <>
              {reason}
              <div className={classes.dim}>By {setBy}</div>
            </>
          ),
        },
      ]
    : []),
  { header: mayManage ? 'The payee reads' : 'Note', cell: ({ told }) => told ?? '–' },
]
