import type { LinkTypeItem } from '@tallyroom/contract/catalogue/link-types'
import type { FeeRates } from '@tallyroom/contract/catalogue/office-fees'
import type { DatedRate } from '@tallyroom/contract/catalogue/rates'
import type { SaleNaming } from '@tallyroom/domain/event-types'
import { formatCount, formatDollars, formatPesos } from '@tallyroom/domain/money'
import { Prepared } from '../../shared/rates/Prepared.tsx'
import type { RateUnit } from '../../shared/rates/rate-text.ts'
import { IconHistory } from '@tabler/icons-react'
import { IconButton } from '../../ui/IconButton.tsx'
import { BonusLabel } from '../../shared/BonusLabel.tsx'
import { EditLink } from '../../ui/list/EditLink.tsx'
import type { ListColumn } from '../../ui/list/columns.ts'
import { textColumn, actionsColumn, statusColumn } from '../../ui/list/plain-columns.tsx'
import { ShortLink } from '../../shared/ShortLink.tsx'
import { labelled, saleLabels } from './sale-labels.ts'

interface Figure {
  id: keyof FeeRates
  header: string
  sortField?: string
  bonus?: boolean
  behind?: boolean
  value: (type: LinkTypeItem) => number | undefined
  unit: RateUnit
}

interface FiguresInput {
  site: SaleNaming
  /** The server leaves earnings out for viewers who may not see them. */
  withEarning: boolean
  /** Whether any link type has a bonus, or the site uses approve-sale. */
  withBonus: boolean
}

/** A link type's rates for a sale and for a bonus. */
export function figuresOf({ site, withEarning, withBonus }: FiguresInput): Figure[] {
  const { sale, bonus } = saleLabels(site)
  const figures: (Figure & { earning?: true })[] = [
    {
      id: 'payout',
      header: labelled(sale, 'Payout'),
      sortField: 'payout',
      value: ({ payout }) => payout,
      unit: 'pesos',
    },
    {
      id: 'earning',
      header: labelled(sale, 'Earning'),
      sortField: 'earning',
      earning: true,
      value: ({ earning }) => earning,
      unit: 'dollars',
    },
    {
      id: 'lpp',
      header: labelled(sale, 'LPP'),
      sortField: 'lpp',
      value: ({ lpp }) => lpp,
      unit: 'points',
    },
    {
      id: 'bonusPayout',
      header: labelled(bonus, 'Payout'),
      bonus: true,
      value: ({ bonusPayout }) => bonusPayout,
      unit: 'pesos',
    },
    {
      id: 'bonusEarning',
      header: labelled(bonus, 'Earning'),
      bonus: true,
      earning: true,
      value: ({ bonusEarning }) => bonusEarning,
      unit: 'dollars',
    },
    {
      id: 'bonusLpp',
      header: labelled(bonus, 'LPP'),
      bonus: true,
      behind: true,
      value: ({ bonusLpp }) => bonusLpp,
      unit: 'points',
    },
  ]
  return figures.filter(
    ({ earning, bonus: ofBonus }) => (withEarning || !earning) && (withBonus || !ofBonus),
  )
}

/** In characters: the host, and the beginning of the path. */
const URL_LENGTH = 22

const formats = { pesos: formatPesos, dollars: formatDollars, points: formatCount }

interface LinkTypeColumnsInput {
  figures: readonly Figure[]
  mayManage: boolean
  /** The prepared default rates, earliest first. */
  prepared: readonly DatedRate[]
  /** Opens a link type's dated rates. */
  onDates: (type: LinkTypeItem) => void
}

export const linkTypeColumns = ({
  figures,
  mayManage,
  prepared,
  onDates,
}: LinkTypeColumnsInput): ListColumn<LinkTypeItem>[] => [
  {
    id: 'typename',
    header: 'Link Name',
    card: 'title',
    sortField: 'typename',
    fixed: true,
    cell: ({ typename }) => typename,
    csv: [
      { header: 'Link Name', value: ({ typename }) => typename },
      { header: 'Alias', value: ({ typealias }) => typealias },
    ],
  },
  {
    id: 'url',
    header: 'URL',
    sortField: 'url',
    cell: ({ url = '' }) => <ShortLink url={url} maxLength={URL_LENGTH} bare />,
    csv: ({ url }) => url,
  },
  ...figures.map(({ value, unit, ...column }): ListColumn<LinkTypeItem> => ({
    ...column,
    ...(column.id === 'payout' && { card: 'money' }),
    numeric: true,
    csv: value,
    cell: (type) => {
      const figure = value(type)
      if (figure === undefined || (column.bonus && !type.bonus)) return '–'
      const text = formats[unit](figure)
      return (
        <>
          {column.bonus ? <BonusLabel>{text}</BonusLabel> : text}
          <Prepared
            rates={prepared.filter(({ typeId }) => typeId === type.id)}
            present={figure}
            field={column.id}
            unit={unit}
          />
        </>
      )
    },
  })),
  textColumn('bbrCh', 'Channel', { sortField: 'bbrCh', behind: true }),
  statusColumn,
  {
    ...actionsColumn(48, (type: LinkTypeItem) => (
      <>
        <IconButton
          title="Dates of these rates"
          aria-label={`Dates of the rates of ${type.typename}`}
          onClick={() => onDates(type)}
        >
          <IconHistory size={16} stroke={1.6} />
        </IconButton>
        {mayManage && (
          <EditLink
            to="/app/sites/$siteId/types/edit/$id"
            params={{ siteId: String(type.siteId), id: String(type.id) }}
            aria-label={`Edit ${type.typename}`}
          />
        )}
      </>
    )),
    // Viewers who can't change links get their history instead.
    ...(!mayManage && { header: 'Dates' }),
  },
]
