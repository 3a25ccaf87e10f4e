import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { FormLoader } from '../../ui/form/FormLoader.tsx'
import { LinkTypeCreateForm } from './LinkTypeCreateForm.tsx'
import { LinkTypeEditForm } from './LinkTypeEditForm.tsx'
import { linkTypeFormQuery } from './link-types.api.ts'
import { SiteOfForm } from './SiteOfForm.tsx'

const createRoute = getRouteApi('/app/sites/$siteId/types/create')
const editRoute = getRouteApi('/app/sites/$siteId/types/edit/$id')

export function CreateLinkTypePage() {
  const { siteId } = createRoute.useParams()
  return (
    <FormLoader
      query={useQuery(linkTypeFormQuery(siteId, undefined))}
      fields={8}
      back={{ to: '/app/sites/sites', label: 'Sites' }}
    >
      {({ site }) => (
        <SiteOfForm site={site}>
          <LinkTypeCreateForm key={siteId} site={site} />
        </SiteOfForm>
      )}
    </FormLoader>
  )
}

export function EditLinkTypePage() {
  const { siteId, id } = editRoute.useParams()
  return (
    <FormLoader
      query={useQuery(linkTypeFormQuery(siteId, id))}
      fields={8}
      back={{ to: '/app/sites/sites', label: 'Sites' }}
    >
      {({ site, linkType }) =>
        linkType && (
          <SiteOfForm site={site}>
            <LinkTypeEditForm key={id} site={site} linkType={linkType} />
          </SiteOfForm>
        )
      }
    </FormLoader>
  )
}
