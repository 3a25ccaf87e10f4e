import { formatCount, formatPesos } from '@tallyroom/domain/money'
import { IconQrcode, IconShare } from '@tabler/icons-react'
import { CopyButton } from '../../ui/CopyButton.tsx'
import type { ListColumn } from '../../ui/list/columns.ts'
import { RowIcon } from '../../ui/list/RowIcon.tsx'
import { FIGURE_DAYS, type LinkItem } from './links.api.ts'
import classes from './link-columns.module.css'
import { shareLink } from './share-link.ts'
import { actionsColumn } from '../../ui/list/plain-columns.tsx'

/** The name of a link: site and link type. */
export const linkName = ({ sitename, typename }: Pick<LinkItem, 'sitename' | 'typename'>) =>
  `${sitename}_${typename}`

/** The link is plain text, because opening it would count as a click. */
export const linkColumns = (
  onQr: (item: LinkItem) => void,
  withPayout: boolean,
): ListColumn<LinkItem>[] => [
  {
    id: 'name',
    header: 'Name',
    fixed: true,
    cell: (item) => <div className={classes.name}>{linkName(item)}</div>,
    csv: linkName,
  },
  actionsColumn(80, (item) => (
    <>
      <CopyButton value={item.link} what={`link ${linkName(item)}`} />
      <RowIcon
        icon={IconQrcode}
        label={`QR code of ${linkName(item)}`}
        tooltip="QR code"
        onClick={() => onQr(item)}
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
  figureColumn('uniques', 'Uniques'),
  figureColumn('sales', 'Sales'),
  ...(withPayout
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

const figureColumn = (id: 'uniques' | 'sales', header: string): ListColumn<LinkItem> => ({
  id,
  header,
  numeric: true,
  note: `Of the last ${FIGURE_DAYS} days, with today.`,
  cell: ({ figures }) => figures && formatCount(figures[id]),
  csv: ({ figures }) => figures?.[id],
})
