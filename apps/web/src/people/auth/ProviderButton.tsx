import { Button } from '@mantine/core'
import { providerEndpoints } from '@tallyroom/contract/people/provider'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { call } from '../../lib/call.ts'
import { queryOf } from '../../lib/queries.ts'
import { keepReturn } from './provider-return.ts'

interface ProviderButtonProps {
  /** Where to go on after the sign-in. */
  returnUrl: string | undefined
  onRefused: (error: Error) => void
}

/** Leads staff to the sign-in provider, if one is configured. */
export function ProviderButton({ returnUrl, onRefused }: ProviderButtonProps) {
  const { data } = useQuery({
    ...queryOf(providerEndpoints.provider, {}),
    staleTime: Infinity,
    // Without it, there is the form.
    meta: { ownErrors: true },
  })
  const begin = useMutation({
    mutationFn: () => call(providerEndpoints.beginProvider, {}),
    meta: { ownErrors: true },
    onSuccess: ({ url }) => {
      keepReturn(returnUrl)
      location.assign(url)
    },
    onError: onRefused,
  })
  // Browsers bring a page back as it was left.
  const { reset } = begin
  useEffect(() => {
    const again = () => reset()
    window.addEventListener('pageshow', again)
    return () => window.removeEventListener('pageshow', again)
  }, [reset])
  if (!data?.name) return null
  return (
    <Button
      variant="default"
      size="sm"
      fullWidth
      loading={begin.isPending || begin.isSuccess}
      onClick={() => begin.mutate()}
    >
      Sign in with {data.name}
    </Button>
  )
}
