import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { FormLoader } from '../../ui/form/FormLoader.tsx'
import { OfficeCreateForm } from './OfficeCreateForm.tsx'
import { OfficeEditForm } from './OfficeEditForm.tsx'
import { officeFormQuery } from './offices.api.ts'

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
