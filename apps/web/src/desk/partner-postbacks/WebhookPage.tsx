import { Alert, Button, Checkbox, Code, Group, Stack, Text, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { notFoundText } from '@tallyroom/contract/errors'
import {
  FORMER_SECRET_HOURS,
  TEST_KIND,
  type Webhook,
  webhooksEndpoints,
} from '@tallyroom/contract/desk/webhooks'
import { WEBHOOK_KINDS, type WebhookKind } from '@tallyroom/domain/webhooks'
import type { Answered } from '@tallyroom/contract/desk/partner-postbacks'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { call } from '../../lib/call.ts'
import { eventLabels } from '../../shared/notice-words.ts'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { confirm } from '../../ui/dialogs/dialogs.tsx'
import { FormFrame } from '../../ui/form/FormFrame.tsx'
import { FormLoader } from '../../ui/form/FormLoader.tsx'
import { FormSection, WholeRow } from '../../ui/form/FormSection.tsx'
import { useFormEnd } from '../../ui/form/use-form-end.ts'
import { useRecordForm } from '../../ui/form/use-record-form.ts'
import { Instant } from '../../ui/text/Instant.tsx'
import { LinkButton } from '../../ui/links.tsx'
import { Answer } from './Answer.tsx'
import { Deliveries } from './Deliveries.tsx'
import { refreshWebhooks, webhookLogQuery, webhooksQuery } from './partner-postbacks.api.ts'

const route = getRouteApi('/app/settings/webhooks/$id')

interface Values extends Record<string, unknown> {
  url: string
  kinds: WebhookKind[]
}

const labels = { url: 'Address', kinds: 'Events' }
const valuesOf = ({ url, kinds }: Webhook): Values => ({ url, kinds })

/** Adds a webhook, or shows one with its secret, and what was sent to it. */
export function WebhookPage() {
  const { id } = route.useParams()
  if (id === 'new') return <CreateForm />
  return (
    <Stack gap="xl" pb="md">
      <EditPage key={id} id={id} />
      <Deliveries
        log={(page) => webhookLogQuery(id, page)}
        sendAgain={(deliveryId) =>
          call(webhooksEndpoints.sendWebhookAgain, { params: { id, deliveryId } })
        }
        refresh={refreshWebhooks}
      />
    </Stack>
  )
}

function CreateForm() {
  const client = useQueryClient()
  const [made, setMade] = useState<{ id: number; secret: string }>()
  const { onCancel } = useFormEnd('/app/settings/webhooks', refreshWebhooks)
  const { form, frame } = useRecordForm({
    endpoint: webhooksEndpoints.createWebhook,
    values: { url: '', kinds: [...WEBHOOK_KINDS] },
    bodyOf: (values) => values,
    onCancel,
    onSaved: (answer) => {
      setMade(answer)
      form.resetDirty()
      void refreshWebhooks(client)
    },
  })
  if (made) {
    return (
      <Stack gap="md" align="flex-start">
        <Secret secret={made.secret} />
        <LinkButton to="/app/settings/webhooks/$id" params={{ id: String(made.id) }}>
          Open the webhook
        </LinkButton>
      </Stack>
    )
  }
  return (
    <FormFrame {...frame} submitLabel="Add Webhook">
      <Fields form={form} />
    </FormFrame>
  )
}

/** Shown once. */
const Secret = ({ secret }: { secret: string }) => (
  <Alert color="green" maw={680} title="Copy the secret now: it is not shown again" role="status">
    <Stack gap="xs">
      <Text size="sm">Your program verifies with it that a webhook is ours.</Text>
      <Group gap="xs" wrap="nowrap">
        <Code style={{ overflowWrap: 'anywhere' }}>{secret}</Code>
        <CopyButton value={secret} what="secret" />
      </Group>
    </Stack>
  </Alert>
)

function EditPage({ id }: { id: string }) {
  const query = useQuery({ ...webhooksQuery, gcTime: 0, staleTime: Infinity })
  const found = query.data?.webhooks.find((one) => String(one.id) === id)
  return (
    <FormLoader query={query} fields={4}>
      {() =>
        found ? (
          <EditForm webhook={found} />
        ) : (
          <Alert color="red" maw={440}>
            {notFoundText('webhook')}
          </Alert>
        )
      }
    </FormLoader>
  )
}

function EditForm({ webhook }: { webhook: Webhook }) {
  const { id } = webhook
  const { form, frame } = useRecordForm({
    endpoint: webhooksEndpoints.updateWebhook,
    params: { id: String(id) },
    opened: {
      record: webhook,
      reload: async () => {
        const { webhooks } = await call(webhooksEndpoints.webhooks, {})
        return webhooks.find((one) => one.id === id) ?? webhook
      },
      valuesOf,
      labels,
    },
    bodyOf: ({ url, kinds }: Values, version?: number) => ({ url, kinds, version }),
    ...useFormEnd('/app/settings/webhooks', refreshWebhooks),
  })
  return (
    <FormFrame {...frame} submitLabel="Update Webhook">
      <Fields form={form} />
      <SecretSection webhook={webhook} />
    </FormFrame>
  )
}

const Fields = ({ form }: { form: UseFormReturnType<Values> }) => (
  <FormSection title="Address" about="We send JSON to this address as soon as something happens.">
    <WholeRow>
      <TextInput
        label={labels.url}
        withAsterisk
        maxLength={2000}
        spellCheck={false}
        placeholder="https://books.example/webhooks/sales"
        {...form.getInputProps('url')}
      />
    </WholeRow>
    <WholeRow>
      <Checkbox.Group {...form.getInputProps('kinds')} label={labels.kinds} withAsterisk>
        <Group gap="md" mt={6}>
          {WEBHOOK_KINDS.map((kind) => (
            <Checkbox key={kind} value={kind} label={eventLabels[kind]} />
          ))}
        </Group>
      </Checkbox.Group>
    </WholeRow>
  </FormSection>
)

/** A test, and a new secret. */
function SecretSection({ webhook: { id, host, formerUntil } }: { webhook: Webhook }) {
  const client = useQueryClient()
  const params = { id: String(id) }
  const [secret, setSecret] = useState<string>()
  const test = useMutation<Answered>({
    mutationFn: () => call(webhooksEndpoints.testWebhook, { params }),
  })
  return (
    <FormSection
      title="Signature"
      about="The header webhook-signature is made with the secret. Libraries for Standard Webhooks verify it."
    >
      <WholeRow>
        <Stack gap="xs" align="flex-start">
          <Group gap="xs">
            <Button variant="default" loading={test.isPending} onClick={() => test.mutate()}>
              Send a test
            </Button>
            <Button
              variant="default"
              onClick={() =>
                void confirm({
                  heading: `New secret: ${host}`,
                  body: `For ${FORMER_SECRET_HOURS} hours, what is sent is signed with both secrets. Give the new one to your program by then.`,
                  confirmLabel: 'Make a new secret',
                  action: async () => {
                    const made = await call(webhooksEndpoints.rotateWebhookSecret, { params })
                    setSecret(made.secret)
                    await refreshWebhooks(client)
                  },
                })
              }
            >
              Make a new secret
            </Button>
          </Group>
          <Text size="sm" c="dimmed">
            A test has the type {TEST_KIND}.
            {formerUntil !== null && (
              <>
                {' '}
                The secret before this one signs, too, until <Instant at={formerUntil} />.
              </>
            )}
          </Text>
          {secret !== undefined && <Secret secret={secret} />}
          {test.data && (
            <div role="status" style={{ maxWidth: '100%' }}>
              <Answer answered={test.data} />
            </div>
          )}
        </Stack>
      </WholeRow>
    </FormSection>
  )
}
