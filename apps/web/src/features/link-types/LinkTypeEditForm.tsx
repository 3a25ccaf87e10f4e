import { Button } from '@mantine/core'
import { useForm } from '@mantine/form'
import { linkTypesEndpoints, type LinkType } from '@tallyroom/contract/link-types'
import type { Site } from '@tallyroom/contract/sites'
import { FormFrame } from '../../ui/form/FormFrame.tsx'
import { StaleNotice } from '../../ui/form/StaleNotice.tsx'
import { useFormEnd } from '../../ui/form/use-form-end.ts'
import { useVersionedSave } from '../../ui/form/use-versioned-save.ts'
import { validateBy } from '../../ui/form/validate-by.ts'
import { askToDeleteLink } from './ask-to-delete-link.ts'
import {
  linkTypeChangeOf,
  linkTypeLabels,
  linkTypeValues,
  type LinkTypeValues,
} from './link-type-form.ts'
import { LinkTypeFields } from './LinkTypeFields.tsx'
import { getLinkType, refreshLinkTypes, updateLinkType } from './link-types.api.ts'

export function LinkTypeEditForm({ site, linkType }: { site: Site; linkType: LinkType }) {
  const params = { siteId: String(site.id) }
  const list = '/app/sites/$siteId/types'
  const { onCancel, onSaved, onDeleted } = useFormEnd(list, refreshLinkTypes, { params })
  const form = useForm({
    initialValues: linkTypeValues(linkType),
    validate: validateBy(linkTypesEndpoints.updateLinkType, (values: LinkTypeValues) =>
      linkTypeChangeOf(values),
    ),
    validateInputOnBlur: true,
  })
  const { saving, stale } = useVersionedSave(form, {
    opened: linkType,
    reload: () => getLinkType(linkType.id),
    valuesOf: linkTypeValues,
    save: (values, version) => updateLinkType(linkType.id, linkTypeChangeOf(values, version)),
    onSaved,
  })
  return (
    <FormFrame
      form={form}
      submitLabel="Update Link"
      busy={saving.isPending}
      onSubmit={saving.mutate}
      onCancel={onCancel}
      actions={
        <Button
          variant="outline"
          color="var(--mantine-color-error)"
          onClick={() => void askToDeleteLink(linkType, onDeleted)}
        >
          Delete
        </Button>
      }
    >
      <StaleNotice stale={stale} labels={linkTypeLabels} />
      <LinkTypeFields form={form} site={site} />
    </FormFrame>
  )
}
