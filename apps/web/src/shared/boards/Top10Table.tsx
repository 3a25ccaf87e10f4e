import type { Me } from '@tallyroom/contract/people/accounts'
import type { AmountQuestion } from '@tallyroom/contract/figures/explain'
import { TOP_ROWS, type BoardGrouping, type Top10Row } from '@tallyroom/contract/figures/top-agents'
import { can } from '@tallyroom/domain/abilities'
import { formatCount } from '@tallyroom/domain/money'
import { Amount } from '../../ui/text/Amount.tsx'
import { AgentLink, OfficeLink } from '../../ui/ObjectLink.tsx'
import { type PlainColumn, PlainTable } from '../../ui/PlainTable.tsx'
import classes from './Board.module.css'
import { EmptyBoard, Share, WaitingRows } from './BoardRows.tsx'
import { LiveCount } from './LiveCount.tsx'

interface Top10TableProps {
  /** Its name for screen readers. */
  label: string
  groupBy: BoardGrouping
  viewer: Me
  /** Undefined before the first answer. */
  rows: readonly Top10Row[] | undefined
  /** What it ranks; undefined if single figures can't be explained, as for several sites. */
  covers: Pick<AmountQuestion, 'start' | 'end' | 'siteId'> | undefined
}

type RankedRow = Top10Row & { rank: number }

/** The number of highlighted rows. */
const BEST = 3

/** The ten best agents, with their offices if the viewer may see them, or the ten best offices. */
export function Top10Table({ label, groupBy, viewer, rows, covers }: Top10TableProps) {
  const byAgent = groupBy === 'agent'
  const withOffice = byAgent ? can(viewer, 'offices.choose') : true
  const best = rows?.[0]?.sales ?? 0
  const officeColumn: PlainColumn<Top10Row> = {
    header: 'Office',
    className: byAgent ? classes.office : classes.name,
    cell: (row) => (
      <div>
        {row.office === undefined ? (
          <span className={classes.unnamed}>Another office</span>
        ) : row.companyId === undefined ? (
          row.office
        ) : (
          <OfficeLink id={row.companyId}>{row.office}</OfficeLink>
        )}
        {!byAgent && <You when={isOwn(viewer, row)} />}
      </div>
    ),
  }
  const agentColumn: PlainColumn<Top10Row> = {
    header: 'Agent',
    className: classes.name,
    cell: (row) => (
      <>
        {row.agentId === undefined ? (
          row.agent
        ) : (
          <AgentLink id={row.agentId}>{row.agent}</AgentLink>
        )}
        {row.agentName && <span className={classes.full}> ({row.agentName})</span>}
        <You when={isOwn(viewer, row) && viewer.role === 'agent'} />
      </>
    ),
  }
  const columns: PlainColumn<RankedRow>[] = [
    { header: 'No', className: classes.rank, cell: ({ rank }) => <span>{rank}</span> },
    ...(withOffice ? [officeColumn] : []),
    ...(byAgent ? [agentColumn] : []),
    {
      header: 'Sales',
      numeric: true,
      cell: (row) => (
        <>
          <Share sales={row.sales} best={best} />
          <Amount
            of={covers && salesOf(row, groupBy, covers)}
            label={`Sales ${formatCount(row.sales)}`}
          >
            <LiveCount value={row.sales} />
          </Amount>
        </>
      ),
    },
  ]
  if (rows?.length === 0)
    return <EmptyBoard about="The best sellers appear here after their first sale." />
  return (
    <PlainTable
      label={label}
      look="lined"
      className={classes.board}
      columns={columns}
      rows={rows?.map((row, index) => ({ ...row, rank: index + 1 }))}
      rowKey={({ agent, office, rank }) => agent ?? office ?? rank}
      marksOf={(row) => ({
        'data-best': row.rank <= BEST || undefined,
        'data-own': isOwn(viewer, row) || undefined,
      })}
      waiting={<WaitingRows columns={columns.length} rows={TOP_ROWS} />}
    />
  )
}

/** Opens for viewers who were told whose sales these are. */
function salesOf(
  { agentId, companyId }: Top10Row,
  groupBy: BoardGrouping,
  covers: NonNullable<Top10TableProps['covers']>,
): AmountQuestion | undefined {
  const whose = groupBy === 'agent' ? agentId && { agentId } : companyId && { companyId }
  return whose ? { report: 'sites', column: 'sales', ...covers, ...whose } : undefined
}

const You = ({ when }: { when: boolean }) => when && <span className={classes.you}>You</span>

/** The server sends offices only their own name and the names of their own agents. */
function isOwn(viewer: Me, { agent, agentName, office }: Top10Row): boolean {
  if (viewer.role === 'agent') return agent === viewer.username
  return viewer.role === 'company' && (agentName ?? office) !== undefined
}
