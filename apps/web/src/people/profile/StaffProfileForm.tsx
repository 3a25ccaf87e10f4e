import { Checkbox, TextInput } from '@mantine/core'
import { adminLabels } from '@tallyroom/contract/people/labels'
import { useForm } from '@mantine/form'
import { profileEndpoints } from '@tallyroom/contract/people/profile'
import { useMe } from '../../lib/session.ts'
import { FormFrame } from '../../ui/form/FormFrame.tsx'
import { FormSection } from '../../ui/form/FormSection.tsx'
import { FormText } from '../../ui/form/FormText.tsx'
import { PasswordFields } from '../../ui/form/PasswordFields.tsx'
import { StaleNotice } from '../../ui/form/StaleNotice.tsx'
import { useVersionedSave } from '../../ui/form/use-versioned-save.ts'
import { validateBy } from '../../ui/form/validate-by.ts'
import { getStaffProfile, saveStaffProfile, type StaffProfile } from './profile.api.ts'

interface StaffProfileFormProps {
  profile: StaffProfile
  onSaved: () => void
}

/** The profile of an admin or superadmin. */
export function StaffProfileForm({ profile, onSaved }: StaffProfileFormProps) {
  const { role } = useMe()
  const form = useForm({
    initialValues: valuesOf(profile),
    validate: validateBy(profileEndpoints.updateAdminProfile, changeOf),
    validateInputOnBlur: true,
  })
  const { saving, stale } = useVersionedSave(form, {
    opened: profile,
    reload: getStaffProfile,
    valuesOf,
    save: (values, version) => saveStaffProfile({ ...values, version }),
    onSaved,
  })
  return (
    <FormFrame
      form={form}
      submitLabel="Update"
      busy={saving.isPending}
      onSubmit={saving.mutate}
      wide="sections"
    >
      <StaleNotice stale={stale} labels={adminLabels} />
      <FormSection title="Account" about="How you sign in, and where emails go.">
        <FormText label="Username">{profile.username}</FormText>
        <TextInput
          label={adminLabels.email}
          type="email"
          withAsterisk
          maxLength={254}
          {...form.getInputProps('email')}
        />
        <PasswordFields form={form} />
      </FormSection>
      {(role === 'superadmin' || profile.showSuspendGranted) && (
        <FormSection title="Lists" about="What they show you.">
          {role === 'superadmin' ? (
            <FormText label={adminLabels.showSuspend}>Always, for a superadmin</FormText>
          ) : (
            <Checkbox
              label={adminLabels.showSuspend}
              {...form.getInputProps('showSuspend', { type: 'checkbox' })}
            />
          )}
        </FormSection>
      )}
    </FormFrame>
  )
}

const valuesOf = ({ email, showSuspend }: StaffProfile) => ({
  email,
  password: '',
  passwordConfirm: '',
  showSuspend,
})

const changeOf = (values: ReturnType<typeof valuesOf>) => values
