import type { WhatIf, WhatIfRow } from '@tallyroom/contract/what-if'
import { formatCount, formatPesos } from '@tallyroom/domain/money'
import type { ListColumn } from '../../ui/list/columns.ts'
import { AgentLink, OfficeLink } from '../../ui/ObjectLink.tsx'
import { signedPesos } from '../../ui/signed-amounts.ts'

export const totalsOf = ({ overall }: WhatIf) => ({
  id: 'overall',
  label: 'Overall',
  cells: {
    sales: formatCount(overall.sales),
    bonusSales: formatCount(overall.bonusSales),
    paid: formatPesos(overall.paid),
    wouldBe: formatPesos(overall.wouldBe),
    tierPaid: formatPesos(overall.tierPaid),
    tierWouldBe: formatPesos(overall.tierWouldBe),
    difference: signedPesos(overall.difference),
  },
})

export const columnsOf = (byAgent: boolean, withTiers: boolean): ListColumn<WhatIfRow>[] => [
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
  amount('sales', 'Sales', ({ sales }) => formatCount(sales), 'sales'),
  amount('bonusSales', 'Bonus Sales', ({ bonusSales }) => formatCount(bonusSales)),
  amount('paid', 'Paid', ({ paid }) => formatPesos(paid), 'paid'),
  amount('wouldBe', 'Would be', ({ wouldBe }) => formatPesos(wouldBe), 'wouldBe'),
  ...(withTiers
    ? [
        amount('tierPaid', 'Paid by tier', ({ tierPaid }) => formatPesos(tierPaid)),
        amount('tierWouldBe', 'Would be by tier', (row) => formatPesos(row.tierWouldBe)),
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
  cell: (row: WhatIfRow) => string,
  sortField?: string,
): ListColumn<WhatIfRow> => ({
  id,
  header,
  numeric: true,
  card: 'detail',
  cell,
  ...(sortField !== undefined && { sortField }),
})
