import { type Manual, siteManualsEndpoints } from '@tallyroom/contract/catalogue/manuals'
import { manualLabels } from '@tallyroom/contract/catalogue/labels'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { call } from '../../lib/call.ts'
import { formQueryOf } from '../../lib/queries.ts'
import { nameOf } from '../../shared/pickers/picker.ts'
import { EntitySelect } from '../../ui/EntitySelect.tsx'
import { FormFrame } from '../../ui/form/FormFrame.tsx'
import { FormLoader } from '../../ui/form/FormLoader.tsx'
import { FormText } from '../../ui/form/FormText.tsx'
import { useFormEnd } from '../../ui/form/use-form-end.ts'
import { useRecordForm } from '../../ui/form/use-record-form.ts'
import {
  manualChangeOf,
  manualValues,
  newManualOf,
  newManualValues,
  refreshManuals,
} from './site-manual-form.ts'
import { SiteManualFields } from './SiteManualFields.tsx'

const editRoute = getRouteApi('/app/site-manuals/edit/$id')

export function CreateSiteManualPage() {
  return (
    <FormLoader query={useQuery(formQueryOf(siteManualsEndpoints.availableSites, {}))} fields={3}>
      {(sites) => <SiteManualCreateForm sites={sites} />}
    </FormLoader>
  )
}

export function EditSiteManualPage() {
  const { id } = editRoute.useParams()
  return (
    <FormLoader
      query={useQuery(formQueryOf(siteManualsEndpoints.siteManual, { params: { id } }))}
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
  const { form, frame } = useRecordForm({
    endpoint: siteManualsEndpoints.createSiteManual,
    values: newManualValues,
    bodyOf: newManualOf,
    ...useFormEnd('/app/site-manuals', refreshManuals),
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
    <FormFrame {...frame} submitLabel="Add Site Manual">
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
  const params = { id: String(manual.id) }
  const { form, frame } = useRecordForm({
    endpoint: siteManualsEndpoints.updateSiteManual,
    params,
    opened: {
      record: manual,
      reload: () => call(siteManualsEndpoints.siteManual, { params }),
      valuesOf: manualValues,
      labels: manualLabels,
    },
    bodyOf: manualChangeOf,
    ...useFormEnd('/app/site-manuals', refreshManuals),
  })
  return (
    <FormFrame {...frame} submitLabel="Update Site Manual">
      <SiteManualFields form={form} site={<FormText label="Site">{manual.sitename}</FormText>} />
    </FormFrame>
  )
}
