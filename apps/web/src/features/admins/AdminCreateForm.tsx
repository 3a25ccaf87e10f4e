import { useForm } from '@mantine/form'
import { adminsEndpoints } from '@tallyroom/contract/admins'
import { FormFrame } from '../../ui/form/FormFrame.tsx'
import { useFormEnd } from '../../ui/form/use-form-end.ts'
import { useSave } from '../../ui/form/use-save.ts'
import { validateBy } from '../../ui/form/validate-by.ts'
import { newAdminValues, type AdminValues } from './admin-form.ts'
import { AdminFields } from './AdminFields.tsx'
import { createAdmin, refreshAdmins } from './admins.api.ts'

export function AdminCreateForm() {
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
      submitLabel="Add Admin"
      busy={saving.isPending}
      onSubmit={saving.mutate}
      onCancel={onCancel}
    >
      <AdminFields form={form} isNew />
    </FormFrame>
  )
}
