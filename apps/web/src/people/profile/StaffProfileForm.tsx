import { Checkbox, TextInput } from '@mantine/core'
import { adminLabels } from '@tallyroom/contract/people/labels'
import type { AnswerOf } from '@tallyroom/contract/endpoint'
import { profileEndpoints } from '@tallyroom/contract/people/profile'
import { call } from '../../lib/call.ts'
import { useMe } from '../../lib/session.ts'
import { FormFrame } from '../../ui/form/FormFrame.tsx'
import { FormSection } from '../../ui/form/FormSection.tsx'
import { inputsOf } from '../../ui/form/inputs-of.ts'
import { FormText } from '../../ui/form/FormText.tsx'
import { PasswordFields } from '../../ui/form/PasswordFields.tsx'
import { useRecordForm } from '../../ui/form/use-record-form.ts'

type StaffProfile = AnswerOf<typeof profileEndpoints.adminProfile>

interface StaffProfileFormProps {
  profile: StaffProfile
  onSaved: () => void
}

/** The profile of an admin or superadmin. */
export function StaffProfileForm({ profile, onSaved }: StaffProfileFormProps) {
  const { role } = useMe()
  const { form, frame } = useRecordForm({
    endpoint: profileEndpoints.updateAdminProfile,
    opened: {
      record: profile,
      reload: () => call(profileEndpoints.adminProfile, {}),
      valuesOf,
      labels,
    },
    bodyOf: (values, version) => ({ ...values, version }),
    onSaved,
  })
  const { text, check } = inputsOf(form, adminLabels)
  return (
    <FormFrame {...frame} submitLabel="Update">
      <FormSection title="Account" about="How you sign in, and where emails go.">
        <FormText label="Username">{profile.username}</FormText>
        <TextInput
          type="email"
          withAsterisk
          description="For 30 days after a change, your former address is told of changes to this account, too"
          {...text('email', 254)}
        />
        <PasswordFields form={form} />
      </FormSection>
      {(role === 'superadmin' || profile.showSuspendGranted) && (
        <FormSection title="Lists" about="What they show you.">
          {role === 'superadmin' ? (
            <FormText label={adminLabels.showSuspend}>Always, for a superadmin</FormText>
          ) : (
            <Checkbox {...check('showSuspend')} />
          )}
        </FormSection>
      )}
    </FormFrame>
  )
}

/** Of all fields of an admin: their own form has some of them. */
const labels: Readonly<Record<string, string>> = adminLabels

const valuesOf = ({ email, showSuspend }: StaffProfile) => ({
  email,
  password: '',
  passwordConfirm: '',
  showSuspend,
})
