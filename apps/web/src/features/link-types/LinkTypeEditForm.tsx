import { Button } from '@mantine/core'
import { useForm } from '@mantine/form'
import { linkTypesEndpoints, type LinkType } from '@tallyroom/contract/link-types'
import type { Site } from '@tallyroom/contract/sites'
import { useQueryClient } from '@tanstack/react-query'
import { FormFrame } from '../../ui/form/FormFrame.tsx'
import { StaleNotice } from '../../ui/form/StaleNotice.tsx'
import { useVersionedSave } from '../../ui/form/use-versioned-save.ts'
import { validateBy } from '../../ui/form/validate-by.ts'
import { useBackToList } from '../../ui/list/back-to-list.ts'
import { toastSaved } from '../../ui/toasts.tsx'
import { askToDelete } from './ask-to-delete.ts'
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
  const back = useBackToList('/app/sites/$siteId/types', { params })
  const leave = useBackToList('/app/sites/$siteId/types', { params, ignoreBlocker: true })
  const client = useQueryClient()
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
    onSaved: () => {
      toastSaved()
      void refreshLinkTypes(client)
      back()
    },
  })
  return (
    <FormFrame
      form={form}
      submitLabel="Update Link"
      busy={saving.isPending}
      onSubmit={saving.mutate}
      actions={
        <>
          <Button variant="default" onClick={back}>
            Cancel
          </Button>
          <Button
            variant="outline"
            color="var(--mantine-color-error)"
            onClick={() =>
              void askToDelete(linkType, () => {
                leave()
                void refreshLinkTypes(client)
              })
            }
          >
            Delete
          </Button>
        </>
      }
    >
      <StaleNotice stale={stale} labels={linkTypeLabels} />
      <LinkTypeFields form={form} site={site} />
    </FormFrame>
  )
}
