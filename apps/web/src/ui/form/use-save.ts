import type { UseFormReturnType } from '@mantine/form'
import { formErrors } from '../../lib/forms/form-errors.ts'
import { useOneMutation } from '../../lib/forms/use-one-mutation.ts'

interface SaveOptions<Values, Answer> {
  save: (values: Values) => Promise<Answer>
  onSaved?: (answer: Answer) => void
  /** The form itself reports that somebody else has changed the record. */
  ownConflicts?: boolean
}

/**
 * Saves a form, shows the server's messages on its fields, and marks the form as unchanged once saved. Other errors
 * go to the error policy. One save at a time.
 */
export function useSave<Values extends Record<string, unknown>, Answer>(
  form: UseFormReturnType<Values>,
  { save, onSaved, ownConflicts = false }: SaveOptions<Values, Answer>,
) {
  return useOneMutation({
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
