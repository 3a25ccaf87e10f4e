import { Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { profileEndpoints } from '@tallyroom/contract/people/profile'
import { useMe } from '../../lib/session.ts'
import { FormFrame } from '../../ui/form/FormFrame.tsx'
import { FormSection } from '../../ui/form/FormSection.tsx'
import { FormText } from '../../ui/form/FormText.tsx'
import { PasswordFields } from '../../ui/form/PasswordFields.tsx'
import { useSave } from '../../ui/form/use-save.ts'
import { validateBy } from '../../ui/form/validate-by.ts'
import { saveAgentProfile, type AgentProfileChange } from './profile.api.ts'

interface AgentProfileFormProps {
  username: string
  onSaved: () => void
}

/** Agents can only change their password. */
export function AgentProfileForm({ username, onSaved }: AgentProfileFormProps) {
  const form = useForm({
    initialValues: { password: '', passwordConfirm: '' },
    validate: validateBy(
      profileEndpoints.updateAgentProfile,
      (values: AgentProfileChange) => values,
    ),
    validateInputOnBlur: true,
  })
  const saving = useSave(form, { save: saveAgentProfile, onSaved })
  // A superadmin signed in as the agent must not change their password.
  if (useMe().signedInBy !== null)
    return (
      <FormSection title="Account" about="How you sign in.">
        <FormText label="Username">{username}</FormText>
        <Text size="sm" c="dimmed">
          Only the account holder can change the password.
        </Text>
      </FormSection>
    )
  return (
    <FormFrame
      form={form}
      submitLabel="Update"
      busy={saving.isPending}
      onSubmit={saving.mutate}
      wide="sections"
    >
      <FormSection
        title="Account"
        about="How you sign in. Your office can't see a password that you set."
      >
        <FormText label="Username">{username}</FormText>
        <PasswordFields form={form} required />
      </FormSection>
    </FormFrame>
  )
}
