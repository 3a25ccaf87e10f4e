import { type PreferredDomain, preferredDomainsEndpoints } from '@tallyroom/contract/people/domains'
import { domainLabels } from '@tallyroom/contract/people/labels'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useRouter } from '@tanstack/react-router'
import { call } from '../../lib/call.ts'
import { formQueryOf } from '../../lib/queries.ts'
import { FormFrame } from '../../ui/form/FormFrame.tsx'
import { FormLoader } from '../../ui/form/FormLoader.tsx'
import { useFormEnd } from '../../ui/form/use-form-end.ts'
import { useRecordForm } from '../../ui/form/use-record-form.ts'
import { domainChangeOf, domainValues, newDomainOf, newDomainValues } from './domain-form.ts'
import { DomainFields } from './DomainFields.tsx'
import { refreshDomains } from './domain-actions.ts'

const editRoute = getRouteApi('/app/offices/domains/$id')

export function EditDomainPage() {
  const { id } = editRoute.useParams()
  return (
    <FormLoader
      query={useQuery(formQueryOf(preferredDomainsEndpoints.preferredDomain, { params: { id } }))}
      fields={4}
      back={{ to: '/app/offices/domains', label: 'Domains' }}
    >
      {(domain) => <DomainEditForm key={id} domain={domain} />}
    </FormLoader>
  )
}

export function CreateDomainPage() {
  const { history } = useRouter()
  const end = useFormEnd('/app/offices/domains', refreshDomains, {
    next: () =>
      history.location.state.fromChecklist
        ? undefined
        : { label: 'Make a link', to: '/app/links/links' },
  })
  const { form, frame } = useRecordForm({
    endpoint: preferredDomainsEndpoints.createPreferredDomain,
    values: newDomainValues,
    bodyOf: newDomainOf,
    ...end,
  })
  return (
    <FormFrame {...frame} submitLabel="Confirm">
      <DomainFields form={form} />
    </FormFrame>
  )
}

function DomainEditForm({ domain }: { domain: PreferredDomain }) {
  const params = { id: String(domain.id) }
  const { form, frame } = useRecordForm({
    endpoint: preferredDomainsEndpoints.updatePreferredDomain,
    params,
    opened: {
      record: domain,
      reload: () => call(preferredDomainsEndpoints.preferredDomain, { params }),
      valuesOf: domainValues,
      labels: domainLabels,
    },
    bodyOf: domainChangeOf,
    ...useFormEnd('/app/offices/domains', refreshDomains),
  })
  return (
    <FormFrame {...frame} submitLabel="Confirm">
      <DomainFields form={form} />
    </FormFrame>
  )
}
