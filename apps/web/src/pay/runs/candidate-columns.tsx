import type { Candidate } from '@tallyroom/contract/pay/runs/runs'
import { moneyText } from '@tallyroom/contract/pay/statements/statement-sections'
import type { Currency } from '@tallyroom/domain/pay'
import { BalanceLink } from '../../shared/payee-links.tsx'
import type { ListColumn } from '../../ui/list/columns.ts'
import { RowMenu } from '../../ui/list/RowMenu.tsx'
import { ofBalanceText, partsText } from './run-words.ts'
import classes from '../runs.module.css'

/** Those whom a run would pay. */
export const candidateColumns = (
  currency: Currency,
  onPart: (candidate: Candidate) => void,
): ListColumn<Candidate>[] => [
  {
    id: 'name',
    header: 'Payee',
    fixed: true,
    cell: (payee) => <BalanceLink payee={payee} />,
  },
  {
    id: 'account',
    header: 'Account',
    card: 'title',
    cell: ({ institutionName, lastCharacters }) => `${institutionName} ••••\u00A0${lastCharacters}`,
  },
  {
    id: 'channel',
    header: 'Channel',
    card: 'detail',
    cell: (candidate) => (
      <>
        {candidate.channel}
        <div className={classes.dim}>{partsText(candidate, currency)}</div>
      </>
    ),
  },
  {
    id: 'amount',
    header: 'Amount',
    numeric: true,
    card: 'money',
    cell: (candidate) => (
      <>
        {moneyText(candidate.amount, currency)}
        <div className={classes.dim}>{ofBalanceText(candidate, currency)}</div>
      </>
    ),
  },
  {
    id: 'actions',
    header: 'Actions',
    cell: (candidate) => (
      <RowMenu
        of={candidate.name}
        actions={[{ label: 'Pay a part', onSelect: () => onPart(candidate) }]}
      />
    ),
  },
]
