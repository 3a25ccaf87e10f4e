import { Alert, Button, Group, Stack, Text, Title } from '@mantine/core'
import { type Delivery, LOG_PAGE_SIZE } from '@tallyroom/contract/desk/partner-postbacks'
import { NOTICE_KINDS } from '@tallyroom/domain/partner-postback'
import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { eventLabels } from '../../shared/notice-words.ts'
import { FormLoader } from '../../ui/form/FormLoader.tsx'
import { Instant } from '../../ui/text/Instant.tsx'
import { LinkText } from '../../ui/links.tsx'
import { ListPagination } from '../../ui/list/ListPagination.tsx'
import { toastDone } from '../../ui/toasts.tsx'
import { Answer } from './Answer.tsx'
import type { deliveriesQuery } from './partner-postbacks.api.ts'
import { deliveryLabels } from './words.ts'

interface DeliveriesProps {
  /** A page of the log. */
  log: (page: number) => ReturnType<typeof deliveriesQuery>
  sendAgain: (deliveryId: string) => Promise<unknown>
  refresh: (client: QueryClient) => Promise<unknown>
}

/** What was sent to a target in the last 30 days. */
export function Deliveries({ log, ...calls }: DeliveriesProps) {
  const { page = 1 }: { page?: number | undefined } = useSearch({ strict: false })
  const navigate = useNavigate()
  const query = useQuery({ ...log(page), refetchInterval: 5_000 })
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
          {items.length === 0 && <Alert variant="light">Nothing sent yet.</Alert>}
          {items.map((delivery) => (
            <DeliveryCard key={delivery.id} delivery={delivery} {...calls} />
          ))}
          <ListPagination
            page={page}
            pageSize={LOG_PAGE_SIZE}
            total={total}
            onPage={(to) => void navigate({ to: '.', search: { page: to } })}
          />
        </Stack>
      )}
    </FormLoader>
  )
}

interface DeliveryCardProps extends Omit<DeliveriesProps, 'log'> {
  delivery: Delivery
}

function DeliveryCard({ delivery, sendAgain, refresh }: DeliveryCardProps) {
  const client = useQueryClient()
  const again = useMutation({
    mutationFn: () => sendAgain(String(delivery.id)),
    onSuccess: () => toastDone(),
    onSettled: () => refresh(client),
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
            {NOTICE_KINDS.some((one) => one === kind) ? (
              <LinkText to="/app/sales/$eventId" params={{ eventId }}>
                {eventLabels[kind]}
              </LinkText>
            ) : (
              eventLabels[kind]
            )}
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
