import { useForm } from '@mantine/form'
import { officesEndpoints, type Office } from '@tallyroom/contract/offices'
import { FormFrame } from '../../ui/form/FormFrame.tsx'
import { StaleNotice } from '../../ui/form/StaleNotice.tsx'
import { useFormEnd } from '../../ui/form/use-form-end.ts'
import { useVersionedSave } from '../../ui/form/use-versioned-save.ts'
import { validateBy } from '../../ui/form/validate-by.ts'
import { officeChangeOf, officeLabels, officeValues } from './office-form.ts'
import { OfficeFields } from './OfficeFields.tsx'
import { getOffice, refreshOffices, updateOffice, type OfficeFormData } from './offices.api.ts'

interface OfficeEditFormProps extends Omit<OfficeFormData, 'office'> {
  office: Office
}

export function OfficeEditForm({ office, sites, domains }: OfficeEditFormProps) {
  const { companyId } = office
  const { onCancel, onSaved } = useFormEnd('/app/offices/offices', refreshOffices)
  const form = useForm({
    initialValues: officeValues(office),
    validate: validateBy(officesEndpoints.updateOffice, officeChangeOf),
    validateInputOnBlur: true,
  })
  const { saving, stale } = useVersionedSave(form, {
    opened: office,
    reload: () => getOffice(String(companyId)),
    valuesOf: officeValues,
    save: (values, version) => updateOffice(companyId, officeChangeOf(values, version)),
    onSaved,
  })
  return (
    <FormFrame
      form={form}
      submitLabel="Update Office"
      busy={saving.isPending}
      onSubmit={saving.mutate}
      onCancel={onCancel}
    >
      <StaleNotice stale={stale} labels={officeLabels} />
      <OfficeFields form={form} sites={sites} domains={domains} />
    </FormFrame>
  )
}
