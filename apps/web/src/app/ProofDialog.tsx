import { Modal, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { authEndpoints } from '@tallyroom/contract/people/auth'
import { type KeyboardEvent, type SubmitEvent, useRef, useState } from 'react'
import { type ApiError, isApiError } from '../lib/api-error.ts'
import { call } from '../lib/call.ts'
import { asSentence } from '../lib/forms/form-errors.ts'
import { codeField } from '../lib/factors/code-field.ts'
import { canGivePasskey, factorOf } from '../lib/factors/passkeys.ts'
import { leaveProof, settleProof } from '../lib/proof.ts'
import { readSession } from '../lib/session.ts'
import { useOneMutation } from '../lib/forms/use-one-mutation.ts'
import { DialogButtons } from '../ui/dialogs/DialogButtons.tsx'
import { TextAnchor } from '../ui/links.tsx'
import { useOpened } from '../ui/use-opened.ts'

/** Asks for the account's password. What needed it goes on afterwards, or is refused if the user cancels. */
export default function ProofDialog() {
  const [opened, close] = useOpened()
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const [isProved, setProved] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const codeInput = useRef<HTMLInputElement>(null)
  const prove = useOneMutation({
    mutationFn: async () =>
      call(authEndpoints.prove, { body: { password, ...(await factorOf(code)) } }),
    meta: { ownErrors: true },
    onSuccess: () => {
      setProved(true)
      close()
    },
    onError: (error) => {
      // The button that had the focus is disabled now.
      if (isAboutCode(error)) {
        setCode('')
        codeInput.current?.focus()
        return
      }
      if (!isApiError(error, 'NETWORK')) setPassword('')
      input.current?.focus()
    },
  })
  // Added in another tab, the code is asked for once the server has said so.
  const needsCode = (readSession()?.me.factors.length ?? 0) > 0 || isAboutCode(prove.error)
  const takesPasskey = canGivePasskey()
  const isComplete = password !== '' && (!needsCode || takesPasskey || code.trim() !== '')
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    // The dialog may be within another form, as React sees it.
    event.stopPropagation()
    if (isComplete) prove.mutate()
  }
  const cancel = () => {
    leaveProof()
    close()
  }
  const cancelByKey = (event: KeyboardEvent) => {
    if (event.key === 'Escape') cancel()
  }

  return (
    <Modal
      opened={opened}
      onClose={cancel}
      onExitTransitionEnd={() => settleProof(isProved || undefined)}
      title="Enter your password"
      withCloseButton={false}
      // A dialog below would close as well.
      closeOnEscape={false}
      size="sm"
    >
      <form noValidate onSubmit={submit}>
        <Stack gap="sm">
          <Text>Confirm it’s you. We won’t ask again for ten minutes.</Text>
          <input
            type="text"
            name="username"
            aria-label="Username"
            autoComplete="username"
            defaultValue={readSession()?.me.username ?? ''}
            hidden
            readOnly
          />
          <PasswordInput
            ref={input}
            label="Password"
            data-autofocus
            data-mantine-stop-propagation
            maxLength={1024}
            autoComplete="current-password"
            value={password}
            onChange={({ currentTarget }) => setPassword(currentTarget.value)}
            onKeyDown={cancelByKey}
            error={!isAboutCode(prove.error) && prove.error && messageOf(prove.error, 'password')}
          />
          {needsCode && (
            <TextInput
              ref={codeInput}
              label="Code"
              description={
                takesPasskey
                  ? 'Of your authenticator app, or a recovery code. Leave it empty to use a passkey.'
                  : 'Of your authenticator app, or a recovery code'
              }
              data-mantine-stop-propagation
              {...codeField}
              value={code}
              onChange={({ currentTarget }) => setCode(currentTarget.value)}
              onKeyDown={cancelByKey}
              error={isAboutCode(prove.error) && messageOf(prove.error, 'code')}
            />
          )}
          <TextAnchor href="/forgot" target="_blank">
            Forgot your password?
          </TextAnchor>
          <DialogButtons
            act="Continue"
            onCancel={cancel}
            busy={prove.isPending}
            disabled={!isComplete}
          />
        </Stack>
      </form>
    </Modal>
  )
}

const isAboutCode = (error: Error | null): error is ApiError =>
  isApiError(error, 'VALIDATION_ERROR') &&
  (error.data['code'] ?? error.data['passkey']) !== undefined

const messageOf = (error: Error, field: 'password' | 'code'): string => {
  if (!isApiError(error)) return 'Reload the page and try again.'
  // A passkey stands in for the code.
  const [message] = error.data[field] ?? error.data['passkey'] ?? []
  return message === undefined ? error.message : `${asSentence(message)}.`
}
