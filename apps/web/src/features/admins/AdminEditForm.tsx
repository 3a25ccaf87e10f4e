import { Button } from '@mantine/core'
import { useForm } from '@mantine/form'
import { adminsEndpoints, type Admin } from '@tallyroom/contract/admins'
import { useQueryClient } from '@tanstack/react-query'
import { FormFrame } from '../../ui/form/FormFrame.tsx'
import { StaleNotice } from '../../ui/form/StaleNotice.tsx'
import { useVersionedSave } from '../../ui/form/use-versioned-save.ts'
import { validateBy } from '../../ui/form/validate-by.ts'
import { useBackToList } from '../../ui/list/back-to-list.ts'
import { toastSaved } from '../../ui/toasts.tsx'
import { adminChangeOf, adminLabels, adminValues } from './admin-form.ts'
import { AdminFields } from './AdminFields.tsx'
import { getAdmin, refreshAdmins, updateAdmin } from './admins.api.ts'

export function AdminEditForm({ admin }: { admin: Admin }) {
  const back = useBackToList('/app/admins')
  const client = useQueryClient()
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
    onSaved: () => {
      toastSaved()
      void refreshAdmins(client)
      back()
    },
  })
  return (
    <FormFrame
      form={form}
      submitLabel="Update Admin"
      busy={saving.isPending}
      onSubmit={saving.mutate}
      actions={
        <Button variant="default" onClick={back}>
          Cancel
        </Button>
      }
    >
      <StaleNotice stale={stale} labels={adminLabels} />
      <AdminFields form={form} />
    </FormFrame>
  )
}
