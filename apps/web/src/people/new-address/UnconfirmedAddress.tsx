import { Button, Group, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { WholeRow } from '../../ui/form/FormSection.tsx'
import { toast } from '../../ui/toasts.tsx'

interface UnconfirmedAddressProps {
  email: string
  /** Mails the link again. */
  send: () => Promise<unknown>
  /** Who has to do what. */
  children: ReactNode
}

/** Below an address that does not count yet: why, and the button that mails the link again. */
export function UnconfirmedAddress({ email, send, children }: UnconfirmedAddressProps) {
  const { mutate, isPending } = useMutation({
    mutationFn: send,
    onSuccess: () =>
      toast({ kind: 'success', heading: 'Sent', body: `A link was sent to ${email}.` }),
  })
  return (
    <WholeRow>
      <Group gap="sm">
        <Text size="sm">{children}</Text>
        <Button variant="default" size="xs" loading={isPending} onClick={() => mutate()}>
          Send the link again
        </Button>
      </Group>
    </WholeRow>
  )
}
