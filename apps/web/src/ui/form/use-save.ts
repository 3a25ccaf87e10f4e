import type { UseFormReturnType } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import { formErrors } from '../../lib/form-errors.ts'

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
  const isUnderWay = useRef(false)
  const saving = useMutation({
    mutationFn: save,
    meta: { ownConflicts },
    onSettled: () => {
      isUnderWay.current = false
    },
    onSuccess: (answer) => {
      form.resetDirty()
      onSaved?.(answer)
    },
    onError: (error) => {
      const errors = formErrors(error, Object.keys(form.getValues()))
      if (errors) form.setErrors(errors)
    },
  })
  return {
    ...saving,
    mutate: (values: Values) => {
      // A second click can come before the button is disabled, and would add an adjustment twice.
      if (isUnderWay.current) return
      isUnderWay.current = true
      saving.mutate(values)
    },
  }
}
