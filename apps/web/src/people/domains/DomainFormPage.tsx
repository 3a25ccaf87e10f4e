import { useForm } from '@mantine/form'
import { type PreferredDomain, preferredDomainsEndpoints } from '@tallyroom/contract/people/domains'
import { domainLabels } from '@tallyroom/contract/people/labels'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useRouter } from '@tanstack/react-router'
import { FormFrame } from '../../ui/form/FormFrame.tsx'
import { FormLoader } from '../../ui/form/FormLoader.tsx'
import { StaleNotice } from '../../ui/form/StaleNotice.tsx'
import { useFormEnd } from '../../ui/form/use-form-end.ts'
import { useSave } from '../../ui/form/use-save.ts'
import { useVersionedSave } from '../../ui/form/use-versioned-save.ts'
import { validateBy } from '../../ui/form/validate-by.ts'
import { domainChangeOf, domainValues, newDomainOf, newDomainValues } from './domain-form.ts'
import { DomainFields } from './DomainFields.tsx'
import {
  createDomain,
  domainFormQuery,
  getDomain,
  refreshDomains,
  updateDomain,
} from './preferred-domains.api.ts'

const editRoute = getRouteApi('/app/offices/domains/$id')

export function EditDomainPage() {
  const { id } = editRoute.useParams()
  return (
    <FormLoader
      query={useQuery(domainFormQuery(id))}
      fields={4}
      back={{ to: '/app/offices/domains', label: 'Domains' }}
    >
      {(domain) => <DomainEditForm key={id} domain={domain} />}
    </FormLoader>
  )
}

export function CreateDomainPage() {
  const { history } = useRouter()
  const { onCancel, onSaved } = useFormEnd('/app/offices/domains', refreshDomains, {
    next: () =>
      history.location.state.fromChecklist
        ? undefined
        : { label: 'Make a link', to: '/app/links/links' },
  })
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
      wide="sections"
      submitLabel="Confirm"
      busy={saving.isPending}
      onSubmit={saving.mutate}
      onCancel={onCancel}
    >
      <DomainFields form={form} />
    </FormFrame>
  )
}

function DomainEditForm({ domain }: { domain: PreferredDomain }) {
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
      wide="sections"
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
