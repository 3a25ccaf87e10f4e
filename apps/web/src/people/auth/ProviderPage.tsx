import { Loader, Stack, Text } from '@mantine/core'
import { providerEndpoints } from '@tallyroom/contract/people/provider'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { call } from '../../lib/call.ts'
import { formErrors } from '../../lib/forms/form-errors.ts'
import { DoorFrame } from '../../ui/DoorFrame.tsx'
import { LinkText } from '../../ui/links.tsx'
import { FactorForm } from './FactorForm.tsx'
import { openWith } from './open-with.ts'
import { readReturn } from './provider-return.ts'

/** To which the sign-in provider sends the browser back. What it brings is good once, so that nothing of it is kept. */
export function ProviderPage() {
  const { history } = useRouter()
  const [sent] = useState(() => readSent(location.search))
  const [goTo] = useState(readReturn)
  const enter = useMutation({
    mutationFn: openWith,
    onSuccess: () => history.replace(goTo),
  })
  const answer = useQuery({
    queryKey: ['sign in by provider', sent?.state],
    queryFn: async () => {
      if (!sent) return null
      const given = await call(providerEndpoints.signInByProvider, { body: sent })
      if ('step' in given) return given
      await openWith(given.token)
      history.replace(goTo)
      return null
    },
    enabled: sent !== undefined,
    retry: false,
    staleTime: Infinity,
    gcTime: 0,
    meta: { ownErrors: true },
  })
  // It is a credential: remove it from the address bar and the history.
  useEffect(() => window.history.replaceState(window.history.state, '', location.pathname), [])

  if (answer.data)
    return (
      <DoorFrame title="Sign in">
        <FactorForm
          {...answer.data}
          onSignedIn={enter.mutate}
          onBack={() => history.replace('/login')}
        />
      </DoorFrame>
    )
  const error = answer.error && (formErrors(answer.error, [])?.['_form'] ?? answer.error.message)
  return (
    <DoorFrame title="Sign in" links={<LinkText to="/login">Back to signing in</LinkText>}>
      {sent && !error ? (
        <Stack align="center">
          <Loader size="sm" />
          <Text role="status">Signing you in …</Text>
        </Stack>
      ) : (
        <Text role="alert">
          {error ?? 'The provider has not signed you in. Go back and start again.'}
        </Text>
      )}
    </DoorFrame>
  )
}

/** Undefined if the provider has refused, or somebody opened the page by themselves. */
function readSent(search: string) {
  const query = new URLSearchParams(search)
  const [code, state, iss] = ['code', 'state', 'iss'].map((name) => query.get(name))
  return code && state ? { code, state, ...(iss && { iss }) } : undefined
}
