import { Text } from '@mantine/core'
import { MAX_TARGETS } from '@tallyroom/contract/desk/partner-postbacks'
import { type Webhook, webhooksEndpoints } from '@tallyroom/contract/desk/webhooks'
import { IconPower, IconTrash } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'
import { eventLabels } from '../../shared/notice-words.ts'
import { askToDelete } from '../../ui/dialogs/ask-to-delete.ts'
import { Instant } from '../../ui/text/Instant.tsx'
import { LinkButton, LinkText } from '../../ui/links.tsx'
import type { ListColumn } from '../../ui/list/columns.ts'
import { DataTable } from '../../ui/list/DataTable.tsx'
import { EmptyList } from '../../ui/list/EmptyList.tsx'
import { RowIcon } from '../../ui/list/RowIcon.tsx'
import { askToSwitch, healthText, isIll } from './PartnerPostbacksPage.tsx'
import { refreshWebhooks, webhooksQuery } from './partner-postbacks.api.ts'
import { actionsColumn } from '../../ui/list/plain-columns.tsx'

const addButton = (
  <LinkButton to="/app/settings/webhooks/$id" params={{ id: 'new' }}>
    + Add Webhook
  </LinkButton>
)

/** Programs of the network that hear what happens. */
export function WebhooksPage() {
  const query = useQuery(webhooksQuery)
  const rows = query.data?.webhooks
  return (
    <>
      <Text c="dimmed" mb="sm" maw={680}>
        A webhook tells your own software what happens in the network: we send signed JSON to its
        address, by the rules of Standard Webhooks.
      </Text>
      <DataTable
        caption="Webhooks"
        columns={useColumns()}
        rows={rows}
        rowKey={({ id }) => String(id)}
        rowTone={(row) => (isIll(row) ? 'bad' : undefined)}
        empty={
          <EmptyList text="No webhooks yet" about="Add one for your own warehouse, books or chat.">
            {addButton}
          </EmptyList>
        }
        failure={query}
      />
      {rows !== undefined && rows.length > 0 && rows.length < MAX_TARGETS && (
        <div style={{ marginTop: 12 }}>{addButton}</div>
      )}
    </>
  )
}

function useColumns(): ListColumn<Webhook>[] {
  const client = useQueryClient()
  const refresh = () => refreshWebhooks(client)
  return [
    {
      id: 'host',
      header: 'Address',
      fixed: true,
      cell: ({ id, host, url }) => (
        <LinkText to="/app/settings/webhooks/$id" params={{ id: String(id) }} title={url}>
          {host}
        </LinkText>
      ),
    },
    {
      id: 'kinds',
      header: 'Events',
      card: 'title',
      cell: ({ kinds }) => kinds.map((kind) => eventLabels[kind]).join(', '),
    },
    { id: 'state', header: 'State', card: 'detail', cell: healthText },
    {
      id: 'lastSentAt',
      header: 'Last delivered',
      card: 'detail',
      cell: ({ lastSentAt }) => (lastSentAt ? <Instant at={lastSentAt} /> : '–'),
    },
    actionsColumn(120, (row) => {
      const params = { id: String(row.id) }
      return (
        <>
          <RowIcon
            icon={IconPower}
            label={`Switch ${row.host} ${row.state === 'on' ? 'off' : 'on'}`}
            onClick={() =>
              void askToSwitch(row, refresh, (body) =>
                call(webhooksEndpoints.switchWebhook, { params, body }),
              )
            }
          />
          <RowIcon
            icon={IconTrash}
            label={`Delete ${row.host}`}
            onClick={() =>
              void askToDelete({
                what: 'Webhook',
                name: row.host,
                question: 'Delete this webhook? Its secret and its log go, too.',
                action: async () => {
                  await call(webhooksEndpoints.deleteWebhook, { params })
                  await refresh()
                },
              })
            }
          />
        </>
      )
    }),
  ]
}
