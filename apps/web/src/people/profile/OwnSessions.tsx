import { Box, Button, Group, Stack, Text } from '@mantine/core'
import { profileEndpoints } from '@tallyroom/contract/people/profile'
import { provedInWords } from '@tallyroom/domain/sign-ins'
import { useMutation, useQuery } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'
import { queryOf } from '../../lib/queries.ts'
import { useMe } from '../../lib/session.ts'
import { FormSection, WholeRow } from '../../ui/form/FormSection.tsx'
import { Instant } from '../../ui/text/Instant.tsx'
import { toastDone } from '../../ui/toasts.tsx'

const OTHERS = 'others'

export const ownSessionsQuery = queryOf(
  profileEndpoints.listSessions,
  {},
  { meta: { ownErrors: true } },
)

/** The account's sessions, which can be ended here. Hidden while a superadmin is signed in as somebody else. */
export function OwnSessions() {
  const { signedInBy } = useMe()
  const { data, error, refetch } = useQuery(ownSessionsQuery)
  const end = useMutation({
    mutationFn: (id: string) =>
      id === OTHERS
        ? call(profileEndpoints.endOtherSessions, {})
        : call(profileEndpoints.endSession, { params: { id } }),
    onSuccess: () => toastDone(),
    // After a failure, too: the session may have ended by itself.
    onSettled: () => refetch(),
  })
  if (signedInBy !== null || (!data && !error)) return null
  const sessions = (data?.sessions ?? []).toSorted(
    (a, b) => Number(b.isCurrent) - Number(a.isCurrent),
  )
  return (
    <Box maw={1120}>
      <FormSection
        title="Where you are signed in"
        about="End a session that you don't know, then change your password."
      >
        <WholeRow>
          <Stack gap="sm" maw={560}>
            {error && (
              <Group gap="xs" role="alert">
                <Text>{error.message}</Text>
                <Button variant="default" onClick={() => void refetch()}>
                  Retry
                </Button>
              </Group>
            )}
            {sessions.map(({ id, browser, ip, startedAt, lastUsedAt, provedBy, isCurrent }) => (
              <Group key={id} justify="space-between" gap="sm" wrap="nowrap">
                <Box miw={0}>
                  <Text size="sm">
                    <strong>{browser}</strong>, {ip}
                    {isCurrent && ' (this session)'}
                  </Text>
                  <Text size="sm" c="dimmed">
                    <Box component="span" display="inline-block">
                      Since <Instant at={startedAt} />,
                    </Box>{' '}
                    <Box component="span" display="inline-block">
                      last used <Instant at={lastUsedAt} />,
                    </Box>{' '}
                    <Box component="span" display="inline-block">
                      {provedInWords(provedBy)}
                    </Box>
                  </Text>
                </Box>
                {!isCurrent && (
                  <Button
                    variant="default"
                    flex="none"
                    aria-label={`End the session of ${browser}, ${ip}`}
                    loading={end.isPending && end.variables === id}
                    onClick={() => end.mutate(id)}
                  >
                    End
                  </Button>
                )}
              </Group>
            ))}
            {sessions.length > 1 && (
              <Group>
                <Button
                  variant="default"
                  loading={end.isPending && end.variables === OTHERS}
                  onClick={() => end.mutate(OTHERS)}
                >
                  End all other sessions
                </Button>
              </Group>
            )}
          </Stack>
        </WholeRow>
      </FormSection>
    </Box>
  )
}
