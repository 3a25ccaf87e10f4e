import { Text, Textarea, TextInput } from '@mantine/core'
import { officeLabels } from '@tallyroom/contract/people/labels'
import type { AnswerOf } from '@tallyroom/contract/endpoint'
import { profileEndpoints } from '@tallyroom/contract/people/profile'
import { call } from '../../lib/call.ts'
import { useMe } from '../../lib/session.ts'
import { FormFrame } from '../../ui/form/FormFrame.tsx'
import { FormSection, WholeRow } from '../../ui/form/FormSection.tsx'
import { inputsOf } from '../../ui/form/inputs-of.ts'
import { FormText } from '../../ui/form/FormText.tsx'
import { PasswordFields } from '../../ui/form/PasswordFields.tsx'
import { useRecordForm } from '../../ui/form/use-record-form.ts'
import { StatusText } from '../../ui/text/StatusText.tsx'

type OfficeProfile = AnswerOf<typeof profileEndpoints.companyProfile>

interface OfficeProfileFormProps {
  profile: OfficeProfile
  onSaved: () => void
}

export function OfficeProfileForm({ profile, onSaved }: OfficeProfileFormProps) {
  const isHolder = useMe().signedInBy === null
  const {
    form,
    frame,
    present = profile,
  } = useRecordForm({
    endpoint: profileEndpoints.updateCompanyProfile,
    opened: {
      record: profile,
      reload: () => call(profileEndpoints.companyProfile, {}),
      valuesOf,
      labels,
    },
    bodyOf: ({ manEmail, ...values }, version) => ({
      ...values,
      ...(isHolder && { manEmail }),
      version,
    }),
    onSaved,
  })
  const { text } = inputsOf(form, officeLabels)
  return (
    <FormFrame {...frame} submitLabel="Update">
      <FormSection title="Office" about="Its name and its manager, as the network knows them.">
        <TextInput withAsterisk {...text('officeName', 100)} />
        <TextInput withAsterisk {...text('manFirstName', 64)} />
        <TextInput withAsterisk {...text('manLastName', 64)} />
      </FormSection>
      <FormSection title="Account" about="How you sign in, and where emails go.">
        <FormText label="Username">{present.username}</FormText>
        <FormText label="Status">
          <StatusText status={{ active: present.activated }} />
        </FormText>
        {isHolder ? (
          <>
            <TextInput
              type="email"
              withAsterisk
              description="For 30 days after a change, your former address is told of changes to this account, too"
              {...text('manEmail', 254)}
            />
            <PasswordFields form={form} />
          </>
        ) : (
          <>
            <FormText label={officeLabels.manEmail}>{present.manEmail || 'None'}</FormText>
            <Text size="sm" c="dimmed">
              Only the account holder can change the manager email and the password.
            </Text>
          </>
        )}
      </FormSection>
      <FormSection title="Selling" about="What your agents read first on Home.">
        <WholeRow>
          <Textarea
            label={`${officeLabels.agentNotes} (optional)`}
            description="Shown to every agent of the office"
            autosize
            minRows={3}
            maxRows={12}
            maxLength={10_000}
            {...form.getInputProps('agentNotes')}
          />
        </WholeRow>
      </FormSection>
    </FormFrame>
  )
}

/** Of all fields of an office: its own form has some of them. */
const labels: Readonly<Record<string, string>> = officeLabels

const valuesOf = ({
  officeName,
  manFirstName,
  manLastName,
  manEmail,
  agentNotes,
}: OfficeProfile) => ({
  officeName,
  manFirstName,
  manLastName,
  manEmail,
  password: '',
  passwordConfirm: '',
  agentNotes,
})
