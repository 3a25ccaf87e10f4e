import type { Dashboard } from '@tallyroom/contract/desk/dashboard'
import { formatCount } from '@tallyroom/domain/money'
import { TOP_ROWS } from '@tallyroom/contract/figures/top-agents'
import type { DateRange } from '@tallyroom/domain/periods'
import { officeSales } from '../../lib/office-sales.ts'
import { useMe } from '../../lib/session.ts'
import { Amount } from '../../ui/text/Amount.tsx'
import classes from './HomePage.module.css'
import board from '../../shared/boards/Board.module.css'
import { EmptyBoard, WaitingRows } from '../../shared/boards/BoardRows.tsx'
import { LiveCount } from '../../shared/boards/LiveCount.tsx'
import { Progress } from '../../shared/boards/Progress.tsx'
import { OfficeLink } from '../../ui/ObjectLink.tsx'
import { PlainTable } from '../../ui/PlainTable.tsx'

type RankedOffice = Dashboard['officeRanking'][number]

interface OfficeRankingProps {
  /** Undefined before the first answer. */
  offices: readonly RankedOffice[] | undefined
  /** The viewer's own office, which is always listed. */
  ownId: number | null
  /** Shows the whole ranking instead of the top ten. */
  whole: boolean
  /** The half-month. */
  days: DateRange | undefined
}

/** Offices ranked by their sales in a half-month, compared with the half-month before. */
export function OfficeRanking({ offices, ownId, whole, days }: OfficeRankingProps) {
  const me = useMe()
  const ranked = offices?.map((office, index) => ({ ...office, rank: index + 1 }))
  const shown = ranked?.filter(({ rank, id }) => whole || rank <= TOP_ROWS || id === ownId)
  if (shown?.length === 0)
    return <EmptyBoard about="Offices appear here after their first sale of the half-month." />
  return (
    <PlainTable
      label="BiWeekly office ranking"
      look="lined"
      className={board.board}
      columns={[
        { header: 'No', className: board.rank, cell: ({ rank }) => <span>{rank}</span> },
        {
          header: 'Office',
          className: board.name,
          cell: ({ id, name }) => (
            <>
              <OfficeLink id={id}>{name}</OfficeLink>
              {id === ownId && <span className={board.you}>Your office</span>}
            </>
          ),
        },
        {
          header: 'Sales',
          numeric: true,
          cell: ({ id, sales1 }) => (
            <Amount of={days && officeSales(me, id, days)} label={`Sales ${formatCount(sales1)}`}>
              <LiveCount value={sales1} />
            </Amount>
          ),
        },
        {
          header: 'Growth',
          numeric: true,
          cell: ({ progress }) => <Progress percent={progress} />,
        },
        {
          header: 'To date',
          className: classes.toDate,
          numeric: true,
          cell: ({ growth }) => <Progress percent={growth} />,
        },
      ]}
      rows={shown}
      rowKey={({ id }) => id}
      marksOf={({ id }) => ({ 'data-own': id === ownId || undefined })}
      waiting={<WaitingRows columns={5} rows={TOP_ROWS} />}
    />
  )
}
