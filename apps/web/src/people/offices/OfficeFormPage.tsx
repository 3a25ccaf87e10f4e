import { useForm } from '@mantine/form'
import { type Office, officesEndpoints } from '@tallyroom/contract/people/offices'
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
import {
  newOfficeOf,
  newOfficeValues,
  officeChangeOf,
  officeFormLabels,
  officeValues,
} from './office-form.ts'
import { OfficeFields } from './OfficeFields.tsx'
import {
  createOffice,
  getOffice,
  type OfficeFormData,
  officeFormQuery,
  refreshOffices,
  updateOffice,
} from './offices.api.ts'

const editRoute = getRouteApi('/app/offices/edit/$companyId')

export function CreateOfficePage() {
  return (
    <FormLoader query={useQuery(officeFormQuery(undefined))} fields={9}>
      {(data) => <OfficeCreateForm data={data} />}
    </FormLoader>
  )
}

export function EditOfficePage() {
  const { companyId } = editRoute.useParams()
  return (
    <FormLoader
      query={useQuery(officeFormQuery(companyId))}
      fields={9}
      back={{ to: '/app/offices/offices', label: 'Offices' }}
    >
      {({ office, ...data }) =>
        office && <OfficeEditForm key={companyId} office={office} {...data} />
      }
    </FormLoader>
  )
}

function OfficeCreateForm({ data }: { data: OfficeFormData }) {
  const { onCancel, onSaved } = useFormEnd('/app/offices/offices', refreshOffices, {
    next: ({ id }: { id: number }) => ({
      label: 'Add its first agent',
      to: '/app/agents/create',
      search: { companyId: id },
    }),
  })
  const form = useForm({
    initialValues: newOfficeValues(data),
    validate: validateBy(officesEndpoints.createOffice, newOfficeOf),
    validateInputOnBlur: true,
  })
  const saving = useSave(form, {
    save: (values) => createOffice(newOfficeOf(values)),
    onSaved,
  })
  return (
    <FormFrame
      form={form}
      wide="sections"
      submitLabel="Add Office"
      busy={saving.isPending}
      onSubmit={saving.mutate}
      onCancel={onCancel}
    >
      <OfficeFields form={form} sites={data.sites} domains={data.domains} isNew />
    </FormFrame>
  )
}

interface OfficeEditFormProps extends Omit<OfficeFormData, 'office'> {
  office: Office
}

function OfficeEditForm({ office, sites, domains }: OfficeEditFormProps) {
  usePageName(office.officeName)
  const { companyId } = office
  const { onCancel, onSaved } = useFormEnd('/app/offices/offices', refreshOffices)
  const form = useForm({
    initialValues: officeValues(office),
    validate: validateBy(officesEndpoints.updateOffice, officeChangeOf),
    validateInputOnBlur: true,
  })
  const { saving, stale } = useVersionedSave(form, {
    opened: office,
    reload: () => getOffice(String(companyId)),
    valuesOf: officeValues,
    save: (values, version) => updateOffice(companyId, officeChangeOf(values, version)),
    onSaved,
  })
  return (
    <FormFrame
      form={form}
      wide="sections"
      submitLabel="Update Office"
      busy={saving.isPending}
      onSubmit={saving.mutate}
      onCancel={onCancel}
    >
      <StaleNotice stale={stale} labels={officeFormLabels} />
      <OfficeFields form={form} sites={sites} domains={domains} />
    </FormFrame>
  )
}
