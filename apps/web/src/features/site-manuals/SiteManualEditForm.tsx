import { useForm } from '@mantine/form'
import { siteManualsEndpoints, type Manual } from '@tallyroom/contract/site-manuals'
import { FormFrame } from '../../ui/form/FormFrame.tsx'
import { FormText } from '../../ui/form/FormText.tsx'
import { StaleNotice } from '../../ui/form/StaleNotice.tsx'
import { useFormEnd } from '../../ui/form/use-form-end.ts'
import { useVersionedSave } from '../../ui/form/use-versioned-save.ts'
import { validateBy } from '../../ui/form/validate-by.ts'
import { manualChangeOf, manualLabels, manualValues } from './site-manual-form.ts'
import { getManual, refreshManuals, updateManual } from './site-manuals.api.ts'
import { SiteManualFields } from './SiteManualFields.tsx'

export function SiteManualEditForm({ manual }: { manual: Manual }) {
  const { onCancel, onSaved } = useFormEnd('/app/site-manuals', refreshManuals)
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
    onSaved,
  })
  return (
    <FormFrame
      form={form}
      wide
      submitLabel="Update Site Manual"
      busy={saving.isPending}
      onSubmit={saving.mutate}
      onCancel={onCancel}
    >
      <StaleNotice stale={stale} labels={manualLabels} />
      <FormText label="Site">{manual.sitename}</FormText>
      <SiteManualFields form={form} />
    </FormFrame>
  )
}
