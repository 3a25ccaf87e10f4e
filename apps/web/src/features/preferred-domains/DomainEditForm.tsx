import { Button } from '@mantine/core'
import { useForm } from '@mantine/form'
import {
  preferredDomainsEndpoints,
  type PreferredDomain,
} from '@tallyroom/contract/preferred-domains'
import { useQueryClient } from '@tanstack/react-query'
import { FormFrame } from '../../ui/form/FormFrame.tsx'
import { StaleNotice } from '../../ui/form/StaleNotice.tsx'
import { useVersionedSave } from '../../ui/form/use-versioned-save.ts'
import { validateBy } from '../../ui/form/validate-by.ts'
import { useBackToList } from '../../ui/list/back-to-list.ts'
import { toastSaved } from '../../ui/toasts.tsx'
import { domainChangeOf, domainLabels, domainValues } from './domain-form.ts'
import { DomainFields } from './DomainFields.tsx'
import { getDomain, refreshDomains, updateDomain } from './preferred-domains.api.ts'

export function DomainEditForm({ domain }: { domain: PreferredDomain }) {
  const back = useBackToList('/app/offices/domains')
  const client = useQueryClient()
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
    onSaved: () => {
      toastSaved()
      void refreshDomains(client)
      back()
    },
  })
  return (
    <FormFrame
      form={form}
      submitLabel="Confirm"
      busy={saving.isPending}
      onSubmit={saving.mutate}
      actions={
        <Button variant="default" onClick={back}>
          Cancel
        </Button>
      }
    >
      <StaleNotice stale={stale} labels={domainLabels} />
      <DomainFields form={form} />
    </FormFrame>
  )
}
