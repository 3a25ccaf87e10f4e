import { Checkbox, Textarea, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { FormSection, WholeRow } from '../../ui/form/FormSection.tsx'
import { inputsOf } from '../../ui/form/inputs-of.ts'
import type { DomainValues } from './domain-form.ts'
import { domainLabels } from '@tallyroom/contract/people/labels'

export function DomainFields({ form }: { form: UseFormReturnType<DomainValues> }) {
  const { text, check } = inputsOf(form, domainLabels)
  return (
    <FormSection title="Domain" about="The host name of the links of offices that prefer it.">
      <WholeRow>
        <TextInput
          description="A web address without a path, such as https://go.example.com. It must lead to this server."
          withAsterisk
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          inputMode="url"
          {...text('domain', 260)}
        />
      </WholeRow>
      <WholeRow>
        <TextInput
          description="For visitors who open the domain without a link, such as https://www.example.com. Empty: a small page with your brand’s name. The back office’s own domain always shows the back office."
          placeholder="https://"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          inputMode="url"
          {...text('rootUrl', 2000)}
        />
      </WholeRow>
      <WholeRow>
        <Textarea autosize minRows={2} maxRows={8} {...text('description', 1000)} />
      </WholeRow>
      <Checkbox
        description="New links use the first active domain instead; existing links keep working"
        {...check('hidden')}
      />
    </FormSection>
  )
}
