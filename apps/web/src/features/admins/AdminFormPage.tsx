import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { FormLoader } from '../../ui/form/FormLoader.tsx'
import { AdminCreateForm } from './AdminCreateForm.tsx'
import { AdminEditForm } from './AdminEditForm.tsx'
import { adminFormQuery } from './admins.api.ts'

const editRoute = getRouteApi('/app/admins/edit/$id')

export const CreateAdminPage = AdminCreateForm

export function EditAdminPage() {
  const { id } = editRoute.useParams()
  return (
    <FormLoader query={useQuery(adminFormQuery(id))} back={{ to: '/app/admins', label: 'Admins' }}>
      {(admin) => <AdminEditForm key={id} admin={admin} />}
    </FormLoader>
  )
}
