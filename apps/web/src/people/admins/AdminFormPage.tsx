import { useForm } from '@mantine/form'
import { type Admin, adminsEndpoints } from '@tallyroom/contract/people/admins'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { FormFrame } from '../../ui/form/FormFrame.tsx'
import { FormLoader } from '../../ui/form/FormLoader.tsx'
import { StaleNotice } from '../../ui/form/StaleNotice.tsx'
import { useFormEnd } from '../../ui/form/use-form-end.ts'
import { useSave } from '../../ui/form/use-save.ts'
import { useVersionedSave } from '../../ui/form/use-versioned-save.ts'
import { validateBy } from '../../ui/form/validate-by.ts'
import {
  adminChangeOf,
  adminFormLabels,
  type AdminValues,
  adminValues,
  newAdminValues,
} from './admin-form.ts'
import { AdminFields } from './AdminFields.tsx'
import { adminFormQuery, createAdmin, getAdmin, refreshAdmins, updateAdmin } from './admins.api.ts'

const editRoute = getRouteApi('/app/admins/edit/$id')

export function EditAdminPage() {
  const { id } = editRoute.useParams()
  return (
    <FormLoader query={useQuery(adminFormQuery(id))} back={{ to: '/app/admins', label: 'Admins' }}>
      {(admin) => <AdminEditForm key={id} admin={admin} />}
    </FormLoader>
  )
}

export function CreateAdminPage() {
  const { onCancel, onSaved } = useFormEnd('/app/admins', refreshAdmins)
  const form = useForm({
    initialValues: newAdminValues,
    validate: validateBy(adminsEndpoints.createAdmin, (values: AdminValues) => ({ ...values })),
    validateInputOnBlur: true,
  })
  const saving = useSave(form, {
    save: createAdmin,
    onSaved,
  })
  return (
    <FormFrame
      form={form}
      wide="sections"
      submitLabel="Add Admin"
      busy={saving.isPending}
      onSubmit={saving.mutate}
      onCancel={onCancel}
    >
      <AdminFields form={form} isNew />
    </FormFrame>
  )
}

function AdminEditForm({ admin }: { admin: Admin }) {
  const { onCancel, onSaved } = useFormEnd('/app/admins', refreshAdmins)
  const form = useForm({
    initialValues: adminValues(admin),
    validate: validateBy(adminsEndpoints.updateAdmin, adminChangeOf),
    validateInputOnBlur: true,
  })
  const { saving, stale } = useVersionedSave(form, {
    opened: admin,
    reload: () => getAdmin(String(admin.id)),
    valuesOf: adminValues,
    save: (values, version) => updateAdmin(admin.id, adminChangeOf(values, version)),
    onSaved,
  })
  return (
    <FormFrame
      form={form}
      wide="sections"
      submitLabel="Update Admin"
      busy={saving.isPending}
      onSubmit={saving.mutate}
      onCancel={onCancel}
    >
      <StaleNotice stale={stale} labels={adminFormLabels} />
      <AdminFields form={form} />
    </FormFrame>
  )
}
