import type { UseFormReturnType } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { formErrors } from '../../lib/form-errors.ts'

interface SaveOptions<Values, Answer> {
  save: (values: Values) => Promise<Answer>
  onSaved?: (answer: Answer) => void
  /** The form itself tells of changes that somebody else has saved meanwhile. */
  ownConflicts?: boolean
}

/**
 * Saves a form: the server's messages land on its fields, and what was saved counts as unchanged.
 * Everything else that can go wrong is the error policy's.
 */
export function useSave<Values extends Record<string, unknown>, Answer>(
  form: UseFormReturnType<Values>,
  { save, onSaved, ownConflicts = false }: SaveOptions<Values, Answer>,
) {
  return useMutation({
    mutationFn: save,
    meta: { ownConflicts },
    onSuccess: (answer) => {
      form.resetDirty()
      onSaved?.(answer)
    },
    onError: (error) => {
      const errors = formErrors(error, Object.keys(form.getValues()))
      if (errors) form.setErrors(errors)
    },
  })
}
