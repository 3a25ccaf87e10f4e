import { Button } from '@mantine/core'
import { useForm } from '@mantine/form'
import { siteManualsEndpoints, type Manual } from '@tallyroom/contract/site-manuals'
import { useQueryClient } from '@tanstack/react-query'
import { FormFrame } from '../../ui/form/FormFrame.tsx'
import { FormText } from '../../ui/form/FormText.tsx'
import { StaleNotice } from '../../ui/form/StaleNotice.tsx'
import { useVersionedSave } from '../../ui/form/use-versioned-save.ts'
import { validateBy } from '../../ui/form/validate-by.ts'
import { useBackToList } from '../../ui/list/back-to-list.ts'
import { toastSaved } from '../../ui/toasts.tsx'
import { manualChangeOf, manualLabels, manualValues } from './site-manual-form.ts'
import { getManual, refreshManuals, updateManual } from './site-manuals.api.ts'
import { SiteManualFields } from './SiteManualFields.tsx'

export function SiteManualEditForm({ manual }: { manual: Manual }) {
  const back = useBackToList('/app/site-manuals')
  const client = useQueryClient()
  const form = useForm({
    initialValues: manualValues(manual),
    validate: validateBy(siteManualsEndpoints.updateSiteManual, manualChangeOf),
    validateInputOnBlur: true,
  })
  const { saving, stale } = useVersionedSave(form, {
    opened: manual,
    reload: () => getManual(String(manual.id)),
    valuesOf: manualValues,
    save: (values, version) => updateManual(manual.id, manualChangeOf(values, version)),
    onSaved: () => {
      toastSaved()
      void refreshManuals(client)
      back()
    },
  })
  return (
    <FormFrame
      form={form}
      wide
      submitLabel="Update Site Manual"
      busy={saving.isPending}
      onSubmit={saving.mutate}
      actions={
        <Button variant="default" onClick={back}>
          Cancel
        </Button>
      }
    >
      <StaleNotice stale={stale} labels={manualLabels} />
      <FormText label="Site">{manual.sitename}</FormText>
      <SiteManualFields form={form} />
    </FormFrame>
  )
}
