import { Checkbox, Textarea, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { FormSection, WholeRow } from '../../ui/form/FormSection.tsx'
import type { DomainValues } from './domain-form.ts'
import { domainLabels } from '@tallyroom/contract/people/labels'

export const DomainFields = ({ form }: { form: UseFormReturnType<DomainValues> }) => (
  <FormSection title="Domain" about="The host name of the links of offices that prefer it.">
    <WholeRow>
      <TextInput
        label={domainLabels['domain']}
        description="A web address without a path, such as https://go.example.com. It must lead to this server."
        withAsterisk
        maxLength={260}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        inputMode="url"
        {...form.getInputProps('domain')}
      />
    </WholeRow>
    <WholeRow>
      <TextInput
        label={domainLabels['rootUrl']}
        description="For visitors who open the domain without a link, such as https://www.example.com. Empty: a small page with your brand’s name. The back office’s own domain always shows the back office."
        placeholder="https://"
        maxLength={2000}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        inputMode="url"
        {...form.getInputProps('rootUrl')}
      />
    </WholeRow>
    <WholeRow>
      <Textarea
        label={domainLabels['description']}
        autosize
        minRows={2}
        maxRows={8}
        maxLength={1000}
        {...form.getInputProps('description')}
      />
    </WholeRow>
    <Checkbox
      label={domainLabels['hidden']}
      description="New links use the first active domain instead; existing links keep working"
      {...form.getInputProps('hidden', { type: 'checkbox' })}
    />
  </FormSection>
)
