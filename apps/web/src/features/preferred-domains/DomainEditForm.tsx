import { useForm } from '@mantine/form'
import {
  preferredDomainsEndpoints,
  type PreferredDomain,
} from '@tallyroom/contract/preferred-domains'
import { FormFrame } from '../../ui/form/FormFrame.tsx'
import { StaleNotice } from '../../ui/form/StaleNotice.tsx'
import { useFormEnd } from '../../ui/form/use-form-end.ts'
import { useVersionedSave } from '../../ui/form/use-versioned-save.ts'
import { validateBy } from '../../ui/form/validate-by.ts'
import { domainChangeOf, domainLabels, domainValues } from './domain-form.ts'
import { DomainFields } from './DomainFields.tsx'
import { getDomain, refreshDomains, updateDomain } from './preferred-domains.api.ts'

export function DomainEditForm({ domain }: { domain: PreferredDomain }) {
  const { onCancel, onSaved } = useFormEnd('/app/offices/domains', refreshDomains)
  const form = useForm({
    initialValues: domainValues(domain),
    validate: validateBy(preferredDomainsEndpoints.updatePreferredDomain, domainChangeOf),
    validateInputOnBlur: true,
  })
  const { saving, stale } = useVersionedSave(form, {
    opened: domain,
    reload: () => getDomain(String(domain.id)),
    valuesOf: domainValues,
    save: (values, version) => updateDomain(domain.id, domainChangeOf(values, version)),
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
      <StaleNotice stale={stale} labels={domainLabels} />
      <DomainFields form={form} />
    </FormFrame>
  )
}
