import { Modal, PasswordInput, Stack, Text } from '@mantine/core'
import { authEndpoints } from '@tallyroom/contract/people/auth'
import { type KeyboardEvent, type SubmitEvent, useRef, useState } from 'react'
import { isApiError } from '../lib/api-error.ts'
import { call } from '../lib/call.ts'
import { settleProof } from '../lib/proof.ts'
import { readSession } from '../lib/session.ts'
import { useOneMutation } from '../lib/forms/use-one-mutation.ts'
import { DialogButtons } from '../ui/dialogs/DialogButtons.tsx'
import { TextAnchor } from '../ui/links.tsx'
import { useOpened } from '../ui/use-opened.ts'

/** Asks for the account's password. What needed it goes on afterwards, or is refused if the user cancels. */
export default function ProofDialog() {
  const [opened, close] = useOpened()
  const [password, setPassword] = useState('')
  const [isProved, setProved] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const prove = useOneMutation({
    mutationFn: () => call(authEndpoints.prove, { body: { password } }),
    meta: { ownErrors: true },
    onSuccess: () => {
      setProved(true)
      close()
    },
    onError: (error) => {
      if (!isApiError(error, 'NETWORK')) setPassword('')
      // The button that had the focus is disabled now.
      input.current?.focus()
    },
  })
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    // The dialog may be within another form, as React sees it.
    event.stopPropagation()
    if (password !== '') prove.mutate()
  }
  const cancelByKey = (event: KeyboardEvent) => {
    if (event.key === 'Escape') close()
  }

  return (
    <Modal
      opened={opened}
      onClose={close}
      onExitTransitionEnd={() => settleProof(isProved)}
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
            error={prove.error && messageOf(prove.error)}
          />
          <TextAnchor href="/forgot" target="_blank">
            Forgot your password?
          </TextAnchor>
          <DialogButtons
            act="Continue"
            onCancel={close}
            busy={prove.isPending}
            disabled={password === ''}
          />
        </Stack>
      </form>
    </Modal>
  )
}

const messageOf = (error: Error): string => {
  if (!isApiError(error)) return 'Reload the page and try again.'
  const [message] = error.data['password'] ?? []
  return message === undefined ? error.message : `This ${message}.`
}
