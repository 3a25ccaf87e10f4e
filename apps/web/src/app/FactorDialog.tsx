import { Modal, Stack, Text, TextInput } from '@mantine/core'
import type { FieldMessages } from '@tallyroom/contract/errors'
import type { FactorAsked, FactorGiven } from '@tallyroom/contract/people/passkeys'
import { type FactorAct, factorActs } from '@tallyroom/domain/sign-in-rules'
import { type KeyboardEvent, type SubmitEvent, useState } from 'react'
import { afterRecoveryCode } from '../lib/factors/after-recovery.ts'
import { isApiError } from '../lib/api-error.ts'
import { asSentence } from '../lib/forms/form-errors.ts'
import { useOneMutation } from '../lib/forms/use-one-mutation.ts'
import { codeField } from '../lib/factors/code-field.ts'
import { givePasskey, hasPasskeys } from '../lib/factors/passkeys.ts'
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
  const { act, challenge, byCode, passkey } = factor
  const { byRecoveryCode } = factorActs[act]
  const takesCode = byCode || byRecoveryCode
  const barred = byRecoveryCode ? afterRecoveryCode() : undefined
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
          <Text>{words[act][takesPasskey ? 'byPasskey' : 'byCode']}</Text>
          {barred && <Text size="sm">{barred}</Text>}
          {takesCode ? (
            <TextInput
              label="Code"
              description={`${codeInWords(byCode, byRecoveryCode)}${takesPasskey ? '. Leave it empty to use a passkey.' : ''}`}
              data-autofocus
              data-mantine-stop-propagation
              {...codeField}
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
            isFirst={!takesCode}
          />
        </Stack>
      </form>
    </Modal>
  )
}

const same = (text: string) => ({ byPasskey: text, byCode: text })

const words: Record<FactorAct, { byPasskey: string; byCode: string }> = {
  approve: {
    byPasskey: 'Your passkey signs exactly what you approve.',
    byCode: 'This is asked for each time you approve.',
  },
  'close period': {
    byPasskey: 'Your passkey confirms that you close this period.',
    byCode: 'This is asked for each time you close a period.',
  },
  'take file': {
    byPasskey: 'Your passkey confirms that you download this file.',
    byCode: 'This is asked for each time you download a file for the bank.',
  },
  'grant PAY': {
    byPasskey: 'Your passkey confirms that you let this admin manage pay.',
    byCode: 'This is asked for each time you let an admin manage pay.',
  },
  'open payer': {
    byPasskey: 'Your passkey confirms that you change how this admin, who manages pay, signs in.',
    byCode: 'This is asked for each time you change how an admin who manages pay signs in.',
  },
  'put off factors': {
    byPasskey: 'Your passkey confirms that others may do without one for longer.',
    byCode: 'This is asked for each time you put off “Second factor to approve”.',
  },
  'add factor': same('To add another one, confirm with one that you have.'),
  'new recovery codes': same('To make new codes, confirm with what you have.'),
}

function codeInWords(byCode: boolean, byRecoveryCode: boolean): string {
  if (!byCode) return 'A recovery code'
  return byRecoveryCode
    ? 'Of your authenticator app, or a recovery code'
    : 'Of your authenticator app'
}

const noneWorks =
  'This browser can’t use passkeys here. Use another one, or add an authenticator app in Profile.'

/** What was wrong here, or with the factor that was sent before. */
function messageOf(error: Error | null, told: FieldMessages): string | undefined {
  if (error && !isApiError(error)) return 'Reload the page and try again.'
  const data = error ? error.data : told
  const [message] = data['code'] ?? data['passkey'] ?? []
  return message === undefined ? error?.message : `${asSentence(message)}.`
}
