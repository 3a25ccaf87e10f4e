import type { UseFormReturnType } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { isApiError } from '../../lib/api-error.ts'
import { mergeValues } from './merge-values.ts'
import { useSave } from './use-save.ts'

interface VersionedSaveOptions<Values, Saved> {
  /** What the form was filled with. */
  opened: Saved
  /** Reads it again. */
  reload: () => Promise<Saved>
  valuesOf: (saved: Saved) => Values
  /** Saves over that version; the server refuses with CONFLICT when there is a newer one. */
  save: (values: Values, version: number) => Promise<unknown>
  onSaved: () => void
}

/** What a form says of somebody else's changes. */
export interface StaleState {
  /** Somebody else has saved since the form was filled; nothing of this form was. */
  message: string | undefined
  /** Fields that both sides have changed, once theirs were brought in. */
  clashes: readonly string[] | undefined
  busy: boolean
  /** Brings their changes in and keeps what was typed here. */
  catchUp: () => void
}

/**
 * Saves a form that others may be editing too. Whoever comes second is told, keeps what was typed, and
 * can bring the other's changes in before saving again.
 */
export function useVersionedSave<
  Values extends Record<string, unknown>,
  Saved extends { version: number },
>(form: UseFormReturnType<Values>, options: VersionedSaveOptions<Values, Saved>) {
  const { reload, valuesOf, save, onSaved } = options
  const [present, setPresent] = useState(options.opened)
  const [clashes, setClashes] = useState<readonly string[]>()
  const saving = useSave(form, {
    save: (values: Values) => save(values, present.version),
    onSaved,
    ownConflicts: true,
  })
  const catchingUp = useMutation({
    mutationFn: reload,
    onSuccess: (fresh) => {
      const theirs = valuesOf(fresh)
      const merged = mergeValues({ base: valuesOf(present), mine: form.getValues(), theirs })
      form.setInitialValues(theirs)
      form.setValues(merged.values)
      setPresent(fresh)
      setClashes(merged.clashes)
      saving.reset()
    },
  })
  const stale: StaleState = {
    message: isApiError(saving.error, 'CONFLICT') ? saving.error.message : undefined,
    clashes: saving.error ? undefined : clashes,
    busy: catchingUp.isPending,
    catchUp: () => catchingUp.mutate(),
  }
  return { saving, stale, present }
}
