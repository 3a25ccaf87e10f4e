import { Badge } from '@mantine/core'
import type { DecidedProposal } from '@tallyroom/contract/pay/acts/proposals'
import { formatCount } from '@tallyroom/domain/money'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { FormLoader } from '../../ui/form/FormLoader.tsx'
import { Instant } from '../../ui/text/Instant.tsx'
import type { ListColumn } from '../../ui/list/columns.ts'
import { DataTable } from '../../ui/list/DataTable.tsx'
import { EmptyList } from '../../ui/list/EmptyList.tsx'
import { ListPagination } from '../../ui/list/ListPagination.tsx'
import { decidedQuery, DECIDED_PAGE_SIZE, waitingQuery } from '../pay.api.ts'
import { Proposal } from './Proposal.tsx'
import classes from './proposals.module.css'
import { ProposalText } from './ProposalText.tsx'

const route = getRouteApi('/app/pay/proposals')

/** Acts of pay that need a second person: those that wait for a second person, and those that were decided. */
export function ProposalsPage() {
  const query = useQuery(waitingQuery)
  return (
    <div className={classes.page}>
      <p className={classes.lead}>
        Acts of pay that need two people. None of them counts until somebody approves it who did not
        enter it, and who could not have acted as whoever did.
      </p>
      <FormLoader query={query} fields={3}>
        {(waiting) =>
          waiting.length === 0 ? (
            <EmptyList
              text="Nothing waits for a second person"
              about="Adjustments above the limit in Settings → Pay, exchange rates that differ by more than 5 % from the last, failed transfers entered by hand, payments outside payment runs, changes of former balances, and other limits wait here."
            />
          ) : (
            waiting.map((proposal) => <Proposal key={proposal.id} proposal={proposal} />)
          )
        }
      </FormLoader>
      {/* Below what waits, so after it: nothing moves. */}
      {!query.isPending && <Decided />}
    </div>
  )
}

function Decided() {
  const { page = 1 } = route.useSearch()
  const navigate = route.useNavigate()
  const query = useQuery(decidedQuery(page))
  const { items = [], total = 0 } = query.data ?? {}
  if (total === 0) return null
  return (
    <div className={classes.section}>
      <h2>
        Decided <span className={classes.dim}>{formatCount(total)}</span>
      </h2>
      <DataTable
        caption="Decided"
        columns={columns}
        rows={items}
        rowKey={({ id }) => String(id)}
        empty="Nothing on this page"
      />
      {total > DECIDED_PAGE_SIZE && (
        <ListPagination
          label="Pages of decisions"
          page={page}
          pageSize={DECIDED_PAGE_SIZE}
          total={total}
          onPage={(next) => void navigate({ search: { page: next } })}
        />
      )}
    </div>
  )
}

const looks = {
  approved: { color: 'green', label: 'Approved' },
  refused: { color: 'gray', label: 'Refused' },
  withdrawn: { color: 'gray', label: 'Withdrawn' },
} as const

const columns: ListColumn<DecidedProposal>[] = [
  {
    id: 'what',
    header: 'What',
    fixed: true,
    card: 'title',
    cell: ({ does, reason }) => (
      <>
        <ProposalText does={does} />
        <div className={classes.dim}>{reason}</div>
      </>
    ),
  },
  {
    id: 'by',
    header: 'Entered by',
    card: 'detail',
    cell: ({ by, at }) => (
      <>
        {by}
        <div className={classes.dim}>
          <Instant at={at} />
        </div>
      </>
    ),
  },
  {
    id: 'decision',
    header: 'Decision',
    card: 'title',
    cell: ({ decision }) => (
      <>
        <Badge color={looks[decision.kind].color}>{looks[decision.kind].label}</Badge>
        {decision.reason !== null && <div className={classes.dim}>{decision.reason}</div>}
      </>
    ),
  },
  {
    id: 'decidedBy',
    header: 'Decided by',
    card: 'detail',
    cell: ({ decision: { by, at } }) => (
      <>
        {by}
        <div className={classes.dim}>
          <Instant at={at} />
        </div>
      </>
    ),
  },
]
