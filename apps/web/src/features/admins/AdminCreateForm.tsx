import { Button } from '@mantine/core'
import { useForm } from '@mantine/form'
import { adminsEndpoints } from '@tallyroom/contract/admins'
import { useQueryClient } from '@tanstack/react-query'
import { FormFrame } from '../../ui/form/FormFrame.tsx'
import { useSave } from '../../ui/form/use-save.ts'
import { validateBy } from '../../ui/form/validate-by.ts'
import { useBackToList } from '../../ui/list/back-to-list.ts'
import { toastSaved } from '../../ui/toasts.tsx'
import { newAdminValues, type AdminValues } from './admin-form.ts'
import { AdminFields } from './AdminFields.tsx'
import { createAdmin, refreshAdmins } from './admins.api.ts'

export function AdminCreateForm() {
  const back = useBackToList('/app/admins')
  const client = useQueryClient()
  const form = useForm({
    initialValues: newAdminValues,
    validate: validateBy(adminsEndpoints.createAdmin, (values: AdminValues) => ({ ...values })),
    validateInputOnBlur: true,
  })
  const saving = useSave(form, {
    save: createAdmin,
    onSaved: () => {
      toastSaved()
      void refreshAdmins(client)
      back()
    },
  })
  return (
    <FormFrame
      form={form}
      submitLabel="Add Admin"
      busy={saving.isPending}
      onSubmit={saving.mutate}
      actions={
        <Button variant="default" onClick={back}>
          Cancel
        </Button>
      }
    >
      <AdminFields form={form} isNew />
    </FormFrame>
  )
}
