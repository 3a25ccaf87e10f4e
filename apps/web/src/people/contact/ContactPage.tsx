import { TextInput } from '@mantine/core'
import { contactEndpoints, type ContactField } from '@tallyroom/contract/people/contact'
import type { AnswerOf } from '@tallyroom/contract/endpoint'
import { contactLabels } from '@tallyroom/contract/people/labels'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'
import { FOR_FORM, queryOf } from '../../lib/queries.ts'
import { LastChanges } from '../../shared/LastChanges.tsx'
import { FormFrame } from '../../ui/form/FormFrame.tsx'
import { FormLoader } from '../../ui/form/FormLoader.tsx'
import { FormSection } from '../../ui/form/FormSection.tsx'
import { useRecordForm } from '../../ui/form/use-record-form.ts'
import { toastSaved } from '../../ui/toasts.tsx'

const contactQuery = queryOptions({ ...queryOf(contactEndpoints.contact, {}), ...FOR_FORM })

/** For superadmins: whom offices and agents ask. */
export function ContactPage() {
  return (
    <>
      <FormLoader query={useQuery(contactQuery)} fields={3}>
        {(contact) => <ContactForm key={contact.version} contact={contact} />}
      </FormLoader>
      <LastChanges object="contact:0" />
    </>
  )
}

type Saved = AnswerOf<typeof contactEndpoints.contact>

function ContactForm({ contact }: { contact: Saved }) {
  const client = useQueryClient()
  const { form, frame } = useRecordForm({
    endpoint: contactEndpoints.saveContact,
    opened: {
      record: contact,
      reload: () => call(contactEndpoints.contact, {}),
      valuesOf: ({ version: _version, ...values }: Saved): Omit<Saved, 'version'> => values,
      labels: contactLabels,
    },
    bodyOf: (values, version) => ({ ...values, version }),
    onSaved: () => {
      toastSaved()
      void client.invalidateQueries({ queryKey: contactQuery.queryKey })
    },
  })
  const field = (name: ContactField, description: string) => (
    <TextInput
      label={contactLabels[name]}
      description={description}
      {...form.getInputProps(name)}
    />
  )
  return (
    <FormFrame submitLabel="Save" {...frame}>
      <FormSection
        title="Whom offices and agents ask"
        about="They find it in the header, on a phone in the menu, and where an office has no access to a page. Leave all three empty to name nobody."
      >
        {field('name', 'A person or a team: Ana Reyes, Partner support.')}
        {field('chat', 'A link, such as https://t.me/…, or a number and where it is.')}
        {field('email', 'An address that somebody reads.')}
      </FormSection>
    </FormFrame>
  )
}
