import { useForm } from '@mantine/form'
import type { AnswerOf, BodyOf, Endpoint, InputOf } from '@tallyroom/contract/endpoint'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { isApiError } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import type { FormFrameProps } from './FormFrame.tsx'
import { mergeValues } from './merge-values.ts'
import type { StaleState } from './StaleNotice.tsx'
import { useSave } from './use-save.ts'
import { validateBy } from './validate-by.ts'

type RecordFormOptions<E extends Endpoint, Values, Saved, Field extends string> = Omit<
  InputOf<E>,
  'body'
> & {
  /** Saves the form, and validates it by the schema of its body. */
  endpoint: E
  bodyOf: (values: Values, version?: number) => BodyOf<E>
  /** What the schema does not know, by field. */
  alsoRefused?: (values: Values) => Partial<Record<keyof Values, string>>
  onSaved: (answer: AnswerOf<E>) => void
  onCancel?: () => void
} & (NewRecord<Values> | { values?: never; opened: OpenedRecord<Values, Saved, Field> })

interface NewRecord<Values> {
  /** What a new record starts with. */
  values: Values
  opened?: never
}

interface OpenedRecord<Values, Saved, Field extends string> {
  /** What the form was filled with. */
  record: Saved
  /** Fetches the record again. */
  reload: () => Promise<Saved>
  valuesOf: (saved: Saved) => Values
  /** Field → its label on screen. A form without one of them does not compile. */
  labels: Readonly<Record<Field, string>>
}

/**
 * A form that creates a record, or changes one that others may be editing too: the second to save is told, keeps what
 * they typed, and can merge the other changes before saving again.
 * @returns the form, what its `FormFrame` needs, and the record as last loaded
 */
export function useRecordForm<
  E extends Endpoint,
  Values extends Record<string, unknown> & Record<Field, unknown>,
  Saved extends { version: number },
  Field extends string,
>(options: RecordFormOptions<E, Values, Saved, Field>) {
  const { endpoint, bodyOf, alsoRefused, onSaved, onCancel, opened } = options
  const { params } = options as { params?: object } // what InputOf says of any endpoint, which a generic one can't
  const [present, setPresent] = useState(opened?.record)
  const [clashes, setClashes] = useState<readonly string[]>()
  const errorsOf = validateBy(endpoint, (values: Values): unknown => bodyOf(values))
  const form = useForm<Values>({
    initialValues: opened ? opened.valuesOf(opened.record) : options.values,
    validate: (values) => ({ ...errorsOf(values), ...alsoRefused?.(values) }),
    validateInputOnBlur: true,
  })
  const saving = useSave(form, {
    save: (values: Values) =>
      call(endpoint, { params, body: bodyOf(values, present?.version) } as InputOf<E>), // as above
    onSaved,
    ownConflicts: opened !== undefined,
  })
  const catchingUp = useMutation({
    mutationFn: ({ reload }: OpenedRecord<Values, Saved, Field>) => reload(),
    onSuccess: (fresh, { record, valuesOf }) => {
      const theirs = valuesOf(fresh)
      const base = valuesOf(present ?? record)
      const merged = mergeValues({ base, mine: form.getValues(), theirs })
      form.setInitialValues(theirs)
      form.setValues(merged.values)
      setPresent(fresh)
      setClashes(merged.clashes)
      saving.reset()
    },
  })
  const stale: StaleState | undefined = opened && {
    message: isApiError(saving.error, 'CONFLICT') ? saving.error.message : undefined,
    clashes: saving.error ? undefined : clashes,
    labels: opened.labels,
    busy: catchingUp.isPending,
    catchUp: () => catchingUp.mutate(opened),
  }
  const frame = {
    form,
    busy: saving.isPending,
    onSubmit: (values: Values) => saving.mutate(values),
    ...(onCancel && { onCancel }),
    ...(stale && { stale }),
  } satisfies Partial<FormFrameProps<Values>>
  return { form, frame, present }
}
