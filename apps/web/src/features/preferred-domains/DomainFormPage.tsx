import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { FormLoader } from '../../ui/form/FormLoader.tsx'
import { DomainCreateForm } from './DomainCreateForm.tsx'
import { DomainEditForm } from './DomainEditForm.tsx'
import { domainFormQuery } from './preferred-domains.api.ts'

const editRoute = getRouteApi('/app/offices/domains/$id')

export const CreateDomainPage = DomainCreateForm

export function EditDomainPage() {
  const { id } = editRoute.useParams()
  return (
    <FormLoader
      query={useQuery(domainFormQuery(id))}
      fields={3}
      back={{ to: '/app/offices/domains', label: 'Domains' }}
    >
      {(domain) => <DomainEditForm key={id} domain={domain} />}
    </FormLoader>
  )
}
