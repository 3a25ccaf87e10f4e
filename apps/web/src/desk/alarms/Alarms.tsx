import { Button } from '@mantine/core'
import { type Alarm, alarmsEndpoints } from '@tallyroom/contract/desk/alarms'
import { can } from '@tallyroom/domain/abilities'
import type { Watched } from '@tallyroom/domain/alarms'
import { dayOf } from '@tallyroom/domain/new-york'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'
import { useMe } from '../../lib/session.ts'
import { useOneMutation } from '../../lib/forms/use-one-mutation.ts'
import { AlarmLink } from '../../shared/AlarmLink.tsx'
import { alarmFact, alarmTitle } from '@tallyroom/contract/desk/alarm-words'
import type { Within } from '../../shared/within.ts'
import { Instant } from '../../ui/text/Instant.tsx'
import type { ListColumn } from '../../ui/list/columns.ts'
import { DataTable } from '../../ui/list/DataTable.tsx'
import { EmptyList } from '../../ui/list/EmptyList.tsx'
import { alarmsQuery, refreshAlarms } from './alarms.api.ts'
import classes from './alarms.module.css'
import { HoursChart } from './HoursChart.tsx'
import { QuietDialog, type Quieted } from './QuietDialog.tsx'
import { useAsked } from '../../ui/use-asked.ts'

interface AlarmsProps {
  within: Within
  /** What the chart is about unless an alarm is chosen. */
  subject: { watched: Watched; id: number; name: string }
  /** The link type whose alarm led here. */
  typeId?: number | undefined
}

/** The alarms of the network, a site or an office, and the chart that shows what is wrong. */
export function Alarms({ within, subject, typeId }: AlarmsProps) {
  const me = useMe()
  const query = useQuery(alarmsQuery(within))
  const { asked: quieting, key, ask, end } = useAsked<Quieted>()
  const items = query.data?.items
  const shown = items?.find(({ watched, watchedId, endedAt }) =>
    typeId === undefined
      ? endedAt === null && watched === subject.watched && watchedId === subject.id
      : watched === 'type' && watchedId === typeId,
  )
  const drawn =
    shown && shown.watched !== 'domain'
      ? { watched: shown.watched, id: shown.watchedId, name: shown.name || subject.name }
      : subject
  const { siteId } = within
  return (
    <div className={classes.page}>
      <HoursChart
        key={`${drawn.watched} ${drawn.id}`}
        {...drawn}
        measure={shown?.kind.endsWith('clicks') ? 'clicks' : 'sales'}
      />
      {siteId !== undefined && can(me, 'alarms.quiet') && (
        <SiteQuiet
          site={{ id: siteId, of: 'site', name: subject.name }}
          until={query.data?.siteQuietUntil ?? null}
          onQuiet={ask}
        />
      )}
      <DataTable
        caption="Alarms"
        columns={columnsOf(can(me, 'alarms.quiet') ? ask : undefined)}
        rows={items}
        rowKey={({ id }) => String(id)}
        rowTone={({ endedAt, quietUntil }) =>
          endedAt === null && !isQuiet(quietUntil) ? 'bad' : undefined
        }
        empty={
          <EmptyList
            text="No alarms in 30 days"
            about="One is raised when clicks or sales stop coming, when far too many come, when a merchant’s postbacks are refused, and when a link leads nowhere."
          />
        }
        failure={query}
      />
      {quieting && <QuietDialog key={key} quieted={quieting} onClosed={end} />}
    </div>
  )
}

const isQuiet = (until: string | null) => until !== null && Date.parse(until) > Date.now()

const columnsOf = (onQuiet: ((quieted: Quieted) => void) | undefined): ListColumn<Alarm>[] => [
  {
    id: 'alarm',
    header: 'Alarm',
    fixed: true,
    card: 'title',
    cell: (alarm) => (
      <span className={classes.what}>
        <AlarmLink alarm={alarm} />
        <small>{alarmFact(alarm)}</small>
      </span>
    ),
  },
  {
    id: 'raisedAt',
    header: 'Raised',
    card: 'detail',
    cell: ({ raisedAt }) => <Instant at={raisedAt} />,
  },
  {
    id: 'state',
    header: 'Until',
    card: 'detail',
    cell: ({ endedAt, quietUntil }) => {
      if (endedAt !== null) return <Instant at={endedAt} />
      return quietUntil !== null && isQuiet(quietUntil)
        ? `Quiet until ${dayOf(new Date(quietUntil))}`
        : 'Now'
    },
  },
  ...(onQuiet
    ? [
        {
          id: 'actions',
          header: 'Actions',
          fixed: true,
          cell: (alarm) =>
            alarm.endedAt === null && (
              <QuietButton
                quieted={{ id: alarm.id, of: 'alarm', name: alarmTitle(alarm) }}
                until={isQuiet(alarm.quietUntil) ? alarm.quietUntil : null}
                onQuiet={onQuiet}
              />
            ),
        } satisfies ListColumn<Alarm>,
      ]
    : []),
]

interface QuietProps {
  quieted: Quieted
  until: string | null
  onQuiet: (quieted: Quieted) => void
}

function QuietButton({ quieted, until, onQuiet }: QuietProps) {
  const client = useQueryClient()
  const ending = useOneMutation({
    mutationFn: async () => {
      const input = { params: { id: String(quieted.id) }, body: { until: null } }
      await (quieted.of === 'alarm'
        ? call(alarmsEndpoints.quietAlarm, input)
        : call(alarmsEndpoints.quietSite, input))
      await refreshAlarms(client)
    },
  })
  return (
    <Button
      size="compact-xs"
      variant="default"
      loading={ending.isPending}
      onClick={() => (until === null ? onQuiet(quieted) : ending.mutate())}
    >
      {until === null ? 'Quiet until …' : 'End the quiet'}
    </Button>
  )
}

function SiteQuiet({ site, until, onQuiet }: Omit<QuietProps, 'quieted'> & { site: Quieted }) {
  return (
    <p className={classes.quiet}>
      {until === null
        ? 'A holiday, or planned work at the merchant’s?'
        : `Quiet until ${dayOf(new Date(until))}: no alarms of this site.`}
      <QuietButton quieted={site} until={until} onQuiet={onQuiet} />
    </p>
  )
}
