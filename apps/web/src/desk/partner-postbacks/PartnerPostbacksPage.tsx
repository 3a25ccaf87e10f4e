import { Alert, Text } from '@mantine/core'
import {
  MAX_TARGETS,
  type PartnerPostback,
  partnerPostbacksEndpoints,
} from '@tallyroom/contract/desk/partner-postbacks'
import { can } from '@tallyroom/domain/abilities'
import { IconPower, IconTrash } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'
import { useNow } from '../../lib/clock.ts'
import { useMe } from '../../lib/session.ts'
import { eventLabels } from '../../shared/notice-words.ts'
import { askToChange } from '../../ui/dialogs/ask-to-change.ts'
import { askToDelete } from '../../ui/dialogs/ask-to-delete.ts'
import { confirm } from '../../ui/dialogs/dialogs.tsx'
import { Instant } from '../../ui/text/Instant.tsx'
import { LinkButton, LinkText } from '../../ui/links.tsx'
import type { ListColumn } from '../../ui/list/columns.ts'
import { DataTable } from '../../ui/list/DataTable.tsx'
import { EmptyList } from '../../ui/list/EmptyList.tsx'
import { RowIcon } from '../../ui/list/RowIcon.tsx'
import { toastDone } from '../../ui/toasts.tsx'
import { partnerPostbacksQuery, refreshPostbacks } from './partner-postbacks.api.ts'
import { stateLabels } from './words.ts'
import { actionsColumn } from '../../ui/list/plain-columns.tsx'

const addButton = (
  <LinkButton to="/app/profile-postbacks/$id" params={{ id: 'new' }}>
    + Add Postback
  </LinkButton>
)

/** The viewer's own postbacks, or for staff those of all partners. */
export function PartnerPostbacksPage() {
  const me = useMe()
  const isOwner = can(me, 'partner-postbacks.manage')
  const query = useQuery(partnerPostbacksQuery)
  const columns = useColumns(isOwner)
  const rows = query.data?.postbacks
  const failing =
    rows?.filter(({ keepsFailing, state }) => keepsFailing || state === 'failing') ?? []
  return (
    <>
      <Text c="dimmed" mb="sm" maw={680}>
        {isOwner
          ? 'A postback tells your own tracker of each sale: we open its address as soon as something is recorded.'
          : 'Addresses of agents and offices that are opened as soon as something of theirs is recorded.'}
      </Text>
      {isOwner && failing.length > 0 && (
        <Alert color="red" mb="sm" maw={680} role="status">
          {failing.map(({ host }) => host).join(', ')}: nothing has arrived for an hour or more.
          Open it to see what was answered.
        </Alert>
      )}
      <DataTable
        caption="Postbacks"
        columns={columns}
        rows={rows}
        rowKey={({ id }) => String(id)}
        rowTone={(row) => (isIll(row) ? 'bad' : undefined)}
        empty={
          <EmptyList
            text="No postbacks yet"
            about={
              isOwner
                ? 'Paste the postback address of Keitaro, Voluum, RedTrack, Binom or your own system.'
                : 'Agents and offices add them in their profile.'
            }
          >
            {isOwner && addButton}
          </EmptyList>
        }
        failure={query}
      />
      {isOwner && rows !== undefined && rows.length > 0 && rows.length < MAX_TARGETS && (
        <div style={{ marginTop: 12 }}>{addButton}</div>
      )}
    </>
  )
}

function useColumns(isOwner: boolean): ListColumn<PartnerPostback>[] {
  const client = useQueryClient()
  const refresh = () => refreshPostbacks(client)
  return [
    {
      id: 'host',
      header: 'Address',
      fixed: true,
      cell: ({ id, host, url }) => (
        <LinkText to="/app/profile-postbacks/$id" params={{ id: String(id) }} title={url}>
          {host}
        </LinkText>
      ),
    },
    ...(isOwner
      ? []
      : [
          {
            id: 'owner',
            header: 'Of',
            card: 'title',
            cell: ({ agent, officeName }: PartnerPostback) =>
              agent === null ? (officeName ?? 'The network') : `${agent} (${officeName ?? '–'})`,
          } as const,
        ]),
    {
      id: 'events',
      header: 'Events',
      card: 'title',
      cell: ({ events }) => events.map((kind) => eventLabels[kind]).join(', '),
    },
    {
      id: 'site',
      header: 'Site',
      card: 'detail',
      cell: ({ sitename, typename }) =>
        sitename === null ? 'All sites' : typename === null ? sitename : `${sitename}: ${typename}`,
    },
    {
      id: 'state',
      header: 'State',
      card: 'detail',
      cell: healthText,
    },
    {
      id: 'lastSentAt',
      header: 'Last delivered',
      card: 'detail',
      cell: ({ lastSentAt }) => (lastSentAt ? <Instant at={lastSentAt} /> : '–'),
    },
    actionsColumn(120, (row) => (
      <>
        {isOwner && (
          <>
            <RowIcon
              icon={IconPower}
              label={`Switch ${row.host} ${row.state === 'on' ? 'off' : 'on'}`}
              onClick={() =>
                void askToSwitch(row, refresh, (body) =>
                  call(partnerPostbacksEndpoints.switchPartnerPostback, {
                    params: { id: String(row.id) },
                    body,
                  }),
                )
              }
            />
            <RowIcon
              icon={IconTrash}
              label={`Delete ${row.host}`}
              onClick={() =>
                void askToDelete({
                  what: 'Postback',
                  name: row.host,
                  question: 'Delete this postback? Its log goes, too.',
                  action: async () => {
                    const params = { id: String(row.id) }
                    await call(partnerPostbacksEndpoints.deletePartnerPostback, { params })
                    await refresh()
                  },
                })
              }
            />
          </>
        )}
      </>
    )),
  ]
}

/** How a target is doing, as a cell. */
export const healthText = ({
  state,
  failures,
  waitsUntil,
}: Pick<PartnerPostback, 'state' | 'failures' | 'waitsUntil'>) =>
  state !== 'on' || failures === 0 ? (
    stateLabels[state]
  ) : (
    <>
      On: {failures} failed {failures === 1 ? 'try' : 'tries'} in a row
      {waitsUntil !== null && <Wait until={waitsUntil} />}
    </>
  )

/** Nothing once it is over. */
function Wait({ until }: { until: string }) {
  if (useNow() >= Date.parse(until)) return null
  return (
    <>
      . Waits until <Instant at={until} />, as its server asked
    </>
  )
}

/** Whether a target needs its owner. */
export const isIll = ({ state, keepsFailing }: Pick<PartnerPostback, 'state' | 'keepsFailing'>) =>
  state === 'failing' || state === 'gone' || keepsFailing

/** What was missed is offered when it is switched on. */
export async function askToSwitch(
  { host, state, missed }: Pick<PartnerPostback, 'host' | 'state' | 'missed'>,
  refresh: () => Promise<unknown>,
  set: (body: { on: boolean; sendMissed?: boolean }) => Promise<unknown>,
) {
  if (state === 'on') {
    await askToChange(
      { label: 'Switch off', question: 'What is recorded while it is off is not sent later.' },
      { whose: host, refresh },
      () => set({ on: false }),
    )
    return
  }
  await set({ on: true })
  if (missed > 0) {
    await confirm({
      heading: `Switched on: ${host}`,
      body: `Also send the ${missed} ${missed === 1 ? 'delivery' : 'deliveries'} that it has missed?`,
      confirmLabel: 'Send what was missed',
      action: () => set({ on: true, sendMissed: true }),
    })
  }
  await refresh()
  toastDone()
}
