import { Button } from '@mantine/core'
import { useForm } from '@mantine/form'
import { officesEndpoints } from '@tallyroom/contract/offices'
import { useQueryClient } from '@tanstack/react-query'
import { FormFrame } from '../../ui/form/FormFrame.tsx'
import { useSave } from '../../ui/form/use-save.ts'
import { validateBy } from '../../ui/form/validate-by.ts'
import { useBackToList } from '../../ui/list/back-to-list.ts'
import { toastSaved } from '../../ui/toasts.tsx'
import { newOfficeOf, newOfficeValues } from './office-form.ts'
import { OfficeFields } from './OfficeFields.tsx'
import { createOffice, refreshOffices, type OfficeFormData } from './offices.api.ts'

export function OfficeCreateForm({ data }: { data: OfficeFormData }) {
  const back = useBackToList('/app/offices/offices')
  const client = useQueryClient()
  const form = useForm({
    initialValues: newOfficeValues(data),
    validate: validateBy(officesEndpoints.createOffice, newOfficeOf),
    validateInputOnBlur: true,
  })
  const saving = useSave(form, {
    save: (values) => createOffice(newOfficeOf(values)),
    onSaved: () => {
      toastSaved()
      void refreshOffices(client)
      back()
    },
  })
  return (
    <FormFrame
      form={form}
      submitLabel="Add Office"
      busy={saving.isPending}
      onSubmit={saving.mutate}
      actions={
        <Button variant="default" onClick={back}>
          Cancel
        </Button>
      }
    >
      <OfficeFields form={form} sites={data.sites} domains={data.domains} isNew />
    </FormFrame>
  )
}
