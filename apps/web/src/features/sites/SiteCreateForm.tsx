import { Button, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { sitesEndpoints } from '@tallyroom/contract/sites'
import { useQueryClient } from '@tanstack/react-query'
import { FormFrame } from '../../ui/form/FormFrame.tsx'
import { useSave } from '../../ui/form/use-save.ts'
import { validateBy } from '../../ui/form/validate-by.ts'
import { useBackToList } from '../../ui/list/back-to-list.ts'
import { toastSaved } from '../../ui/toasts.tsx'
import { newSiteOf, newSiteValues } from './site-form.ts'
import { SiteFields } from './SiteFields.tsx'
import { createSite, refreshSites } from './sites.api.ts'

export function SiteCreateForm() {
  const back = useBackToList('/app/sites/sites')
  const client = useQueryClient()
  const form = useForm({
    initialValues: newSiteValues,
    validate: validateBy(sitesEndpoints.createSite, newSiteOf),
    validateInputOnBlur: true,
  })
  const saving = useSave(form, {
    save: (values) => createSite(newSiteOf(values)),
    onSaved: () => {
      toastSaved()
      void refreshSites(client)
      back()
    },
  })
  return (
    <FormFrame
      form={form}
      submitLabel="Add Site"
      busy={saving.isPending}
      onSubmit={saving.mutate}
      actions={
        <Button variant="default" onClick={back}>
          Cancel
        </Button>
      }
    >
      <SiteFields form={form} />
      <Text size="sm" c="dimmed">
        No office sells a new site yet. Once its links are there, enable it for all offices on its
        edit page, or for one on the office’s.
      </Text>
    </FormFrame>
  )
}
