import type { AmountQuestion } from '@tallyroom/contract/figures/explain'
import type { WhatIf, WhatIfRow } from '@tallyroom/contract/figures/what-if'
import { formatCount, signedPesos } from '@tallyroom/domain/money'
import type { ReactNode } from 'react'
import { Amount, FigureLink } from '../../ui/text/Amount.tsx'
import type { ListColumn } from '../../ui/list/columns.ts'
import { AgentLink, OfficeLink } from '../../ui/ObjectLink.tsx'

/**
 * What a recorded figure consists of; undefined for several link types, which no explanation sums.
 */
export type Recorded =
  | Pick<AmountQuestion, 'start' | 'end' | 'siteId' | 'typeId' | 'companyId'>
  | undefined

type Of = Partial<Pick<WhatIfRow, 'companyId' | 'agentId'>>

const countOf = (
  recorded: Recorded,
  { companyId, agentId }: Of,
  { column, label, count }: { column: 'sales' | 'bonusSales'; label: string; count: number },
) => (
  <Amount
    of={
      recorded && {
        report: 'payroll',
        column,
        ...recorded,
        ...(companyId !== undefined && { companyId }),
        ...(agentId !== undefined && { agentId }),
      }
    }
    label={label}
  >
    {formatCount(count)}
  </Amount>
)

/** Payout and bonus payout are two amounts, each with an explanation in Payroll. */
const paidOf = (recorded: Recorded, { companyId, agentId }: Of, paid: number) =>
  recorded ? (
    <FigureLink
      to="/app/stats/sites-payout"
      search={{
        ...recorded,
        groupBy: 'agent',
        ...(companyId !== undefined && { companyId }),
        ...(agentId !== undefined && { agentId }),
      }}
      label={`Paid ${signedPesos(paid)}: Payroll`}
    >
      {signedPesos(paid)}
    </FigureLink>
  ) : (
    signedPesos(paid)
  )

export const totalsOf = ({ overall }: WhatIf, recorded: Recorded) => ({
  id: 'overall',
  label: 'Overall',
  cells: {
    sales: countOf(recorded, {}, { column: 'sales', label: 'Sales', count: overall.sales }),
    bonusSales: countOf(
      recorded,
      {},
      { column: 'bonusSales', label: 'Bonus Sales', count: overall.bonusSales },
    ),
    paid: paidOf(recorded, {}, overall.paid),
    wouldBe: signedPesos(overall.wouldBe),
    tierPaid: signedPesos(overall.tierPaid),
    tierWouldBe: signedPesos(overall.tierWouldBe),
    difference: signedPesos(overall.difference),
  },
})

export const columnsOf = (
  byAgent: boolean,
  withTiers: boolean,
  recorded: Recorded,
): ListColumn<WhatIfRow>[] => [
  ...(byAgent
    ? [
        {
          id: 'agent',
          header: 'Agent',
          sortField: 'agent',
          fixed: true,
          cell: ({ agentId, agent }: WhatIfRow) =>
            agentId === undefined ? '' : <AgentLink id={agentId}>{agent}</AgentLink>,
        },
      ]
    : []),
  {
    id: 'office',
    header: 'Office',
    sortField: 'name',
    ...(byAgent ? { card: 'detail' as const } : { fixed: true }),
    cell: ({ companyId, officeName }) => <OfficeLink id={companyId}>{officeName}</OfficeLink>,
  },
  amount(
    'sales',
    'Sales',
    (row) => countOf(recorded, row, { column: 'sales', label: 'Sales', count: row.sales }),
    'sales',
  ),
  amount('bonusSales', 'Bonus Sales', (row) =>
    countOf(recorded, row, { column: 'bonusSales', label: 'Bonus Sales', count: row.bonusSales }),
  ),
  amount('paid', 'Paid', (row) => paidOf(recorded, row, row.paid), 'paid'),
  amount('wouldBe', 'Would be', ({ wouldBe }) => signedPesos(wouldBe), 'wouldBe'),
  ...(withTiers
    ? [
        amount('tierPaid', 'Paid by tier', ({ tierPaid }) => signedPesos(tierPaid)),
        amount('tierWouldBe', 'Would be by tier', (row) => signedPesos(row.tierWouldBe)),
      ]
    : []),
  {
    ...amount('difference', 'Difference', (row) => signedPesos(row.difference), 'difference'),
    card: 'money',
  },
]

const amount = (
  id: string,
  header: string,
  cell: (row: WhatIfRow) => ReactNode,
  sortField?: string,
): ListColumn<WhatIfRow> => ({
  id,
  header,
  numeric: true,
  card: 'detail',
  cell,
  ...(sortField !== undefined && { sortField }),
})
