import { useForm } from '@mantine/form'
import { adminsEndpoints, type Admin } from '@tallyroom/contract/admins'
import { FormFrame } from '../../ui/form/FormFrame.tsx'
import { StaleNotice } from '../../ui/form/StaleNotice.tsx'
import { useFormEnd } from '../../ui/form/use-form-end.ts'
import { useVersionedSave } from '../../ui/form/use-versioned-save.ts'
import { validateBy } from '../../ui/form/validate-by.ts'
import { adminChangeOf, adminLabels, adminValues } from './admin-form.ts'
import { AdminFields } from './AdminFields.tsx'
import { getAdmin, refreshAdmins, updateAdmin } from './admins.api.ts'

export function AdminEditForm({ admin }: { admin: Admin }) {
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
      submitLabel="Update Admin"
      busy={saving.isPending}
      onSubmit={saving.mutate}
      onCancel={onCancel}
    >
      <StaleNotice stale={stale} labels={adminLabels} />
      <AdminFields form={form} />
    </FormFrame>
  )
}
