import { useForm } from '@mantine/form'
import { sitesEndpoints, type Site } from '@tallyroom/contract/sites'
import { FormFrame } from '../../ui/form/FormFrame.tsx'
import { StaleNotice } from '../../ui/form/StaleNotice.tsx'
import { useFormEnd } from '../../ui/form/use-form-end.ts'
import { useVersionedSave } from '../../ui/form/use-versioned-save.ts'
import { validateBy } from '../../ui/form/validate-by.ts'
import { siteChangeOf, siteLabels, siteValues, type SiteValues } from './site-form.ts'
import { SiteFields } from './SiteFields.tsx'
import { SiteSteps } from './SiteSteps.tsx'
import { getSite, refreshSites, updateSite } from './sites.api.ts'

export function SiteEditForm({ site }: { site: Site }) {
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
