import { Modal, Stack, Text, TextInput } from '@mantine/core'
import type { FieldMessages } from '@tallyroom/contract/errors'
import type { FactorAsked, FactorGiven } from '@tallyroom/contract/people/passkeys'
import { type KeyboardEvent, type SubmitEvent, useState } from 'react'
import { isApiError } from '../lib/api-error.ts'
import { asSentence } from '../lib/forms/form-errors.ts'
import { useOneMutation } from '../lib/forms/use-one-mutation.ts'
import { givePasskey, hasPasskeys } from '../lib/passkeys.ts'
import { settleProof } from '../lib/proof.ts'
import { DialogButtons } from '../ui/dialogs/DialogButtons.tsx'
import { FormError } from '../ui/form/FormError.tsx'
import { useOpened } from '../ui/use-opened.ts'

interface FactorDialogProps {
  factor: FactorAsked
  told: FieldMessages
}

/** Asks for the second factor of an act: a passkey that signs what is decided, or a code. */
export default function FactorDialog({ factor, told }: FactorDialogProps) {
  const { challenge, byCode, passkey } = factor
  const [opened, close] = useOpened()
  const [code, setCode] = useState('')
  const [given, setGiven] = useState<FactorGiven>()
  const takesPasskey = passkey !== null && hasPasskeys()
  const give = useOneMutation({
    mutationFn: async (): Promise<FactorGiven> =>
      code.trim() === '' && passkey !== null
        ? { challenge, code: '', passkey: await givePasskey(passkey) }
        : { challenge, code },
    meta: { ownErrors: true },
    onSuccess: (answer) => {
      setGiven(answer)
      close()
    },
  })
  const isComplete = takesPasskey || code.trim() !== ''
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    // The dialog may be within another form, as React sees it.
    event.stopPropagation()
    if (isComplete) give.mutate()
  }
  const cancelByKey = (event: KeyboardEvent) => {
    if (event.key === 'Escape') close()
  }
  const wrong = messageOf(give.error, told)

  return (
    <Modal
      opened={opened}
      onClose={close}
      onExitTransitionEnd={() => settleProof(given)}
      title="Confirm with your second factor"
      withCloseButton={false}
      // A dialog below would close as well.
      closeOnEscape={false}
      size="sm"
    >
      <form noValidate onSubmit={submit}>
        <Stack gap="sm">
          <Text>
            {takesPasskey
              ? 'Your passkey signs exactly what you approve.'
              : 'This is asked for each time you approve.'}
          </Text>
          {byCode ? (
            <TextInput
              label="Code"
              description={
                takesPasskey
                  ? 'Of your authenticator app. Leave it empty to use a passkey.'
                  : 'Of your authenticator app'
              }
              data-autofocus
              data-mantine-stop-propagation
              maxLength={64}
              autoComplete="one-time-code"
              autoCapitalize="none"
              spellCheck={false}
              value={code}
              onChange={({ currentTarget }) => setCode(currentTarget.value)}
              onKeyDown={cancelByKey}
              error={wrong}
            />
          ) : (
            <FormError>{takesPasskey ? wrong : noneWorks}</FormError>
          )}
          <DialogButtons
            act="Continue"
            onCancel={close}
            busy={give.isPending}
            disabled={!isComplete}
            isFirst={!byCode}
          />
        </Stack>
      </form>
    </Modal>
  )
}

const noneWorks =
  'This browser can’t use passkeys here. Approve in another one, or add an authenticator app in Profile.'

/** What was wrong here, or with the factor that was sent before. */
function messageOf(error: Error | null, told: FieldMessages): string | undefined {
  if (error && !isApiError(error)) return 'Reload the page and try again.'
  const data = error ? error.data : told
  const [message] = data['code'] ?? data['passkey'] ?? []
  return message === undefined ? error?.message : `${asSentence(message)}.`
}
