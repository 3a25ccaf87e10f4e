import { Badge } from '@mantine/core'
import {
  CLICK_NOTE_WORDS,
  type ClickLogItem,
  type UNCOUNTED,
} from '@tallyroom/contract/desk/click-logs'
import { can, type AbilityHolder } from '@tallyroom/domain/abilities'
import type { BrandFlags } from '@tallyroom/domain/brands/index'
import { formatCount } from '@tallyroom/domain/money'
import { formatClock } from '@tallyroom/domain/new-york'
import { SUB_NAMES } from '@tallyroom/domain/tracked-link'
import { subLabel } from '@tallyroom/contract/figures/stats-table'
import { Instant } from '../../ui/text/Instant.tsx'
import { IpLink } from '../../shared/IpLink.tsx'
import type { ListColumn } from '../../ui/list/columns.ts'
import { agentColumn, officeColumn, textColumn } from '../../ui/list/plain-columns.tsx'
import { LinkText } from '../../ui/links.tsx'
import { siteColumn } from '../../shared/site-column.tsx'
import { ShortLink } from '../../shared/ShortLink.tsx'
import { Tooltip } from '../../ui/Tooltip.tsx'

/** What determines the columns. */
export interface ClickLogView {
  viewer: AbilityHolder
  flags: BrandFlags
}

/** The columns if the condition holds, otherwise none. */
const only = <Column,>(condition: boolean, ...columns: Column[]) => (condition ? columns : [])

export const clickLogColumns = ({ viewer, flags }: ClickLogView): ListColumn<ClickLogItem>[] => [
  ...only(can(viewer, 'offices.choose'), officeColumn()),
  ...only(can(viewer, 'agents.choose'), agentColumn('agentUsername')),
  siteColumn(),
  textColumn('typename', 'Type', { card: 'title' }),
  {
    id: 'url',
    header: 'Link',
    note: 'The link that was opened. You can only copy it here, because opening it would count as a click',
    cell: ({ url, note }) => (
      <>
        <ShortLink url={url} maxLength={LINK_LENGTH} bare onlyCopied />
        {note && <LedElsewhere note={note} />}
      </>
    ),
    csv: [
      { header: 'Link', value: ({ url }) => url },
      { header: 'Led elsewhere because', value: ({ note }) => note },
    ],
  },
  ...SUB_NAMES.map((name) => textColumn(name, subLabel(name), { hiddenAtFirst: true })),
  {
    id: 'clickTime',
    header: 'Click Time',
    card: 'title',
    sortField: 'clickTime',
    fixed: true,
    cell: ({ clickTime }) => <Instant at={clickTime} />,
    csv: [
      {
        header: 'Click Time (New York)',
        value: ({ clickTime }) => formatClock(new Date(clickTime)),
      },
      { header: 'Click id', value: ({ id }) => id },
    ],
  },
  {
    id: 'sales',
    header: 'Sales',
    note: 'Entries of the sale log that came from this click',
    numeric: true,
    card: 'detail',
    behind: true,
    cell: ({ id, sales }) =>
      sales > 0 && (
        <LinkText
          to="/app/logs/sale-logs"
          search={{ clickId: id }}
          aria-label={`${sales} in the sale log`}
        >
          {formatCount(sales)}
        </LinkText>
      ),
    csv: [
      { header: 'Sales', value: ({ sales }) => String(sales) },
      { header: 'Counted', value: ({ counted }) => (counted ? 'yes' : 'no') },
      { header: 'Not counted because', value: ({ uncounted }) => uncounted },
    ],
  },
  ...only<ListColumn<ClickLogItem>>(
    flags.showIp,
    {
      id: 'fromIp',
      header: 'IP',
      cell: ({ fromIp }) => fromIp && <IpLink ip={fromIp} />,
      csv: ({ fromIp }) => fromIp,
    },
    {
      id: 'uniques',
      header: 'Uniques',
      cell: uniquesCell,
      note: UNIQUES_NOTE,
      csv: [{ header: 'Unique', value: ({ uniques }) => (uniques ? 'yes' : 'no') }],
    },
  ),
  // If IPs are shown, the Uniques column already says so.
  ...only<ListColumn<ClickLogItem>>(!flags.showIp, {
    id: 'counted',
    header: 'Counted',
    cell: ({ uncounted }) => (uncounted ? <NotCounted because={uncounted} /> : 'Yes'),
  }),
  ...only<ListColumn<ClickLogItem>>(flags.showReferrer, {
    id: 'referer',
    header: 'Referrer',
    cell: ({ referer }) => referer && <ShortLink url={referer} />,
    csv: ({ referer }) => referer,
  }),
  ...only(
    can(viewer, 'logs.click-outs.browser'),
    textColumn('userAgent', 'Browser', { note: 'The browser’s user agent', hiddenAtFirst: true }),
  ),
]

/** Enough for the host name and the ids, which tell links apart. */
const LINK_LENGTH = 36

const UNIQUES_NOTE = 'Whether it was the address’s first click on this link that day'

function uniquesCell({ uncounted, uniques }: ClickLogItem) {
  if (uncounted) return <NotCounted because={uncounted} />
  return uniques ? 'Yes' : 'No'
}

type Uncounted = (typeof UNCOUNTED)[number]

const NotCounted = ({ because }: { because: Uncounted }) => (
  <Tooltip label={REASONS[because].sentence} withArrow>
    <Badge color="gray" maw="none" tabIndex={0}>
      Not counted: {REASONS[because].word}
    </Badge>
  </Tooltip>
)

const LedElsewhere = ({ note }: { note: NonNullable<ClickLogItem['note']> }) => (
  <Tooltip label={CLICK_NOTE_WORDS[note]} withArrow>
    <Badge color="gray" maw="none" tabIndex={0}>
      Led elsewhere: {note}
    </Badge>
  </Tooltip>
)

const REASONS = {
  blacklisted: {
    word: 'black-listed',
    sentence: 'The address is black-listed. A sale from this click is marked as fraud',
  },
  prefetch: {
    word: 'prefetch',
    sentence: 'An app or browser loaded the link for a preview. Nobody had clicked it yet',
  },
  headless: { word: 'headless', sentence: 'The browser identifies itself as automated' },
  'too many': {
    word: 'too many',
    sentence: 'This address opened the link more often in a minute than a person would',
  },
} satisfies Record<Uncounted, { word: string; sentence: string }>
