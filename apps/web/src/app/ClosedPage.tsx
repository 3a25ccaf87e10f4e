import type { Role } from '@tallyroom/domain/roles'
import { Text, Title } from '@mantine/core'
import { LinkButton } from '../ui/links.tsx'
import { LANDING } from '../lib/page.ts'

/** Stands where a page would that is not for this account: an old bookmark, or a link from a colleague. */
export const ClosedPage = ({ role }: { role: Role }) => (
  <div role="alert">
    <Title order={2} fz={16}>
      You don’t have access to this page
    </Title>
    <Text my="sm" maw={480}>
      {WHOM_TO_ASK[role]}
    </Text>
    <LinkButton to={LANDING}>Go to Home</LinkButton>
  </div>
)

const WHOM_TO_ASK: Record<Role, string> = {
  superadmin: 'It belongs to other kinds of accounts.',
  admin: 'If you need it for your work, ask a superadmin.',
  company: 'If you need it for your work, ask your contact at the network.',
  agent: 'If you need it for your work, ask your office.',
}
