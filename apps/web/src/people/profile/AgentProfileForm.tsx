import { Text } from '@mantine/core'
import { profileEndpoints } from '@tallyroom/contract/people/profile'
import { useMe } from '../../lib/session.ts'
import { FormFrame } from '../../ui/form/FormFrame.tsx'
import { FormSection } from '../../ui/form/FormSection.tsx'
import { FormText } from '../../ui/form/FormText.tsx'
import { PasswordFields } from '../../ui/form/PasswordFields.tsx'
import { useRecordForm } from '../../ui/form/use-record-form.ts'

interface AgentProfileFormProps {
  username: string
  onSaved: () => void
}

/** Agents can only change their password. */
export function AgentProfileForm({ username, onSaved }: AgentProfileFormProps) {
  const { form, frame } = useRecordForm({
    endpoint: profileEndpoints.updateAgentProfile,
    values: { password: '', passwordConfirm: '' },
    bodyOf: (values) => values,
    onSaved,
  })
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
    <FormFrame {...frame} submitLabel="Update">
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
