import { Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { sitesEndpoints } from '@tallyroom/contract/sites'
import { FormFrame } from '../../ui/form/FormFrame.tsx'
import { useFormEnd } from '../../ui/form/use-form-end.ts'
import { useSave } from '../../ui/form/use-save.ts'
import { validateBy } from '../../ui/form/validate-by.ts'
import { newSiteOf, newSiteValues } from './site-form.ts'
import { SiteFields } from './SiteFields.tsx'
import { createSite, refreshSites } from './sites.api.ts'

export function SiteCreateForm() {
  const { onCancel, onSaved } = useFormEnd('/app/sites/sites', refreshSites)
  const form = useForm({
    initialValues: newSiteValues,
    validate: validateBy(sitesEndpoints.createSite, newSiteOf),
    validateInputOnBlur: true,
  })
  const saving = useSave(form, {
    save: (values) => createSite(newSiteOf(values)),
    onSaved,
  })
  return (
    <FormFrame
      form={form}
      submitLabel="Add Site"
      busy={saving.isPending}
      onSubmit={saving.mutate}
      onCancel={onCancel}
    >
      <SiteFields form={form} />
      <Text size="sm" c="dimmed">
        Offices can’t see this site yet. Add its links, then enable it for all offices or one by
        one.
      </Text>
    </FormFrame>
  )
}
