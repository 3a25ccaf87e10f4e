import type { UseFormReturnType } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { isApiError } from '../../lib/api-error.ts'
import { mergeValues } from './merge-values.ts'
import { useSave } from './use-save.ts'

interface VersionedSaveOptions<Values, Saved> {
  /** The record that the form was filled with. */
  opened: Saved
  /** Fetches the record again. */
  reload: () => Promise<Saved>
  valuesOf: (saved: Saved) => Values
  /** Saves against that version. The server answers CONFLICT if there is a newer one. */
  save: (values: Values, version: number) => Promise<unknown>
  onSaved: () => void
}

/** What a form knows about somebody else's changes. */
export interface StaleState {
  /** Set if somebody else has saved since the form was filled. This form was then not saved. */
  message: string | undefined
  /** The fields that both sides changed. Set after `catchUp`. */
  clashes: readonly string[] | undefined
  busy: boolean
  /** Merges their changes into the form and keeps what was typed here. */
  catchUp: () => void
}

/**
 * Saves a form that others may be editing too. The second to save is told, keeps what they typed, and can merge the
 * other changes before saving again.
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
