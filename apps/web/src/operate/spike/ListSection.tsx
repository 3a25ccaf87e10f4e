import { Button, Group, SegmentedControl, TextInput } from '@mantine/core'
import { formatCount, formatDollars, formatPesos } from '@tallyroom/domain/money'
import { useState } from 'react'
import { BonusLabel } from '../../shared/BonusLabel.tsx'
import { TextAnchor } from '../../ui/links.tsx'
import type { ListColumn } from '../../ui/list/columns.ts'
import { CriteriaRow } from '../../ui/list/CriteriaRow.tsx'
import { ListFrame, type ListQuery } from '../../ui/list/ListFrame.tsx'
import type { ListPaging } from '../../ui/list/list-state.ts'
import { toast } from '../../ui/toasts.tsx'
import { Section } from './Section.tsx'

interface Row {
  id: number
  office: string
  raws: number
  uniques: number
  sales: number
  bonusSales: number
  earning: number
  payout: number
}

const TOTAL = 1234
const OFFICES = ['Manila Central', 'Cebu North', 'Davao', 'Baguio', 'Iloilo']

/** Deterministic, so that screenshots can be compared. */
const rows: Row[] = Array.from({ length: TOTAL }, (_, index) => ({
  id: index + 1,
  office: `${OFFICES[index % OFFICES.length] ?? ''} ${index + 1}`,
  raws: 1200 + ((index * 719) % 99_000),
  uniques: 800 + ((index * 389) % 60_000),
  sales: (index * 37) % 400,
  bonusSales: (index * 13) % 40,
  earning: ((index * 6700) % 900_000) / 100,
  payout: ((index * 91_300) % 9_000_000) / 100,
}))

const columns: ListColumn<Row>[] = [
  {
    id: 'office',
    header: 'Office',
    sortField: 'office',
    cell: (row) => <TextAnchor href="#">{row.office}</TextAnchor>,
  },
  {
    id: 'raws',
    header: 'Raws',
    sortField: 'raws',
    numeric: true,
    cell: (row) => formatCount(row.raws),
  },
  { id: 'uniques', header: 'Uniques', numeric: true, cell: (row) => formatCount(row.uniques) },
  {
    id: 'sales',
    header: 'Sales',
    sortField: 'sales',
    numeric: true,
    cell: (row) => formatCount(row.sales),
  },
  {
    id: 'bonusSales',
    header: 'Bonus',
    numeric: true,
    bonus: true,
    note: 'Sales for which the merchant paid a bonus',
    cell: (row) => <BonusLabel>{formatCount(row.bonusSales)}</BonusLabel>,
  },
  { id: 'earning', header: 'Earning', numeric: true, cell: (row) => formatDollars(row.earning) },
  { id: 'payout', header: 'Payout', numeric: true, cell: (row) => formatPesos(row.payout) },
]

const situations = ['Many rows', 'First load', 'Next page on its way', 'Empty', 'Failed'] as const
type Situation = (typeof situations)[number]

export function ListSection() {
  const [situation, setSituation] = useState<Situation>('Many rows')
  const [name, setName] = useState('')
  const list = useLocalListState()
  const shown = rows.slice((list.page - 1) * list.pageSize, list.page * list.pageSize)
  return (
    <Section title="List">
      <SegmentedControl
        size="xs"
        mb="md"
        data={[...situations]}
        value={situation}
        onChange={setSituation}
        aria-label="State of the list"
      />
      <ListFrame
        isPart
        name="spike"
        numbered
        query={queryIn(situation, shown)}
        list={list}
        columns={columns}
        rowKey={(row) => String(row.id)}
        empty="No statistics for selected period"
        criteria={
          <CriteriaRow
            onSearch={() =>
              toast({ kind: 'success', heading: 'Search', body: name || 'everything' })
            }
            onClear={() => setName('')}
          >
            <TextInput
              label="Username"
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
            />
            <TextInput label="IP address" />
          </CriteriaRow>
        }
        summary="From 2026-11-01 To 2026-11-21"
        actions={<Button variant="default">Export CSV</Button>}
        bulkActions={(keys, done) => (
          <Group gap="xs">
            <Button variant="default" onClick={done}>
              Activate {keys.length}
            </Button>
            <Button variant="default" onClick={done}>
              Suspend
            </Button>
          </Group>
        )}
        totals={[
          { id: 'page', label: 'Page total', cells: { raws: '123,456', sales: '4,321' } },
          {
            id: 'overall',
            label: 'Overall total',
            cells: { raws: '9,123,456', sales: '54,321' },
          },
          { id: 'ratio', label: 'Unique to Sale Ratio', cells: { sales: '1:12.50' } },
        ]}
      />
    </Section>
  )
}

function queryIn(situation: Situation, shown: Row[]): ListQuery<Row> {
  const isThere = situation === 'Many rows' || situation === 'Next page on its way'
  return {
    data: isThere
      ? { items: shown, total: TOTAL }
      : situation === 'Empty'
        ? { items: [], total: 0 }
        : undefined,
    error:
      situation === 'Failed'
        ? new Error('The statistics could not be loaded: the service is busy.')
        : null,
    isPlaceholderData: situation === 'Next page on its way',
    refetch: () => {},
  }
}

/** Keeps the list's state in memory. Real lists keep it in the URL. */
function useLocalListState(): ListPaging {
  const [state, setState] = useState({ page: 1, pageSize: 50, sortField: 'office', sortAsc: true })
  return {
    ...state,
    goToPage: (page) => setState({ ...state, page }),
    setPageSize: (pageSize) => setState({ ...state, page: 1, pageSize }),
    sortBy: (field) =>
      setState({
        ...state,
        page: 1,
        sortField: field,
        sortAsc: field === state.sortField ? !state.sortAsc : true,
      }),
  }
}
