import { Button } from '@mantine/core'
import { useForm } from '@mantine/form'
import { linkTypesEndpoints } from '@tallyroom/contract/link-types'
import type { Site } from '@tallyroom/contract/sites'
import { useQueryClient } from '@tanstack/react-query'
import { FormFrame } from '../../ui/form/FormFrame.tsx'
import { useSave } from '../../ui/form/use-save.ts'
import { validateBy } from '../../ui/form/validate-by.ts'
import { useBackToList } from '../../ui/list/back-to-list.ts'
import { toastSaved } from '../../ui/toasts.tsx'
import { newLinkTypeOf, newLinkTypeValues, type LinkTypeValues } from './link-type-form.ts'
import { LinkTypeFields } from './LinkTypeFields.tsx'
import { createLinkType, refreshLinkTypes } from './link-types.api.ts'

export function LinkTypeCreateForm({ site }: { site: Site }) {
  const back = useBackToList('/app/sites/$siteId/types', { params: { siteId: String(site.id) } })
  const client = useQueryClient()
  const bodyOf = (values: LinkTypeValues) => newLinkTypeOf(site.id, values)
  const form = useForm({
    initialValues: newLinkTypeValues,
    validate: validateBy(linkTypesEndpoints.createLinkType, bodyOf),
    validateInputOnBlur: true,
  })
  const saving = useSave(form, {
    save: (values) => createLinkType(bodyOf(values)),
    onSaved: () => {
      toastSaved()
      void refreshLinkTypes(client)
      back()
    },
  })
  return (
    <FormFrame
      form={form}
      submitLabel="Add Link"
      busy={saving.isPending}
      onSubmit={saving.mutate}
      actions={
        <Button variant="default" onClick={back}>
          Cancel
        </Button>
      }
    >
      <LinkTypeFields form={form} site={site} />
    </FormFrame>
  )
}
