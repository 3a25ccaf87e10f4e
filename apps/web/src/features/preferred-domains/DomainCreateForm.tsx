import { Button } from '@mantine/core'
import { useForm } from '@mantine/form'
import { preferredDomainsEndpoints } from '@tallyroom/contract/preferred-domains'
import { useQueryClient } from '@tanstack/react-query'
import { FormFrame } from '../../ui/form/FormFrame.tsx'
import { useSave } from '../../ui/form/use-save.ts'
import { validateBy } from '../../ui/form/validate-by.ts'
import { useBackToList } from '../../ui/list/back-to-list.ts'
import { toastSaved } from '../../ui/toasts.tsx'
import { newDomainOf, newDomainValues } from './domain-form.ts'
import { DomainFields } from './DomainFields.tsx'
import { createDomain, refreshDomains } from './preferred-domains.api.ts'

export function DomainCreateForm() {
  const back = useBackToList('/app/offices/domains')
  const client = useQueryClient()
  const form = useForm({
    initialValues: newDomainValues,
    validate: validateBy(preferredDomainsEndpoints.createPreferredDomain, newDomainOf),
    validateInputOnBlur: true,
  })
  const saving = useSave(form, {
    save: (values) => createDomain(newDomainOf(values)),
    onSaved: () => {
      toastSaved()
      void refreshDomains(client)
      back()
    },
  })
  return (
    <FormFrame
      form={form}
      submitLabel="Confirm"
      busy={saving.isPending}
      onSubmit={saving.mutate}
      actions={
        <Button variant="default" onClick={back}>
          Cancel
        </Button>
      }
    >
      <DomainFields form={form} />
    </FormFrame>
  )
}
