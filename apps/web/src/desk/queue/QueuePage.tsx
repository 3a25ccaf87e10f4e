import { Alert, Box, Button, Group, Stack, Text, Title } from '@mantine/core'
import {
  type Queue,
  type QueueState,
  type QueueTrouble,
  queueEndpoints,
} from '@tallyroom/contract/desk/queue'
import { formatCount } from '@tallyroom/domain/money'
import { IconRefresh, IconSend, IconTrash } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { eventLabels } from '../../shared/notice-words.ts'
import { FormLoader } from '../../ui/form/FormLoader.tsx'
import { Instant } from '../../ui/text/Instant.tsx'
import { LinkText } from '../../ui/links.tsx'
import type { ListColumn } from '../../ui/list/columns.ts'
import { DataTable } from '../../ui/list/DataTable.tsx'
import { RowIcon } from '../../ui/list/RowIcon.tsx'
import { PlainTable } from '../../ui/PlainTable.tsx'
import { toastDone } from '../../ui/toasts.tsx'
import { queueQuery, refreshQueue, type Which } from './queue.api.ts'
import { actionsColumn } from '../../ui/list/plain-columns.tsx'
import { askToChange } from '../../ui/dialogs/ask-to-change.ts'
import { call } from '../../lib/call.ts'

const labels = { mails: 'Mails', deliveries: 'Deliveries' } satisfies Record<Queue, string>

/** What waits to be sent, and what failed. For superadmins. */
export function QueuePage() {
  const query = useQuery({ ...queueQuery, refetchInterval: 10_000 })
  const client = useQueryClient()
  const again = useMutation({
    mutationFn: (body: Which) => call(queueEndpoints.tryQueueAgain, { body }),
    onSuccess: () => toastDone(),
    onSettled: () => refreshQueue(client),
  })
  const columns = useColumns((which) => again.mutate(which))
  return (
    <FormLoader query={query} fields={3}>
      {({ queues, troubles }) => (
        <Stack gap="lg">
          <div>
            <Text c="dimmed" mb="sm" maw={680}>
              Mails, and deliveries to trackers and other programs. What fails is sent again, less
              and less often.
            </Text>
            <PlainTable
              label="Queues"
              columns={[
                {
                  header: 'Queue',
                  namesRow: true,
                  cell: ({ queue }: QueueState) => labels[queue],
                },
                { header: 'Waiting', numeric: true, cell: ({ waiting }) => formatCount(waiting) },
                {
                  header: 'Oldest',
                  numeric: true,
                  cell: ({ waitingSince }) => (waitingSince ? <Instant at={waitingSince} /> : '–'),
                },
                { header: 'Failed', numeric: true, cell: ({ failed }) => formatCount(failed) },
                { header: 'On hold', numeric: true, cell: ({ held }) => formatCount(held) },
                {
                  header: 'Actions',
                  cell: ({ queue }) => (
                    <Button
                      variant="default"
                      size="xs"
                      aria-label={`Try all again: ${labels[queue].toLowerCase()}`}
                      loading={again.isPending && again.variables.queue === queue}
                      disabled={!troubles.some((one) => one.queue === queue && one.mayTry)}
                      onClick={() => again.mutate({ queue })}
                    >
                      Try all again
                    </Button>
                  ),
                },
              ]}
              rows={queues}
              rowKey={({ queue }) => queue}
              cards
            />
          </div>
          {queues.map((state) => state.held > 0 && <Held key={state.queue} {...state} />)}
          <div>
            <Title order={2} size="h4" mb="xs">
              Last failures
            </Title>
            <DataTable
              caption="Last failures"
              columns={columns}
              rows={troubles}
              rowKey={({ queue, id }) => `${queue} ${id}`}
              rowTone={({ state }) => (state === 'failed' ? 'bad' : undefined)}
              empty="Nothing has failed."
            />
          </div>
        </Stack>
      )}
    </FormLoader>
  )
}

/** What was held back by a restore, all of a queue. */
function Held({ queue, held }: QueueState) {
  const client = useQueryClient()
  const decide = (decision: 'send' | 'drop') => void askHeld({ queue }, held, decision, client)
  return (
    <Alert color="yellow" maw={680} title={`${labels[queue]} on hold`}>
      <Stack gap="sm" align="flex-start">
        <Text size="sm">
          {held === 1 ? 'One was' : `${formatCount(held)} were`} waiting when the backup was made
          that this database was restored from. If the old installation ran on after the backup, it
          has sent {held === 1 ? 'it' : 'them'}: then drop {held === 1 ? 'it' : 'them'}. If not,
          send {held === 1 ? 'it' : 'them'}.
        </Text>
        <Group gap="xs">
          <Button size="xs" onClick={() => decide('send')}>
            Send all
          </Button>
          <Button size="xs" variant="default" onClick={() => decide('drop')}>
            Drop all
          </Button>
        </Group>
      </Stack>
    </Alert>
  )
}

function askHeld(
  which: Which,
  count: number,
  decision: 'send' | 'drop',
  client: ReturnType<typeof useQueryClient>,
) {
  const whose = `${formatCount(count)} ${count === 1 ? labels[which.queue].slice(0, -1).toLowerCase() : labels[which.queue].toLowerCase()}`
  const words =
    decision === 'send'
      ? {
          label: 'Send',
          question: 'What was sent before the restore arrives a second time, under the same id.',
        }
      : {
          label: 'Drop',
          question: 'What was not sent before the restore never arrives.',
          danger: true,
        }
  return askToChange(words, { whose, refresh: () => refreshQueue(client) }, () =>
    call(queueEndpoints.decideHeld, { body: { ...which, decision } }),
  )
}

function useColumns(again: (which: Which) => void): ListColumn<QueueTrouble>[] {
  const client = useQueryClient()
  return [
    {
      id: 'to',
      header: 'To',
      fixed: true,
      cell: ({ to, target }) =>
        target === null ? (
          <Words>{to}</Words>
        ) : (
          <LinkText
            to={
              target.format === 'webhook'
                ? '/app/settings/webhooks/$id'
                : '/app/profile-postbacks/$id'
            }
            params={{ id: String(target.id) }}
          >
            <Words>{to}</Words>
          </LinkText>
        ),
    },
    {
      id: 'about',
      header: 'About',
      card: 'title',
      cell: (row) => <Words>{aboutOf(row)}</Words>,
    },
    {
      id: 'state',
      header: 'State',
      card: 'title',
      cell: ({ state, tries, nextTryAt, triedAt }) => (
        <>
          {state === 'held' ? (
            'On hold'
          ) : state === 'failed' ? (
            `Failed after ${tries} ${tries === 1 ? 'try' : 'tries'}`
          ) : (
            <>Next try {nextTryAt && <Instant at={nextTryAt} />}</>
          )}
          {triedAt && (
            <Text size="xs" c="dimmed">
              Last try <Instant at={triedAt} />
            </Text>
          )}
        </>
      ),
    },
    {
      id: 'reason',
      header: 'Reason',
      card: 'title',
      cell: ({ reason, state }) => (
        <Words>{reason ?? (state === 'failed' ? 'What it told of was deleted.' : '–')}</Words>
      ),
    },
    actionsColumn(60, (row) => {
      const { queue, id, to, state } = row
      const name = `${aboutOf(row)} to ${to}`
      return state === 'held' ? (
        <>
          <RowIcon
            icon={IconSend}
            label={`Send ${name}`}
            onClick={() => void askHeld({ queue, id }, 1, 'send', client)}
          />
          <RowIcon
            icon={IconTrash}
            label={`Drop ${name}`}
            onClick={() => void askHeld({ queue, id }, 1, 'drop', client)}
          />
        </>
      ) : (
        <RowIcon
          icon={IconRefresh}
          label={`Try again: ${name}`}
          tooltip={row.mayTry ? 'Try again' : whyNot(row)}
          disabled={!row.mayTry}
          onClick={() => again({ queue, id })}
        />
      )
    }),
  ]
}

/** Narrow enough for a whole row at 1280 pixels. */
const Words = ({ children }: { children: string }) => <Box maw={210}>{children}</Box>

const aboutOf = ({ subject, kind }: QueueTrouble): string =>
  subject ?? (kind === null ? '' : eventLabels[kind])

const whyNot = ({ queue }: QueueTrouble): string =>
  queue === 'mails' ? 'It has expired' : 'Its postback is off'
