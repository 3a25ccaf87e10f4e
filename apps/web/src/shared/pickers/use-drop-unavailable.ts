import { useEffect } from 'react'
import type { PickerProps } from './picker.ts'

/** Clears the choice when the loaded options do not contain it. */
export function useDropUnavailable(
  value: number | null | undefined,
  options: readonly { id: number }[] | undefined,
  onChange: (id: undefined) => void,
) {
  const isGone = value != null && options !== undefined && !options.some(({ id }) => id === value)
  useEffect(() => {
    if (isGone) onChange(undefined)
    // `onChange` changes on every render; only `isGone` matters.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [isGone])
}

/** If exactly one choice exists and one is required, chooses it. */
export function useOnlyChoice(
  { required = false, value, onChange }: Pick<PickerProps, 'required' | 'value' | 'onChange'>,
  options: readonly { id: number }[] | undefined,
) {
  const only = options?.length === 1 ? options[0]?.id : undefined
  const isToChoose = required && value === undefined && only !== undefined
  useEffect(() => {
    if (isToChoose) onChange(only)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- as above
  }, [isToChoose])
}
