import { preferredDomainsEndpoints } from '@tallyroom/contract/people/domains'
import { type Office, officesEndpoints } from '@tallyroom/contract/people/offices'
import { sitesEndpoints } from '@tallyroom/contract/catalogue/sites'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { call } from '../../lib/call.ts'
import { usePageName } from '../../lib/pages/page-name.ts'
import { FOR_FORM } from '../../lib/queries.ts'
import { nameOf } from '../../shared/pickers/picker.ts'
import { FormFrame } from '../../ui/form/FormFrame.tsx'
import { FormLoader } from '../../ui/form/FormLoader.tsx'
import { useFormEnd } from '../../ui/form/use-form-end.ts'
import { useRecordForm } from '../../ui/form/use-record-form.ts'
import { showInvitationLink } from '../invitations/invitation-menu.tsx'
import {
  type OfficeFormData,
  newOfficeOf,
  newOfficeValues,
  officeChangeOf,
  officeFormLabels,
  officeValues,
} from './office-form.ts'
import { OfficeFields } from './OfficeFields.tsx'
import { refreshOffices } from './offices.api.ts'

const officeFormQuery = (companyId: string | undefined) =>
  queryOptions({
    queryKey: [officesEndpoints.office.path, 'form', companyId] as const,
    queryFn: async ({ signal }): Promise<OfficeFormData> => {
      const [opened, sites, domains] = await Promise.all([
        companyId === undefined
          ? undefined
          : call(officesEndpoints.office, { params: { id: companyId } }, { signal }),
        call(sitesEndpoints.sites, { query: { withSuspended: '1' } }, { signal }),
        call(preferredDomainsEndpoints.preferredDomainsList, {}, { signal }),
      ])
      return {
        office: opened,
        sites: sites.map(({ id, sitename, active }) => ({ id, label: nameOf(sitename, active) })),
        domains: domains.map(({ id, domain }) => ({ id, label: domain })),
      }
    },
    ...FOR_FORM,
  })

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
  const client = useQueryClient()
  const end = useFormEnd('/app/offices/offices', refreshOffices, {
    next: ({ id }: { id: number }) => ({
      label: 'Add its first agent',
      to: '/app/agents/create',
      search: { companyId: id },
    }),
  })
  const { form, frame } = useRecordForm({
    endpoint: officesEndpoints.createOffice,
    values: newOfficeValues(data),
    bodyOf: newOfficeOf,
    ...end,
    onSaved: (answer) => {
      const { way, username } = form.getValues()
      end.onSaved(answer)
      if (way === 'link')
        void showInvitationLink({ kind: 'office', id: answer.id, username }, () =>
          refreshOffices(client),
        )
    },
  })
  return (
    <FormFrame {...frame} submitLabel="Add Office">
      <OfficeFields form={form} sites={data.sites} domains={data.domains} isNew />
    </FormFrame>
  )
}

interface OfficeEditFormProps extends Omit<OfficeFormData, 'office'> {
  office: Office
}

function OfficeEditForm({ office, sites, domains }: OfficeEditFormProps) {
  usePageName(office.officeName)
  const params = { id: String(office.companyId) }
  const { form, frame } = useRecordForm({
    endpoint: officesEndpoints.updateOffice,
    params,
    opened: {
      record: office,
      reload: () => call(officesEndpoints.office, { params }),
      valuesOf: officeValues,
      labels: officeFormLabels,
    },
    bodyOf: officeChangeOf,
    ...useFormEnd('/app/offices/offices', refreshOffices),
  })
  return (
    <FormFrame {...frame} submitLabel="Update Office">
      <OfficeFields form={form} sites={sites} domains={domains} />
    </FormFrame>
  )
}
