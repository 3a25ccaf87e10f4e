import { Text, TextInput } from '@mantine/core'
import type { AnswerOf } from '@tallyroom/contract/endpoint'
import { addressesEndpoints } from '@tallyroom/contract/people/addresses'
import { agentLabels } from '@tallyroom/contract/people/labels'
import { profileEndpoints } from '@tallyroom/contract/people/profile'
import { call } from '../../lib/call.ts'
import { useMe } from '../../lib/session.ts'
import { FormFrame } from '../../ui/form/FormFrame.tsx'
import { FormSection } from '../../ui/form/FormSection.tsx'
import { FormText } from '../../ui/form/FormText.tsx'
import { PasswordFields } from '../../ui/form/PasswordFields.tsx'
import { useRecordForm } from '../../ui/form/use-record-form.ts'
import { UnconfirmedAddress } from '../new-address/UnconfirmedAddress.tsx'

type AgentProfile = AnswerOf<typeof profileEndpoints.agentProfile>

interface AgentProfileFormProps {
  profile: AgentProfile
  onSaved: () => void
}

/** Agents can change their address and their password. */
export function AgentProfileForm({ profile, onSaved }: AgentProfileFormProps) {
  const {
    form,
    frame,
    present = profile,
  } = useRecordForm({
    endpoint: profileEndpoints.updateAgentProfile,
    opened: {
      record: profile,
      reload: () => call(profileEndpoints.agentProfile, {}),
      valuesOf,
      labels,
    },
    bodyOf: (values, version) => ({ ...values, version }),
    onSaved,
  })
  // A superadmin signed in as the agent must not change either.
  if (useMe().signedInBy !== null)
    return (
      <FormSection title="Account" about="How you sign in, and where emails go.">
        <FormText label="Username">{profile.username}</FormText>
        <FormText label={agentLabels.email}>{profile.email || 'None'}</FormText>
        <Text size="sm" c="dimmed">
          Only the account holder can change the email and the password.
        </Text>
      </FormSection>
    )
  return (
    <FormFrame {...frame} submitLabel="Update">
      <FormSection
        title="Account"
        about="How you sign in, and where emails go. Your office can't see a password that you set."
      >
        <FormText label="Username">{profile.username}</FormText>
        <TextInput
          label={`${agentLabels.email} (optional)`}
          type="email"
          description="For a forgotten password, and for what the bell says. It counts once you open the link that we mail to it. For 30 days after a change, your former address is told of changes to this account, too."
          maxLength={254}
          autoComplete="email"
          {...form.getInputProps('email')}
        />
        {!present.emailConfirmed && (
          <UnconfirmedAddress
            email={present.email}
            send={() => call(addressesEndpoints.sendAddressLink, {})}
          >
            {present.email} is not confirmed yet: open the link in our mail. It is valid for seven
            days.
          </UnconfirmedAddress>
        )}
        <PasswordFields form={form} />
      </FormSection>
    </FormFrame>
  )
}

const labels: Readonly<Record<string, string>> = agentLabels

const valuesOf = ({ email }: AgentProfile) => ({ email, password: '', passwordConfirm: '' })
