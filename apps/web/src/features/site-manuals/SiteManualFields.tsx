import { TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { RichTextField } from '../../pickers/RichTextField.tsx'
import { manualLabels, type ManualValues } from './site-manual-form.ts'

/** The fields that new and existing manuals share. */
export const SiteManualFields = ({ form }: { form: UseFormReturnType<ManualValues> }) => (
  <>
    <TextInput
      label={manualLabels.title}
      withAsterisk
      maxLength={128}
      autoComplete="off"
      {...form.getInputProps('title')}
    />
    <RichTextField
      label={manualLabels.html}
      required
      value={form.values.html}
      onChange={(html) => form.setFieldValue('html', html)}
      error={form.errors['html']}
    />
  </>
)
