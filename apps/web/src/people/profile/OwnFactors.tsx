import { Alert, Box, Button, Code, CopyButton as Copy, Group, Stack, Text } from '@mantine/core'
import { factorsEndpoints } from '@tallyroom/contract/people/factors'
import type { Passkey } from '@tallyroom/contract/people/passkeys'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { afterRecoveryCode } from '../../lib/factors/after-recovery.ts'
import { call } from '../../lib/call.ts'
import { declinePasskey } from '../../lib/factors/passkey-offer.ts'
import { hasPasskeys } from '../../lib/factors/passkeys.ts'
import { queryOf } from '../../lib/queries.ts'
import { refreshMe } from '../../lib/refresh-me.ts'
import { useMe } from '../../lib/session.ts'
import { confirm } from '../../ui/dialogs/dialogs.tsx'
import { FormSection, WholeRow } from '../../ui/form/FormSection.tsx'
import { Instant } from '../../ui/text/Instant.tsx'
import { toastDone } from '../../ui/toasts.tsx'
import { AddPasskeyDialog } from './AddPasskeyDialog.tsx'
import { RemoveFactorDialog } from './RemoveFactorDialog.tsx'
import { useAsked } from '../../ui/use-asked.ts'

const AddAuthenticatorDialog = lazy(() => import('./AddAuthenticatorDialog.tsx'))

export const ownFactorsQuery = queryOf(factorsEndpoints.ownFactors, {})

type Dialog =
  | { kind: 'add app'; secret: string; uri: string }
  | { kind: 'remove app' }
  | { kind: 'add passkey' }
  | { kind: 'remove passkey'; passkey: Passkey }

interface OwnFactorsProps {
  /** Whether it begins with the dialog that adds a passkey. */
  addsPasskey?: boolean
  /** Called as that dialog closes. */
  onClosed?: () => void
}

/** The second factors of the account. Hidden while a superadmin is signed in as somebody else. */
export function OwnFactors({ addsPasskey = false, onClosed }: OwnFactorsProps) {
  const { accountId, signedInBy } = useMe()
  const client = useQueryClient()
  const { data } = useQuery(ownFactorsQuery)
  const {
    asked: dialog,
    key,
    ask,
    end,
  } = useAsked<Dialog>(() => (addsPasskey && hasPasskeys() ? { kind: 'add passkey' } : undefined))
  const [codes, setCodes] = useState<readonly string[]>([])
  const begin = useMutation({
    mutationFn: () => call(factorsEndpoints.beginAuthenticator, {}),
    onSuccess: (begun) => ask({ kind: 'add app', ...begun }),
  })
  if (signedInBy !== null || !data) return null

  const close = () => {
    end()
    if (key === 0) onClosed?.()
  }
  const handleChanged = (made: readonly string[] = []) => {
    setCodes(made)
    toastDone()
    void client.invalidateQueries({ queryKey: ownFactorsQuery.queryKey })
    void refreshMe()
  }
  const renew = async () => {
    const answer: { recoveryCodes?: string[] } = {}
    const isDone = await confirm({
      heading: 'Make new recovery codes',
      // Whoever has signed in with the last one is not asked for another.
      body: [
        'The ones that you have stop working.',
        data?.recoveryCodesLeft === 0 && afterRecoveryCode(),
      ]
        .filter(Boolean)
        .join(' '),
      confirmLabel: 'Make new codes',
      action: async () =>
        Object.assign(answer, await call(factorsEndpoints.renewRecoveryCodes, {})),
    })
    if (isDone) handleChanged(answer.recoveryCodes)
  }

  const { authenticatorAddedAt, passkeys, recoveryCodesLeft } = data
  const hasApp = authenticatorAddedAt !== null
  const count = passkeys.length + (hasApp ? 1 : 0)
  const canAddPasskey = hasPasskeys()
  return (
    <Box maw={1120}>
      <FormSection
        title="Second factor"
        about="Signing in then takes your phone or a passkey as well as your password, so that a password alone is worth nothing to anybody. A passkey also signs you in without the password."
      >
        <WholeRow>
          <Stack gap="sm" maw={560}>
            {codes.length > 0 && <NewCodes codes={codes} onClose={() => setCodes([])} />}
            {passkeys.map((passkey) => (
              <PasskeyRow
                key={passkey.id}
                passkey={passkey}
                onRemove={() => ask({ kind: 'remove passkey', passkey })}
              />
            ))}
            {hasApp && (
              <Group justify="space-between" gap="sm" wrap="nowrap">
                <Box miw={0}>
                  <Text size="sm" fw={600}>
                    Authenticator app
                  </Text>
                  <Text size="sm" c="dimmed">
                    Since <Instant at={authenticatorAddedAt} />
                  </Text>
                </Box>
                <Button
                  variant="default"
                  flex="none"
                  aria-label="Remove the authenticator app"
                  onClick={() => ask({ kind: 'remove app' })}
                >
                  Remove
                </Button>
              </Group>
            )}
            {count > 0 && (
              <Group justify="space-between" gap="sm" wrap="nowrap">
                <Text size="sm">{leftInWords(recoveryCodesLeft)}</Text>
                <Button variant="default" flex="none" onClick={() => void renew()}>
                  Make new codes
                </Button>
              </Group>
            )}
            {(canAddPasskey || !hasApp) && (
              <Group gap="sm">
                {canAddPasskey && (
                  <Button variant="default" onClick={() => ask({ kind: 'add passkey' })}>
                    Add a passkey
                  </Button>
                )}
                {!hasApp && (
                  <Button
                    variant="default"
                    loading={begin.isPending}
                    onClick={() => begin.mutate()}
                  >
                    Add an authenticator app
                  </Button>
                )}
              </Group>
            )}
          </Stack>
        </WholeRow>
      </FormSection>
      <Suspense>
        {dialog?.kind === 'add app' && (
          <AddAuthenticatorDialog
            key={key}
            secret={dialog.secret}
            uri={dialog.uri}
            onAdded={handleChanged}
            onClosed={close}
          />
        )}
      </Suspense>
      {dialog?.kind === 'add passkey' && (
        <AddPasskeyDialog
          key={key}
          isFirst={count === 0}
          onAdded={handleChanged}
          onClosed={close}
        />
      )}
      {dialog?.kind === 'remove app' && (
        <RemoveFactorDialog
          key={key}
          title="Remove the authenticator app"
          isLast={count === 1}
          remove={(body) => call(factorsEndpoints.removeAuthenticator, { body })}
          onRemoved={handleChanged}
          onClosed={close}
        />
      )}
      {dialog?.kind === 'remove passkey' && (
        <RemoveFactorDialog
          key={key}
          title={`Remove the passkey: ${dialog.passkey.name}`}
          isLast={count === 1}
          remove={(body) =>
            call(factorsEndpoints.removePasskey, {
              params: { id: String(dialog.passkey.id) },
              body,
            })
          }
          onRemoved={() => {
            declinePasskey(accountId)
            handleChanged()
          }}
          onClosed={close}
        />
      )}
    </Box>
  )
}

interface PasskeyRowProps {
  passkey: Passkey
  onRemove: () => void
}

function PasskeyRow({ passkey: { name, host, addedAt, lastUsedAt }, onRemove }: PasskeyRowProps) {
  return (
    <Group justify="space-between" gap="sm" wrap="nowrap">
      <Box miw={0}>
        <Text size="sm" fw={600} lineClamp={2}>
          {name}
        </Text>
        <Text size="sm" c="dimmed">
          Passkey{host !== location.hostname && ` on ${host}`}, since <Instant at={addedAt} />,{' '}
          <Box component="span" display="inline-block">
            {lastUsedAt === null ? (
              'never used'
            ) : (
              <>
                last used <Instant at={lastUsedAt} />
              </>
            )}
          </Box>
        </Text>
      </Box>
      <Button variant="default" flex="none" aria-label={`Remove ${name}`} onClick={onRemove}>
        Remove
      </Button>
    </Group>
  )
}

function NewCodes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const alert = useRef<HTMLDivElement>(null)
  // They are shown once, and the dialog that made them may have stood elsewhere.
  useEffect(() => {
    // In braces: newer browsers answer with a promise, which is no clean-up.
    alert.current?.scrollIntoView({ block: 'nearest' })
  }, [codes])
  return (
    <Alert
      ref={alert}
      color="green"
      title="Keep these recovery codes: they are not shown again"
      withCloseButton
      closeButtonLabel="Close"
      onClose={onClose}
    >
      <Stack gap="xs">
        <Text size="sm">
          Each signs you in once, in place of a code or passkey, if you lose your phone.
        </Text>
        <Stack gap={4} align="start">
          {codes.map((code) => (
            <Code key={code}>{code}</Code>
          ))}
        </Stack>
        <Copy value={codes.join('\n')}>
          {({ copied, copy }) => (
            <Button variant="default" w="fit-content" onClick={copy}>
              {copied ? 'Copied' : 'Copy all'}
            </Button>
          )}
        </Copy>
      </Stack>
    </Alert>
  )
}

const leftInWords = (count: number) =>
  count === 1 ? 'One recovery code is left' : `${count} recovery codes are left`
