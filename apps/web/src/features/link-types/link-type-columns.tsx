import type { LinkTypeItem } from '@tallyroom/contract/link-types'
import type { SaleNaming } from '@tallyroom/domain/event-types'
import { statusLabel } from '@tallyroom/domain/labels'
import { formatCount, formatDollars, formatPesos } from '@tallyroom/domain/money'
import { BonusLabel } from '../../ui/BonusLabel.tsx'
import { EditLink } from '../../ui/list/EditLink.tsx'
import type { ListColumn } from '../../ui/list/columns.ts'
import type { CsvColumn } from '../../ui/list/ExportCsv.tsx'
import { RowActions } from '../../ui/list/RowActions.tsx'
import { ShortLink } from '../../ui/ShortLink.tsx'
import { StatusText } from '../../ui/StatusText.tsx'
import { labelled, saleLabels } from './sale-labels.ts'

interface Figure {
  id: string
  header: string
  sortField?: string
  bonus?: boolean
  value: (type: LinkTypeItem) => number | undefined
  format: (value: number) => string
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
      format: formatPesos,
    },
    {
      id: 'earning',
      header: labelled(sale, 'Earning'),
      sortField: 'earning',
      earning: true,
      value: ({ earning }) => earning,
      format: formatDollars,
    },
    {
      id: 'lpp',
      header: labelled(sale, 'LPP'),
      sortField: 'lpp',
      value: ({ lpp }) => lpp,
      format: formatCount,
    },
    {
      id: 'bonusPayout',
      header: labelled(bonus, 'Payout'),
      bonus: true,
      value: ({ bonusPayout }) => bonusPayout,
      format: formatPesos,
    },
    {
      id: 'bonusEarning',
      header: labelled(bonus, 'Earning'),
      bonus: true,
      earning: true,
      value: ({ bonusEarning }) => bonusEarning,
      format: formatDollars,
    },
    {
      id: 'bonusLpp',
      header: labelled(bonus, 'LPP'),
      bonus: true,
      value: ({ bonusLpp }) => bonusLpp,
      format: formatCount,
    },
  ]
  return figures.filter(
    ({ earning, bonus: ofBonus }) => (withEarning || !earning) && (withBonus || !ofBonus),
  )
}

interface LinkTypeColumnsInput {
  figures: readonly Figure[]
  mayManage: boolean
}

export const linkTypeColumns = ({
  figures,
  mayManage,
}: LinkTypeColumnsInput): ListColumn<LinkTypeItem>[] => [
  {
    id: 'typename',
    header: 'Link Name',
    card: 'title',
    sortField: 'typename',
    fixed: true,
    cell: ({ typename }) => typename,
  },
  {
    id: 'url',
    header: 'URL',
    sortField: 'url',
    cell: ({ url = '' }) => <ShortLink url={url} />,
  },
  ...figures.map(({ value, format, ...column }): ListColumn<LinkTypeItem> => ({
    ...column,
    ...(column.id === 'payout' && { card: 'money' }),
    numeric: true,
    cell: (type) => {
      const figure = value(type)
      if (figure === undefined || (column.bonus && !type.bonus)) return '–'
      return column.bonus ? <BonusLabel>{format(figure)}</BonusLabel> : format(figure)
    },
  })),
  { id: 'bbrCh', header: 'Channel', sortField: 'bbrCh', cell: ({ bbrCh }) => bbrCh },
  {
    id: 'status',
    header: 'Status',
    card: 'title',
    sortField: 'status',
    cell: ({ active }) => <StatusText status={{ active }} />,
  },
  ...(mayManage
    ? [
        {
          id: 'actions',
          header: 'Actions',
          fixed: true,
          skeletonWidth: 24,
          cell: ({ id, siteId, typename }: LinkTypeItem) => (
            <RowActions>
              <EditLink
                to="/app/sites/$siteId/types/edit/$id"
                params={{ siteId: String(siteId), id: String(id) }}
                aria-label={`Edit ${typename}`}
              />
            </RowActions>
          ),
        },
      ]
    : []),
]

export const linkTypeCsvColumns = (figures: readonly Figure[]): CsvColumn<LinkTypeItem>[] => [
  { header: 'Link Name', value: ({ typename }) => typename },
  { header: 'Alias', value: ({ typealias }) => typealias },
  { header: 'URL', value: ({ url }) => url },
  ...figures.map(({ header, value }) => ({ header, value })),
  { header: 'Channel', value: ({ bbrCh }) => bbrCh },
  { header: 'Status', value: ({ active }) => statusLabel({ active }) },
]
