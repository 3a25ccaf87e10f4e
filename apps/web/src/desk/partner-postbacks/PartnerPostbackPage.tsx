import { Alert, Button, Checkbox, Code, Group, Stack, Text, Textarea } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useDebouncedValue } from '@mantine/hooks'
import { notFoundText } from '@tallyroom/contract/errors'
import {
  type Answered,
  type PartnerPostback,
  partnerPostbacksEndpoints,
} from '@tallyroom/contract/desk/partner-postbacks'
import {
  NOTICE_KINDS,
  type NoticeKind,
  POSTBACK_MACROS,
  postbackUrlProblem,
} from '@tallyroom/domain/partner-postback'
import { can } from '@tallyroom/domain/abilities'
import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useRef } from 'react'
import { call } from '../../lib/call.ts'
import { useMe } from '../../lib/session.ts'
import { SiteSelect } from '../../shared/pickers/SiteSelect.tsx'
import { TypeSelect } from '../../shared/pickers/TypeSelect.tsx'
import { eventLabels } from '../../shared/notice-words.ts'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { FormFrame } from '../../ui/form/FormFrame.tsx'
import { FormLoader } from '../../ui/form/FormLoader.tsx'
import { FormSection, WholeRow } from '../../ui/form/FormSection.tsx'
import { FormText } from '../../ui/form/FormText.tsx'
import { useFormEnd } from '../../ui/form/use-form-end.ts'
import { useRecordForm } from '../../ui/form/use-record-form.ts'
import { Instant } from '../../ui/text/Instant.tsx'
import { Tooltip } from '../../ui/Tooltip.tsx'
import {
  deliveriesQuery,
  partnerPostbacksQuery,
  previewQuery,
  refreshPostbacks,
} from './partner-postbacks.api.ts'
import { Deliveries } from './Deliveries.tsx'
import { Answer, PlainText } from './Answer.tsx'
import { macroLabels } from './words.ts'

const route = getRouteApi('/app/profile-postbacks/$id')

interface Values extends Record<string, unknown> {
  url: string
  events: NoticeKind[]
  siteId: number | undefined
  typeId: number | undefined
}

const newValues: Values = {
  url: '',
  events: ['sale.recorded', 'approval.recorded', 'bonus.recorded', 'sale.reversed'],
  siteId: undefined,
  typeId: undefined,
}

const valuesOf = ({ url, events, siteId, typeId }: PartnerPostback): Values => ({
  url,
  events,
  siteId: siteId ?? undefined,
  typeId: typeId ?? undefined,
})

const bodyOf = ({ url, events, siteId, typeId }: Values) => ({
  url,
  events,
  siteId: siteId ?? null,
  typeId: siteId === undefined ? null : (typeId ?? null),
})

const labels = { url: 'Address', events: 'Events', siteId: 'Site', typeId: 'Type' }

/** Adds a postback, or shows one with what was sent to it. Staff see only that. */
export function PartnerPostbackPage() {
  const { id } = route.useParams()
  const isOwner = can(useMe(), 'partner-postbacks.manage')
  if (id === 'new') return <CreateForm />
  return (
    <Stack gap="xl" pb="md">
      {isOwner && <EditPage key={id} id={id} />}
      <Deliveries
        log={(page) => deliveriesQuery(id, page)}
        sendAgain={(deliveryId) =>
          call(partnerPostbacksEndpoints.sendAgain, { params: { id, deliveryId } })
        }
        refresh={refreshPostbacks}
      />
    </Stack>
  )
}

function CreateForm() {
  const query = useQuery(partnerPostbacksQuery)
  const { form, frame } = useRecordForm({
    endpoint: partnerPostbacksEndpoints.createPartnerPostback,
    values: newValues,
    bodyOf,
    ...useFormEnd('/app/profile-postbacks', refreshPostbacks),
  })
  return (
    <FormFrame {...frame} submitLabel="Add Postback">
      <Fields form={form} payoutVisible={query.data?.payoutVisible ?? true} />
    </FormFrame>
  )
}

function EditPage({ id }: { id: string }) {
  const query = useQuery({ ...partnerPostbacksQuery, gcTime: 0, staleTime: Infinity })
  const found = query.data?.postbacks.find((one) => String(one.id) === id)
  return (
    <FormLoader query={query} fields={4}>
      {({ payoutVisible }) =>
        found ? (
          <EditForm postback={found} payoutVisible={payoutVisible} />
        ) : (
          <Alert color="red" maw={440}>
            {notFoundText('postback')}
          </Alert>
        )
      }
    </FormLoader>
  )
}

interface EditFormProps {
  postback: PartnerPostback
  payoutVisible: boolean
}

function EditForm({ postback, payoutVisible }: EditFormProps) {
  const { id } = postback
  const { form, frame } = useRecordForm({
    endpoint: partnerPostbacksEndpoints.updatePartnerPostback,
    params: { id: String(id) },
    opened: {
      record: postback,
      reload: async () => {
        const { postbacks } = await call(partnerPostbacksEndpoints.partnerPostbacks, {})
        return postbacks.find((one) => one.id === id) ?? postback
      },
      valuesOf,
      labels,
    },
    bodyOf: (values: Values, version?: number) => ({ ...bodyOf(values), version }),
    ...useFormEnd('/app/profile-postbacks', refreshPostbacks),
  })
  return (
    <FormFrame {...frame} submitLabel="Update Postback">
      <Fields form={form} payoutVisible={payoutVisible} saved={postback} />
    </FormFrame>
  )
}

interface FieldsProps {
  form: UseFormReturnType<Values>
  payoutVisible: boolean
  saved?: PartnerPostback
}

function Fields({ form, payoutVisible, saved }: FieldsProps) {
  const { url, siteId, typeId } = form.values
  const field = useRef<HTMLTextAreaElement>(null)
  const macros = POSTBACK_MACROS.filter(
    (macro) => payoutVisible || (macro !== 'payout' && macro !== 'currency'),
  )
  /** Puts a macro where the caret is. */
  const insert = (macro: string) => {
    const { selectionStart = url.length, selectionEnd = url.length } = field.current ?? {}
    const before = `${url.slice(0, selectionStart)}{${macro}}`
    form.setFieldValue('url', before + url.slice(selectionEnd))
    field.current?.focus()
    requestAnimationFrame(() => field.current?.setSelectionRange(before.length, before.length))
  }
  return (
    <>
      <FormSection
        title="Address"
        about="Paste the postback address of your tracker. Replace its placeholders with ours: in most trackers, {sub1} is their click id."
      >
        <WholeRow>
          <Stack gap="xs">
            <Textarea
              ref={field}
              label={labels.url}
              withAsterisk
              autosize
              minRows={2}
              maxLength={2000}
              spellCheck={false}
              placeholder="https://tracker.example/postback?cid={sub1}&payout={payout}&status={status}"
              styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
              {...form.getInputProps('url')}
            />
            <Group gap={6} role="group" aria-label="Insert a macro">
              {macros.map((macro) => (
                <Tooltip key={macro} label={macroLabels[macro]}>
                  <Button
                    variant="default"
                    size="compact-xs"
                    ff="monospace"
                    onClick={() => insert(macro)}
                  >
                    {`{${macro}}`}
                  </Button>
                </Tooltip>
              ))}
            </Group>
            <Preview url={url} />
            <Test url={url} id={saved?.id} />
          </Stack>
        </WholeRow>
      </FormSection>
      <FormSection title="Events" about="Sent as soon as they are recorded.">
        <WholeRow>
          <Checkbox.Group {...form.getInputProps('events')} label={labels.events} withAsterisk>
            <Group gap="md" mt={6}>
              {NOTICE_KINDS.map((kind) => (
                <Checkbox key={kind} value={kind} label={eventLabels[kind]} />
              ))}
            </Group>
          </Checkbox.Group>
        </WholeRow>
        <SiteSelect
          value={siteId}
          onChange={(id) => {
            form.setFieldValue('siteId', id)
            form.setFieldValue('typeId', undefined)
          }}
        />
        <TypeSelect
          siteId={siteId}
          value={typeId}
          onChange={(id) => form.setFieldValue('typeId', id)}
        />
        {saved?.token !== undefined && (
          <FormText label="Token">
            <Group gap={4} wrap="nowrap">
              <Code style={{ overflowWrap: 'anywhere' }}>{saved.token}</Code>
              <CopyButton value={saved.token} what="token" />
            </Group>
          </FormText>
        )}
      </FormSection>
    </>
  )
}

/** The address with the last sale filled in. */
function Preview({ url: typed }: { url: string }) {
  const [url] = useDebouncedValue(typed.trim(), 300)
  const isGood = url !== '' && postbackUrlProblem(url) === undefined
  const { data } = useQuery({ ...previewQuery(url), enabled: isGood })
  if (!isGood || !data) return null
  return (
    <div>
      <Text size="sm" c="dimmed">
        {data.occurredAt ? (
          <>
            With your last sale, of <Instant at={data.occurredAt} />:
          </>
        ) : (
          'With an example:'
        )}
      </Text>
      <PlainText label="Preview">{data.url}</PlainText>
    </div>
  )
}

/** Asks the address once, and shows what it answers. */
function Test({ url, id }: { url: string; id: number | undefined }) {
  const test = useMutation<Answered>({
    mutationFn: () =>
      call(partnerPostbacksEndpoints.testPartnerPostback, {
        body: { url, ...(id !== undefined && { id }) },
      }),
  })
  return (
    <Stack gap="xs" align="flex-start">
      <Button
        variant="default"
        loading={test.isPending}
        disabled={postbackUrlProblem(url.trim()) !== undefined}
        onClick={() => test.mutate()}
      >
        Send a test
      </Button>
      {test.data && (
        <div role="status" style={{ maxWidth: '100%' }}>
          <Answer answered={test.data} />
        </div>
      )}
    </Stack>
  )
}
