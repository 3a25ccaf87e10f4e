import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { FormLoader } from '../../ui/form/FormLoader.tsx'
import { SiteManualCreateForm } from './SiteManualCreateForm.tsx'
import { SiteManualEditForm } from './SiteManualEditForm.tsx'
import { availableSitesQuery, manualFormQuery } from './site-manuals.api.ts'

const editRoute = getRouteApi('/app/site-manuals/edit/$id')

export function CreateSiteManualPage() {
  return (
    <FormLoader query={useQuery(availableSitesQuery)} fields={3}>
      {(sites) => <SiteManualCreateForm sites={sites} />}
    </FormLoader>
  )
}

export function EditSiteManualPage() {
  const { id } = editRoute.useParams()
  return (
    <FormLoader
      query={useQuery(manualFormQuery(id))}
      fields={3}
      back={{ to: '/app/site-manuals', label: 'Site Manuals' }}
    >
      {(manual) => <SiteManualEditForm key={id} manual={manual} />}
    </FormLoader>
  )
}
