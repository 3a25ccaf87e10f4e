import { useMutation, type UseMutationOptions } from '@tanstack/react-query'
import { useRef } from 'react'

/**
 * A mutation that ignores calls while one is under way. A second click can come before the button is disabled, and
 * would add an adjustment twice, or show an error beside the success.
 */
export function useOneMutation<Answer, Values = void>(
  options: Omit<UseMutationOptions<Answer, Error, Values>, 'onSettled'>,
) {
  const isUnderWay = useRef(false)
  const mutation = useMutation({
    ...options,
    onSettled: () => {
      isUnderWay.current = false
    },
  })
  const mutate: typeof mutation.mutate = (...call) => {
    if (isUnderWay.current) return
    isUnderWay.current = true
    mutation.mutate(...call)
  }
  return { ...mutation, mutate }
}
