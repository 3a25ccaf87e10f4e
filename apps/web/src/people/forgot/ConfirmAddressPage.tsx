import { Button, Stack, Text } from '@mantine/core'
import { addressesEndpoints } from '@tallyroom/contract/people/addresses'
import { profileEndpoints } from '@tallyroom/contract/people/profile'
import { can } from '@tallyroom/domain/abilities'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { call } from '../../lib/call.ts'
import { formErrors } from '../../lib/forms/form-errors.ts'
import { keepToken, readKeptToken } from '../../lib/pages/kept-token.ts'
import { queryOf } from '../../lib/queries.ts'
import { type Session, useSession } from '../../lib/session.ts'
import { DoorFrame } from '../../ui/DoorFrame.tsx'
import { FormError } from '../../ui/form/FormError.tsx'
import { LinkButton, LinkText } from '../../ui/links.tsx'
import { useLinkToken } from './use-link-token.ts'

/**
 * Opened by the link that was mailed to a new address, which only the account's own session can confirm. Confirmed by a press, as
 * programs that check mails open links, too.
 */
export function ConfirmAddressPage() {
  const token = useTokenUntilSignedIn()
  const session = useSession()
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: () => call(addressesEndpoints.confirmAddress, { body: { token } }),
    onSuccess: () => keepToken(''),
    meta: { ownErrors: true },
  })
  const door = doorOf(session)
  const isTheirs = session !== null && can(session.me, 'profile.agent')
  const asked = useQuery({
    ...queryOf(profileEndpoints.agentProfile, {}),
    enabled: isTheirs && !door && token !== '',
  })
  // A card drawn before the answer would change its height under the reader's eyes.
  if (asked.isLoading) return null
  return (
    <DoorFrame
      title="Confirm your email"
      links={session && !door && <LinkText to="/app/profile">Profile</LinkText>}
    >
      {data ? (
        <Text role="status">
          {data.email} is confirmed. Emails about the account {data.username} go there from now on.
        </Text>
      ) : token === '' ? (
        <Text role="alert">
          This link is incomplete. Open it from the email again, or copy all of it.
        </Text>
      ) : door ? (
        <Stack gap="sm">
          <Text c="dimmed">{door.text}</Text>
          <LinkButton size="sm" fullWidth to={door.to} search={{ returnUrl: '/confirm-address' }}>
            {door.label}
          </LinkButton>
        </Stack>
      ) : session && !isTheirs ? (
        <Text role="alert">
          You are signed in as {session.me.username}, and this link is for another account. Sign
          out, and open it again to sign in with the account that the email names.
        </Text>
      ) : asked.error ? (
        <Text role="alert">{asked.error.message}</Text>
      ) : !asked.data ? null : asked.data.emailConfirmed ? (
        <Text role="status">No address of {session?.me.username} waits to be confirmed.</Text>
      ) : (
        <Stack gap="sm">
          <FormError>{error && (formErrors(error, [])?.['_form'] ?? error.message)}</FormError>
          <Text>
            Emails about the account {session?.me.username} will go to{' '}
            <strong>{asked.data.email}</strong>. Confirm only if you read the mail there.
          </Text>
          <Button size="sm" fullWidth loading={isPending} onClick={() => mutate()}>
            Confirm address
          </Button>
        </Stack>
      )}
    </DoorFrame>
  )
}

/** The token of the link, also after its holder was led away to sign in. */
function useTokenUntilSignedIn(): string {
  const linked = useLinkToken()
  const [token] = useState(() => linked || readKeptToken())
  useEffect(() => keepToken(token), [token])
  return token
}

/** Where to go before an address can be confirmed, if anywhere. */
function doorOf(session: Session | null) {
  if (!session)
    return { to: '/login', label: 'Sign in', text: 'Sign in to confirm your address.' } as const
  const { mustChangePassword, mustAddFactor } = session.me
  if (mustChangePassword)
    return {
      to: '/new-password',
      label: 'Choose a password',
      text: 'Choose your own password to confirm your address.',
    } as const
  if (mustAddFactor)
    return {
      to: '/second-factor',
      label: 'Add a second factor',
      text: 'Add a second factor to confirm your address.',
    } as const
  return null
}
