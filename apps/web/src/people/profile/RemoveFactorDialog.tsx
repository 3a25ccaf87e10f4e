import { PasswordInput, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { PasskeyAnswer } from '@tallyroom/contract/people/passkeys'
import { afterRecoveryCode } from '../../lib/factors/after-recovery.ts'
import { formErrors } from '../../lib/forms/form-errors.ts'
import { useOneMutation } from '../../lib/forms/use-one-mutation.ts'
import { codeField } from '../../lib/factors/code-field.ts'
import { canGivePasskey, factorOf } from '../../lib/factors/passkeys.ts'
import { RecordDialog } from '../../ui/form/RecordDialog.tsx'
import { useOpened } from '../../ui/use-opened.ts'

interface RemoveFactorDialogProps {
  title: string
  /** Whether the password is all that signing in takes afterwards. */
  isLast: boolean
  remove: (given: { password: string; code: string; passkey?: PasskeyAnswer }) => Promise<unknown>
  onRemoved: () => void
  onClosed: () => void
}

/** Asks for password and second factor, however recently they were entered. */
export function RemoveFactorDialog({
  title,
  isLast,
  remove,
  onRemoved,
  onClosed,
}: RemoveFactorDialogProps) {
  const shown = useOpened()
  const takesPasskey = canGivePasskey()
  const barred = afterRecoveryCode()
  const form = useForm({
    initialValues: { password: '', code: '' },
    validate: {
      password: (typed) => (typed === '' ? 'Enter your password' : null),
      code: (typed) => (typed.trim() === '' && !takesPasskey ? 'Enter the code' : null),
    },
  })
  const removing = useOneMutation({
    mutationFn: async ({ password, code }: typeof form.values) =>
      remove({ password, ...(await factorOf(code)) }),
    meta: { ownErrors: true },
    onSuccess: () => {
      const [, close] = shown
      close()
      onRemoved()
    },
    onError: (error) =>
      form.setErrors(formErrors(error, ['password', 'code']) ?? { _form: error.message }),
  })
  const frame = {
    busy: removing.isPending,
    onSubmit: (values: typeof form.values) => removing.mutate(values),
  }
  return (
    <RecordDialog
      form={form}
      frame={frame}
      shown={shown}
      title={title}
      act="Remove"
      onClosed={onClosed}
    >
      {isLast && <Text size="sm">Signing in then takes your password alone.</Text>}
      {barred && <Text size="sm">{barred}</Text>}
      <PasswordInput
        label="Password"
        withAsterisk
        data-autofocus
        autoComplete="current-password"
        {...form.getInputProps('password')}
      />
      <TextInput
        label="Code"
        description={
          takesPasskey
            ? 'Of the app, or a recovery code. Leave it empty to use a passkey.'
            : 'Of the app, or a recovery code'
        }
        withAsterisk={!takesPasskey}
        {...codeField}
        {...form.getInputProps('code')}
      />
    </RecordDialog>
  )
}
