import { useForm } from '@mantine/form'
import { officesEndpoints } from '@tallyroom/contract/offices'
import { FormFrame } from '../../ui/form/FormFrame.tsx'
import { useFormEnd } from '../../ui/form/use-form-end.ts'
import { useSave } from '../../ui/form/use-save.ts'
import { validateBy } from '../../ui/form/validate-by.ts'
import { newOfficeOf, newOfficeValues } from './office-form.ts'
import { OfficeFields } from './OfficeFields.tsx'
import { createOffice, refreshOffices, type OfficeFormData } from './offices.api.ts'

export function OfficeCreateForm({ data }: { data: OfficeFormData }) {
  const { onCancel, onSaved } = useFormEnd('/app/offices/offices', refreshOffices)
  const form = useForm({
    initialValues: newOfficeValues(data),
    validate: validateBy(officesEndpoints.createOffice, newOfficeOf),
    validateInputOnBlur: true,
  })
  const saving = useSave(form, {
    save: (values) => createOffice(newOfficeOf(values)),
    onSaved,
  })
  return (
    <FormFrame
      form={form}
      submitLabel="Add Office"
      busy={saving.isPending}
      onSubmit={saving.mutate}
      onCancel={onCancel}
    >
      <OfficeFields form={form} sites={data.sites} domains={data.domains} isNew />
    </FormFrame>
  )
}
