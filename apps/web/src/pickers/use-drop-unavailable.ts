import { useEffect } from 'react'

/** Goes back to no choice once the options are there and the chosen one is not among them. */
export function useDropUnavailable(
  value: number | null | undefined,
  options: readonly { id: number }[] | undefined,
  onChange: (id: undefined) => void,
) {
  const isGone = value != null && options !== undefined && !options.some(({ id }) => id === value)
  useEffect(() => {
    if (isGone) onChange(undefined)
    // `onChange` is new on every draw of the page; only the loss itself matters.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [isGone])
}
