import { useMutation, type UseMutationOptions } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { openForm, sendingAs } from './open-form.ts'

/** For this long after a success, the same call is the second click of a double click. */
const DOUBLE_CLICK_MS = 500

/**
 * A mutation that ignores calls while one is under way, and the same call right after it succeeded. A second click can
 * come before the button is disabled, or while its dialog fades, and would add an adjustment twice, or show an error
 * beside the success. Its calls have the key of the form that this is, which is opened with its component.
 */
export function useOneMutation<Answer, Values = void>(
  options: Omit<UseMutationOptions<Answer, Error, Values>, 'onSettled' | 'mutationFn'> & {
    mutationFn: (values: Values) => Promise<Answer>
  },
) {
  const isUnderWay = useRef(false)
  const done = useRef({ values: '', at: -Infinity })
  const [form, setForm] = useState(openForm)
  const mutation = useMutation({
    ...options,
    mutationFn: (values: Values) => sendingAs(form, () => options.mutationFn(values)),
    onSettled: (_, error, values) => {
      isUnderWay.current = false
      if (error) return
      done.current = { values: textOf(values), at: Date.now() }
      setForm(openForm())
    },
  })
  const mutate: typeof mutation.mutate = (...call) => {
    const { values, at } = done.current
    const isSecondClick = Date.now() - at < DOUBLE_CLICK_MS && textOf(call[0]) === values
    if (isUnderWay.current || isSecondClick) return
    isUnderWay.current = true
    mutation.mutate(...call)
  }
  return { ...mutation, mutate }
}

const textOf = (values: unknown): string => JSON.stringify(values) ?? ''
