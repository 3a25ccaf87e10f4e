import { Text } from '@mantine/core'
import { type Site, sitesEndpoints } from '@tallyroom/contract/catalogue/sites'
import { siteLabels } from '@tallyroom/contract/catalogue/labels'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { call } from '../../lib/call.ts'
import { usePageName } from '../../lib/pages/page-name.ts'
import { formQueryOf } from '../../lib/queries.ts'
import { FormFrame } from '../../ui/form/FormFrame.tsx'
import { FormLoader } from '../../ui/form/FormLoader.tsx'
import { useFormEnd } from '../../ui/form/use-form-end.ts'
import { useRecordForm } from '../../ui/form/use-record-form.ts'
import { newSiteOf, newSiteValues, siteChangeOf, siteRefusals, siteValues } from './site-form.ts'
import { SiteFields } from './SiteFields.tsx'
import { refreshSites } from './sites.api.ts'
import { SiteSteps } from './SiteSteps.tsx'

const editRoute = getRouteApi('/app/sites/edit/$id')

export const CreateSitePage = () => <SiteCreateForm />

export function EditSitePage() {
  const { id } = editRoute.useParams()
  return (
    <FormLoader
      query={useQuery(formQueryOf(sitesEndpoints.site, { params: { id } }))}
      fields={9}
      back={{ to: '/app/sites/sites', label: 'Sites' }}
    >
      {(site) => <SiteEditForm key={id} site={site} />}
    </FormLoader>
  )
}

function SiteCreateForm() {
  const end = useFormEnd('/app/sites/sites', refreshSites, {
    next: ({ id }: { id: number }) => ({
      label: 'Add a link type',
      to: '/app/sites/$siteId/types/create',
      params: { siteId: String(id) },
    }),
  })
  const { form, frame } = useRecordForm({
    endpoint: sitesEndpoints.createSite,
    values: newSiteValues,
    bodyOf: newSiteOf,
    alsoRefused: siteRefusals,
    ...end,
  })
  return (
    <FormFrame {...frame} submitLabel="Add Site">
      <SiteFields form={form} isNew />
      <Text size="sm" c="dimmed">
        Offices can’t see this site yet. Add its links, then enable it for all offices or one by
        one.
      </Text>
    </FormFrame>
  )
}

function SiteEditForm({ site }: { site: Site }) {
  usePageName(site.sitename)
  const end = useFormEnd('/app/sites/sites', refreshSites)
  const params = { id: String(site.id) }
  const { form, frame } = useRecordForm({
    endpoint: sitesEndpoints.updateSite,
    params,
    opened: {
      record: site,
      reload: () => call(sitesEndpoints.site, { params }),
      valuesOf: siteValues,
      labels: siteLabels,
    },
    bodyOf: siteChangeOf,
    alsoRefused: siteRefusals,
    ...end,
  })
  return (
    <>
      <SiteSteps site={site} onDeleted={end.onDeleted} />
      <FormFrame {...frame} submitLabel="Update Site">
        <SiteFields form={form} />
      </FormFrame>
    </>
  )
}
