import { Textarea, TextInput } from '@mantine/core'
import { chatLogsEndpoints } from '@tallyroom/contract/desk/chat-logs'
import { SiteSelect } from '../../shared/pickers/SiteSelect.tsx'
import { FormFrame } from '../../ui/form/FormFrame.tsx'
import { FormSection, WholeRow } from '../../ui/form/FormSection.tsx'
import { useFormEnd } from '../../ui/form/use-form-end.ts'
import { useRecordForm } from '../../ui/form/use-record-form.ts'
import { refreshChatLogs } from './chat-logs.api.ts'

interface ChatValues extends Record<string, unknown> {
  clientUsername: string
  siteId: number | null
  conversation: string
}

const noValues: ChatValues = { clientUsername: '', siteId: null, conversation: '' }

/** Site 0 does not exist. The form itself reports a missing site. */
const chatOf = ({ siteId, ...chat }: ChatValues) => ({ ...chat, siteId: siteId ?? 0 })

/** An agent submits one of their conversations. */
export function ChatLogFormPage() {
  const { form, frame } = useRecordForm({
    endpoint: chatLogsEndpoints.submitChatLog,
    values: noValues,
    bodyOf: chatOf,
    alsoRefused: ({ siteId }) => (siteId === null ? { siteId: 'Choose a site' } : {}),
    ...useFormEnd('/app/logs/chat', refreshChatLogs),
  })
  return (
    <FormFrame {...frame} submitLabel="Submit">
      <FormSection
        title="Chat"
        about="Who you spoke with, about which site, and what was said. Your office can read it."
      >
        <TextInput
          label="Client name"
          withAsterisk
          maxLength={100}
          autoComplete="off"
          {...form.getInputProps('clientUsername')}
        />
        <SiteSelect
          placeholder="Choose a site"
          width={260}
          required
          value={form.values.siteId}
          onChange={(siteId) => form.setFieldValue('siteId', siteId ?? null)}
          error={form.errors['siteId']}
        />
        <WholeRow>
          <Textarea
            label="Conversation"
            withAsterisk
            autosize
            minRows={10}
            maxRows={24}
            {...form.getInputProps('conversation')}
          />
        </WholeRow>
      </FormSection>
    </FormFrame>
  )
}
