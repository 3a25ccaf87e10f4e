import { Button, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useRouterState } from '@tanstack/react-router'
import { declinePasskey } from '../../lib/factors/passkey-offer.ts'
import { keepsPasskeys } from '../../lib/factors/passkeys.ts'
import { useMe } from '../../lib/session.ts'
import { LinkButton } from '../../ui/links.tsx'
import classes from './PasskeyOffer.module.css'

const PROFILE = '/app/profile'

/** Offers to add a passkey where the device keeps some. It lies over the page, so that nothing moves. */
export default function PasskeyOffer() {
  const { accountId } = useMe()
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const { data: isPossible } = useQuery({
    queryKey: ['keeps-passkeys'],
    queryFn: keepsPasskeys,
    staleTime: Infinity,
    meta: { ownErrors: true },
  })
  // There, the button itself is in sight.
  if (!isPossible || path === PROFILE) return null
  return (
    <section className={classes.offer} data-offer aria-label="Passkey">
      <Text size="sm">
        Next time, sign in without your password: with the PIN, finger or face that unlocks this
        device.
      </Text>
      <Group gap="xs" mt="xs">
        <LinkButton to={PROFILE} search={{ add: 'passkey' }} size="xs">
          Add a passkey
        </LinkButton>
        <Button variant="default" size="xs" onClick={() => declinePasskey(accountId)}>
          Not now
        </Button>
      </Group>
    </section>
  )
}
