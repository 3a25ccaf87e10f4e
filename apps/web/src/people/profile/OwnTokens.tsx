import {
  Alert,
  Box,
  Button,
  Checkbox,
  Code,
  Group,
  Select,
  Stack,
  Text,
  TextInput,
} from '@mantine/core'
import { type ApiToken, tokenDays, tokensEndpoints } from '@tallyroom/contract/people/tokens'
import { tokenGroups, type TokenGroup } from '@tallyroom/contract/token-groups'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../lib/call.ts'
import { queryOf } from '../../lib/queries.ts'
import { useMe } from '../../lib/session.ts'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { confirm } from '../../ui/dialogs/dialogs.tsx'
import { FormFrame } from '../../ui/form/FormFrame.tsx'
import { FormSection, WholeRow } from '../../ui/form/FormSection.tsx'
import { useRecordForm } from '../../ui/form/use-record-form.ts'
import { Instant } from '../../ui/text/Instant.tsx'
import { toastDone } from '../../ui/toasts.tsx'

export const ownTokensQuery = queryOf(tokensEndpoints.ownTokens, {})

/** The account's tokens for programs. Hidden while a superadmin is signed in as somebody else. */
export function OwnTokens() {
  const { signedInBy, role } = useMe()
  const { data } = useQuery(ownTokensQuery)
  if (signedInBy !== null || !data) return null
  return (
    <Stack gap="xl" maw={1120}>
      <FormSection
        title="API tokens"
        about="A token lets a program use the API as you, limited to what you choose. A new password ends them all."
      >
        <WholeRow>
          <Stack gap="md" maw={560}>
            <TokenList tokens={data.tokens} />
            <NewToken groups={data.groups} />
          </Stack>
        </WholeRow>
      </FormSection>
      {role === 'superadmin' && <AllTokens />}
    </Stack>
  )
}

/** Everybody's, for superadmins. */
function AllTokens() {
  const { data } = useQuery(queryOf(tokensEndpoints.allTokens, {}))
  const { username: own } = useMe()
  const others = data?.tokens.filter(({ username }) => username !== own) ?? []
  if (others.length === 0) return null
  return (
    <FormSection
      title="API tokens of others"
      about="Of every account. Revoke one that nobody recognizes."
    >
      <WholeRow>
        <Stack gap="md" maw={560}>
          <TokenList tokens={others} />
        </Stack>
      </WholeRow>
    </FormSection>
  )
}

interface TokenListProps {
  tokens: readonly (ApiToken & { username?: string })[]
}

function TokenList({ tokens }: TokenListProps) {
  const client = useQueryClient()
  return tokens.map(({ id, name, may, endsAt, lastUsedAt, lastUsedFrom, username }) => (
    <Group key={id} justify="space-between" gap="sm" wrap="nowrap">
      <Box miw={0}>
        <Text size="sm" lineClamp={2}>
          <strong>{name}</strong>
          {username !== undefined && ` of ${username}`}
        </Text>
        <Text size="sm">{may.map((group) => tokenGroups[group]).join(', ')}</Text>
        <Text size="sm" c="dimmed">
          <Box component="span" display="inline-block">
            {lastUsedAt === null ? (
              'Never used,'
            ) : (
              <>
                Last used <Instant at={lastUsedAt} /> from {lastUsedFrom},
              </>
            )}
          </Box>{' '}
          <Box component="span" display="inline-block">
            ends <Instant at={endsAt} />
          </Box>
        </Text>
      </Box>
      <Button
        variant="default"
        flex="none"
        aria-label={`Revoke ${name}`}
        onClick={() =>
          void confirm({
            heading: `Revoke: ${name}`,
            body: 'Programs that use this token are refused from now on. This can’t be undone.',
            confirmLabel: 'Revoke',
            danger: true,
            action: () => call(tokensEndpoints.revokeToken, { params: { id: String(id) } }),
          }).then(async (isDone) => {
            if (!isDone) return
            toastDone()
            await client.invalidateQueries()
          })
        }
      >
        Revoke
      </Button>
    </Group>
  ))
}

interface NewTokenProps {
  groups: readonly TokenGroup[]
}

/** The form for a new token, which is shown once. */
function NewToken({ groups }: NewTokenProps) {
  const client = useQueryClient()
  const [made, setMade] = useState<string>()
  const { form, frame } = useRecordForm({
    endpoint: tokensEndpoints.createToken,
    values: { name: '', may: [] as TokenGroup[], days: String(tokenDays.usual) },
    bodyOf: ({ days, ...values }) => ({ ...values, days: Number(days) }),
    onSaved: ({ token }) => {
      setMade(token)
      form.reset()
      void client.invalidateQueries({ queryKey: ownTokensQuery.queryKey })
    },
  })
  return (
    <>
      {made !== undefined && (
        <Alert
          color="green"
          title="Copy the token now: it is not shown again"
          withCloseButton
          closeButtonLabel="Close"
          onClose={() => setMade(undefined)}
        >
          <Group gap="xs" wrap="nowrap">
            <Code style={{ overflowWrap: 'anywhere' }}>{made}</Code>
            <CopyButton value={made} what="token" />
          </Group>
        </Alert>
      )}
      <FormFrame {...frame} submitLabel="Create token" narrow>
        <TextInput
          label="Name"
          description="What uses it, such as My tracker"
          withAsterisk
          maxLength={60}
          {...form.getInputProps('name')}
        />
        <Checkbox.Group label="It may" withAsterisk {...form.getInputProps('may')}>
          <Stack gap={6} mt={6}>
            {groups.map((group) => (
              <Checkbox key={group} value={group} label={tokenGroups[group]} />
            ))}
          </Stack>
        </Checkbox.Group>
        <Select
          label="Ends after"
          allowDeselect={false}
          data={lifetimes}
          {...form.getInputProps('days')}
        />
      </FormFrame>
    </>
  )
}

const lifetimes = [
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '366', label: 'A year' },
]
