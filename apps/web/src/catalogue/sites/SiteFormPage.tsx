import { Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { type Site, sitesEndpoints } from '@tallyroom/contract/catalogue/sites'
import { siteLabels } from '@tallyroom/contract/catalogue/labels'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { usePageName } from '../../lib/page-name.ts'
import { FormFrame } from '../../ui/form/FormFrame.tsx'
import { FormLoader } from '../../ui/form/FormLoader.tsx'
import { StaleNotice } from '../../ui/form/StaleNotice.tsx'
import { useFormEnd } from '../../ui/form/use-form-end.ts'
import { useSave } from '../../ui/form/use-save.ts'
import { useVersionedSave } from '../../ui/form/use-versioned-save.ts'
import { validateBy } from '../../ui/form/validate-by.ts'
import { newSiteOf, newSiteValues, siteChangeOf, siteValues, type SiteValues } from './site-form.ts'
import { SiteFields } from './SiteFields.tsx'
import { createSite, getSite, refreshSites, siteFormQuery, updateSite } from './sites.api.ts'
import { SiteSteps } from './SiteSteps.tsx'

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

function SiteCreateForm() {
  const { onCancel, onSaved } = useFormEnd('/app/sites/sites', refreshSites, {
    next: ({ id }: { id: number }) => ({
      label: 'Add a link type',
      to: '/app/sites/$siteId/types/create',
      params: { siteId: String(id) },
    }),
  })
  const form = useForm({
    initialValues: newSiteValues,
    validate: validateBy(sitesEndpoints.createSite, newSiteOf),
    validateInputOnBlur: true,
  })
  const saving = useSave(form, {
    save: (values) => createSite(newSiteOf(values)),
    onSaved,
  })
  return (
    <FormFrame
      form={form}
      wide="sections"
      submitLabel="Add Site"
      busy={saving.isPending}
      onSubmit={saving.mutate}
      onCancel={onCancel}
    >
      <SiteFields form={form} />
      <Text size="sm" c="dimmed">
        Offices can’t see this site yet. Add its links, then enable it for all offices or one by
        one.
      </Text>
    </FormFrame>
  )
}

function SiteEditForm({ site }: { site: Site }) {
  usePageName(site.sitename)
  const { onCancel, onSaved, onDeleted } = useFormEnd('/app/sites/sites', refreshSites)
  const form = useForm({
    initialValues: siteValues(site),
    validate: validateBy(sitesEndpoints.updateSite, (values: SiteValues) => siteChangeOf(values)),
    validateInputOnBlur: true,
  })
  const { saving, stale } = useVersionedSave(form, {
    opened: site,
    reload: () => getSite(String(site.id)),
    valuesOf: siteValues,
    save: (values, version) => updateSite(site.id, siteChangeOf(values, version)),
    onSaved,
  })
  return (
    <>
      <SiteSteps site={site} onDeleted={onDeleted} />
      <FormFrame
        form={form}
        wide="sections"
        submitLabel="Update Site"
        busy={saving.isPending}
        onSubmit={saving.mutate}
        onCancel={onCancel}
      >
        <StaleNotice stale={stale} labels={siteLabels} />
        <SiteFields form={form} />
      </FormFrame>
    </>
  )
}
