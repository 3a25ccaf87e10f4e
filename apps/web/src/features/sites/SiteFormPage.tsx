import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { FormLoader } from '../../ui/form/FormLoader.tsx'
import { SiteCreateForm } from './SiteCreateForm.tsx'
import { SiteEditForm } from './SiteEditForm.tsx'
import { siteFormQuery } from './sites.api.ts'

const editRoute = getRouteApi('/app/sites/edit/$id')

export const CreateSitePage = () => <SiteCreateForm />

export function EditSitePage() {
  const { id } = editRoute.useParams()
  return (
    <FormLoader
      query={useQuery(siteFormQuery(id))}
      fields={9}
      back={{ to: '/app/sites/sites', label: 'Sites' }}
    >
      {(site) => <SiteEditForm key={id} site={site} />}
    </FormLoader>
  )
}
