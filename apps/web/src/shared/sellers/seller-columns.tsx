import { Text } from '@mantine/core'
import {
  SELLER_DAYS,
  type SellerDays,
  type SellerFigures,
} from '@tallyroom/contract/people/sellers'
import { formatCount } from '@tallyroom/domain/money'
import { daysInWords } from '@tallyroom/domain/periods'
import type { ListColumn } from '../../ui/list/columns.ts'
import { FigureLink } from '../../ui/text/Amount.tsx'
import { Change } from '../../ui/Tile.tsx'
import { bothText } from '../earned.tsx'
import { csvMoney } from '../money-columns.ts'

interface Seller {
  name: string
  /** The statistics that prove its figures. */
  stats: { agentId?: number; companyId?: number }
}

type Row = { figures?: SellerFigures | undefined }

interface SellerColumnsInput<Seen extends Row> {
  /** Undefined before the first answer. */
  days: SellerDays | undefined
  sellerOf: (row: Seen) => Seller
}

/** What agents or offices sold of late, each figure with how it changed; the day of the last sale. */
export function sellerColumns<Seen extends Row>({
  days,
  sellerOf,
}: SellerColumnsInput<Seen>): ListColumn<Seen>[] {
  const count = (id: 'clicks' | 'sales', header: string): ListColumn<Seen> => ({
    id,
    header,
    sortField: id,
    numeric: true,
    ...(id === 'sales' && { card: 'money' as const }),
    cell: (row) => {
      const { figures } = row
      if (!figures || !days) return '–'
      const { name, stats } = sellerOf(row)
      const { [id]: now, before } = figures
      return (
        <>
          <FigureLink
            to="/app/stats/sites"
            search={{ ...stats, start: days.start, end: days.end, groupBy: 'date' }}
            label={`${header} of ${name}, ${formatCount(now)}: statistics`}
          >
            {formatCount(now)}
          </FigureLink>{' '}
          <Trend days={days} now={now} before={before[id]} events={before[id]} />
        </>
      )
    },
    csv: [
      { header: `${header}, ${SELLER_DAYS} days`, value: ({ figures }) => figures?.[id] },
      {
        header: `${header}, ${SELLER_DAYS} days before`,
        value: ({ figures }) => figures?.before[id],
      },
    ],
  })
  return [
    count('clicks', 'Clicks'),
    count('sales', 'Sales'),
    // Before the answer, as for those who may see it.
    ...(days && !days.earnedBy ? [] : [earnedColumn<Seen>(days)]),
    {
      id: 'lastSale',
      header: 'Last Sale',
      note: 'The last day on which more was sold than taken back',
      sortField: 'lastSale',
      cell: ({ figures }) =>
        !figures
          ? '–'
          : (figures.lastSaleDay ?? (
              <Text span inherit c="dimmed">
                None in {2 * SELLER_DAYS} days
              </Text>
            )),
      csv: ({ figures }) => figures?.lastSaleDay,
    },
  ]
}

const earnedHeader = (days: SellerDays | undefined) =>
  days?.earnedBy === 'rates' ? 'By rates' : 'Earned'

const earnedColumn = <Seen extends Row>(days: SellerDays | undefined): ListColumn<Seen> => ({
  id: 'earned',
  header: earnedHeader(days),
  note:
    days?.earnedBy === 'rates'
      ? 'What the sales’ own rates and bonuses pay. Pay is not switched on'
      : 'What rates, tiers and bonuses pay',
  numeric: true,
  // Beside the sales, there is no room for it on a phone.
  card: 'title',
  cell: ({ figures }) => {
    const { earned, before } = figures ?? {}
    if (!days || !earned || !before?.earned) return '–'
    const compared = inOneCurrency(earned, before.earned)
    return (
      <>
        {bothText(earned)}{' '}
        {compared && (
          <Trend
            days={days}
            {...compared}
            events={before.sales}
            beforeText={bothText(before.earned)}
            isMoney
          />
        )}
      </>
    )
  },
  csv: (['PHP', 'USD'] as const).flatMap((currency) => [
    {
      header: `${earnedHeader(days)} ${currency}, ${SELLER_DAYS} days`,
      value: ({ figures }: Seen) => figures?.earned && csvMoney(figures.earned[currency]),
    },
    {
      header: `${earnedHeader(days)} ${currency}, ${SELLER_DAYS} days before`,
      value: ({ figures }: Seen) =>
        figures?.before.earned && csvMoney(figures.before.earned[currency]),
    },
  ]),
})

interface TrendProps {
  days: SellerDays
  now: number
  before: number
  events: number
  beforeText?: string
  isMoney?: boolean
}

/** Nothing against nothing is no change that somebody looks for. */
const Trend = ({ days, now, before, ...change }: TrendProps) =>
  now === 0 && before === 0 ? null : (
    <Text span fz={11}>
      <Change now={now} before={before} against={daysInWords(days.before)} {...change} />
    </Text>
  )

type Amounts = NonNullable<SellerFigures['earned']>

/** Both sums, if one currency has all of them. */
function inOneCurrency(now: Amounts, before: Amounts) {
  if (now.USD === 0 && before.USD === 0) return { now: now.PHP, before: before.PHP }
  if (now.PHP === 0 && before.PHP === 0) return { now: now.USD, before: before.USD }
  return undefined
}
