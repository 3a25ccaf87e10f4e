import { formatCount, formatPesos } from '@tallyroom/domain/money'
import { IconFlask, IconLinkPlus, IconQrcode, IconShare } from '@tabler/icons-react'
import { CopyButton } from '../../ui/CopyButton.tsx'
import type { ListColumn } from '../../ui/list/columns.ts'
import { RowIcon } from '../../ui/list/RowIcon.tsx'
import { FIGURE_DAYS, type LinkFigures, type LinkItem } from './links.api.ts'
import classes from './link-columns.module.css'
import { shareLink } from './share-link.ts'
import { actionsColumn } from '../../ui/list/plain-columns.tsx'

/** The name of a link: site and link type. */
export const linkName = ({ sitename, typename }: Pick<LinkItem, 'sitename' | 'typename'>) =>
  `${sitename}_${typename}`

/** Opens a dialog about a link. */
export type OnOpen = (open: { what: 'qr' | 'short' | 'test'; item: LinkItem }) => void

/** The link is plain text, because opening it would count as a click. */
export const linkColumns = (
  onOpen: OnOpen,
  seen: { payout: boolean; earned: boolean },
): ListColumn<LinkItem>[] => [
  {
    id: 'name',
    header: 'Name',
    fixed: true,
    cell: (item) => <div className={classes.name}>{linkName(item)}</div>,
    csv: linkName,
  },
  actionsColumn(136, (item) => (
    <>
      <CopyButton value={item.link} what={`link ${linkName(item)}`} />
      <RowIcon
        icon={IconQrcode}
        label={`QR code of ${linkName(item)}`}
        tooltip="QR code"
        onClick={() => onOpen({ what: 'qr', item })}
      />
      <RowIcon
        icon={IconLinkPlus}
        label={`Short links of ${linkName(item)}`}
        tooltip="Short links"
        onClick={() => onOpen({ what: 'short', item })}
      />
      <RowIcon
        icon={IconFlask}
        label={`Test ${linkName(item)}`}
        tooltip="Test"
        onClick={() => onOpen({ what: 'test', item })}
      />
      <RowIcon
        icon={IconShare}
        label={`Share ${linkName(item)}`}
        tooltip="Share"
        onClick={() => void shareLink(item)}
      />
    </>
  )),
  {
    id: 'link',
    header: 'Link',
    fixed: true,
    cell: ({ link }) => <code className={classes.link}>{link}</code>,
    csv: ({ link }) => link,
  },
  figureColumn('raws', 'Raws', true),
  figureColumn('uniques', 'Uniques'),
  figureColumn('sales', 'Sales'),
  ...(seen.earned ? [earnedColumn] : []),
  ...(seen.payout
    ? [
        {
          id: 'payout',
          header: 'Pays',
          numeric: true,
          note: 'What a sale pays now. On AVP sites, the tier of the week pays the agent’s sales.',
          cell: ({ payout, avp }: LinkItem) =>
            payout === undefined ? '–' : `${formatPesos(payout)}${avp ? ' or AVP' : ''}`,
        },
      ]
    : []),
]

const figureColumn = (
  id: 'raws' | 'uniques' | 'sales',
  header: string,
  hiddenAtFirst = false,
): ListColumn<LinkItem> => ({
  id,
  header,
  numeric: true,
  hiddenAtFirst,
  note: `Of the last ${FIGURE_DAYS} days, with today.`,
  cell: ({ figures }) => figures && formatCount(figures[id]),
  csv: ({ figures }) => figures?.[id],
})

const earnedColumn: ListColumn<LinkItem> = {
  id: 'earned',
  header: 'Earned',
  numeric: true,
  note: `Payout and bonus payout of the last ${FIGURE_DAYS} days, with today, as in Sites Statistics. What AVP tiers pay is not in it.`,
  cell: ({ figures }) => earnedText(figures),
  csv: ({ figures }) => figures?.earned,
}

const earnedText = (figures: LinkFigures | undefined) =>
  figures?.earned === undefined ? undefined : formatPesos(figures.earned)
