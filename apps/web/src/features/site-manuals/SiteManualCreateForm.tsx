import { useForm } from '@mantine/form'
import { siteManualsEndpoints } from '@tallyroom/contract/site-manuals'
import { nameOf } from '../../pickers/picker.ts'
import { EntitySelect } from '../../ui/EntitySelect.tsx'
import { FormFrame } from '../../ui/form/FormFrame.tsx'
import { useFormEnd } from '../../ui/form/use-form-end.ts'
import { useSave } from '../../ui/form/use-save.ts'
import { validateBy } from '../../ui/form/validate-by.ts'
import { newManualOf, newManualValues } from './site-manual-form.ts'
import { createManual, refreshManuals } from './site-manuals.api.ts'
import { SiteManualFields } from './SiteManualFields.tsx'

interface SiteManualCreateFormProps {
  /** Those without a manual. */
  sites: readonly { id: number; sitename: string; active: boolean }[]
}

export function SiteManualCreateForm({ sites }: SiteManualCreateFormProps) {
  const { onCancel, onSaved } = useFormEnd('/app/site-manuals', refreshManuals)
  const form = useForm({
    initialValues: newManualValues,
    validate: validateBy(siteManualsEndpoints.createSiteManual, newManualOf),
    validateInputOnBlur: true,
  })
  const saving = useSave(form, {
    save: (values) => createManual(newManualOf(values)),
    onSaved,
  })

  /** The title follows the site until somebody has typed another. */
  const chooseSite = (siteId: number | undefined) => {
    const nameOfSite = (id: number | undefined) => sites.find((site) => site.id === id)?.sitename
    const { siteId: before, title } = form.getValues()
    if (title === '' || title === nameOfSite(before))
      form.setFieldValue('title', nameOfSite(siteId) ?? '')
    form.setFieldValue('siteId', siteId)
  }

  return (
    <FormFrame
      form={form}
      wide
      submitLabel="Add Site Manual"
      busy={saving.isPending}
      onSubmit={saving.mutate}
      onCancel={onCancel}
    >
      <EntitySelect
        label="Site"
        placeholder={sites.length > 0 ? 'Choose a site' : 'Every site has a manual'}
        options={sites.map(({ id, sitename, active }) => ({ id, label: nameOf(sitename, active) }))}
        value={form.values.siteId}
        onChange={chooseSite}
        error={form.errors['siteId']}
        disabled={sites.length === 0}
        required
        width={320}
      />
      <SiteManualFields form={form} />
    </FormFrame>
  )
}
