import { useForm } from '@mantine/form'
import { linkTypesEndpoints } from '@tallyroom/contract/link-types'
import type { Site } from '@tallyroom/contract/sites'
import { FormFrame } from '../../ui/form/FormFrame.tsx'
import { useFormEnd } from '../../ui/form/use-form-end.ts'
import { useSave } from '../../ui/form/use-save.ts'
import { validateBy } from '../../ui/form/validate-by.ts'
import { newLinkTypeOf, newLinkTypeValues, type LinkTypeValues } from './link-type-form.ts'
import { LinkTypeFields } from './LinkTypeFields.tsx'
import { createLinkType, refreshLinkTypes } from './link-types.api.ts'

export function LinkTypeCreateForm({ site }: { site: Site }) {
  const params = { siteId: String(site.id) }
  const { onCancel, onSaved } = useFormEnd('/app/sites/$siteId/types', refreshLinkTypes, { params })
  const bodyOf = (values: LinkTypeValues) => newLinkTypeOf(site.id, values)
  const form = useForm({
    initialValues: newLinkTypeValues,
    validate: validateBy(linkTypesEndpoints.createLinkType, bodyOf),
    validateInputOnBlur: true,
  })
  const saving = useSave(form, {
    save: (values) => createLinkType(bodyOf(values)),
    onSaved,
  })
  return (
    <FormFrame
      form={form}
      submitLabel="Add Link"
      busy={saving.isPending}
      onSubmit={saving.mutate}
      onCancel={onCancel}
    >
      <LinkTypeFields form={form} site={site} />
    </FormFrame>
  )
}
