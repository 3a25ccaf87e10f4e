import { useForm } from '@mantine/form'
import { preferredDomainsEndpoints } from '@tallyroom/contract/preferred-domains'
import { FormFrame } from '../../ui/form/FormFrame.tsx'
import { useFormEnd } from '../../ui/form/use-form-end.ts'
import { useSave } from '../../ui/form/use-save.ts'
import { validateBy } from '../../ui/form/validate-by.ts'
import { newDomainOf, newDomainValues } from './domain-form.ts'
import { DomainFields } from './DomainFields.tsx'
import { createDomain, refreshDomains } from './preferred-domains.api.ts'

export function DomainCreateForm() {
  const { onCancel, onSaved } = useFormEnd('/app/offices/domains', refreshDomains)
  const form = useForm({
    initialValues: newDomainValues,
    validate: validateBy(preferredDomainsEndpoints.createPreferredDomain, newDomainOf),
    validateInputOnBlur: true,
  })
  const saving = useSave(form, {
    save: (values) => createDomain(newDomainOf(values)),
    onSaved,
  })
  return (
    <FormFrame
      form={form}
      submitLabel="Confirm"
      busy={saving.isPending}
      onSubmit={saving.mutate}
      onCancel={onCancel}
    >
      <DomainFields form={form} />
    </FormFrame>
  )
}
