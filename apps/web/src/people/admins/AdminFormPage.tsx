import { type Admin, adminsEndpoints } from '@tallyroom/contract/people/admins'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { call } from '../../lib/call.ts'
import { formQueryOf } from '../../lib/queries.ts'
import { FormFrame } from '../../ui/form/FormFrame.tsx'
import { FormLoader } from '../../ui/form/FormLoader.tsx'
import { useFormEnd } from '../../ui/form/use-form-end.ts'
import { useRecordForm } from '../../ui/form/use-record-form.ts'
import { showInvitationLink } from '../invitations/invitation-menu.tsx'
import {
  adminChangeOf,
  adminFormLabels,
  adminValues,
  newAdminOf,
  newAdminValues,
} from './admin-form.ts'
import { AdminFields } from './AdminFields.tsx'
import { refreshAdmins } from './admin-actions.ts'

const editRoute = getRouteApi('/app/admins/edit/$id')

export function EditAdminPage() {
  const { id } = editRoute.useParams()
  return (
    <FormLoader
      query={useQuery(formQueryOf(adminsEndpoints.admin, { params: { id } }))}
      back={{ to: '/app/admins', label: 'Admins' }}
    >
      {(admin) => <AdminEditForm key={id} admin={admin} />}
    </FormLoader>
  )
}

export function CreateAdminPage() {
  const client = useQueryClient()
  const end = useFormEnd('/app/admins', refreshAdmins)
  const { form, frame } = useRecordForm({
    endpoint: adminsEndpoints.createAdmin,
    values: newAdminValues,
    bodyOf: newAdminOf,
    ...end,
    onSaved: (answer) => {
      const { way, username } = form.getValues()
      end.onSaved(answer)
      if (way === 'link')
        void showInvitationLink({ kind: 'admin', id: answer.id, username }, () =>
          refreshAdmins(client),
        )
    },
  })
  return (
    <FormFrame {...frame} submitLabel="Add Admin">
      <AdminFields form={form} isNew />
    </FormFrame>
  )
}

function AdminEditForm({ admin }: { admin: Admin }) {
  const params = { id: String(admin.id) }
  const { form, frame } = useRecordForm({
    endpoint: adminsEndpoints.updateAdmin,
    params,
    opened: {
      record: admin,
      reload: () => call(adminsEndpoints.admin, { params }),
      valuesOf: adminValues,
      labels: adminFormLabels,
    },
    bodyOf: adminChangeOf,
    ...useFormEnd('/app/admins', refreshAdmins),
  })
  return (
    <FormFrame {...frame} submitLabel="Update Admin">
      <AdminFields form={form} />
    </FormFrame>
  )
}
