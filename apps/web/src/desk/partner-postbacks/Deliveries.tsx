import { Alert, Button, Group, Stack, Text, Title } from '@mantine/core'
import {
  type Delivery,
  LOG_PAGE_SIZE,
  partnerPostbacksEndpoints,
} from '@tallyroom/contract/desk/partner-postbacks'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { call } from '../../lib/call.ts'
import { FormLoader } from '../../ui/form/FormLoader.tsx'
import { Instant } from '../../ui/Instant.tsx'
import { LinkText } from '../../ui/links.tsx'
import { ListPagination } from '../../ui/list/ListPagination.tsx'
import { toastDone } from '../../ui/toasts.tsx'
import { Answer } from './Answer.tsx'
import { deliveriesQuery, refreshPostbacks } from './partner-postbacks.api.ts'
import { deliveryLabels, eventLabels } from './words.ts'

const route = getRouteApi('/app/profile-postbacks/$id')

/** What was sent to a postback in the last 30 days. */
export function Deliveries({ id }: { id: string }) {
  const { page = 1 } = route.useSearch()
  const navigate = useNavigate()
  const query = useQuery({ ...deliveriesQuery(id, page), refetchInterval: 5_000 })
  return (
    <FormLoader query={query} fields={4}>
      {({ items, total }) => (
        <Stack gap="md" maw={900}>
          <div>
            <Title order={2} size="h4">
              Deliveries
            </Title>
            <Text size="sm" c="dimmed">
              Of the last 30 days, newest first, with every try and what was answered.
            </Text>
          </div>
          {items.length === 0 && <Alert variant="light">Nothing was to be sent yet.</Alert>}
          {items.map((delivery) => (
            <DeliveryCard key={delivery.id} targetId={id} delivery={delivery} />
          ))}
          <ListPagination
            page={page}
            pageSize={LOG_PAGE_SIZE}
            total={total}
            onPage={(to) =>
              void navigate({
                to: '/app/profile-postbacks/$id',
                params: { id },
                search: { page: to },
              })
            }
          />
        </Stack>
      )}
    </FormLoader>
  )
}

interface DeliveryCardProps {
  targetId: string
  delivery: Delivery
}

function DeliveryCard({ targetId, delivery }: DeliveryCardProps) {
  const client = useQueryClient()
  const again = useMutation({
    mutationFn: () =>
      call(partnerPostbacksEndpoints.sendAgain, {
        params: { id: targetId, deliveryId: String(delivery.id) },
      }),
    onSuccess: () => toastDone(),
    onSettled: () => refreshPostbacks(client),
  })
  const { eventId, kind, madeAt, state, nextTryAt, tries } = delivery
  const last = tries.at(-1)
  return (
    <section
      aria-label={`${eventLabels[kind]}, ${deliveryLabels[state]}`}
      style={{ borderTop: '1px solid var(--mantine-color-default-border)', paddingTop: 12 }}
    >
      <Group justify="space-between" gap="sm" align="flex-start">
        <div>
          <Text fw={600}>
            <LinkText to="/app/sales/$eventId" params={{ eventId }}>
              {eventLabels[kind]}
            </LinkText>
            {' · '}
            {deliveryLabels[state]}
          </Text>
          <Text size="sm" c="dimmed">
            Recorded <Instant at={madeAt} />
            {state === 'waiting' && nextTryAt && tries.length > 0 && (
              <>
                , next try <Instant at={nextTryAt} />
              </>
            )}
          </Text>
        </div>
        <Button
          variant="default"
          size="xs"
          loading={again.isPending}
          disabled={state === 'waiting' && tries.length === 0}
          onClick={() => again.mutate()}
        >
          Send again
        </Button>
      </Group>
      {last && (
        <div style={{ marginTop: 8 }}>
          <Answer answered={last} />
        </div>
      )}
      {tries.length > 1 && (
        <details style={{ marginTop: 8 }}>
          <summary>
            {tries.length - 1} earlier {tries.length === 2 ? 'try' : 'tries'}
          </summary>
          <Stack gap="sm" mt={8}>
            {tries.slice(0, -1).map((one) => (
              <div key={one.triedAt}>
                <Text size="sm" c="dimmed">
                  <Instant at={one.triedAt} />
                </Text>
                <Answer answered={one} />
              </div>
            ))}
          </Stack>
        </details>
      )}
    </section>
  )
}
