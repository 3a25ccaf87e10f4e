import { Badge } from '@mantine/core'
import type { ClickLogItem } from '@tallyroom/contract/click-logs'
import { can, type AbilityHolder } from '@tallyroom/domain/abilities'
import type { BrandFlags } from '@tallyroom/domain/brands/index'
import { formatClock, formatDateTime } from '@tallyroom/domain/new-york'
import { IpLink } from '../../ui/IpLink.tsx'
import type { ListColumn } from '../../ui/list/columns.ts'
import type { CsvColumn } from '../../ui/list/ExportCsv.tsx'
import { ShortLink } from '../../ui/ShortLink.tsx'
import { Tooltip } from '../../ui/floating/Tooltip.tsx'

/** Who looks, and what the brand shows. */
export interface ClickLogView {
  viewer: AbilityHolder
  flags: BrandFlags
}

/** Left out where nobody may see it. */
const only = <Column,>(condition: boolean, ...columns: Column[]) => (condition ? columns : [])

export const clickLogColumns = ({ viewer, flags }: ClickLogView): ListColumn<ClickLogItem>[] => [
  ...only<ListColumn<ClickLogItem>>(can(viewer, 'offices.choose'), {
    id: 'officeName',
    header: 'Office',
    cell: ({ officeName }) => officeName,
  }),
  ...only<ListColumn<ClickLogItem>>(can(viewer, 'agents.choose'), {
    id: 'agentUsername',
    header: 'Agent',
    cell: ({ agentUsername }) => agentUsername,
  }),
  { id: 'sitename', header: 'Site', cell: ({ sitename }) => sitename },
  { id: 'typename', header: 'Type', cell: ({ typename }) => typename },
  {
    id: 'url',
    header: 'Link',
    note: 'The link that was opened. Opening it again would count a click, so it is only copied',
    cell: ({ url }) => <ShortLink url={url} maxLength={LINK_LENGTH} onlyCopied />,
  },
  {
    id: 'clickTime',
    header: 'Click Time',
    sortField: 'clickTime',
    fixed: true,
    cell: ({ clickTime }) => formatDateTime(new Date(clickTime)),
  },
  ...only<ListColumn<ClickLogItem>>(
    flags.showIp,
    { id: 'fromIp', header: 'IP', cell: ({ fromIp }) => fromIp && <IpLink ip={fromIp} /> },
    { id: 'uniques', header: 'Uniques', cell: uniquesCell, note: UNIQUES_NOTE },
  ),
  // Elsewhere it stands beside the uniques.
  ...only<ListColumn<ClickLogItem>>(!flags.showIp, {
    id: 'counted',
    header: 'Counted',
    cell: ({ counted }) => (counted ? 'Yes' : <NotCounted />),
  }),
  ...only<ListColumn<ClickLogItem>>(flags.showReferrer, {
    id: 'referer',
    header: 'Referrer',
    cell: ({ referer }) => referer && <ShortLink url={referer} />,
  }),
]

/** Enough for host name and ids, by which links differ. */
const LINK_LENGTH = 56

const UNIQUES_NOTE = 'Whether it was the first click of its address on this link on its day'

function uniquesCell({ counted, uniques }: ClickLogItem) {
  if (!counted) return <NotCounted />
  return uniques ? 'Yes' : 'No'
}

const NotCounted = () => (
  <Tooltip label="From a black-listed address: kept, but not counted" withArrow>
    <Badge color="red" variant="light" maw="none" tabIndex={0}>
      Not counted
    </Badge>
  </Tooltip>
)

export const clickLogCsvColumns = ({ viewer, flags }: ClickLogView): CsvColumn<ClickLogItem>[] => [
  ...only<CsvColumn<ClickLogItem>>(can(viewer, 'offices.choose'), {
    header: 'Office',
    value: ({ officeName }) => officeName,
  }),
  ...only<CsvColumn<ClickLogItem>>(can(viewer, 'agents.choose'), {
    header: 'Agent',
    value: ({ agentUsername }) => agentUsername,
  }),
  { header: 'Site', value: ({ sitename }) => sitename },
  { header: 'Type', value: ({ typename }) => typename },
  { header: 'Link', value: ({ url }) => url },
  { header: 'Click Time (New York)', value: ({ clickTime }) => formatClock(new Date(clickTime)) },
  { header: 'Click id', value: ({ id }) => id },
  { header: 'Counted', value: ({ counted }) => (counted ? 'yes' : 'no') },
  ...only<CsvColumn<ClickLogItem>>(
    flags.showIp,
    { header: 'IP', value: ({ fromIp }) => fromIp ?? '' },
    { header: 'Unique', value: ({ uniques }) => (uniques ? 'yes' : 'no') },
  ),
  ...only<CsvColumn<ClickLogItem>>(flags.showReferrer, {
    header: 'Referrer',
    value: ({ referer }) => referer ?? '',
  }),
]
