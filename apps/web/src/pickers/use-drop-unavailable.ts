import { useEffect } from 'react'

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
