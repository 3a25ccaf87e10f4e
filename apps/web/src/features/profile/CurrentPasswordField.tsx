import type { UseFormReturnType } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { CurrentPasswordInput } from '../../ui/form/CurrentPasswordInput.tsx'
import { ownSessionsQuery } from './profile.api.ts'

/** As on the server: a younger session does not need the password again. */
const FRESH_MS = 10 * 60_000

interface CurrentPasswordFieldProps<Values> {
  form: UseFormReturnType<Values>
  /** Whether a changed field requires the password. */
  isGuarded: boolean
}

/** Asks for the current password if a change requires it. The server decides; its refusal also shows the field. */
export function CurrentPasswordField<Values extends { currentPassword: string }>({
  form,
  isGuarded,
}: CurrentPasswordFieldProps<Values>) {
  const { data } = useQuery(ownSessionsQuery)
  const startedAt = data?.sessions.find(({ isCurrent }) => isCurrent)?.startedAt
  const { currentPassword: error } = form.errors
  if (!(isGuarded && isOld(startedAt)) && !error && form.values.currentPassword === '') return null
  return <CurrentPasswordInput {...form.getInputProps('currentPassword')} />
}

const isOld = (startedAt: string | undefined): boolean =>
  startedAt !== undefined && Date.now() - Date.parse(startedAt) >= FRESH_MS
