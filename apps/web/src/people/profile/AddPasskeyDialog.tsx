import { Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { factorsEndpoints } from '@tallyroom/contract/people/factors'
import { call } from '../../lib/call.ts'
import { formErrors } from '../../lib/forms/form-errors.ts'
import { useOneMutation } from '../../lib/forms/use-one-mutation.ts'
import { makePasskey } from '../../lib/factors/passkeys.ts'
import { RecordDialog } from '../../ui/form/RecordDialog.tsx'
import { useOpened } from '../../ui/use-opened.ts'

interface AddPasskeyDialogProps {
  /** Whether the account has no second factor yet. */
  isFirst: boolean
  onAdded: (recoveryCodes: readonly string[]) => void
  onClosed: () => void
}

/** Names a passkey, and has the browser make it. */
export function AddPasskeyDialog({ isFirst, onAdded, onClosed }: AddPasskeyDialogProps) {
  const shown = useOpened()
  const form = useForm({
    initialValues: { name: '' },
    validate: { name: (typed) => (typed.trim() === '' ? 'Enter a name' : null) },
  })
  const adding = useOneMutation({
    mutationFn: async ({ name }: typeof form.values) => {
      const made = await makePasskey(await call(factorsEndpoints.beginPasskey, {}))
      return call(factorsEndpoints.addPasskey, { body: { name, made } })
    },
    meta: { ownErrors: true },
    onSuccess: ({ recoveryCodes }) => {
      const [, close] = shown
      close()
      onAdded(recoveryCodes)
    },
    onError: (error) => form.setErrors(formErrors(error, ['name']) ?? { _form: error.message }),
  })
  const frame = {
    busy: adding.isPending,
    onSubmit: (values: typeof form.values) => adding.mutate(values),
  }
  return (
    <RecordDialog
      form={form}
      frame={frame}
      shown={shown}
      title="Add a passkey"
      act="Add"
      onClosed={onClosed}
    >
      <Text size="sm">
        Your phone, computer or security key keeps it, and asks for a PIN, your finger or your face.
        It works on {location.hostname}.
      </Text>
      {isFirst && (
        <Text size="sm">
          Elsewhere, your password alone no longer signs you in: it then takes this passkey or a
          recovery code.
        </Text>
      )}
      <TextInput
        label="Name"
        description="To recognise it by, such as the device’s name"
        withAsterisk
        data-autofocus
        maxLength={60}
        {...form.getInputProps('name')}
      />
    </RecordDialog>
  )
}
