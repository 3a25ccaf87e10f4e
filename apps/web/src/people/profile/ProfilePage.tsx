import { Stack } from '@mantine/core'
import { profileEndpoints } from '@tallyroom/contract/people/profile'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { LANDING } from '../../lib/pages/page.ts'
import { formQueryOf } from '../../lib/queries.ts'
import { refreshMe } from '../../lib/refresh-me.ts'
import { useMe } from '../../lib/session.ts'
import { FormLoader } from '../../ui/form/FormLoader.tsx'
import { toastSaved } from '../../ui/toasts.tsx'
import { AgentProfileForm } from './AgentProfileForm.tsx'
import { OwnSections } from './OwnSections.tsx'
import { OfficeProfileForm } from './OfficeProfileForm.tsx'
import { StaffProfileForm } from './StaffProfileForm.tsx'

/** The viewer's own account. */
export function ProfilePage() {
  const navigate = useNavigate()
  const { role } = useMe()
  const client = useQueryClient()
  const handleSaved = () => {
    toastSaved()
    void navigate({ to: LANDING })
    // The name of the account, and which accounts it sees, may have changed.
    void refreshMe().then(() => client.invalidateQueries())
  }
  const Profile = profiles[role]
  return <Profile onSaved={handleSaved} />
}

interface ProfileProps {
  onSaved: () => void
}

const AgentProfile = ({ onSaved }: ProfileProps) => (
  <FormLoader query={useQuery(formQueryOf(profileEndpoints.agentProfile, {}))} fields={4}>
    {(profile) => (
      <Stack gap="xl" pb="md">
        <AgentProfileForm profile={profile} onSaved={onSaved} />
        <OwnSections />
      </Stack>
    )}
  </FormLoader>
)

const OfficeProfile = ({ onSaved }: ProfileProps) => (
  <FormLoader query={useQuery(formQueryOf(profileEndpoints.companyProfile, {}))} fields={8}>
    {(profile) => (
      <Stack gap="xl" pb="md">
        <OfficeProfileForm profile={profile} onSaved={onSaved} />
        <OwnSections />
      </Stack>
    )}
  </FormLoader>
)

const StaffProfile = ({ onSaved }: ProfileProps) => (
  <FormLoader query={useQuery(formQueryOf(profileEndpoints.adminProfile, {}))} fields={5}>
    {(profile) => (
      <Stack gap="xl" pb="md">
        <StaffProfileForm profile={profile} onSaved={onSaved} />
        <OwnSections />
      </Stack>
    )}
  </FormLoader>
)

const profiles = {
  agent: AgentProfile,
  company: OfficeProfile,
  admin: StaffProfile,
  superadmin: StaffProfile,
}
