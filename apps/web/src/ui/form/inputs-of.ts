import type { UseFormReturnType } from '@mantine/form'

/** The props that tie inputs to the fields of a form: `<TextInput withAsterisk {...text('sitename', 128)} />`. */
export function inputsOf<Values>(
  form: UseFormReturnType<Values>,
  labels: Readonly<Partial<Record<keyof Values, string>>>,
) {
  type Field = keyof Values & string
  return {
    text: (field: Field, maxLength: number) => ({
      label: labels[field],
      maxLength,
      ...form.getInputProps(field),
    }),
    check: (field: Field) => ({
      label: labels[field],
      ...form.getInputProps(field, { type: 'checkbox' }),
    }),
  }
}
