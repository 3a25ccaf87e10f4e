import { Checkbox, Group, PasswordInput, Radio, Textarea, TextInput } from '@mantine/core'
import { schemaResolver, useForm } from '@mantine/form'
import { z } from 'zod'
import { ApiError } from '../../lib/api-error.ts'
import { FormFrame } from '../../ui/form/FormFrame.tsx'
import { useSave } from '../../ui/form/use-save.ts'
import { toastSaved } from '../../ui/toasts.tsx'
import { Section } from './Section.tsx'
import { Select } from '../../ui/Select.tsx'

const schema = z.object({
  username: z.string().min(1, 'is required').max(10, 'has more than 10 characters'),
  email: z.email('is not an email address'),
  note: z.string(),
})

export function FormSection() {
  const form = useForm({
    initialValues: { username: '', email: '', note: '' },
    validate: schemaResolver(schema, { sync: true }),
    validateInputOnBlur: true,
  })
  const save = useSave(form, { save: pretendToSave, onSaved: () => toastSaved() })
  return (
    <Section title="Form and inputs">
      <Group align="flex-start" gap={48}>
        <FormFrame
          form={form}
          narrow
          submitLabel="Update"
          busy={save.isPending}
          onSubmit={save.mutate}
        >
          <TextInput
            label="Username"
            description="Type ‘taken’ for a field error, ‘whole’ for a form error, ‘down’ for a failure"
            withAsterisk
            {...form.getInputProps('username')}
          />
          <TextInput label="Email" withAsterisk {...form.getInputProps('email')} />
          <Textarea label="Note" autosize minRows={2} {...form.getInputProps('note')} />
        </FormFrame>
        <Group align="flex-start" gap="lg">
          <TextInput label="With an error" error="is already taken" defaultValue="maria" w={180} />
          <TextInput label="Disabled" disabled defaultValue="maria" w={180} />
          <PasswordInput label="Password" defaultValue="demo" w={180} />
          <Select
            label="Status"
            data={['Activated', 'Suspended']}
            defaultValue="Activated"
            w={180}
          />
          <Radio.Group label="View by" defaultValue="date">
            <Group gap="sm" mt={6}>
              <Radio value="date" label="Date" />
              <Radio value="detail" label="Detail" />
              <Radio value="office" label="Office" disabled />
            </Group>
          </Radio.Group>
          <Checkbox label="Hidden" mt={24} />
        </Group>
      </Group>
    </Section>
  )
}

async function pretendToSave({ username }: { username: string }) {
  await new Promise((done) => setTimeout(done, 600))
  if (username === 'taken')
    throw new ApiError('VALIDATION_ERROR', 'Check the form.', { username: ['is already taken'] })
  if (username === 'whole')
    throw new ApiError('VALIDATION_ERROR', 'Check the form.', {
      _form: ['The office is suspended.'],
    })
  if (username === 'down')
    throw new ApiError('UNAVAILABLE', 'The service is busy. Try again in a moment.')
}
