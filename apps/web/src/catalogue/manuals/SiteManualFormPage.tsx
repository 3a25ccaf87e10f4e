import { useForm } from '@mantine/form'
import { type Manual, siteManualsEndpoints } from '@tallyroom/contract/catalogue/manuals'
import { manualLabels } from '@tallyroom/contract/catalogue/labels'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { nameOf } from '../../shared/picker.ts'
import { EntitySelect } from '../../ui/EntitySelect.tsx'
import { FormFrame } from '../../ui/form/FormFrame.tsx'
import { FormLoader } from '../../ui/form/FormLoader.tsx'
import { FormText } from '../../ui/form/FormText.tsx'
import { StaleNotice } from '../../ui/form/StaleNotice.tsx'
import { useFormEnd } from '../../ui/form/use-form-end.ts'
import { useSave } from '../../ui/form/use-save.ts'
import { useVersionedSave } from '../../ui/form/use-versioned-save.ts'
import { validateBy } from '../../ui/form/validate-by.ts'
import { manualChangeOf, manualValues, newManualOf, newManualValues } from './site-manual-form.ts'
import {
  availableSitesQuery,
  createManual,
  getManual,
  manualFormQuery,
  refreshManuals,
  updateManual,
} from './site-manuals.api.ts'
import { SiteManualFields } from './SiteManualFields.tsx'

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

interface SiteManualCreateFormProps {
  /** The sites without a manual. */
  sites: readonly { id: number; sitename: string; active: boolean }[]
}

function SiteManualCreateForm({ sites }: SiteManualCreateFormProps) {
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

  /** Keeps the title equal to the site's name until the user changes it. */
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
      wide="sections"
      submitLabel="Add Site Manual"
      busy={saving.isPending}
      onSubmit={saving.mutate}
      onCancel={onCancel}
    >
      <SiteManualFields
        form={form}
        site={
          <EntitySelect
            label="Site"
            placeholder={sites.length > 0 ? 'Choose a site' : 'Every site has a manual'}
            options={sites.map(({ id, sitename, active }) => ({
              id,
              label: nameOf(sitename, active),
            }))}
            value={form.values.siteId}
            onChange={chooseSite}
            error={form.errors['siteId']}
            disabled={sites.length === 0}
            required
            width={260}
          />
        }
      />
    </FormFrame>
  )
}

function SiteManualEditForm({ manual }: { manual: Manual }) {
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
      wide="sections"
      submitLabel="Update Site Manual"
      busy={saving.isPending}
      onSubmit={saving.mutate}
      onCancel={onCancel}
    >
      <StaleNotice stale={stale} labels={manualLabels} />
      <SiteManualFields form={form} site={<FormText label="Site">{manual.sitename}</FormText>} />
    </FormFrame>
  )
}
