import { Box, Button, Group, Text } from '@mantine/core'
import { providerEndpoints } from '@tallyroom/contract/people/provider'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'
import { queryOf } from '../../lib/queries.ts'
import { useMe } from '../../lib/session.ts'
import { confirm } from '../../ui/dialogs/dialogs.tsx'
import { FormSection, WholeRow } from '../../ui/form/FormSection.tsx'
import { Instant } from '../../ui/text/Instant.tsx'
import { toastDone } from '../../ui/toasts.tsx'

export const ownProviderQuery = queryOf(providerEndpoints.ownProvider, {})

/** Whether the account is connected to the sign-in provider. Hidden where there is neither. */
export function OwnProvider() {
  const { signedInBy } = useMe()
  const client = useQueryClient()
  const { data } = useQuery(ownProviderQuery)
  if (signedInBy !== null || !data || (data.name === null && data.link === null)) return null
  const { name, link } = data
  const provider = name ?? 'the sign-in provider'
  const disconnect = async () => {
    const isDone = await confirm({
      heading: `Disconnect your account from ${provider}`,
      body: 'The next time that you sign in there, your account is found by its email address again.',
      confirmLabel: 'Disconnect',
      action: () => call(providerEndpoints.removeProvider, {}),
    })
    if (!isDone) return
    toastDone()
    void client.invalidateQueries({ queryKey: ownProviderQuery.queryKey })
  }
  return (
    <Box maw={1120}>
      <FormSection
        title="Sign-in provider"
        about={`You can sign in with ${provider} as well. Whatever asks for your password still does.`}
      >
        <WholeRow>
          {link ? (
            <Group justify="space-between" gap="sm" wrap="nowrap" maw={560}>
              <Box miw={0}>
                <Text size="sm" fw={600} lineClamp={2}>
                  {link.email}
                </Text>
                <Text size="sm" c="dimmed">
                  Connected since <Instant at={link.linkedAt} />, last used{' '}
                  <Instant at={link.lastUsedAt} />
                </Text>
              </Box>
              <Button variant="default" flex="none" onClick={() => void disconnect()}>
                Disconnect
              </Button>
            </Group>
          ) : (
            <Text size="sm" maw={560}>
              Not connected. The first time that you sign in with {provider}, your account is found
              by its email address.
            </Text>
          )}
        </WholeRow>
      </FormSection>
    </Box>
  )
}
