import { Badge } from '@mantine/core'
import { laterText, moneyText } from '@tallyroom/contract/pay/statements/statement-sections'
import type { BalanceItem } from '@tallyroom/contract/pay/balances/balances'
import { daysInWords } from '@tallyroom/domain/periods'
import type { ListColumn } from '../../ui/list/columns.ts'
import { csvCurrency, csvMoney, byCurrency, moneyColumn } from '../../shared/money-columns.ts'
import { balanceStates } from '../pay-words.ts'
import classes from '../pay.module.css'
import { BalanceLink } from '../../shared/payee-links.tsx'

/** A row for each currency that somebody has a balance in. */
export const balanceTotals = (balances: readonly BalanceItem[]) =>
  byCurrency(balances, ({ currency, label, sum }) => ({
    id: currency,
    label,
    cells: { balance: sum(({ balance }) => balance), running: sum(({ running }) => running) },
  }))

/** What is owed to each payee, and whether it would be paid now. */
export const balancesColumns: ListColumn<BalanceItem>[] = [
  {
    id: 'payee',
    header: 'Payee',
    fixed: true,
    cell: ({ payee }) => <BalanceLink payee={payee} />,
    csv: [{ header: 'Payee', value: ({ payee }) => payee.name }, csvCurrency],
  },
  {
    id: 'state',
    header: 'State',
    card: 'title',
    cell: ({ state, hold, paidFrom, later, currency }) => (
      <>
        <Badge color={balanceStates[state].color}>{balanceStates[state].label}</Badge>
        {hold && <div className={classes.dim}>{hold.reason}</div>}
        {state === 'account-new' && paidFrom !== null && (
          <div className={classes.dim}>from {daysInWords({ start: paidFrom, end: paidFrom })}</div>
        )}
        {later.length > 0 && <div className={classes.dim}>{laterText(later, currency)}</div>}
      </>
    ),
    csv: [
      { header: 'State', value: ({ state }) => balanceStates[state].label },
      { header: 'Reason of the hold', value: ({ hold }) => hold?.reason },
      { header: 'Paid from', value: ({ paidFrom }) => paidFrom },
      { header: 'Paid later', value: ({ later, currency }) => laterText(later, currency) },
    ],
  },
  {
    id: 'minimum',
    header: 'Minimum',
    numeric: true,
    card: 'detail',
    cell: ({ minimum, ownMinimum, currency }) => (
      <>
        {moneyText(minimum, currency)}
        {ownMinimum && <div className={classes.dim}>own</div>}
      </>
    ),
    csv: ({ minimum }) => csvMoney(minimum),
  },
  {
    id: 'running',
    header: 'In a payment run',
    numeric: true,
    card: 'detail',
    cell: ({ running, currency }) => (running === 0 ? '–' : moneyText(running, currency)),
    csv: ({ running }) => csvMoney(running),
  },
  moneyColumn('balance', 'Balance', { card: 'money' }),
]
