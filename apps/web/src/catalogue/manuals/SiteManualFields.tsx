import { TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { ReactNode } from 'react'
import { RichTextField } from '../../shared/RichTextField.tsx'
import { FormSection, WholeRow } from '../../ui/form/FormSection.tsx'
import type { ManualValues } from './site-manual-form.ts'
import { manualLabels } from '@tallyroom/contract/catalogue/labels'

interface SiteManualFieldsProps {
  form: UseFormReturnType<ManualValues>
  /** The site that it is about, or the choice of one. */
  site: ReactNode
}

/** The fields of new and existing manuals. */
export const SiteManualFields = ({ form, site }: SiteManualFieldsProps) => (
  <FormSection title="Manual" about="What agents need to know to sell the site.">
    {site}
    <TextInput
      label={manualLabels.title}
      withAsterisk
      maxLength={128}
      autoComplete="off"
      {...form.getInputProps('title')}
    />
    <WholeRow>
      <RichTextField
        label={manualLabels.html}
        required
        value={form.values.html}
        onChange={(html) => form.setFieldValue('html', html)}
        error={form.errors['html']}
      />
    </WholeRow>
  </FormSection>
)
