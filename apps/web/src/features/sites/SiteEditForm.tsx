import { Button } from '@mantine/core'
import { useForm } from '@mantine/form'
import { sitesEndpoints, type Site } from '@tallyroom/contract/sites'
import { useQueryClient } from '@tanstack/react-query'
import { FormFrame } from '../../ui/form/FormFrame.tsx'
import { StaleNotice } from '../../ui/form/StaleNotice.tsx'
import { useVersionedSave } from '../../ui/form/use-versioned-save.ts'
import { validateBy } from '../../ui/form/validate-by.ts'
import { useBackToList } from '../../ui/list/back-to-list.ts'
import { toastSaved } from '../../ui/toasts.tsx'
import { siteChangeOf, siteLabels, siteValues, type SiteValues } from './site-form.ts'
import { SiteFields } from './SiteFields.tsx'
import { SiteSteps } from './SiteSteps.tsx'
import { getSite, refreshSites, updateSite } from './sites.api.ts'

export function SiteEditForm({ site }: { site: Site }) {
  const back = useBackToList('/app/sites/sites')
  const leave = useBackToList('/app/sites/sites', { ignoreBlocker: true })
  const client = useQueryClient()
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
    onSaved: () => {
      toastSaved()
      void refreshSites(client)
      back()
    },
  })
  return (
    <>
      <SiteSteps site={site} onDeleted={leave} />
      <FormFrame
        form={form}
        submitLabel="Update Site"
        busy={saving.isPending}
        onSubmit={saving.mutate}
        actions={
          <Button variant="default" onClick={back}>
            Cancel
          </Button>
        }
      >
        <StaleNotice stale={stale} labels={siteLabels} />
        <SiteFields form={form} />
      </FormFrame>
    </>
  )
}
