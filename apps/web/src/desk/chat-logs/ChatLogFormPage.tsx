import { Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { chatLogsEndpoints } from '@tallyroom/contract/desk/chat-logs'
import { SiteSelect } from '../../shared/SiteSelect.tsx'
import { FormFrame } from '../../ui/form/FormFrame.tsx'
import { FormSection, WholeRow } from '../../ui/form/FormSection.tsx'
import { useFormEnd } from '../../ui/form/use-form-end.ts'
import { useSave } from '../../ui/form/use-save.ts'
import { validateBy } from '../../ui/form/validate-by.ts'
import { refreshChatLogs, submitChatLog } from './chat-logs.api.ts'

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
  const { onCancel, onSaved } = useFormEnd('/app/logs/chat', refreshChatLogs)
  const errorsOf = validateBy(chatLogsEndpoints.submitChatLog, chatOf)
  const form = useForm({
    initialValues: noValues,
    validate: (values) => ({
      ...errorsOf(values),
      ...(values.siteId === null && { siteId: 'Choose a site' }),
    }),
    validateInputOnBlur: true,
  })
  const saving = useSave(form, {
    save: (values) => submitChatLog(chatOf(values)),
    onSaved,
  })
  return (
    <FormFrame
      form={form}
      wide="sections"
      submitLabel="Submit"
      busy={saving.isPending}
      onSubmit={saving.mutate}
      onCancel={onCancel}
    >
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
