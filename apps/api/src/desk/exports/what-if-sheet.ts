import type { WhatIfRow } from '@tallyroom/contract/figures/what-if'
import { formatPesos } from '@tallyroom/domain/money'
import type { Viewer } from '../../access/viewer.ts'
import type { TotalsDatabases } from '../../totals/index.ts'
import { whatIf, type WhatIfCriteria } from '../../figures/index.ts'
import { sheetOf } from './board-sheets.ts'
import { rangeInWords } from './criteria-words.ts'
import { findTypeNames } from './names.queries.ts'
import { type ColumnOf, cellsOf, daysOf, type Sheet } from '../../http/sheets/sheet.ts'

/** *What if*: every row, with the requested rates. */
export async function whatIfSheet(
  databases: TotalsDatabases,
  viewer: Viewer,
  criteria: WhatIfCriteria,
): Promise<Sheet> {
  const { items, overall } = await whatIf(databases, { ...criteria, page: 1, pageSize: ALL_ROWS })
  const byAgent = criteria.groupBy === 'agent'
  const names = await findTypeNames(
    databases.reportDb,
    criteria.rates.map(({ typeId }) => typeId),
  )
  const columns = columnsOf(byAgent, criteria.tiers !== undefined)
  return sheetOf({
    title: 'What if',
    about: [...daysOf(criteria), `by-${byAgent ? 'agent' : 'office'}`],
    criteria: [
      `${rangeInWords(criteria)} [${criteria.companyIds.length || 'All'} offices]`,
      ...criteria.rates.map((rate) => rateInWords(names.get(rate.typeId), rate)),
      ...(criteria.rates.length > 0
        ? [`Own rates of offices: ${criteria.replaceOwn ? 'replaced' : 'left alone'}`]
        : []),
      ...(criteria.tiers ?? []).map(
        ({ from, to, payoutPhp }) => `${from}-${to} AVP sales ${formatPesos(payoutPhp)}`,
      ),
    ].join('; '),
    columns,
    rows: items,
    totals: cellsOf(columns, { ...overall, companyId: 0, officeName: 'Total' }),
    viewer,
    now: databases.clock.now(),
  })
}

/** More than any network has agents. */
const ALL_ROWS = 1_000_000

function rateInWords(
  name = 'Unknown link type',
  { payout, bonusPayout }: WhatIfCriteria['rates'][number],
): string {
  const bonus = bonusPayout === undefined ? '' : ` + ${formatPesos(bonusPayout)}`
  return `${name} ${payout === undefined ? 'as paid' : formatPesos(payout)}${bonus}`
}

function columnsOf(byAgent: boolean, withTiers: boolean): ColumnOf<WhatIfRow>[] {
  return [
    { header: 'Office', kind: 'text', value: ({ officeName }) => officeName },
    ...(byAgent
      ? [{ header: 'Agent', kind: 'text', value: ({ agent }) => agent } as ColumnOf<WhatIfRow>]
      : []),
    { header: 'Sales', kind: 'count', value: ({ sales }) => sales },
    { header: 'Bonus Sales', kind: 'count', value: ({ bonusSales }) => bonusSales },
    { header: 'Paid ₱', kind: 'money', value: ({ paid }) => paid },
    { header: 'Would be ₱', kind: 'money', value: ({ wouldBe }) => wouldBe },
    ...(withTiers ? tierColumns : []),
    { header: 'Difference ₱', kind: 'money', value: ({ difference }) => difference },
  ]
}

const tierColumns: ColumnOf<WhatIfRow>[] = [
  { header: 'Paid by tier ₱', kind: 'money', value: ({ tierPaid }) => tierPaid },
  { header: 'Would be by tier ₱', kind: 'money', value: ({ tierWouldBe }) => tierWouldBe },
]
