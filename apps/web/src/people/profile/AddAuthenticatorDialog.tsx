import { Code, Group, Image, Skeleton, Stack, Text, TextInput } from '@mantine/core'
import { factorsEndpoints } from '@tallyroom/contract/people/factors'
import { useQuery } from '@tanstack/react-query'
import { toDataURL } from 'qrcode'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { RecordDialog } from '../../ui/form/RecordDialog.tsx'
import { useRecordForm } from '../../ui/form/use-record-form.ts'
import { useOpened } from '../../ui/use-opened.ts'

interface AddAuthenticatorDialogProps {
  secret: string
  uri: string
  onAdded: (recoveryCodes: readonly string[]) => void
  onClosed: () => void
}

/** The secret for an authenticator app, which counts once a code of it is entered. Loaded on demand. */
export default function AddAuthenticatorDialog({
  secret,
  uri,
  onAdded,
  onClosed,
}: AddAuthenticatorDialogProps) {
  const shown = useOpened()
  const picture = useQuery({
    queryKey: ['qr', uri],
    queryFn: () => toDataURL(uri, { width: 520, margin: 2 }),
    staleTime: Infinity,
    // It is a secret.
    gcTime: 0,
    meta: { ownErrors: true },
  })
  const { form, frame } = useRecordForm({
    endpoint: factorsEndpoints.confirmAuthenticator,
    values: { code: '' },
    bodyOf: ({ code }) => ({ code }),
    onSaved: ({ recoveryCodes }) => {
      const [, close] = shown
      close()
      onAdded(recoveryCodes)
    },
  })
  return (
    <RecordDialog
      form={form}
      frame={frame}
      shown={shown}
      title="Add an authenticator app"
      act="Add"
      onClosed={onClosed}
    >
      <Text size="sm">
        Scan this with an authenticator app on your phone, or type the key into it. Then enter the
        code that it shows.
      </Text>
      <Stack align="center" gap="xs">
        {picture.data === undefined ? (
          <Skeleton w={200} h={200} />
        ) : (
          <Image src={picture.data} alt="QR code of the key" w={200} h={200} radius="sm" />
        )}
        <Group gap={4} wrap="nowrap">
          <Code style={{ overflowWrap: 'anywhere' }}>{inGroups(secret)}</Code>
          <CopyButton value={secret} what="key" />
        </Group>
      </Stack>
      <TextInput
        label="Code"
        withAsterisk
        data-autofocus
        autoComplete="one-time-code"
        inputMode="numeric"
        maxLength={64}
        {...form.getInputProps('code')}
      />
    </RecordDialog>
  )
}

/** Four characters at a time, which apps accept as well. */
const inGroups = (secret: string) => secret.match(/.{1,4}/g)?.join(' ') ?? secret
